/** Builds one OpenAPI operation for each published endpoint. */
import { ANY_COLLECTION, type Kind, READABLE_KINDS } from '../../model/kinds.ts';
import { assertDefined } from '../../platform/lookups.ts';
import { type Content, canBeDeep, type Endpoint, endpointsOf, isInSnapshots } from '../endpoints.ts';
import { EXPORT_ROWS } from '../exports/export-urls.ts';
import { hasDeepResponses, type Publication } from '../publication.ts';
import { isRaw } from '../raw-forms.ts';
import { documentNameOf } from '../schemas/document-schemas.ts';
import { componentName } from './components.ts';

export const TAGS = {
  Registry: 'The current testbed: its sites, their clusters and their nodes.',
  Nodes: 'The nodes of all sites in one list or table: search, count and compare them, or show an older state.',
  History: 'The changes of a resource, with date and message, and the resource as of each change.',
  Changes: 'The changes of all resources, in pages and as feeds.',
  Snapshots: 'The whole API as of an older revision. `/snapshots` lists the revisions.',
  Description: 'Documents that describe the API.',
} as const;

export type Tag = keyof typeof TAGS;

export interface Operation {
  readonly endpoint: Endpoint;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly parameters: readonly string[];
  readonly queries: readonly QueryParameter[];
  readonly mediaTypes: readonly string[];
  /** The schema of the body. Undefined if the body is not JSON. */
  readonly component: string | undefined;
}

/** Hosts with redirect rules support these query parameters. Other hosts ignore the parameters. */
export const QUERY_PARAMETERS = {
  pretty: { description: '`yes` returns indented JSON.', schema: { type: 'string', enum: ['yes', 'no'] } },
  version: {
    description: 'A revision. Redirects to the same path in the snapshot of the revision.',
    schema: { type: 'string', pattern: '^[0-9a-f]{40}$' },
  },
  deep: { description: '`1` redirects to the item with all its descendants.', schema: { type: 'string', enum: ['1'] } },
} as const;

type QueryParameter = keyof typeof QUERY_PARAMETERS;

function queriesOf(endpoint: Endpoint, { deep }: Publication): QueryParameter[] {
  if (isRaw(endpoint.form)) return [];
  const hasDeep = canBeDeep(endpoint) && hasDeepResponses(deep, endpoint.inSnapshot);
  return [
    'pretty',
    ...(isInSnapshots(endpoint) ? (['version'] as const) : []),
    ...(hasDeep ? (['deep'] as const) : []),
  ];
}

/** `{}` in `summary` is a placeholder for text such as `a site`. `suffix` is appended to the operation's name. */
type Words = readonly [tag: Tag, suffix: string, summary: string];

const WORDS: Readonly<Record<Content, Words>> = {
  resource: ['Registry', '', '{}'],
  resources: ['Registry', '', 'All {} with all their fields'],
  deep: ['Registry', 'Deep', '{} with all descendants'],
  'legacy-item': ['Registry', '', 'An item that this service leaves empty'],
  'legacy-collection': ['Registry', '', 'A collection that this service leaves empty'],
  versions: ['History', 'Versions', 'The history of {}'],
  'version-page': ['History', 'Versions', 'Older versions in a long history of {}'],
  version: ['History', 'Version', 'The changes of a revision to {}'],
  'latest-version': ['History', 'LatestVersion', 'The newest version of {}'],
  timemap: ['History', 'TimeMap', 'The dates of all versions of {} (RFC 7089)'],
  changes: ['Changes', 'Changes', 'The changes of {} and its descendants'],
  feed: ['Changes', 'Feed', 'The newest changes of {} as a feed'],
  snapshots: ['Snapshots', 'Snapshots', 'The list of snapshots'],
  'node-page': ['Nodes', 'AllNodes', 'The nodes of all sites, in pages'],
  'node-search': [
    'Nodes',
    'FoundNodes',
    'All nodes with site and cluster, for clients that filter the list themselves',
  ],
  'node-table': ['Nodes', 'NodeTable', 'The nodes of all sites in columns'],
  'node-rows': ['Nodes', 'NodeRows', 'Uids and names for the rows of a very large table'],
  'node-facets': ['Nodes', 'NodeFacets', 'The data dictionary: the fields of nodes with their values and counts'],
  'node-history': ['Nodes', 'NodeHistory', 'The table of nodes over time'],
  'node-groups': ['Nodes', 'NodeGroups', 'The groups of nodes, with counts'],
  'node-group': ['Nodes', 'NodeGroup', 'The nodes with one value in one field'],
  'named-node': ['Nodes', 'NodeByName', 'The node with a name'],
  exports: ['Nodes', 'Exports', 'The list of exports, as a data package'],
  'node-export': ['Nodes', 'NodeExport', 'The nodes for other programs'],
  'change-export': ['Nodes', 'ChangeExport', 'The changes for other programs'],
  hardware: ['Nodes', 'Hardware', 'The hardware of each site as tables, for documentation'],
  inventory: ['Nodes', 'Inventory', 'The nodes as an Ansible inventory'],
  targets: ['Nodes', 'Targets', 'The nodes as Prometheus targets'],
  openapi: ['Description', 'OpenApi', 'This description in OpenAPI 3.1'],
  schema: ['Description', 'Schema', 'The JSON Schema of a kind of document'],
  links: ['Description', 'Links', 'Links to all parts of the API'],
  conformance: ['Description', 'Conformance', 'The classes of CQL2 to which queries conform'],
  reference: ['Description', 'Reference', 'This description as an HTML page'],
  catalog: ['Description', 'ApiCatalog', 'The catalogue of the APIs of this host (RFC 9727)'],
  llms: ['Description', 'Llms', 'The main documents, for language models'],
  style: ['Description', 'ReferenceStyle', 'The style sheet of the HTML page'],
  badge: ['History', 'Badge', 'A badge: an image that shows whether the hardware of {} changed'],
  explorer: ['Description', 'Explorer', 'The explorer, a web page for people, and its files'],
};

