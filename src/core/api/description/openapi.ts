/**
 * The OpenAPI document (3.1) of a publication: an operation for each row of the endpoint table, the schemas of all bodies, and
 * of each body an example from the publication itself, shortened.
 */
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { Kinds } from '../../model/kinds.ts';
import { printableJson } from '../../platform/text.ts';
import { idAt, type Publication } from '../publication.ts';
import { componentName, componentRef, componentsOf } from './components.ts';
import { type Operation, operationsOf, parameterSchema, TAGS } from './operations.ts';

/** The version of the contract: the newest heading of docs/api-changelog.md. */
export const CONTRACT_VERSION = '1';

export interface Description {
  readonly title: string;
  readonly kinds: Kinds;
  readonly operations: readonly Operation[];
  /** The schemas by the names of the components. */
  readonly components: JsonObject;
  /** Shortened bodies by the names of the components. */
  readonly examples: ReadonlyMap<string, Json>;
}

/** `examples` are bodies by the names of components. */
export function describeApi(publication: Publication, examples: ReadonlyMap<string, string>): Description {
  const { dialect } = publication;
  const operations = operationsOf(publication);
  // Kinds that a registry may declare have schemas in any case, and operations where it has declared some.
  const answered = new Set([PROBLEM, TOMBSTONE, ...operations.flatMap(({ component }) => component ?? [])]);
  const documents = [...publication.schemas()].filter(([name]) => answered.has(componentName(name)));
  const components = componentsOf(new Map(documents), dialect.name);
  return {
    title: `Reference API of ${gridName(publication)}`,
    kinds: publication.history.kinds,
    operations,
    components,
    examples: new Map([...examples].map(([name, text]) => [name, shortened(JSON.parse(text))])),
  };
}

function gridName({ current, store }: Publication): string {
  const body: unknown = current ? JSON.parse(store.get(current.body.handle)) : undefined;
  const uid = isJsonObject(body) ? body['uid'] : undefined;
  return typeof uid === 'string' ? uid : 'a testbed';
}

/** The JSON text of the document. */
export function renderOpenapi(publication: Publication, description: Description): string {
  const { title, operations, components, examples } = description;
  const document = {
    openapi: '3.1.0',
    info: {
      title,
      version: CONTRACT_VERSION,
      summary: 'The hardware of a testbed and its history, as linked JSON documents.',
      description: INTRODUCTION,
      contact: { name: `The operators of ${gridName(publication)}` },
    },
    'x-revision': idAt(publication, publication.head),
    servers: [{ url: '.', description: 'Where this document is.' }],
    security: [],
    tags: Object.entries(TAGS).map(([name, text]) => ({ name, description: text })),
    paths: Object.fromEntries(
      operations.map((operation) => [operation.endpoint.template, { get: operationObject(operation, description) }]),
    ),
    components: {
      responses: RESPONSES,
      schemas: components,
      examples: Object.fromEntries([...examples].map(([name, value]) => [name, { value }])),
    },
  };
  return printableJson(JSON.stringify(document));
}

export const INTRODUCTION =
  'A client begins at the root and follows links; each `href` is appended to the base URL. Everything is read-only. Each path answers as `X`, `X/` and `X.json`, but for those with an ending of their own. `version` is the revision of the registry that a response reflects.';

const PROBLEM = 'Problem';
const TOMBSTONE = 'Tombstone';
const problem = (description: string, schema: object) => ({
  description,
  content: { 'application/problem+json': { schema } },
});

const RESPONSES = {
  NotFound: problem('No resource has this path.', componentRef(PROBLEM)),
  Gone: problem(
    'What was here has been removed; the answer says when, and links to its history.',
    componentRef(TOMBSTONE),
  ),
};

function operationObject(
  { id, tag, summary, parameters, mediaTypes, component, endpoint }: Operation,
  { examples, components, kinds }: Description,
): object {
  const about = component === undefined ? undefined : components[component];
  const described = isJsonObject(about) ? about['description'] : undefined;
  const schema = component === undefined ? { type: 'string' } : componentRef(component);
  const hasExample = component !== undefined && examples.has(component);
  const shown = { examples: { shortened: { $ref: `#/components/examples/${component}` } } };
  const body = { schema, ...(hasExample ? shown : {}) };
  const isItem = endpoint.content === 'resource' && parameters.length > 0 && !endpoint.inSnapshot;
  const isLatest = endpoint.content === 'latest-version';
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: typeof described === 'string' ? described : `${summary}.`,
    ...(parameters.length === 0
      ? {}
      : {
          parameters: parameters.map((name) => ({
            name,
            in: 'path',
            required: true,
            ...parameterSchema(name, kinds.all),
          })),
        }),
    responses: {
      200: { description: summary, content: Object.fromEntries(mediaTypes.map((type) => [type, body])) },
      ...(isLatest ? { 307: { description: 'Where that version is, on hosts that redirect.' } } : {}),
      404: { $ref: '#/components/responses/NotFound' },
      ...(isItem ? { 410: { $ref: '#/components/responses/Gone' } } : {}),
    },
  };
}

/** Of lists so many items are shown, but for links, and of texts so many characters. */
const [MOST_ITEMS, LONGEST_TEXT] = [2, 300];

function shortened(value: Json, name = ''): Json {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, shortened(below, key)]));
  }
  if (!Array.isArray(value)) return value;
  const shown = name === 'links' ? value : value.slice(0, MOST_ITEMS);
  return shown.map((item) => shortened(item));
}
