/**
 * What every host must do with a tree, said once and without a host's name: which paths there are, the media type and
 * cache class of each, the headers, the redirects, the variants. Derived from the endpoint table and the configuration.
 */
import { dialectOf, JSON_MEDIA_TYPE, PROBLEM_MEDIA_TYPE, vendorMediaType } from '../api/dialect.ts';
import { type CacheClass, ENDPOINTS, type Endpoint, type Form } from '../api/endpoints.ts';
import type { Configuration } from '../model/configuration.ts';
import { cacheControl, commonHeaders } from '../site/headers.ts';
import type { Variants } from '../site/layout.ts';

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

export interface HostRules {
  /** What stands before every path, such as `/api/v1`; empty when the API is at the root of its host. */
  readonly prefix: string;
  readonly dialect: Configuration['dialect'];
  readonly classes: readonly PathClass[];
  /** The headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  readonly redirects: readonly Redirect[];
  /** What the tree holds for the host besides `X.json`. */
  readonly variants: Variants;
  /** In the legacy dialect, the media type that a request must name to be answered with another than plainType. */
  readonly vendorTypes: Readonly<Record<Form, string>> | undefined;
  readonly problemType: string;
  readonly plainType: string;
}

/** A name for what is configured, so that trees that differ in dialect or prefix can be served side by side. */
export function rulesName({ dialect, prefix }: HostRules): string {
  return `gridpress_${dialect}${prefix.replaceAll(/[^A-Za-z0-9]/g, '_')}`;
}

export interface RuleOptions {
  readonly configuration: Configuration;
  readonly dialect: Configuration['dialect'];
  readonly prefix: string;
  readonly redirects: readonly Redirect[];
}

export function hostRules({
  configuration,
  dialect: name,
  prefix,
  redirects,
}: RuleOptions): Omit<HostRules, 'variants'> {
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
