/**
 * Where nodes and their pasts are read from, for locks: a registry, a tree or a service far away tell the same in the
 * same words. Here is what they tell, and how a registry's own history tells it.
 */

import { sourceFields } from '../api/written-fields.ts';
import type { Action, History } from '../history/replay.ts';
import { resourceHistories } from '../history/resource-history.ts';
import { type FieldChange, fieldOf } from '../model/difference.ts';
import { classNames, type FieldClass } from '../model/field-classes.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { nodeNameOf } from '../model/node-name.ts';
import { isNodePath, lastSegment } from '../model/resource-path.ts';
import { utcTimestamp } from '../model/revision.ts';
import { type BodyStore, resourceAt, resourcesIn, type StoredBody } from '../model/state.ts';
import { itemAt } from '../platform/certain.ts';
import { storedObject } from '../registry/registry.ts';
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
  /** All nodes, for looking one up by its name; of an older service's nodes, the bodies may lack fields. */
  readonly nodes: () => Promise<readonly NodeState[]>;
  /** Undefined where the source has no history that knows of it. */
  readonly past: (asked: PastQuery) => Promise<Past | undefined>;
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

/** The head of a history as a source of nodes. */
export function historySource(history: History, store: BodyStore): NodeSource {
  const histories = resourceHistories(history);
  const head = history.revisions.length - 1;
  const { id, date } = itemAt(history.revisions, head);
  const stateOf = (path: string, body: StoredBody): NodeState => {
    const fields = sourceFields(storedObject(store, body.handle));
    const latest = itemAt(history.revisions, histories.lastChange(path, head)).id;
    return { path, uid: lastSegment(path), name: nodeNameOf(fields), body: fields, latest };
  };
  const bodyAt = (path: string, index: number) => {
    const resource = resourceAt(itemAt(history.states, index), path);
    return resource && sourceFields(storedObject(store, resource.body.handle));
  };
  return {
    revision: () => ({ id, date: utcTimestamp(date) }),
    node: async (path) => {
      const resource = resourceAt(itemAt(history.states, head), path);
      return resource && stateOf(path, resource.body);
    },
    nodes: async () =>
      [...resourcesIn(itemAt(history.states, head))].flatMap(([path, { body }]) =>
        isNodePath(path) ? [stateOf(path, body)] : [],
      ),
    past: async (asked) => {
      const { path } = asked;
      const versions = histories.of(path).revisions;
      const found = versionsSince(versions, (index) => itemAt(history.revisions, index).id, asked);
      return (
        found && {
          before: found.since === undefined ? undefined : bodyAt(path, found.since),
          steps: found.told.flatMap((index) => stepOf(history, store, path, index)),
          omitted: found.omitted,
        }
      );
    },
  };
}

/** What a revision did to one node; nothing where it only wrote its source anew. */
function stepOf(history: History, store: BodyStore, path: string, index: number): Step[] {
  const header = itemAt(history.revisions, index);
  const change = itemAt(history.changes, index).find((recorded) => recorded.path === path);
  if (!change || change.action === 'touched') return [];
  const { id, date, author, message } = header;
  const fields: Json = change.fields === undefined ? [] : JSON.parse(store.get(change.fields));
  return [
    {
      ...{ revision: id, date: utcTimestamp(date), author, message, action: change.action },
      classes: classNames(change.classes),
      fields: Array.isArray(fields) ? fields.flatMap(fieldOf) : [],
      ...(change.successor === undefined ? {} : { successor: change.successor }),
    },
  ];
}
