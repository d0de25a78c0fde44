/** The dialects of the API differ in links, media types and the fields of the root. */
import type { Configuration } from '../model/configuration.ts';
import type { Kind } from '../model/kinds.ts';
import type { Form } from './endpoints.ts';
import { isRaw, RAW_FORMS, type RawForm, rawContentType } from './raw-forms.ts';

export type DialectOptions = Pick<Configuration, 'dialect' | 'vendor' | 'release'> &
  Partial<Pick<Configuration, 'base_path' | 'prefixed_links' | 'empty_collections'>>;

export interface Link {
  readonly rel: string;
  readonly href: string;
  readonly form: Form | RawForm;
}

export function toItem(rel: string, href: string): Link {
  return { rel, href, form: 'item' };
}

export function toCollection(rel: string, href: string): Link {
  return { rel, href, form: 'collection' };
}

export interface Dialect {
  readonly name: Configuration['dialect'];
  readonly links: (links: readonly Link[]) => string;
  /** Converts a URL path to an `href`. Adds the base path if `prefixed_links` is set. */
  readonly hrefOf: (url: string) => string;
  readonly rels: (kind: Kind) => readonly string[];
  /** Whether each item of a collection has a link `parent` to the collection. Legacy sites have no such link. */
  readonly linksParent: (collection: Kind) => boolean;
  /** The JSON text of the additional fields of the root, after `version`. */
  readonly rootFields: (timestamp: number) => string;
  readonly mediaType: (form: Form | RawForm) => string;
  /** Whether an empty collection of this kind has a document, although nothing links to this document. */
  readonly answersUnlinked: (kind: Kind) => boolean;
  /** Returns the documents that exist below every item of this kind and are always empty. */
  readonly emptyChildren: (kind: Kind) => readonly (readonly [name: string, form: Form])[];
}

export const JSON_MEDIA_TYPE = 'application/json';
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** JSON Feed 1.1 defines this media type. */
const FEED_MEDIA_TYPE = 'application/feed+json';

export function vendorMediaType(vendor: string, form: Form): string {
  if (form === 'feed') return FEED_MEDIA_TYPE;
  return `application/vnd.${vendor}.${form}+json`;
}

export function vendorIn(mediaType: string): string | undefined {
  return /^application\/vnd\.(.+)\.(?:item|collection)\+json/.exec(mediaType)?.[1];
}

export function dialectOf(options: DialectOptions): Dialect {
  const { prefixed_links: isPrefixed = false, base_path: basePath = '' } = options;
  const hrefOf = isPrefixed ? hrefBelow(basePath) : hrefBelow('');
  if (options.dialect === 'legacy') return legacy(options, hrefOf);
  const asked: readonly (string | undefined)[] = options.empty_collections ?? [];
  const answersUnlinked: Dialect['answersUnlinked'] = ({ isServedUnlinked, collection }) =>
    isServedUnlinked || asked.includes(collection);
  return { ...CURRENT, answersUnlinked, ...linksOf(hrefOf, () => '') };
}

function hrefBelow(prefix: string): Dialect['hrefOf'] {
  return (url) => (url === '/' ? prefix || '/' : prefix + url);
}

/** `typeOf` returns the JSON text that is appended to the fields of a link. */
function linksOf(hrefOf: Dialect['hrefOf'], typeOf: (link: Link) => string): Pick<Dialect, 'hrefOf' | 'links'> {
  const text = (link: Link) => `{"rel":"${link.rel}","href":"${hrefOf(link.href)}"${typeOf(link)}}`;
  const links = (all: readonly Link[]) => {
    let texts = '';
    for (const link of all) texts += texts === '' ? text(link) : `,${text(link)}`;
    return `[${texts}]`;
  };
  return { hrefOf, links };
}

const CURRENT: Omit<Dialect, 'hrefOf' | 'links' | 'answersUnlinked'> = {
  name: 'current',
  rels: (kind) => kind.rels.current,
  linksParent: () => true,
  rootFields: (timestamp) => `,"timestamp":"${timestamp}"`,
  mediaType: (form) => (isRaw(form) ? rawContentType(RAW_FORMS[form]) : JSON_MEDIA_TYPE),
  emptyChildren: () => [],
};

function legacy({ vendor, release }: DialectOptions, hrefOf: Dialect['hrefOf']): Dialect {
  const typeOf = (form: Form | RawForm) => (isRaw(form) ? RAW_FORMS[form].mediaType : vendorMediaType(vendor, form));
  return {
    name: 'legacy',
    ...linksOf(hrefOf, ({ form }) => `,"type":"${typeOf(form)}"`),
    rels: (kind) => kind.rels.legacy,
    linksParent: ({ linksLegacyParent }) => linksLegacyParent,
    rootFields: (timestamp) => `,"release":${JSON.stringify(release)},"timestamp":${timestamp}`,
    mediaType: (form) => (isRaw(form) ? rawContentType(RAW_FORMS[form]) : `${typeOf(form)}; charset=utf-8`),
    answersUnlinked: () => true,
    emptyChildren: (kind) => Object.entries(kind.legacyChildren),
  };
}
