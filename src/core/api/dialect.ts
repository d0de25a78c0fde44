/** The two representations of the API: what a link looks like, which media type a body has, what the root adds. */
import type { Configuration } from '../model/configuration.ts';
import type { Kind } from '../model/kinds.ts';
import type { Form } from './endpoints.ts';
import { isRaw, RAW_FORMS, type RawForm, rawContentType } from './raw-forms.ts';

/** What a dialect needs to know of the configuration. */
export type DialectOptions = Pick<Configuration, 'dialect' | 'vendor' | 'release'> &
  Partial<Pick<Configuration, 'base_path' | 'prefixed_links'>>;

export interface Link {
  readonly rel: string;
  readonly href: string;
  /** What the target is. */
  readonly form: Form | RawForm;
}

export interface Dialect {
  readonly name: Configuration['dialect'];
  readonly links: (links: readonly Link[]) => string;
  /** What a link to a URL path says. */
  readonly hrefOf: (url: string) => string;
  /** The link relations of a kind's items, in order. */
  readonly rels: (kind: Kind) => readonly string[];
  /** Whether a collection links to its parent: the legacy collection of sites does not. */
  readonly linksParent: (collection: Kind) => boolean;
  /** The fields that the root has besides its source's, after `version`. */
  readonly rootFields: (timestamp: number) => string;
  readonly mediaType: (form: Form | RawForm) => string;
  /** Whether a kind's collections answer where they have no members and no link leads to them. */
  readonly answersUnlinked: (kind: Kind) => boolean;
  /** The empty collections and items that the dialect's links lead to. */
  readonly emptyChildren: (kind: Kind) => readonly (readonly [name: string, form: Form])[];
}

export const JSON_MEDIA_TYPE = 'application/json';
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Of what programs of others read the type is theirs (JSON Feed 1.1). */
const FEED_MEDIA_TYPE = 'application/feed+json';

export function vendorMediaType(vendor: string, form: Form): string {
  if (form === 'feed') return FEED_MEDIA_TYPE;
  return `application/vnd.${vendor}.${form}+json`;
}

/** The vendor in a media type; undefined where there is none. */
export function vendorIn(mediaType: string): string | undefined {
  return /^application\/vnd\.(.+)\.(?:item|collection)\+json/.exec(mediaType)?.[1];
}

export function dialectOf(options: DialectOptions): Dialect {
  const { prefixed_links: isPrefixed = false, base_path: basePath = '' } = options;
  const hrefOf = isPrefixed ? hrefBelow(basePath) : hrefBelow('');
  return options.dialect === 'legacy' ? legacy(options, hrefOf) : { ...CURRENT, ...linksOf(hrefOf, () => '') };
}

function hrefBelow(prefix: string): Dialect['hrefOf'] {
  return (url) => (url === '/' ? prefix || '/' : prefix + url);
}

/** `typeOf` gives what a link says besides its relation and its target. */
function linksOf(hrefOf: Dialect['hrefOf'], typeOf: (link: Link) => string): Pick<Dialect, 'hrefOf' | 'links'> {
  const text = (link: Link) => `{"rel":"${link.rel}","href":"${hrefOf(link.href)}"${typeOf(link)}}`;
  const links = (all: readonly Link[]) => {
    let texts = '';
    for (const link of all) texts += texts === '' ? text(link) : `,${text(link)}`;
    return `[${texts}]`;
  };
  return { hrefOf, links };
}

const CURRENT: Omit<Dialect, 'hrefOf' | 'links'> = {
  name: 'current',
  rels: (kind) => kind.rels.current,
  linksParent: () => true,
  rootFields: (timestamp) => `,"timestamp":"${timestamp}"`,
  mediaType: (form) => (isRaw(form) ? rawContentType(RAW_FORMS[form]) : JSON_MEDIA_TYPE),
  answersUnlinked: ({ isAskedUnlinked }) => isAskedUnlinked,
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
