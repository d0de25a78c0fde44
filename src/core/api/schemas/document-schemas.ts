/**
 * The schemas of everything that the API answers, chosen by endpoint and dialect. They are strict about what gridpress
 * writes (envelopes, links and their order) and, in what stands for the present, about the fields that their kind
 * knows; what shows the past is asked for its identity only, since older registries had other rules.
 */

import type { z } from 'zod';
import { DIALECTS } from '../../model/configuration.ts';
import { asText, isJsonObject, type JsonObject } from '../../model/json.ts';
import { ANY_COLLECTION, type Kind } from '../../model/kinds.ts';
import { certain } from '../../platform/certain.ts';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import { jsonSchema, withFieldNotes } from '../../registry/editor-schemas.ts';
import { API_FOLDER, schemaFileName } from '../../registry/schema-files.ts';
import { DEEP } from '../deep-and-badge-paths.ts';
import { dialectOf } from '../dialect.ts';
import { type Content, type Endpoint, type Form, READABLE_ENDPOINTS } from '../endpoints.ts';
import { isRaw } from '../raw-forms.ts';
import { ANY_ROOT_FIELDS, FOUND_NODE_FIELDS } from '../written-fields.ts';
import { isSorted } from './body-rules.ts';
import {
  dataPackageSchema,
  jsonSchemaSchema,
  linkListSchema,
  openapiSchema,
  targetsSchema,
} from './description-schemas.ts';
import {
  changesSchema,
  feedSchema,
  timemapSchema,
  tombstoneSchema,
  versionPageSchema,
  versionSchema,
  versionsSchema,
} from './history-schemas.ts';
import {
  namedNodeSchema,
  nodeFacetsSchema,
  nodeGroupSchema,
  nodeGroupsSchema,
  nodeHistorySchema,
  nodePageSchema,
  nodeRowsSchema,
  nodeSearchSchema,
  nodeTableSchema,
} from './node-schemas.ts';
import {
  collectionLinkSchema,
  collectionSchema,
  type DialectName,
  envelopeSchemas,
  type LinkRow,
  type LinkRows,
  linkOf,
  linksSchema,
} from './shared-schemas.ts';

/** How much is asked of a resource's own fields: what its kind says, or a `type` and a `uid`. */
export type Fields = 'typed' | 'any';

type MakeSchema = (dialect: DialectName, endpoint: Endpoint, fields: Fields) => z.ZodType;

const SCHEMAS: Readonly<Record<Exclude<Content, 'explorer' | 'badge'>, MakeSchema>> = {
  resource: (dialect, { kind }, fields) => itemSchema(kind, dialect, fields),
  resources: (dialect, { kind }, fields) => resourcesSchema(kind, dialect, fields),
  deep: deepSchema,
  version: (dialect, { subject }) => versionSchema(subject, dialect),
  'latest-version': (dialect, { subject }) => versionSchema(subject, dialect),
  versions: (dialect, { subject }) => versionsSchema(subject, dialect),
  'version-page': (dialect, { subject }) => versionPageSchema(subject, dialect),
  timemap: timemapSchema,
  changes: changesSchema,
  feed: feedSchema,
  snapshots: snapshotsSchema,
  'node-page': (dialect, { kind }, fields) => nodePageSchema(itemSchema(kind, dialect, fields), dialect),
  'node-search': (dialect, { kind }, fields) => nodeSearchSchema(itemSchema(kind, dialect, fields), dialect),
  'node-table': nodeTableSchema,
  'node-facets': nodeFacetsSchema,
  'node-rows': nodeRowsSchema,
  'node-history': nodeHistorySchema,
  'node-groups': nodeGroupsSchema,
  'node-group': (dialect, { kind }, fields) => nodeGroupSchema(itemSchema(kind, dialect, fields), dialect),
  'named-node': (dialect, { kind }, fields) => namedNodeSchema(itemSchema(kind, dialect, fields), dialect),
  exports: dataPackageSchema,
  targets: targetsSchema,
  'node-export': rawSchema,
  'change-export': rawSchema,
  inventory: rawSchema,
  links: linkListSchema,
  openapi: openapiSchema,
  schema: jsonSchemaSchema,
  reference: rawSchema,
  style: rawSchema,
  catalog: rawSchema,
  'legacy-item': emptyItemSchema,
  'legacy-collection': emptyCollectionSchema,
};

/** The schema of the bodies that an endpoint answers with. */
export function schemaOf(
  endpoint: Endpoint,
  dialect: DialectName,
  fields: Fields = endpoint.inSnapshot ? 'any' : 'typed',
): z.ZodType {
  const { content, form, template } = endpoint;
  if (isRaw(form)) return rawSchema();
  if (content === 'explorer' || content === 'badge') throw new Error(`${template} is no JSON`);
  return SCHEMAS[content](dialect, endpoint, fields);
}

function rawSchema(): z.ZodType {
  return zod().string().describe('No JSON.');
}

