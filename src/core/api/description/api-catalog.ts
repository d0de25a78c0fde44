/**
 * The catalogue of the APIs of a host (RFC 9727), for whoever knows the host alone: a set of links (RFC 9264). Its
 * references are relative, since no source says what the host is called.
 */
import { EXPLORER_PATHS } from '../explorer/explorer-paths.ts';
import type { Publication } from '../publication.ts';
import { changesUrl, resourceUrl } from '../urls.ts';
import { CATALOG_PATH, LINKS_PATH, OPENAPI_PATH, REFERENCE_PATH } from './description-paths.ts';

const OPENAPI_MEDIA_TYPE = 'application/openapi+json';

/** The JSON text of the catalogue. */
export function renderCatalog({ dialect, explorer }: Publication): string {
  const root = resourceUrl('');
  const json = dialect.mediaType('item').split(';')[0];
  const page = 'text/html';
  const linkset = [
    { anchor: CATALOG_PATH, item: [{ href: root, type: json }] },
    {
      anchor: root,
      'service-desc': [{ href: `${OPENAPI_PATH}.json`, type: OPENAPI_MEDIA_TYPE }],
      'service-doc': [{ href: REFERENCE_PATH, type: page }],
      describedby: [{ href: `${LINKS_PATH}.json`, type: 'application/json' }],
      monitor: [{ href: changesUrl('') }],
      ...(explorer ? { alternate: [{ href: EXPLORER_PATHS.page, type: page, title: 'Explorer' }] } : {}),
    },
  ];
  return JSON.stringify({ linkset });
}
