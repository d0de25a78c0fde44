/**
 * An experiment lock: what nodes were at a revision, as digests, so that it can be told later and anywhere whether they
 * are still the same. It is a small JSON file with a schema and a version of its own; nothing in it depends on when or
 * where it was written.
 */
import { type ClassDigests, classDigests, classRulesDigest } from '../model/class-digests.ts';
import { bodyDigest } from '../model/digest.ts';
import { byCodeUnit, type JsonObject } from '../model/json.ts';
import { NODE } from '../model/kinds.ts';

export const LOCK_VERSION = 1;

/** A node at a revision, as any source tells of it. */
export interface NodeState {
  /** `sites/SITE/clusters/CLUSTER/nodes/NODE`. */
  readonly path: string;
  readonly uid: string;
  readonly name: string | undefined;
  /** The fields of the source alone: see `sourceFields`. */
  readonly body: JsonObject;
  /** The newest revision that changed the node; unknown where a service does not tell. */
  readonly latest: string | undefined;
}

/** A revision by its identifier and, where it is known, its time in ISO 8601. */
export interface RevisionName {
  readonly id: string;
  readonly date?: string | undefined;
}

/** Where a lock was taken: a base URL, or the folder of a tree or of a registry as seen from the lock's own folder. */
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
  /** The digest of the table of field classes: by another one, digests of classes are not comparable. */
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
