/**
 * The schemas of all documents, by endpoint and dialect. Objects that gridpress writes, such as links, must not contain
 * unknown fields. Schemas of snapshots check only `type` and `uid`, because older registries had other rules.
 */

import type { z } from 'zod';
import { DIALECTS } from '../../model/configuration.ts';
import { asText, isJsonObject, type JsonObject } from '../../model/json.ts';
import { ANY_COLLECTION, type Kind } from '../../model/kinds.ts';
import { assertDefined } from '../../platform/lookups.ts';
import { zod } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import { jsonSchema, withFieldNotes } from '../../registry/editor-schemas.ts';
import { API_FOLDER, schemaFileName } from '../../registry/layout.ts';
import { dialectOf } from '../dialect.ts';
import { type Content, type Endpoint, READABLE_ENDPOINTS } from '../endpoints.ts';
import { isRaw } from '../raw-forms.ts';
import { DEEP } from '../urls.ts';
import { ANY_ROOT_FIELDS, FOUND_NODE_FIELDS } from '../written-fields.ts';
import { isSorted } from './body-rules.ts';
import {
  conformanceSchema,
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
  type LinkTargets,
  linkSchema,
  linksSchema,
  sharedSchemas,
} from './shared-schemas.ts';

/** `typed` checks a resource against the schema of its kind. `any` checks only `type` and `uid`. */
export type FieldChecks = 'typed' | 'any';

type MakeSchema = (dialect: DialectName, endpoint: Endpoint, fields: FieldChecks) => z.ZodType;

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
  hardware: rawSchema,
  links: linkListSchema,
  conformance: conformanceSchema,
  openapi: openapiSchema,
  schema: jsonSchemaSchema,
  reference: rawSchema,
  style: rawSchema,
  catalog: rawSchema,
  llms: rawSchema,
  'legacy-item': emptyItemSchema,
  'legacy-collection': emptyCollectionSchema,
};

export function schemaOf(
  endpoint: Endpoint,
  dialect: DialectName,
  fields: FieldChecks = endpoint.inSnapshot ? 'any' : 'typed',
): z.ZodType {
  const { content, form, template } = endpoint;
  if (isRaw(form)) return rawSchema();
  if (content === 'explorer' || content === 'badge') throw new Error(`${template} is no JSON`);
  return SCHEMAS[content](dialect, endpoint, fields);
}

function rawSchema(): z.ZodType {
  return zod().string().describe('A document in another format than the JSON of the API.');
}

function emptyItemSchema(dialect: DialectName): z.ZodType {
  const { z, revision } = sharedSchemas();
  const links = linksSchema(dialect, { self: 'item', parent: 'item' });
  return z
    .strictObject({ type: z.string(), uid: z.string(), version: revision, links })
    .describe('An item that this service leaves empty.');
}

function emptyCollectionSchema(dialect: DialectName): z.ZodType {
  return collectionSchema(zod().never(), linksSchema(dialect, { self: 'collection', parent: 'item' })).describe(
    'A collection that this service leaves empty.',
  );
}

/** The body of every error response (RFC 9457). */
const problemSchema = lazily(() => {
  const z = zod();
  return z
    .strictObject({ type: z.literal('about:blank'), title: z.string(), status: z.int(), detail: z.string() })
    .describe('The body of an error response.');
});

const PROBLEM = 'problem';
const TOMBSTONE = 'tombstone';

type PackagedSchemas = (name: string) => JsonObject | undefined;

/** Returns the JSON Schemas of a dialect by document name. Generates only schemas that the package does not contain. */
export function documentSchemas(
  dialect: DialectName,
  packaged: PackagedSchemas = () => undefined,
): Map<string, JsonObject> {
  const inPackage = (name: string) => packaged(`${API_FOLDER}/${name}`);
  const tombstone = inPackage(legacyPrefix(dialect) + TOMBSTONE) ?? jsonSchema(tombstoneSchema(dialect), 'output');
  const schemas = new Map([
    [PROBLEM, inPackage(PROBLEM) ?? jsonSchema(problemSchema(), 'output')],
    [TOMBSTONE, tombstone],
  ]);
  for (const endpoint of READABLE_ENDPOINTS) {
    if (isRaw(endpoint.form) || (dialect === 'current' && endpoint.content.startsWith('legacy-'))) continue;
    const name = documentNameOf(endpoint);
    if (schemas.has(name)) continue;
    schemas.set(name, inPackage(documentName(endpoint, dialect)) ?? jsonSchemaOf(endpoint, dialect));
  }
  return schemas;
}

