/**
 * What every host must do with a tree, said once and without a host's name: which paths there are, the media type and
 * cache class of each, the headers, the redirects, the variants. Derived from the endpoint table and the configuration.
 */

import { type Dialect, dialectOf, JSON_MEDIA_TYPE, PROBLEM_MEDIA_TYPE, vendorMediaType } from '../api/dialect.ts';
import { type CacheClass, type Content, type Endpoint, endpointsOf, type Form } from '../api/endpoints.ts';
import { EXPLORER_PATHS } from '../api/explorer/explorer-paths.ts';
import { PAGE_FOLDERS, type PageFolder } from '../api/page-folders.ts';
import { isRaw, RAW_FORMS, type RawForm } from '../api/raw-forms.ts';
import { type Configuration, redirectsBrowsers } from '../model/configuration.ts';
import { deepLimits } from '../model/configuration-parts.ts';
import { type Kinds, kindsWith } from '../model/kinds.ts';
import { cacheControl, commonHeaders } from '../tree/headers.ts';
import { GONE_FOLDER, type Variants } from '../tree/layout.ts';

/** Paths without suffix that are answered alike. */
export interface PathClass<F extends Form | RawForm = Form> {
  readonly form: F;
  readonly cache: CacheClass;
  readonly mediaType: string;
  /** Their templates, with parameters in braces. */
  readonly templates: readonly string[];
}

/** Raw documents: each answers at its own path only, which is its file's. */
export interface RawClass extends PathClass<RawForm> {
  /** How their paths end. */
  readonly ending: string;
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
  readonly raw: readonly RawClass[];
  /** The headers of every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** The Cache-Control of documents. Redirects and errors have none. */
  readonly cacheControl: (cache: CacheClass) => string;
  readonly redirects: readonly Redirect[];
  /** The templates of what snapshots have too, so that a query may ask for it as it was. */
  readonly resources: readonly string[];
  /** The templates of items that have all that is below them in one document. */
  readonly deep: readonly string[];
  /** Folders whose path, and that with a slash behind it, leads to a page in them. */
  readonly pages: readonly PageFolder[];
  /** Whether browsers that navigate are led to the views of the explorer. */
  readonly redirectsBrowsers: boolean;
  /** The folder of the tombstones: where there is no `/X.json` but one of it in here, `/X` answers 410 with that. */
  readonly goneFolder: string;
  /** The paths without suffix that have a tombstone, for hosts that cannot look for a file: there may be very many. */
  readonly gone: readonly string[];
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

interface RuleOptions {
  readonly configuration: Configuration;
  readonly dialect: Configuration['dialect'];
  readonly prefix: string;
  readonly redirects: readonly Redirect[];
  readonly gone?: readonly string[];
}

export function hostRules({
  configuration,
  dialect: name,
  prefix,
  redirects,
  gone = [],
}: RuleOptions): Omit<HostRules, 'variants'> {
  const dialect = dialectOf({ ...configuration, dialect: name });
  const kinds = kindsWith(configuration.kinds);
  const classes = pathClasses(dialect, kinds, prefix);
  const hasExplorer = configuration.explorer !== false;
  const leadsBrowsers = redirectsBrowsers(configuration);
  return {
    prefix,
    dialect: name,
    classes: classes.flatMap(({ form, ...each }) => (isRaw(form) ? [] : [{ ...each, form }])),
    raw: classes.flatMap(({ form, ...each }) =>
      isRaw(form) ? [{ ...each, form, ending: RAW_FORMS[form].ending }] : [],
    ),
    headers: commonHeaders({
      dialect: name,
      strictTransportSecurity: configuration.headers.strict_transport_security,
      basePath: prefix,
      hasExplorer,
      redirectsBrowsers: leadsBrowsers,
    }),
    cacheControl,
    redirects,
    ...queriedTemplates(name, configuration),
    pages: PAGE_FOLDERS.filter(({ page }) => hasExplorer || page !== EXPLORER_PATHS.page),
    redirectsBrowsers: leadsBrowsers,
    goneFolder: GONE_FOLDER,
    gone,
    vendorTypes:
      name === 'legacy'
        ? {
            item: vendorMediaType(configuration.vendor, 'item'),
            collection: vendorMediaType(configuration.vendor, 'collection'),
            feed: vendorMediaType(configuration.vendor, 'feed'),
          }
        : undefined,
    problemType: PROBLEM_MEDIA_TYPE,
    plainType: JSON_MEDIA_TYPE,
  };
}

function queriedTemplates(
  name: Configuration['dialect'],
  configuration: Configuration,
): Pick<HostRules, 'resources' | 'deep'> {
  const own = endpointsOf(kindsWith(configuration.kinds)).filter(
    ({ inSnapshot, content }) => !inSnapshot && !(name === 'current' && content.startsWith('legacy-')),
  );
  const hasDeep = deepLimits(configuration).maxItems > 0;
  return {
    resources: own.filter(isOfState).map(({ template }) => template),
    deep: hasDeep ? own.filter(holdsOthers).map(({ template }) => template) : [],
  };
}

function pathClasses({ name, mediaType }: Dialect, kinds: Kinds, prefix: string): PathClass<Form | RawForm>[] {
  const classes = new Map<string, PathClass<Form | RawForm> & { readonly templates: string[] }>();
  for (const { template, content, form, cache } of endpointsOf(kinds)) {
    if (name === 'current' && content.startsWith('legacy-')) continue;
    if (content === 'catalog' && prefix !== '') continue;
    const key = `${form} ${cache}`;
    const known = classes.get(key);
    if (known) known.templates.push(template);
    else classes.set(key, { form, cache, mediaType: mediaType(form), templates: [template] });
  }
  return [...classes.values()];
}

/** Of which endpoints a query may ask for the past, or for all that is below. */
const OF_STATE: readonly Content[] = ['resource', 'resources', 'deep', 'legacy-item', 'legacy-collection'];

/** Whether snapshots have such a path too, so that it can be asked for as it was. */
export function isOfState({ content }: Pick<Endpoint, 'content'>): boolean {
  return OF_STATE.includes(content);
}

/** Whether the path is of an item that all below it can be shown with, at a path of its own. */
export function holdsOthers({ content, kind }: Pick<Endpoint, 'content' | 'kind'>): boolean {
  return content === 'resource' && kind.children.length > 0;
}
