/** Builds the OpenAPI 3.1 document with operations, schemas of bodies, and shortened examples from the tree. */
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { Kinds } from '../../model/kinds.ts';
import { printableJson } from '../../platform/text.ts';
import { gridBody, idAt, type Publication } from '../publication.ts';
import { componentName, componentRef, componentsOf } from './components.ts';
import { type Operation, operationsOf, parameterSchema, QUERY_PARAMETERS, TAGS } from './operations.ts';

/** The version of the contract: the newest heading of docs/api-changelog.md. */
export const CONTRACT_VERSION = '1';

export interface Description {
  readonly title: string;
  readonly kinds: Kinds;
  readonly operations: readonly Operation[];
  readonly components: JsonObject;
  readonly examples: ReadonlyMap<string, Json>;
}

/** `examples` contains the JSON texts of bodies by component name. */
export function describeApi(publication: Publication, examples: ReadonlyMap<string, string>): Description {
  const { dialect } = publication;
  const operations = operationsOf(publication);
  // Omits schemas that no operation returns, such as schemas of declared kinds if there are no declared kinds.
  const answered = new Set([PROBLEM, TOMBSTONE, ...operations.flatMap(({ component }) => component ?? [])]);
  const documents = [...publication.schemas()].filter(([name]) => answered.has(componentName(name)));
  const components = componentsOf(new Map(documents), dialect.name);
  return {
    title: `Reference API of ${gridUid(publication)}`,
    kinds: publication.history.kinds,
    operations,
    components,
    examples: new Map([...examples].map(([name, text]) => [name, shortened(JSON.parse(text))])),
  };
}

function gridUid(publication: Publication): string {
  const uid = gridBody(publication)?.['uid'];
  return typeof uid === 'string' ? uid : 'a testbed';
}

export function renderOpenapi(publication: Publication, description: Description): string {
  const { title, operations, components, examples } = description;
  const document = {
    openapi: '3.1.0',
    info: {
      title,
      version: CONTRACT_VERSION,
      summary: 'The hardware of a testbed and its history, as linked JSON documents.',
      description: INTRODUCTION,
      contact: { name: `The operators of ${gridUid(publication)}` },
    },
    'x-revision': idAt(publication, publication.head),
    servers: [{ url: '.', description: 'The host and folder of this document.' }],
    security: [],
    tags: Object.entries(TAGS).map(([name, text]) => ({ name, description: text })),
    paths: Object.fromEntries(
      operations.map((operation) => [operation.endpoint.template, { get: operationObject(operation, description) }]),
    ),
    components: {
      parameters: Object.fromEntries(
        Object.entries(QUERY_PARAMETERS).map(([name, parameter]) => [name, { name, in: 'query', ...parameter }]),
      ),
      responses: RESPONSES,
      schemas: components,
      examples: Object.fromEntries([...examples].map(([name, value]) => [name, { value }])),
    },
  };
  return printableJson(JSON.stringify(document));
}

export const INTRODUCTION =
  'A client starts at the root and follows links. To resolve a link, append its `href` to the base URL. The API is read-only. Each document is available at `X`, `X/` and `X.json`, except if its path already has an ending such as `.csv`. `version` is the revision of the registry that a response shows.';

const PROBLEM = 'Problem';
const TOMBSTONE = 'Tombstone';
const problem = (description: string, schema: object) => ({
  description,
  content: { 'application/problem+json': { schema } },
});

const RESPONSES = {
  Found: {
    description: 'A redirect to the document that the query names. Only some hosts redirect.',
    headers: { Location: { schema: { type: 'string' } } },
  },
  NotFound: problem('No resource has this path.', componentRef(PROBLEM)),
  Problem: problem('The host rejects the request, for example another method than GET.', componentRef(PROBLEM)),
  Gone: problem('The item was removed. The response has the date and a link to its history.', componentRef(TOMBSTONE)),
};

function operationObject(
  { id, tag, summary, parameters, queries, mediaTypes, component, endpoint }: Operation,
  { examples, components, kinds }: Description,
): object {
  const about = component === undefined ? undefined : components[component];
  const described = isJsonObject(about) ? about['description'] : undefined;
  const isJson = mediaTypes.some((type) => type.endsWith('+json'));
  const schema = component === undefined ? { type: isJson ? 'object' : 'string' } : componentRef(component);
  const hasExample = component !== undefined && examples.has(component);
  const shown = { examples: { shortened: { $ref: `#/components/examples/${component}` } } };
  const body = { schema, ...(hasExample ? shown : {}) };
  const isItem = endpoint.content === 'resource' && parameters.length > 0 && !endpoint.inSnapshot;
  const redirects = queries.some((name) => name !== 'pretty');
  const isLatest = endpoint.content === 'latest-version';
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: typeof described === 'string' ? described : `${summary}.`,
    ...(parameters.length + queries.length === 0
      ? {}
      : {
          parameters: [
            ...parameters.map((name) => ({ name, in: 'path', required: true, ...parameterSchema(name, kinds.all) })),
            ...queries.map((name) => ({ $ref: `#/components/parameters/${name}` })),
          ],
        }),
    responses: {
      200: { description: summary, content: Object.fromEntries(mediaTypes.map((type) => [type, body])) },
      ...(redirects ? { 302: { $ref: '#/components/responses/Found' } } : {}),
      ...(isLatest ? { 307: { description: 'A redirect to the newest version. Only some hosts redirect.' } } : {}),
      404: { $ref: '#/components/responses/NotFound' },
      ...(isItem ? { 410: { $ref: '#/components/responses/Gone' } } : {}),
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

/** The maximum number of list items, and of characters in a text, in an example. Links are never shortened. */
const [MAX_ITEMS, MAX_LENGTH] = [2, 300];

function shortened(value: Json, name = ''): Json {
  if (typeof value === 'string') return value.length > MAX_LENGTH ? `${value.slice(0, MAX_LENGTH)}…` : value;
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, shortened(below, key)]));
  }
  if (!Array.isArray(value)) return value;
  const shown = name === 'links' ? value : value.slice(0, MAX_ITEMS);
  return shown.map((item) => shortened(item));
}
