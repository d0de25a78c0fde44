/** Formats other than JSON. The URL path of a raw document is its file path. Both dialects use the same media type. */

import { escapedHtml } from '../platform/text.ts';
import { CATALOG_FILE } from './description/description-paths.ts';
import { EXPLORER_FOLDER } from './explorer/explorer-paths.ts';
import { feedUrl, timemapUrl } from './urls.ts';

export interface RawFormat {
  /** The suffix of every path of this format, beginning with the last dot. */
  readonly ending: `.${string}`;
  readonly mediaType: string;
  readonly start: string;
  /** Whether the text looks like a document that gridpress wrote for this URL. */
  readonly isDocumentAt: (text: string, url: string) => boolean;
  /** Returns the links in a document, with the base path. The target of each link must exist. */
  readonly referencesIn: (text: string) => string[];
}

/** RFC 9264. */
export const LINKSET_MEDIA_TYPE = 'application/linkset+json';

export const RAW_FORMS = {
  /**
   * RFC 6690. A link with the relation `original` can name a removed item, which has no document. So `referencesIn`
   * skips such links.
   */
  'link-format': {
    ending: '.link',
    mediaType: 'application/link-format',
    start: '<',
    isDocumentAt: (text, url) => text.includes(`${url}>;rel="self"`),
    referencesIn: (text) =>
      [...text.matchAll(/^<(\/[^>\n]*)>;rel="([^"\n]*)"/gm)].flatMap(([, reference = '', rel]) =>
        rel === 'original' ? [] : [reference],
      ),
  },
  /** RFC 4287. */
  atom: {
    ending: '.atom',
    mediaType: 'application/atom+xml',
    start: '<?xml ',
    isDocumentAt: (text, url) => text.includes('<link rel="self" ') && text.includes(`${url}"/>`),
    referencesIn: (text) =>
      Array.from(text.matchAll(/^<link [^>\n]*href="([^"#\n]*)["#]/gm), ([, reference = '']) => reference),
  },
  /** CSV (RFC 4180) with line feeds as line ends. The names of the first columns show which table the file contains. */
  csv: {
    ending: '.csv',
    mediaType: 'text/csv',
    start: '',
    isDocumentAt: (text, url) => text.startsWith(url.endsWith('/changes.csv') ? 'revision,date,' : 'site,cluster,'),
    referencesIn: () => [],
  },
  /** One JSON object per line (ndjson.org). The file of an empty registry is empty. */
  ndjson: {
    ending: '.ndjson',
    mediaType: 'application/x-ndjson',
    start: '',
    isDocumentAt: (text) => text === '' || text.startsWith('{"site":"'),
    referencesIn: () => [],
  },
  /** RFC 9512. */
  yaml: {
    ending: '.yaml',
    mediaType: 'application/yaml',
    start: 'all:\n',
    isDocumentAt: (text) => text.includes('\n    gridpress_revision: '),
    referencesIn: () => [],
  },
  /** The ending is `.htm`, because some hosts redirect paths that end in `.html`, or serve JSON at these paths. */
  html: {
    ending: '.htm',
    mediaType: 'text/html',
    start: '<!doctype html>',
    isDocumentAt: (text, url) => text.includes(`<meta name="gridpress-path" content="${url}">`),
    referencesIn: documentsIn,
  },
  text: {
    ending: '.txt',
    mediaType: 'text/plain',
    start: '# ',
    isDocumentAt: (text) => text.includes(': hardware inventory of a testbed'),
    referencesIn: (text) =>
      Array.from(text.matchAll(/\]\((\/[^)\s]*?)(?:\.json)?\)/g), ([, reference = '']) => reference),
  },
  /** RFC 7763. */
  markdown: {
    ending: '.md',
    mediaType: 'text/markdown',
    start: '# ',
    isDocumentAt: (text) => text.startsWith('# Hardware of '),
    referencesIn: () => [],
  },
  css: {
    ending: '.css',
    mediaType: 'text/css',
    start: '/* ',
    isDocumentAt: (text, url) => text.startsWith(`/* ${url}: `),
    referencesIn: () => [],
  },
  js: {
    ending: '.js',
    mediaType: 'text/javascript',
    start: '/* ',
    isDocumentAt: (text, url) => text.startsWith(`/* ${url}: `),
    referencesIn: () => [],
  },
  svg: {
    ending: '.svg',
    mediaType: 'image/svg+xml',
    start: '<svg ',
    isDocumentAt: (text, url) => text.includes(`<metadata>${escapedHtml(url)}</metadata>`),
    referencesIn: () => [],
  },
  /** Source: https://www.w3.org/TR/json-ld11/ */
  'json-ld': {
    ending: '.jsonld',
    mediaType: 'application/ld+json',
    start: '{"@context":',
    isDocumentAt: (text) => text.includes('"@type":"Dataset"'),
    referencesIn: () => [],
  },
  linkset: {
    ending: '.linkset',
    mediaType: LINKSET_MEDIA_TYPE,
    start: '{"linkset":[',
    isDocumentAt: (text, url) => text.includes(`${url}","type":"${LINKSET_MEDIA_TYPE}"`),
    referencesIn: hrefsIn,
  },
  /** RFC 9727 fixes the name of the API catalogue, which has no extension. */
  catalog: {
    ending: CATALOG_FILE,
    mediaType: LINKSET_MEDIA_TYPE,
    start: '{"linkset":[',
    isDocumentAt: (text, url) => text.includes(`"anchor":"${url}"`),
    referencesIn: hrefsIn,
  },
} satisfies Readonly<Record<string, RawFormat>>;

