/** The values of a lock, from JSON that fits its schema. */
import type { ClassDigests } from '../model/class-digests.ts';
import { FIELD_CLASSES } from '../model/field-classes.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { LOCK_VERSION, type Lock, type LockedNode } from './lock-format.ts';

/** What fits the schema, with its types. */
export function lockFrom(value: JsonObject): Lock {
  const from = objectOf(value['from']);
  const revision = objectOf(value['revision']);
  const kind = textOf(from['kind']);
  const nodes = value['nodes'];
  return {
    gridpress_lock: LOCK_VERSION,
    from: { kind: kind === 'url' || kind === 'tree' ? kind : 'registry', place: textOf(from['place']) },
    revision: { id: textOf(revision['id']), date: optionalText(revision['date']) },
    class_rules: textOf(value['class_rules']),
    nodes: Array.isArray(nodes) ? nodes.map((node: Json) => nodeFrom(objectOf(node))) : [],
  };
}

function nodeFrom(node: JsonObject): LockedNode {
  return {
    path: textOf(node['path']),
    uid: textOf(node['uid']),
    node_name: optionalText(node['node_name']),
    latest_version: optionalText(node['latest_version']),
    digest: textOf(node['digest']),
    classes: classesFrom(objectOf(node['classes'])),
  };
}

function classesFrom(digests: JsonObject): ClassDigests {
  return Object.fromEntries(
    FIELD_CLASSES.flatMap((name) => {
      const digest = digests[name];
      return typeof digest === 'string' ? [[name, digest]] : [];
    }),
  );
}

function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function optionalText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