/** Returns the JSON Schemas of both dialects by file name. */
export function apiSchemas(): ReadonlyMap<string, JsonObject> {
  const files = DIALECTS.flatMap((dialect) =>
    [...documentSchemas(dialect)].map(([name, schema]) => {
      const prefix = name === PROBLEM ? '' : legacyPrefix(dialect);
      return [schemaFileName(prefix + name), schema] as const;
    }),
  );
  return new Map(files);
}

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

export function documentNameOf(endpoint: Endpoint): string {
  return documentName(endpoint, 'current');
}

export function schemaNameOf(endpoint: Endpoint, dialect: DialectName, fields: FieldChecks): string {
  // Resources with unchecked fields use the schema of snapshots.
  return `${API_FOLDER}/${documentName({ ...endpoint, inSnapshot: fields === 'any' }, dialect)}`;
}

function legacyPrefix(dialect: DialectName): string {
  return dialect === 'legacy' ? 'legacy-' : '';
}

/** Returns a unique name, such as `node`, `nodes`, `legacy-snapshot-node`, `item-version` or `collection-versions`. */
function documentName({ content, kind, subject, inSnapshot }: Endpoint, dialect: DialectName): string {
  const prefix = legacyPrefix(dialect);
  const past = prefix + (inSnapshot ? 'snapshot-' : '');
  if (content === 'resource') return past + kind.name;
  if (content === 'resources') return past + collectionName(kind);
  if (content === 'version' || content === 'latest-version') return `${prefix}${subject}-version`;
  if (content === 'versions' || content === 'version-page') return `${prefix}${subject}-${content}`;
  return prefix + content.replace(/^legacy-/, 'empty-');
}

/** Removes the braces around the placeholder for declared kinds. */
function collectionName({ collection }: Kind): string {
  return assertDefined(collection).replace(/^\{|\}$/g, '');
}

function itemSchema(kind: Kind, dialect: DialectName, fields: FieldChecks): z.ZodObject {
  const { revision, epoch, identity } = sharedSchemas();
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
  const rels = kind.rels[dialect].filter((rel) => !childOf(rel)?.onlyIfAny);
  const targetOf = (rel: string) => {
    const isCollection = rel === 'versions' || childOf(rel) !== undefined;
    return isCollection ? 'collection' : (kind.legacyChildren[rel] ?? 'item');
  };
  const targets: LinkTargets = Object.fromEntries(rels.map((rel) => [rel, targetOf(rel)]));
  const optional = children.flatMap(({ onlyIfAny, collection }) => (onlyIfAny ? [assertDefined(collection)] : []));
  const named = optional.filter((name) => name !== ANY_COLLECTION);
  return linksSchema(dialect, targets, optional.length > 0 ? collectionLinkSchema(dialect, named) : undefined);
}

function resourcesSchema(kind: Kind, dialect: DialectName, fields: FieldChecks): z.ZodType {
  const { linksParent } = dialectOf({ dialect, vendor: '', release: '' });
  const links = linksSchema(dialect, { self: 'collection', ...(linksParent(kind) ? { parent: 'item' } : {}) });
  return collectionSchema(itemSchema(kind, dialect, fields), links)
    .refine(({ items }) => isSorted(items.map(({ uid }) => asText(uid))), 'items are not sorted by uid')
    .describe(`All ${collectionName(kind)}, sorted by uid.`);
}

function snapshotsSchema(dialect: DialectName): z.ZodType {
  const { z, revision, when, timestamp } = sharedSchemas();
  const item = z.strictObject({
    type: z.literal('snapshot'),
    uid: revision,
    date: when,
    timestamp,
    version: revision,
    links: linksSchema(dialect, { self: 'item', parent: 'collection', version: 'item' }),
  });
  return collectionSchema(item, linksSchema(dialect, { self: 'collection', parent: 'item' })).describe(
    'The snapshots, newest first. A snapshot is the whole API as of a revision.',
  );
}

function deepSchema(dialect: DialectName): z.ZodType {
  const { z, revision, count, identity } = sharedSchemas();
  const parts = linkSchema(dialect, z.literal(DEEP), 'item');
  const end = { version: revision, links: linksSchema(dialect, { self: 'item', parent: 'item' }, parts) };
  const whole = z.strictObject({
    total: count.describe('The number of fields in `items`.'),
    offset: z.literal(0),
    items: identity.describe(
      'The fields and the collections of the item. A collection is a map by uid if its items have children, otherwise a list.',
    ),
    ...end,
  });
  const tooLarge = z.strictObject({
    too_large: z.strictObject({
      most: count.describe('The most items that one response may contain.'),
      found: count.describe('The number of items.'),
    }),
    ...end,
  });
  return z.union([whole, tooLarge]).describe('An item with all its descendants.');
}
