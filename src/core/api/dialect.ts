/** The two representations of the API: what a link looks like, which media type a body has, what the root adds. */
import type { Configuration } from '../model/configuration.ts';
import type { Kind } from '../model/kinds.ts';
import type { Form, RawForm } from './endpoints.ts';

/** What a dialect needs to know of the configuration. */
export type DialectOptions = Pick<Configuration, 'dialect' | 'vendor' | 'release'>;

export interface Link {
  readonly rel: string;
  readonly href: string;
  /** What the target is. */
  readonly form: Form | RawForm;
}

export interface Dialect {
  readonly name: Configuration['dialect'];
  readonly links: (links: readonly Link[]) => string;
  /** The link relations of a kind's items, in order. */
  readonly rels: (kind: Kind) => readonly string[];
  /** Whether a collection links to its parent: the legacy collection of sites does not. */
  readonly linksParent: (collection: Kind) => boolean;
  /** The fields that the root has besides its source's, after `version`. */
  readonly rootFields: (timestamp: number) => string;
  readonly mediaType: (form: Form | RawForm) => string;
  /** The empty collections and items that the dialect's links lead to. */
  readonly emptyChildren: (kind: Kind) => readonly (readonly [name: string, form: Form])[];
}

export const JSON_MEDIA_TYPE = 'application/json';
export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** The media types of raw documents, in either dialect. */
export const RAW_MEDIA_TYPES: Readonly<Record<RawForm, string>> = {
  'link-format': 'application/link-format',
  atom: 'application/atom+xml',
};

export function isRaw(form: Form | RawForm): form is RawForm {
  return form in RAW_MEDIA_TYPES;
}

export function vendorMediaType(vendor: string, form: Form): string {
  return `application/vnd.${vendor}.${form}+json`;
}

/** The vendor in a media type; undefined where there is none. */
export function vendorIn(mediaType: string): string | undefined {
  return /^application\/vnd\.(.+)\.(?:item|collection)\+json/.exec(mediaType)?.[1];
}

export function dialectOf(options: DialectOptions): Dialect {
  return options.dialect === 'legacy' ? legacy(options) : CURRENT;
}

const CURRENT: Dialect = {
  name: 'current',
  links: (links) => `[${links.map(({ rel, href }) => `{"rel":"${rel}","href":"${href}"}`).join(',')}]`,
  rels: (kind) => kind.rels.current,
  linksParent: () => true,
  rootFields: (timestamp) => `,"timestamp":"${timestamp}"`,
  mediaType: (form) => (isRaw(form) ? RAW_MEDIA_TYPES[form] : JSON_MEDIA_TYPE),
  emptyChildren: () => [],
};

function legacy({ vendor, release }: DialectOptions): Dialect {
  const types: Readonly<Record<Form | RawForm, string>> = {
    ...RAW_MEDIA_TYPES,
    item: vendorMediaType(vendor, 'item'),
    collection: vendorMediaType(vendor, 'collection'),
  };
  return {
    name: 'legacy',
    links: (links) =>
      `[${links.map(({ rel, href, form }) => `{"rel":"${rel}","href":"${href}","type":"${types[form]}"}`).join(',')}]`,
    rels: (kind) => kind.rels.legacy,
    linksParent: (collection) => collection.name !== 'site',
    rootFields: (timestamp) => `,"release":${JSON.stringify(release)},"timestamp":${timestamp}`,
    mediaType: (form) => (isRaw(form) ? types[form] : `${types[form]}; charset=utf-8`),
    emptyChildren: (kind) => Object.entries(kind.legacyChildren),
  };
}
