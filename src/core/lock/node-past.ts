/**
 * Where nodes and their pasts are read from, for locks: a registry, a tree or a service far away tell the same in the
 * same words. Here is what they tell.
 */

import type { Action } from '../history/actions.ts';
import type { FieldChange } from '../model/differences/difference.ts';
import type { FieldClass } from '../model/field-classes.ts';
import type { JsonObject } from '../model/json.ts';
import type { NodeState, RevisionName } from './lock-format.ts';

/** What one revision did to a node. */
export interface Step {
  readonly revision: string;
  /** ISO 8601 in UTC. */
  readonly date: string;
  readonly author: string;
  readonly message: string;
  readonly action: Action;
  readonly classes: readonly FieldClass[];
  readonly fields: readonly FieldChange[];
  /** Of a removal, the uid of the node that took its place. */
  readonly successor?: string | undefined;
}

/** What happened to a node since one of its versions. */
export interface Past {
  /** The node's body then; undefined where that version is not known. */
  readonly before: JsonObject | undefined;
  /** The newest first; at most `MOST_STEPS`. */
  readonly steps: readonly Step[];
  /** How many older ones are left out. */
  readonly omitted: number;
}

/** What is asked of a node's past. */
export interface PastQuery {
  readonly path: string;
  /** The version of the node from which on the past is told; unknown where a service did not tell it. */
  readonly since: string | undefined;
  /** Whether the node is gone: then its newest version is the removal, whatever is known of older ones. */
  readonly isGone: boolean;
}

/** One revision of a registry, wherever it stands. */
export interface NodeSource {
  /** Known in full once something was read. */
  readonly revision: () => RevisionName;
  readonly node: (path: string) => Promise<NodeState | undefined>;
  /** The nodes with a uid or a name; of an older service's nodes, the bodies may lack fields. */
  readonly called: (name: string) => Promise<readonly NodeState[]>;
  /** The names and uids of all nodes, for suggestions. */
  readonly names: () => Promise<readonly string[]>;
  /** Undefined where the source has no history that knows of it. */
  readonly past: (asked: PastQuery) => Promise<Past | undefined>;
  /** From when on the source tells its history, in ISO 8601; undefined where it says of none that it is left out. */
  readonly historySince: () => Promise<string | undefined>;
}

export const MOST_STEPS = 100;

/** The versions to tell of, of a history with the newest first, and how many more there are; none when unknown. */
export function versionsSince<T>(
  versions: readonly T[],
  idOf: (version: T) => string,
  { since, isGone }: PastQuery,
): { readonly told: readonly T[]; readonly omitted: number; readonly since: T | undefined } | undefined {
  const at = since === undefined ? -1 : versions.findIndex((version) => idOf(version) === since);
  if (at < 0 && !isGone) return undefined;
  const newer = versions.slice(0, at < 0 ? 1 : at);
  const told = newer.slice(0, MOST_STEPS);
  return { told, omitted: newer.length - told.length, since: versions[at] };
}
