/** A registry's own history as where nodes and their pasts are read from. */
import { sourceFields } from '../api/written-fields.ts';
import type { History } from '../history/replay.ts';
import { resourceHistories } from '../history/resource-history.ts';
import { fieldOf } from '../model/difference.ts';
import { classNames } from '../model/field-classes.ts';
import type { Json } from '../model/json.ts';
import { nodeNameOf } from '../model/node-name.ts';
import { isNodePath, lastSegment } from '../model/resource-path.ts';
import { utcTimestamp } from '../model/revision.ts';
import { type BodyStore, resourceAt, resourcesIn, type StoredBody } from '../model/state.ts';
import { itemAt } from '../platform/certain.ts';
import { storedObject } from '../registry/registry.ts';
import type { NodeState } from './lock-format.ts';
import { type NodeSource, type Step, versionsSince } from './node-past.ts';

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
