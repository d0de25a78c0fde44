/** The API adds these fields to bodies, in place of registry fields with the same names. */
import type { JsonObject } from '../model/json.ts';

export const ITEM_FIELDS: readonly string[] = ['version', 'links'];

/** The last fields of the root, in order. */
export const ROOT_FIELDS = {
  current: ['version', 'timestamp', 'links'],
  legacy: ['version', 'release', 'timestamp', 'links'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export const ANY_ROOT_FIELDS: readonly string[] = [...new Set([...ROOT_FIELDS.current, ...ROOT_FIELDS.legacy])];

export const COLLECTION_FIELDS: readonly string[] = ['total', 'offset', 'items', 'version', 'links'];

/** The first fields of a node in `/nodes/search`. */
export const FOUND_NODE_FIELDS: readonly string[] = ['site_id', 'cluster_id', 'availability', 'availability_until'];

export function sourceFields(body: JsonObject): JsonObject {
  return withoutFields(body, ITEM_FIELDS);
}

export function withoutFields(body: JsonObject, fields: readonly string[]): JsonObject {
  if (!fields.some((field) => Object.hasOwn(body, field))) return body;
  return Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field)));
}
