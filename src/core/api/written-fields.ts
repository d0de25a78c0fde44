/** The fields that the API itself writes into bodies: what a source has under the same names gives way. */
import type { JsonObject } from '../model/json.ts';

/** Those that end an item, in order. */
export const ITEM_FIELDS: readonly string[] = ['version', 'links'];

/** Those that end the root, in order, in each dialect. */
export const ROOT_FIELDS = {
  current: ['version', 'timestamp', 'links'],
  legacy: ['version', 'release', 'timestamp', 'links'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Those of the root in whatever dialect. */
export const ANY_ROOT_FIELDS: readonly string[] = [...new Set([...ROOT_FIELDS.current, ...ROOT_FIELDS.legacy])];

/** All fields of a collection, in order. */
export const COLLECTION_FIELDS: readonly string[] = ['total', 'offset', 'items', 'version', 'links'];

/** Those that begin a node where web catalogues look for it. */
export const FOUND_NODE_FIELDS: readonly string[] = ['site_id', 'cluster_id', 'availability', 'availability_until'];

/** The fields of an item's body that are its source's. */
export function sourceFields(body: JsonObject): JsonObject {
  return withoutFields(body, ITEM_FIELDS);
}

/** A body without some fields; the body itself, where it has none of them. */
export function withoutFields(body: JsonObject, fields: readonly string[]): JsonObject {
  if (!fields.some((field) => Object.hasOwn(body, field))) return body;
  return Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field)));
}
