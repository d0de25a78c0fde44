/** What can be asked of the API: an operation for each row of the endpoint table, in words. */
import { ANY_COLLECTION, type Kind, READABLE_KINDS } from '../../model/kinds.ts';
import { certain } from '../../platform/certain.ts';
import { type Content, type Endpoint, endpointsOf } from '../endpoints.ts';
import { EXPORT_ROWS } from '../exports/export-urls.ts';
import { hasDeep, type Publication } from '../publication.ts';
import { isRaw } from '../raw-forms.ts';
import { documentNameOf } from '../schemas/document-schemas.ts';
import { componentName } from './components.ts';

export const TAGS = {
  Registry: 'The testbed, its sites, their clusters and nodes, as they are.',
  Nodes: 'The nodes of all sites together: to search, to count, to compare, to see as they were.',
  History: 'What changed in a resource, when and why, and the resource as it was.',
  Changes: 'What changed anywhere, to follow and to subscribe to.',
  Snapshots: 'The whole API as of a revision. Of which revisions there are snapshots, `/snapshots` says.',
  Description: 'What describes the API.',
} as const;

export type Tag = keyof typeof TAGS;

export interface Operation {
  readonly endpoint: Endpoint;
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly parameters: readonly string[];
  /** The media types of what is answered. */
  readonly mediaTypes: readonly string[];
  /** The component of the body; none where it is no JSON. */
  readonly component: string | undefined;
}

interface Words {
  readonly tag: Tag;
  /** What it is, of an item or a collection that is called so. */
  readonly says: (subject: string, endpoint: Endpoint) => string;
  /** What stands after the subject in the operation's name. */
  readonly suffix: string;
}

const nodes = (suffix: string, summary: string): Words => ({ tag: 'Nodes', suffix, says: () => summary });
const described = (suffix: string, summary: string): Words => ({ tag: 'Description', suffix, says: () => summary });

const WORDS: Readonly<Record<Content, Words>> = {
  resource: {
    tag: 'Registry',
    suffix: '',
    says: (subject) => (subject.includes(' ') ? 'The root: where clients begin' : `A ${subject}`),
  },
  resources: { tag: 'Registry', suffix: '', says: (subject) => `All ${subject}, whole` },
  deep: {
    tag: 'Registry',
    suffix: 'Deep',
    says: (subject) =>
      `${subject === 'the testbed' ? 'The testbed' : `A ${subject.replace(/^a /, '')}`} with all that is below it`,
  },
  'legacy-item': { tag: 'Registry', suffix: '', says: () => 'An item that this service leaves empty' },
  'legacy-collection': { tag: 'Registry', suffix: '', says: () => 'A collection that this service leaves empty' },
  versions: { tag: 'History', suffix: 'Versions', says: (subject) => `The history of ${subject}` },
  'version-page': {
    tag: 'History',
    suffix: 'Versions',
    says: (subject) => `Older versions of ${subject}, where there are very many`,
  },
  version: { tag: 'History', suffix: 'Version', says: (subject) => `What a revision did to ${subject}` },
  'latest-version': { tag: 'History', suffix: 'LatestVersion', says: (subject) => `The newest version of ${subject}` },
  timemap: { tag: 'History', suffix: 'TimeMap', says: (subject) => `When each version of ${subject} was (RFC 7089)` },
  changes: { tag: 'Changes', suffix: 'Changes', says: (subject) => `The changes of ${subject} and of all below it` },
  feed: { tag: 'Changes', suffix: 'Feed', says: (subject) => `The newest changes of ${subject}, to subscribe to` },
  snapshots: { tag: 'Snapshots', suffix: 'Snapshots', says: () => 'The revisions of which there are snapshots' },
  'node-page': nodes('AllNodes', 'The nodes of all sites, in pages'),
  'node-search': nodes('FoundNodes', 'All nodes with their places, for clients that filter by themselves'),
  'node-table': nodes('NodeTable', 'The nodes of all sites in columns'),
  'node-rows': nodes('NodeRows', 'The uids and names of rows of the table, where there are very many'),
  'node-facets': nodes('NodeFacets', 'The data dictionary: what is in the fields of nodes, with counts'),
  'node-history': nodes('NodeHistory', 'The table of nodes over time'),
  'node-groups': nodes('NodeGroups', 'What the nodes are grouped by, with counts'),
  'node-group': nodes('NodeGroup', 'The nodes that have a value in a field'),
  'named-node': nodes('NodeByName', 'The node of a name'),
  exports: nodes('Exports', 'What there is for the programs of others, as a data package'),
  'node-export': nodes('NodeExport', 'The nodes for the programs of others'),
  'change-export': nodes('ChangeExport', 'The changes for the programs of others'),
  inventory: nodes('Inventory', 'The nodes as an inventory of Ansible'),
  targets: nodes('Targets', 'The nodes as targets of Prometheus'),
  openapi: described('OpenApi', 'This description, as OpenAPI 3.1'),
  schema: described('Schema', 'The JSON Schema of a kind of document'),
  links: described('Links', 'Where everything is'),
  reference: described('Reference', 'This description, as a page'),
  catalog: described('ApiCatalog', 'The catalogue of the APIs of this host (RFC 9727)'),
  style: described('ReferenceStyle', 'How that page looks'),
  badge: {
    tag: 'History',
    suffix: 'Badge',
    says: (subject) => `A picture that says since when the hardware of ${subject} is unchanged`,
  },
  explorer: described('Explorer', 'The explorer, a page for people, and what it consists of'),
};