function emptyItemSchema(dialect: DialectName): z.ZodType {
  const z = zod();
  const links = ownLinks('item', dialect);
  return z
    .strictObject({ type: z.string(), uid: z.string(), version: envelopeSchemas().revision, links })
    .describe('An item that this service leaves empty.');
}

function emptyCollectionSchema(dialect: DialectName): z.ZodType {
  return collectionSchema(zod().never(), ownLinks('collection', dialect)).describe(
    'A collection that this service leaves empty.',
  );
}

/** The body of every error (RFC 9457). */
const problemSchema = lazily(() => {
  const z = zod();
  return z
    .strictObject({ type: z.literal('about:blank'), title: z.string(), status: z.int(), detail: z.string() })
    .describe('What is answered instead of a resource.');
});

const PROBLEM = 'problem';
const TOMBSTONE = 'tombstone';

/** Finds a schema by the name under which the package holds it. */
type PackagedSchemas = (name: string) => JsonObject | undefined;

/** The JSON Schemas of the documents of a dialect by their names in the current one. Those in the package need not be made. */
export function documentSchemas(
  dialect: DialectName,
  packaged: PackagedSchemas = () => undefined,
): Map<string, JsonObject> {
  const held = (name: string) => packaged(`${API_FOLDER}/${name}`);
  const tombstone = held(legacyPrefix(dialect) + TOMBSTONE) ?? jsonSchema(tombstoneSchema(dialect), 'output');
  const schemas = new Map([
    [PROBLEM, held(PROBLEM) ?? jsonSchema(problemSchema(), 'output')],
    [TOMBSTONE, tombstone],
  ]);
  for (const endpoint of READABLE_ENDPOINTS) {
    if (isRaw(endpoint.form) || (dialect === 'current' && endpoint.content.startsWith('legacy-'))) continue;
    const name = documentNameOf(endpoint);
    if (schemas.has(name)) continue;
    schemas.set(name, held(documentName(endpoint, dialect)) ?? jsonSchemaOf(endpoint, dialect));
  }
  return schemas;
}

/** The JSON Schemas of all documents of both dialects, by file name. */
export function apiSchemas(): ReadonlyMap<string, JsonObject> {
  const files = DIALECTS.flatMap((dialect) =>
    [...documentSchemas(dialect)].map(([name, schema]) => {
      const prefix = name === PROBLEM ? '' : legacyPrefix(dialect);
      return [schemaFileName(prefix + name), schema] as const;
    }),
  );
  return new Map(files);
}

/** What the API writes into an item besides its source's fields. */
const WRITTEN_FIELDS = [...ANY_ROOT_FIELDS, ...FOUND_NODE_FIELDS];

function jsonSchemaOf(endpoint: Endpoint, dialect: DialectName): JsonObject {
  const schema = jsonSchema(schemaOf(endpoint, dialect), 'output');
  const { content, kind } = endpoint;
  if (content === 'resource') return withFieldNotes(schema, kind, WRITTEN_FIELDS);
  const { properties } = schema;
  const items = isJsonObject(properties) ? properties['items'] : undefined;
  const hasNodes = content === 'node-page' || content === 'node-search' || content === 'node-group';
  if (!(content === 'resources' || hasNodes) || !isJsonObject(properties) || !isJsonObject(items)) return schema;
  const item = isJsonObject(items['items']) ? items['items'] : {};
  const noted = { ...items, items: withFieldNotes(item, kind, WRITTEN_FIELDS) };
  return { ...schema, properties: { ...properties, items: noted } };
}

/** The name of the file that holds the JSON Schema of an endpoint's bodies. */
export function schemaFileOf(endpoint: Endpoint, dialect: DialectName): string {
  return schemaFileName(documentName(endpoint, dialect));
}

/** The name of the kind of document that an endpoint answers with, in the current dialect. */
export function documentNameOf(endpoint: Endpoint): string {
  return documentName(endpoint, 'current');
}

/** The name by which the packaged schemas know the schema of an endpoint's bodies. */
export function schemaNameOf(endpoint: Endpoint, dialect: DialectName, fields: Fields): string {
  // Where as little is asked as of what is in snapshots, it has the schema of what is.
  return `${API_FOLDER}/${documentName({ ...endpoint, inSnapshot: fields === 'any' }, dialect)}`;
}

function legacyPrefix(dialect: DialectName): string {
  return dialect === 'legacy' ? 'legacy-' : '';
}

/** The contents of which there is one schema. */
const PLAIN_NAMES: readonly Content[] = [
  ...(['deep', 'snapshots', 'timemap', 'changes', 'feed'] as const),
  ...(['node-page', 'node-search', 'node-table', 'node-facets', 'node-rows', 'node-history'] as const),
  ...(['node-groups', 'node-group', 'named-node', 'exports', 'targets'] as const),
  ...(['links', 'openapi', 'schema'] as const),
];

