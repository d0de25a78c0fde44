/**
 * What every host must do with a tree, said once and without a host's name: which paths there are, the media type and
 * cache class of each, the headers, the redirects, the variants. Derived from the endpoint table and the configuration.
 */
import { dialectOf, JSON_MEDIA_TYPE, PROBLEM_MEDIA_TYPE, vendorMediaType } from '../api/dialect.ts';
import { type CacheClass, ENDPOINTS, type Endpoint, type Form } from '../api/endpoints.ts';
import type { Configuration } from '../model/configuration.ts';
import { cacheControl, commonHeaders } from '../site/headers.ts';

/** Paths without suffix that are answered alike. */
export interface PathClass {
  readonly form: Form;
  readonly cache: CacheClass;
  readonly mediaType: string;
  readonly cacheControl: string;
  /** Their templates, with parameters in braces. */
  readonly templates: readonly string[];
}

export interface Redirect {
  readonly from: string;
  readonly to: string;
}

/** What the tree holds besides `X.json` for each endpoint X. */
export interface Variants {
  /** Other names of each document's file, as patterns of its path: `{path}/index.json`, `{path}.html`. */
  readonly names: readonly string[];
  /** `_pretty/X.json`, the same indented. */
  readonly pretty: boolean;
  /** `X.json.gz` and `X.json.br`, of the indented variant too. */
  readonly precompressed: boolean;
}

export interface HostRules {
  /** What stands before every path, such as `/api/v1`; empty when the API is at the root of its host. */
  readonly prefix: string;
  readonly dialect: Configuration['dialect'];
  readonly classes: readonly PathClass[];
  /** The headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly redirects: readonly Redirect[];
  readonly variants: Variants;
  /** In the legacy dialect, the media type that a request must name to be answered with another than plainType. */
  readonly vendorTypes: Readonly<Record<Form, string>> | undefined;
  readonly problemType: string;
  readonly plainType: string;
}

/** The folders of the tree that are no documents of their own. */
export const PRETTY_FOLDER = '_pretty';

export interface RuleOptions {
  readonly configuration: Configuration;
  readonly dialect: Configuration['dialect'];
  readonly prefix: string;
  readonly variants: Variants;
  readonly redirects: readonly Redirect[];
}

export function hostRules({
  configuration,
  dialect: name,
  prefix,
  variants,
  redirects,
}: RuleOptions): HostRules {
  const dialect = dialectOf({ ...configuration, dialect: name });
  const answered = ENDPOINTS.filter(({ content }) => name === 'legacy' || !content.startsWith('legacy-'));
  const classes = new Map<string, Endpoint[]>();
  for (const endpoint of answered) {
    const key = `${endpoint.form} ${endpoint.cache}`;
    classes.set(key, [...(classes.get(key) ?? []), endpoint]);
  }
  return {
    prefix,
    dialect: name,
    classes: [...classes.values()].flatMap(([first, ...rest]) =>
      first
        ? {
            form: first.form,
            cache: first.cache,
            mediaType: dialect.mediaType(first.form),
            cacheControl: cacheControl(first.cache),
            templates: [first, ...rest].map(({ template }) => template),
          }
        : [],
    ),
    headers: commonHeaders(name, configuration.headers.strict_transport_security),
    redirects,
    variants,
    vendorTypes:
      name === 'legacy'
        ? {
            item: vendorMediaType(configuration.vendor, 'item'),
            collection: vendorMediaType(configuration.vendor, 'collection'),
          }
        : undefined,
    problemType: PROBLEM_MEDIA_TYPE,
    plainType: JSON_MEDIA_TYPE,
  };
}