const EXPORTED: ReadonlySet<string> = new Set(EXPORT_ROWS.map(([, content]) => content));

/** The operations of what is published, in the order of the endpoint table. */
export function operationsOf(publication: Publication): Operation[] {
  const { mediaType } = publication.dialect;
  const ids = new Set<string>();
  return endpointsOf(publication.history.kinds)
    .filter((endpoint) => isPublished(publication, endpoint))
    .map((endpoint) => {
      const { template, content, form, inSnapshot } = endpoint;
      const { tag, says } = WORDS[content];
      const types = [mediaType(form).split(';')[0] ?? '', ...(isRaw(form) ? [] : ['application/json'])];
      const id = freeId(idOf(endpoint), ids);
      ids.add(id);
      return {
        endpoint,
        id,
        tag: inSnapshot ? 'Snapshots' : tag,
        summary: `${says(subjectOf(endpoint), endpoint)}${inSnapshot ? ', as of a revision' : ''}`,
        parameters: Array.from(template.matchAll(/\{(\w+)\}/g), ([, parameter = '']) => parameter),
        mediaTypes: [...new Set(types)],
        component: isRaw(form) ? undefined : componentName(documentNameOf(readable(endpoint))),
      };
    });
}

/** Whether a tree has what an endpoint answers: some of it is only there where it is wanted. */
function isPublished(publication: Publication, { content, inSnapshot }: Endpoint): boolean {
  const { dialect, hasExports, hasTimemaps, hasNames, basePath, deep } = publication;
  if (content.startsWith('legacy-')) return dialect.name === 'legacy';
  if (content === 'deep') return hasDeep(deep, inSnapshot);
  if (content === 'timemap') return hasTimemaps;
  if (content === 'named-node') return hasNames;
  if (content === 'catalog') return basePath === '';
  return hasExports || !EXPORTED.has(content);
}

/** Of kinds that are a registry's own, all bodies have one schema. */
function readable(endpoint: Endpoint): Endpoint {
  const { kind } = endpoint;
  const known = READABLE_KINDS.all.find(({ name }) => name === kind.name);
  const other = READABLE_KINDS.all.find(({ collection }) => collection === ANY_COLLECTION);
  return { ...endpoint, kind: certain(known ?? other) };
}

function subjectOf({ content, kind, subject }: Endpoint): string {
  if (subject === 'collection' || content === 'resources') return kind.collection ?? '';
  if (content === 'resource' && kind.parents.length > 0) return kind.name;
  return kind.parents.length === 0 ? 'the testbed' : `a ${kind.name}`;
}

/** `getSiteVersions`, `getSnapshotNode`. */
function idOf({ content, kind, subject, inSnapshot, template, form }: Endpoint): string {
  const { tag, suffix } = WORDS[content];
  const isOfSubject = tag === 'Registry' || tag === 'History' || tag === 'Changes';
  const name = subject === 'collection' ? certain(kind.collection) : kind.name;
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

/** What a parameter of a path is. */
export function parameterSchema(
  name: string,
  kinds: readonly Kind[],
): { readonly description: string; readonly schema: object } {
  if (name === 'version_id') {
    return { description: 'A revision.', schema: { type: 'string', pattern: '^[0-9a-f]{40}$' } };
  }
  if (name === 'page') return { description: 'The number of a page.', schema: { type: 'integer', minimum: 1 } };
  const kind = kinds.find((each) => `${each.name}_uid` === name);
  const others: Readonly<Record<string, string>> = {
    field: 'A field by which nodes are grouped.',
    value: 'A value of the field, as the links of the groups spell it.',
    node_name: 'The name of a node.',
    schema: 'The name of a kind of document, and `.schema` after it.',
  };
  const description = kind ? `The uid of a ${kind.name}.` : certain(others[name]);
  return { description, schema: { type: 'string' } };
}