/** Returns the paths that a linkset links to. Skips absolute URLs, even URLs of this API. */
function hrefsIn(linkset: string): string[] {
  return Array.from(linkset.matchAll(/"href":"(\/[^"]*?)(?:\.json)?"/g), ([, reference = '']) => reference);
}

/** Returns the explorer's relative links to documents. Skips the reference page, because its examples may not exist. */
function documentsIn(page: string): string[] {
  if (!page.includes('<meta name="gridpress-path" content="/explorer/')) return [];
  const references = page.matchAll(/ (?:href|src|content)="((?:\.\.\/)?[^":]+\.(?:js|css|svg|json|jsonld|linkset))"/g);
  return Array.from(references, ([, reference = '']) =>
    reference.startsWith('../') ? reference.slice(2).replace(/\.json$/, '') : `/${EXPLORER_FOLDER}/${reference}`,
  );
}

export type RawForm = keyof typeof RAW_FORMS;

export function isRaw(form: string): form is RawForm {
  return Object.hasOwn(RAW_FORMS, form);
}

/** Declares the charset of text types, because clients would guess a missing charset. */
export function rawContentType({ mediaType }: Pick<RawFormat, 'mediaType'>): string {
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;
}

const byEnding = new Map<string, RawForm>(
  Object.keys(RAW_FORMS)
    .filter(isRaw)
    .map((form) => [RAW_FORMS[form].ending, form]),
);

const LONGEST_ENDING = Math.max(...Array.from(byEnding.keys(), ({ length }) => length));

export function rawFormEnding(path: string): RawForm | undefined {
  const end = path.slice(-LONGEST_ENDING);
  const dot = end.lastIndexOf('.');
  return dot < 0 ? undefined : byEnding.get(end.slice(dot));
}

export const RAW_ENDING_PATTERN = `(?:${[...byEnding.keys()].map((ending) => ending.replace('.', '\\.')).join('|')})`;

export function timemapLinksUrl(path: string): string {
  return timemapUrl(path) + RAW_FORMS['link-format'].ending;
}

export function atomUrl(path: string): string {
  return feedUrl(path) + RAW_FORMS.atom.ending;
}
