import { type Dialect, dialectOf, JSON_MEDIA_TYPE, PROBLEM_MEDIA_TYPE, vendorMediaType } from '../api/dialect.ts';
import {
  type CacheClass,
  type CacheControl,
  canBeDeep,
  type Endpoint,
  endpointsOf,
  type Form,
  isInSnapshots,
} from '../api/endpoints.ts';
import { EXPLORER_PATHS } from '../api/explorer/explorer-paths.ts';
import { PAGE_FOLDERS, type PageFolder } from '../api/page-folders.ts';
import { isRaw, RAW_FORMS, type RawForm } from '../api/raw-forms.ts';
import { type Configuration, redirectsBrowsers } from '../model/configuration.ts';
import { deepLimits } from '../model/configuration-parts.ts';
import { sha256 } from '../model/digest.ts';
import { kindsWith } from '../model/kinds.ts';
import { commonHeaders } from '../tree/headers.ts';
import { GONE_FOLDER } from '../tree/layout.ts';

export const FORMS = ['item', 'collection', 'feed'] as const satisfies readonly Form[];

/** A group of document paths (without suffix) that share a media type and a cache class. */
export interface PathClass<F extends Form | RawForm = Form> {
  readonly form: F;
  readonly cache: CacheClass;
  readonly mediaType: string;
  /** Path templates with parameters in braces. */
  readonly templates: readonly string[];
}

/** A class of raw documents. Each raw document has one path, which is also the path of its file. */
export interface RawClass extends PathClass<RawForm> {
  readonly ending: string;
}

export interface Redirect {
  readonly from: string;
  readonly to: string;
}

export interface HostRules {
  /** The base path, such as `/api/v1`. Empty if the API is at the root of its host. */
  readonly prefix: string;
  readonly dialect: Configuration['dialect'];
  readonly classes: readonly PathClass[];
  readonly raw: readonly RawClass[];
  readonly headers: Readonly<Record<string, string>>;
  /** The Cache-Control of documents. Redirects and errors have no Cache-Control. */
  readonly cacheControl: CacheControl;
  readonly redirects: readonly Redirect[];
  /** The templates of documents that snapshots also contain. These documents support `?version`. */
  readonly resources: readonly string[];
  readonly deep: readonly string[];
  /** Folders that redirect to a page. The path of a folder can end in a slash. */
  readonly pages: readonly PageFolder[];
  readonly redirectsBrowsers: boolean;
  /** A path `/X` without a file `/X.json` returns 410 if this folder contains a tombstone for `/X`. */
  readonly tombstoneFolder: string;
  /** The paths of all tombstones, without `.json`, for hosts that cannot check whether a file exists. */
  readonly tombstones: readonly string[];
  /** The `Last-Modified` header of all documents that describe the head. */
  readonly lastModified: string;
  readonly vendorTypes: Readonly<Record<Form, string>> | undefined;
  readonly problemType: string;
  readonly plainType: string;
}

/** Returns a name prefix that differs between the trees on a server. nginx allows at most 46 characters in a name. */
export function rulesName({ dialect, prefix }: HostRules): string {
  return `gridpress_${dialect}${prefix === '' ? '' : `_${sha256(prefix).slice(0, 8)}`}`;
}

interface RuleOptions {
  readonly configuration: Configuration;
  readonly cacheControl: CacheControl;
  readonly redirects: readonly Redirect[];
  readonly tombstones?: readonly string[];
  readonly lastModified: string;
}

export function hostRules(options: RuleOptions): HostRules {
  const { configuration, cacheControl, redirects, tombstones = [], lastModified } = options;
  const { dialect, base_path: prefix } = configuration;
  const { mediaType } = dialectOf(configuration);
  const endpoints = endpointsOf(kindsWith(configuration.kinds)).filter(
    ({ content }) => !(dialect === 'current' && content.startsWith('legacy-')),
  );
  const classes = pathClasses(
    endpoints.filter(({ content }) => content !== 'catalog' || prefix === ''),
    mediaType,
  );
  const current = endpoints.filter(({ inSnapshot }) => !inSnapshot);
  const hasDeep = deepLimits(configuration).maxItems > 0;
  const hasExplorer = configuration.explorer !== false;
  const canRedirect = redirectsBrowsers(configuration);
  return {
    prefix,
    dialect,
    classes: classes.flatMap(({ form, ...each }) => (isRaw(form) ? [] : { ...each, form })),
    raw: classes.flatMap(({ form, ...each }) => (isRaw(form) ? { ...each, form, ending: RAW_FORMS[form].ending } : [])),
    headers: commonHeaders({
      dialect,
      strictTransportSecurity: configuration.headers.strict_transport_security,
      basePath: prefix,
      license: configuration.citation?.license,
      sunset: configuration.sunset,
      hasExplorer,
      redirectsBrowsers: canRedirect,
    }),
    cacheControl,
    redirects,
    resources: current.filter(isInSnapshots).map(({ template }) => template),
    deep: current.filter((endpoint) => hasDeep && canBeDeep(endpoint)).map(({ template }) => template),
    pages: PAGE_FOLDERS.filter(({ page }) => hasExplorer || page !== EXPLORER_PATHS.page),
    redirectsBrowsers: canRedirect,
    tombstoneFolder: GONE_FOLDER,
    tombstones,
    lastModified,
    vendorTypes: dialect === 'legacy' ? vendorTypes(configuration.vendor) : undefined,
    problemType: PROBLEM_MEDIA_TYPE,
    plainType: JSON_MEDIA_TYPE,
  };
}

function vendorTypes(vendor: string): Readonly<Record<Form, string>> {
  const type = (form: Form) => vendorMediaType(vendor, form);
  return { item: type('item'), collection: type('collection'), feed: type('feed') };
}

function pathClasses(endpoints: readonly Endpoint[], mediaType: Dialect['mediaType']): PathClass<Form | RawForm>[] {
  const classes = new Map<string, PathClass<Form | RawForm> & { readonly templates: string[] }>();
  for (const { template, form, cache } of endpoints) {
    const key = `${form} ${cache}`;
    const known = classes.get(key);
    if (known) known.templates.push(template);
    else classes.set(key, { form, cache, mediaType: mediaType(form), templates: [template] });
  }
  return [...classes.values()];
}
