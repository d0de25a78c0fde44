/** Describes the registry as a dataset: schema.org JSON-LD and FAIR Signposting (https://signposting.org/FAIR/). */

import { asText, type JsonObject, parsedObject } from '../../model/json.ts';
import { epochSeconds, isoTimestamp } from '../../model/revision.ts';
import { membersOf } from '../../model/state.ts';
import { escapedHtml, printableJson } from '../../platform/text.ts';
import { authorsOf, type Citation, citationOf, citedDay, doiUrl, licenseUrl } from '../citation.ts';
import { JSON_MEDIA_TYPE } from '../dialect.ts';
import { CHANGE_EXPORT_PATH, DATA_PACKAGE_PATH, nodeExportUrl } from '../exports/export-urls.ts';
import type { View } from '../item.ts';
import { exceedsMaxNodes } from '../nodes/node-columns.ts';
import { NODE_TABLE_PATH } from '../nodes/node-paths.ts';
import { gridBody, type Publication, revisionAt } from '../publication.ts';
import { LINKSET_MEDIA_TYPE, RAW_FORMS } from '../raw-forms.ts';
import { EXPLORER_PATHS } from './explorer-paths.ts';

interface TypedLink {
  readonly rel: string;
  /** Contains a URL, or a path of the API. */
  readonly href: string;
  readonly type?: string;
}

const HTML = RAW_FORMS.html.mediaType;
const TYPES = ['https://schema.org/AboutPage', 'https://schema.org/Dataset'];

/** Returns the bodies of the sites, or an empty list if the registry is empty. */
export function siteBodies({ state, publication }: View): JsonObject[] {
  if (!state) return [];
  const sites = [...membersOf(state, 'sites').values()];
  return sites.map(({ body }) => parsedObject(publication.store.get(body.handle))).filter((body) => body !== undefined);
}

/** Renders schema.org/Dataset (https://developers.google.com/search/docs/appearance/structured-data/dataset). */
export function renderDataset(view: View): string {
  const { publication, index } = view;
  const citation = citationAt(view);
  const { title, description, publisher, license, doi, keywords } = citation;
  const first = epochSeconds(revisionAt(publication, 0).date);
  const last = epochSeconds(revisionAt(publication, index).date);
  const page = addressOf(publication, EXPLORER_PATHS.page);
  const dataset = {
    '@context': 'https://schema.org/',
    '@type': 'Dataset',
    '@id': page,
    name: title,
    description,
    url: page,
    identifier: doi && doiUrl(doi),
    sameAs: citation.url,
    license: license && licenseUrl(license),
    creator: authorsOf(citation),
    publisher: { '@type': 'Organization', name: publisher },
    keywords,
    version: citation.revision,
    datePublished: isoTimestamp(first).slice(0, citedDay(citation).length),
    dateModified: citation.date,
    temporalCoverage: `${isoTimestamp(Math.min(first, last))}/${isoTimestamp(last)}`,
    spatialCoverage: siteBodies(view).map(placeOf),
    isAccessibleForFree: true,
    distribution: documentsOf(publication).map(({ href, type }) => ({
      '@type': 'DataDownload',
      encodingFormat: type,
      contentUrl: addressOf(publication, href),
    })),
  };
  return printableJson(JSON.stringify(dataset));
}

function placeOf({ name, uid, location, latitude, longitude }: JsonObject) {
  const hasPosition = typeof latitude === 'number' && typeof longitude === 'number';
  return {
    '@type': 'Place',
    identifier: asText(uid),
    name: asText(name ?? uid),
    address: typeof location === 'string' ? location : undefined,
    geo: hasPosition ? { '@type': 'GeoCoordinates', latitude, longitude } : undefined,
  };
}

function citationAt({ publication, index }: View): Citation {
  return citationOf(publication, gridBody(publication) ?? {}, revisionAt(publication, index));
}

/** Returns links to the documents of the dataset. A very large registry has no exports with the nodes of all sites. */
function documentsOf(publication: Publication): Required<TypedLink>[] {
  const item = (href: string, type: string) => ({ rel: 'item', href, type });
  const tables = exceedsMaxNodes(publication)
    ? []
    : (['csv', 'ndjson'] as const).map((form) => item(nodeExportUrl(form, undefined), RAW_FORMS[form].mediaType));
  return [
    item(`${NODE_TABLE_PATH}.json`, JSON_MEDIA_TYPE),
    ...(publication.hasExports
      ? [
          ...tables,
          item(CHANGE_EXPORT_PATH, RAW_FORMS.csv.mediaType),
          item(`${DATA_PACKAGE_PATH}.json`, JSON_MEDIA_TYPE),
        ]
      : []),
  ];
}

/** The links of the landing page. `cite-as` needs a DOI or the URL of the API. */
function landingLinks(view: View): TypedLink[] {
  const { publication } = view;
  const citation = citationAt(view);
  const { license, doi } = citation;
  const cited = doi === undefined ? citedUrl(publication) : doiUrl(doi);
  return [
    ...(cited === undefined ? [] : [{ rel: 'cite-as', href: cited }]),
    ...TYPES.map((href) => ({ rel: 'type', href })),
    ...citation.authors.flatMap((author) => {
      const href = 'name' in author ? author.website : author.orcid;
      return href === undefined ? [] : [{ rel: 'author', href }];
    }),
    ...(license === undefined ? [] : [{ rel: 'license', href: licenseUrl(license) }]),
    { rel: 'describedby', href: EXPLORER_PATHS.dataset, type: RAW_FORMS['json-ld'].mediaType },
    { rel: 'linkset', href: EXPLORER_PATHS.linkset, type: LINKSET_MEDIA_TYPE },
    ...documentsOf(publication),
  ];
}

/** Returns the elements for the head of the landing page (signposting level 1). Paths are relative to the page. */
export function landingElements(view: View): string {
  return landingLinks(view)
    .map(({ rel, href, type }) => {
      const target = href.startsWith('/') ? `..${href}` : href;
      return `<link rel="${rel}"${type === undefined ? '' : ` type="${type}"`} href="${escapedHtml(target)}">`;
    })
    .join('\n');
}

/** Renders the links of the landing page, and links from documents to this page, as a linkset (signposting level 2). */
export function renderLinkset(view: View): string {
  const { publication } = view;
  const address = (path: string) => addressOf(publication, path);
  const page = address(EXPLORER_PATHS.page);
  const links: Record<string, { href: string; type?: string }[]> = {};
  for (const { rel, href, type } of landingLinks(view)) {
    const target = href.startsWith('/') ? address(href) : href;
    links[rel] = [...(links[rel] ?? []), { href: target, ...(type === undefined ? {} : { type }) }];
  }
  const back = [{ href: page, type: HTML }];
  const linkset = {
    linkset: [
      { anchor: page, ...links },
      ...documentsOf(publication).map(({ href }) => ({ anchor: address(href), collection: back })),
      { anchor: address(EXPLORER_PATHS.dataset), describes: back },
    ],
  };
  return printableJson(JSON.stringify(linkset));
}

function addressOf({ baseUrl }: Publication, path: string): string {
  return baseUrl + path;
}

function citedUrl({ baseUrl }: Publication): string | undefined {
  return baseUrl.startsWith('/') || baseUrl === '' ? undefined : baseUrl;
}