/** `node`, `nodes`, `legacy-snapshot-node`, `item-version`, `collection-versions`: one name for one schema. */
function documentName({ content, kind, subject, inSnapshot }: Endpoint, dialect: DialectName): string {
  const prefix = legacyPrefix(dialect);
  const past = prefix + (inSnapshot ? 'snapshot-' : '');
  if (content === 'resource') return past + kind.name;
  if (content === 'resources') return `${past}${certain(kind.collection).replace(/^\{|\}$/g, '')}`;
  if (content === 'version' || content === 'latest-version') return `${prefix}${subject}-version`;
  if (content === 'versions' || content === 'version-page') return `${prefix}${subject}-${content}`;
  if (PLAIN_NAMES.includes(content)) return prefix + content;
  return `${prefix}${content === 'legacy-item' ? 'empty-item' : 'empty-collection'}`;
}

function itemSchema(kind: Kind, dialect: DialectName, fields: Fields): z.ZodObject {
  const { revision, epoch, identity } = envelopeSchemas();
  const own: z.ZodObject = fields === 'typed' ? kind.schema() : identity;
  const item = own.extend({ version: revision, links: itemLinksSchema(kind, dialect) });
  const described = item.describe(kind.schema().description ?? kind.name);
  if (kind.parents.length > 0) return described;
  return dialect === 'current'
    ? described.extend({ timestamp: epoch })
    : described.extend({ release: zod().string(), timestamp: zod().int().describe('Seconds since 1970.') });
}

function itemLinksSchema(kind: Kind, dialect: DialectName): z.ZodType {
  const { children } = kind;
  const childOf = (rel: string) => children.find(({ collection }) => collection === rel);
  const [first, ...others] = kind.rels[dialect].filter((rel) => !childOf(rel)?.onlyIfAny);
  const row = (rel: string): LinkRow => {
    const isCollection = rel === 'versions' || childOf(rel) !== undefined;
    return { rel, target: isCollection ? 'collection' : (kind.legacyChildren[rel] ?? 'item') };
  };
  const rows: LinkRows = [row(certain(first)), ...others.map(row)];
  const optional = children.flatMap(({ onlyIfAny, collection }) => (onlyIfAny ? [certain(collection)] : []));
  const named = optional.filter((name) => name !== ANY_COLLECTION);
  return linksSchema(dialect, rows, optional.length > 0 ? collectionLinkSchema(dialect, named) : undefined);
}

function resourcesSchema(kind: Kind, dialect: DialectName, fields: Fields): z.ZodType {
  // No dialect needs its vendor or release to say whether a collection has a parent.
  const { linksParent } = dialectOf({ dialect, vendor: '', release: '' });
  const parent = linksParent(kind) ? [{ rel: 'parent', target: 'item' } as const] : [];
  const links = linksSchema(dialect, [{ rel: 'self', target: 'collection' }, ...parent]);
  return collectionSchema(itemSchema(kind, dialect, fields), links)
    .refine(({ items }) => isSorted(items.map(({ uid }) => asText(uid))), 'items are not in the order of uids')
    .describe(`All ${kind.collection ?? kind.name} there are, by uid.`);
}

function ownLinks(self: Form, dialect: DialectName): z.ZodType {
  return linksSchema(dialect, [
    { rel: 'self', target: self },
    { rel: 'parent', target: 'item' },
  ]);
}

function snapshotsSchema(dialect: DialectName): z.ZodType {
  const links = linksSchema(dialect, [
    { rel: 'self', target: 'item' },
    { rel: 'parent', target: 'collection' },
    { rel: 'version', target: 'item' },
  ]);
  const z = zod();
  const { revision, when, timestamp } = envelopeSchemas();
  const item = z.strictObject({
    type: z.literal('snapshot'),
    uid: revision,
    date: when,
    timestamp,
    version: revision,
    links,
  });
  return collectionSchema(item, ownLinks('collection', dialect)).describe(
    'The revisions of which the whole API is there as it was, the newest first.',
  );
}

/** The schema of an item with all that is below it. */
function deepSchema(dialect: DialectName): z.ZodType {
  const z = zod();
  const { revision, count, identity } = envelopeSchemas();
  const parts = linkOf(dialect, z.literal(DEEP), 'item');
  const links = linksSchema(
    dialect,
    [
      { rel: 'self', target: 'item' },
      { rel: 'parent', target: 'item' },
    ],
    parts,
  );
  const end = { version: revision, links };
  const whole = z.strictObject({
    total: count.describe('How many fields `items` has.'),
    offset: z.literal(0),
    items: identity.describe(
      'The fields of the item, and its collections: those whose items hold others are maps by uid, the rest are lists.',
    ),
    ...end,
  });
  const tooLarge = z.strictObject({
    too_large: z.strictObject({
      most: count.describe('How many items one response may hold.'),
      found: count.describe('How many there are.'),
    }),
    ...end,
  });
  return z.union([whole, tooLarge]).describe('An item with all that is below it.');
}
