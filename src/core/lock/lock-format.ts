/** A lock file stores digests of nodes. Its contents do not depend on the time or the machine. */

import { type ClassDigests, classDigests, classRulesDigest } from '../model/class-digests.ts';
import { bodyDigest } from '../model/digest.ts';
import { FIELD_CLASSES } from '../model/field-classes.ts';
import { byCodeUnit, isJsonObject, type Json, type JsonObject, textOf } from '../model/json.ts';
import { NODE } from '../model/kinds.ts';
import type { RevisionName } from '../model/revision.ts';

export const LOCK_VERSION = 1;

export interface NodeState {
  readonly path: string;
  readonly uid: string;
  readonly name: string | undefined;
  /** The body without the fields that the API adds. */
  readonly body: JsonObject;
  /** The newest revision that changed the node. Undefined if a service does not report this revision. */
  readonly latest: string | undefined;
}

/** A base URL, or the folder of a tree or a registry. The path of a folder is absolute or relative to the lock file. */
export interface Origin {
  readonly kind: 'url' | 'tree' | 'registry';
  readonly place: string;
}

export interface LockedNode {
  readonly path: string;
  readonly uid: string;
  readonly node_name?: string | undefined;
  readonly latest_version?: string | undefined;
  readonly digest: string;
  readonly classes: ClassDigests;
}

export interface Lock {
  readonly gridpress_lock: typeof LOCK_VERSION;
  readonly from: Origin;
  readonly revision: RevisionName;
  /** Class digests are only comparable if they were computed with the same field-class table. */
  readonly class_rules: string;
  readonly nodes: readonly LockedNode[];
}

export function lockOf(from: Origin, revision: RevisionName, nodes: readonly NodeState[]): Lock {
  const { id, date } = revision;
  return {
    gridpress_lock: LOCK_VERSION,
    from,
    revision: { id, ...(date === undefined ? {} : { date }) },
    class_rules: classRulesDigest(NODE),
    nodes: nodes.map(lockedNode).sort((a, b) => byCodeUnit(a.path, b.path)),
  };
}

function lockedNode({ path, uid, name, latest, body }: NodeState): LockedNode {
  return {
    path,
    uid,
    ...(name === undefined ? {} : { node_name: name }),
    ...(latest === undefined ? {} : { latest_version: latest }),
    digest: bodyDigest(body),
    classes: classDigests(NODE, body),
  };
}

export function lockText(lock: Lock): string {
  return `${JSON.stringify(lock, null, 2)}\n`;
}

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

function optionalText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
