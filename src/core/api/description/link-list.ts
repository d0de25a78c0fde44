/** `/links`: where everything is. Hosts that set headers lead to it by them; on others it is known by its name. */

import type { View } from '../item.ts';
import { hasDeep, historySince, idAt } from '../publication.ts';
import { resourceUrl } from '../urls.ts';
import { LINKS_PATH } from './description-paths.ts';
import { CATALOG_LINK, DEEP_LINK, EXPORTS_LINK, LINK_LIST } from './link-list-rows.ts';

/** The JSON text of the list. */
export function renderLinkList({ publication, index }: View): string {
  const links = publication.dialect.links([
    { rel: 'self', href: LINKS_PATH, form: 'item' },
    { rel: 'parent', href: resourceUrl(''), form: 'item' },
    ...LINK_LIST,
    ...(hasDeep(publication.deep, false) ? [DEEP_LINK] : []),
    ...(publication.hasExports ? [EXPORTS_LINK] : []),
    ...(publication.basePath === '' ? [CATALOG_LINK] : []),
  ]);
  const since = historySince(publication);
  const bound = since === undefined ? '' : `"history_since":"${since}",`;
  return `{"type":"links","uid":"links",${bound}"version":"${idAt(publication, index)}","links":${links}}`;
}
