/**
 * The raw forms: formats of others, in which some documents are published besides or instead of JSON. One record says all
 * that is to be known of a format; which documents come in it, the endpoint table says. A raw document answers at one
 * path, which is its file's, and in the same media type in both dialects.
 */

import { escapedHtml } from '../platform/text.ts';
import { CATALOG_FILE } from './description/description-paths.ts';
import { EXPLORER_FOLDER } from './explorer/explorer-paths.ts';
import { feedUrl, timemapUrl } from './urls.ts';

export interface RawFormat {
  /** The end of its documents' paths, from their last dot on, and so of their files' names. */
  readonly ending: `.${string}`;
  /** Without parameters. */
  readonly mediaType: string;
  /** What every document begins with. */
  readonly start: string;
  /** Whether a text says that it stands at a path: only such a file can be told from somebody else's. */
  readonly isAt: (text: string, url: string) => boolean;
  /** The references in a text that must lead somewhere, each with the base path before it. */
  readonly referencesIn: (text: string) => string[];
}

export const RAW_FORMS = {
  /** RFC 6690. It names the original of what is gone too. */
  'link-format': {
    ending: '.link',
    mediaType: 'application/link-format',
    start: '<',
    isAt: (text, url) => text.includes(`${url}>;rel="self"`),
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
    isAt: (text, url) => text.includes('<link rel="self" ') && text.includes(`${url}"/>`),
    referencesIn: (text) =>
      Array.from(text.matchAll(/^<link [^>\n]*href="([^"\n]*)"/gm), ([, reference = '']) => reference),
  },
  /** RFC 4180, with line feeds. The text does not say where it stands, but what it is a table of. */
  csv: {
    ending: '.csv',
    mediaType: 'text/csv',
    start: '',
    isAt: (text, url) => text.startsWith(url.endsWith('/changes.csv') ? 'revision,date,' : 'site,cluster,'),
    referencesIn: () => [],
  },
  /** A JSON object in each line (ndjson.org). There may be none. */
  ndjson: {
    ending: '.ndjson',
    mediaType: 'application/x-ndjson',
    start: '',
    isAt: (text) => text === '' || text.startsWith('{"site":"'),
    referencesIn: () => [],
  },
  /** RFC 9512. */
  yaml: {
    ending: '.yaml',
    mediaType: 'application/yaml',
    start: 'all:\n',
    isAt: (text) => text.includes('\n    gridpress_revision: '),
    referencesIn: () => [],
  },
  /** Pages say in themselves where they stand. Their ending is not `.html`, by which some hosts serve JSON or redirect. */
  html: {
    ending: '.htm',
    mediaType: 'text/html',
    start: '<!doctype html>',
    isAt: (text, url) => text.includes(`<meta name="gridpress-path" content="${url}">`),
    referencesIn: documentsIn,
  },
  css: {
    ending: '.css',
    mediaType: 'text/css',
    start: '/* ',
    isAt: (text, url) => text.startsWith(`/* ${url}: `),
    referencesIn: () => [],
  },
  js: {
    ending: '.js',
    mediaType: 'text/javascript',
    start: '/* ',
    isAt: (text, url) => text.startsWith(`/* ${url}: `),
    referencesIn: () => [],
  },
  svg: {
    ending: '.svg',
    mediaType: 'image/svg+xml',
    start: '<svg ',
    isAt: (text, url) => text.includes(`<metadata>${escapedHtml(url)}</metadata>`),
    referencesIn: () => [],
  },
  /** RFC 9264. Its one document has a name without an ending, which RFC 9727 gives it. */
  linkset: {
    ending: CATALOG_FILE,
    mediaType: 'application/linkset+json',
    start: '{"linkset":[',
    isAt: (text, url) => text.includes(`"anchor":"${url}"`),
    referencesIn: (text) =>
      Array.from(text.matchAll(/"href":"([^"]*?)(?:\.json)?"/g), ([, reference = '']) => reference),
  },
} satisfies Readonly<Record<string, RawFormat>>;

/**
 * What the explorer's page refers to, which is relative since it does not know where its tree will stand: its parts, and
 * documents. Pages of reference have links for examples, not all of which lead somewhere.
 */
function documentsIn(page: string): string[] {
  if (!page.includes('<meta name="gridpress-path" content="/explorer/')) return [];
  const references = page.matchAll(/ (?:href|src|content)="((?:\.\.\/)?[^":]+\.(?:js|css|svg|json))"/g);
  return Array.from(references, ([, reference = '']) =>
    reference.startsWith('../') ? reference.slice(2).replace(/\.json$/, '') : `/${EXPLORER_FOLDER}/${reference}`,
  );
}

export type RawForm = keyof typeof RAW_FORMS;

export function isRaw(form: string): form is RawForm {
  return Object.hasOwn(RAW_FORMS, form);
}

/** The media type of responses: clients guess the characters of texts that do not name them. */
export function rawContentType({ mediaType }: Pick<RawFormat, 'mediaType'>): string {
  return mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType;
}

const byEnding = new Map<string, RawForm>(
  Object.keys(RAW_FORMS)
    .filter(isRaw)
    .map((form) => [RAW_FORMS[form].ending, form]),
);

const LONGEST_ENDING = Math.max(...Array.from(byEnding.keys(), ({ length }) => length));

/** The form whose ending a path or a file's name has. */
export function rawFormEnding(path: string): RawForm | undefined {
  const end = path.slice(-LONGEST_ENDING);
  const dot = end.lastIndexOf('.');
  return dot < 0 ? undefined : byEnding.get(end.slice(dot));
}

/** A regular expression for any of their endings. */
export const RAW_ENDING_PATTERN = `(?:${[...byEnding.keys()].map((ending) => ending.replace('.', '\\.')).join('|')})`;

/** When each version of an item was, in the link format. */
export function timemapLinksUrl(path: string): string {
  return timemapUrl(path) + RAW_FORMS['link-format'].ending;
}

/** The newest changes as Atom. */
export function atomUrl(path: string): string {
  return feedUrl(path) + RAW_FORMS.atom.ending;
}