const EXPORTED: ReadonlySet<string> = new Set(EXPORT_ROWS.map(([, content]) => content));

export function operationsOf(publication: Publication): Operation[] {
  const { mediaType } = publication.dialect;
  const ids = new Set<string>();
  return endpointsOf(publication.history.kinds)
    .filter((endpoint) => isPublished(publication, endpoint))
    .map((endpoint) => {
      const { template, content, form, inSnapshot } = endpoint;
      const types = [mediaType(form).split(';')[0] ?? '', ...(isRaw(form) ? [] : ['application/json'])];
      const id = freeId(idOf(endpoint), ids);
      ids.add(id);
      return {
        endpoint,
        id,
        tag: inSnapshot ? 'Snapshots' : WORDS[content][0],
        summary: summaryOf(endpoint),
        parameters: Array.from(template.matchAll(/\{(\w+)\}/g), ([, parameter = '']) => parameter),
        queries: queriesOf(endpoint, publication),
        mediaTypes: [...new Set(types)],
        component: isRaw(form) ? undefined : componentName(documentNameOf(readable(endpoint))),
      };
    });
}

function isPublished(publication: Publication, { content, inSnapshot }: Endpoint): boolean {
  const { dialect, hasExports, hasTimemaps, hasNames, basePath, deep } = publication;
  if (content.startsWith('legacy-')) return dialect.name === 'legacy';
  if (content === 'deep') return hasDeepResponses(deep, inSnapshot);
  if (content === 'timemap') return hasTimemaps;
  if (content === 'named-node') return hasNames;
  if (content === 'catalog') return basePath === '';
  return hasExports || !EXPORTED.has(content);
}

/** Replaces a declared kind by a placeholder, because all declared kinds have the same schema. */
function readable(endpoint: Endpoint): Endpoint {
  const { kind } = endpoint;
  const known = READABLE_KINDS.all.find(({ name }) => name === kind.name);
  const other = READABLE_KINDS.all.find(({ collection }) => collection === ANY_COLLECTION);
  return { ...endpoint, kind: assertDefined(known ?? other) };
}

function summaryOf(endpoint: Endpoint): string {
  const { content, kind, inSnapshot } = endpoint;
  const isRoot = content === 'resource' && kind.parents.length === 0;
  const summary = isRoot
    ? 'The root: the first document for clients'
    : WORDS[content][2].replace('{}', subjectOf(endpoint));
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}${inSnapshot ? ', as of a revision' : ''}`;
}

function subjectOf({ content, kind, subject }: Endpoint): string {
  if (subject === 'collection' || content === 'resources') return kind.collection ?? '';
  return kind.parents.length === 0 ? 'the testbed' : withArticle(kind);
}

function withArticle({ name }: Kind): string {
  return `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;
}

/** Returns the name of an operation, such as `getSiteVersions` or `getSnapshotNode`. */
function idOf({ content, kind, subject, inSnapshot, template, form }: Endpoint): string {
  const [tag, suffix] = WORDS[content];
  const isOfSubject = tag === 'Registry' || tag === 'History' || tag === 'Changes';
  const name = subject === 'collection' ? assertDefined(kind.collection) : kind.name;
  const own = content.startsWith('legacy-') ? ` ${template.split('/').at(-1)}` : '';
  const page = template.endsWith('{page}') ? 'Page' : '';
  const format = isRaw(form) && isOfSubject ? form : '';
  const subjectName = componentName(`${inSnapshot ? 'snapshot ' : ''}${isOfSubject ? name : ''}${own}`);
  return `get${subjectName}${suffix}${page}${componentName(format)}`;
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  for (let n = 2; taken.has(id); n++) id = `${wanted}${n}`;
  return id;
}

export function parameterSchema(
  name: string,
  kinds: readonly Kind[],
): { readonly description: string; readonly schema: object } {
  if (name === 'version_id')
    return { description: 'A revision.', schema: { type: 'string', pattern: '^[0-9a-f]{40}$' } };
  if (name === 'page') return { description: 'The number of a page.', schema: { type: 'integer', minimum: 1 } };
  const kind = kinds.find((each) => `${each.name}_uid` === name);
  const others: Readonly<Record<string, string>> = {
    field: 'The field that groups the nodes.',
    value: 'A value of the field, as a path segment. The links of the groups contain it.',
    node_name: 'The name of a node.',
    schema: 'The name of a kind of document, followed by `.schema`.',
  };
  const description = kind ? `The uid of ${withArticle(kind)}.` : assertDefined(others[name]);
  return { description, schema: { type: 'string' } };
}
