/** A registry's own history as where nodes and their pasts are read from. */
import { sourceFields } from '../api/written-fields.ts';
import { type History, stateAfter } from '../history/replay.ts';
import { resourceHistories } from '../history/resource-history.ts';
import { fieldOf } from '../model/differences/difference.ts';
import { classNames } from '../model/field-classes.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { nodeNameOf } from '../model/node-name.ts';
import { isNodePath, lastSegment, subjectAt } from '../model/resource-path.ts';
import { utcTimestamp } from '../model/revision.ts';
import { type BodyStore, resourceAt, resourcesIn, type StoredBody } from '../model/state.ts';
import { itemAt } from '../platform/certain.ts';
import { lazily } from '../platform/on-demand.ts';
import { storedObject } from '../registry/registry.ts';
import type { NodeState } from './lock-format.ts';
import { type NodeSource, type Step, versionsSince } from './node-past.ts';

/**
 * The head of a history as a source of nodes. The files say the same by now, but the recorded bodies alone are held against
 * their digests where an index has them.
 */
export function historySource(history: History, store: BodyStore): NodeSource {
  const { revisions } = history;
  const head = revisions.length - 1;
  const { id, date } = itemAt(revisions, head);
  const all = lazily(() => ({ history, histories: resourceHistories(history) }));
  const known = new Map<string, ReturnType<typeof all>>();
  /** What there is to know of one node, which takes little where the history can be asked for it alone. */
  const pastOf = (path: string) => {
    if (!history.lookup) return all();
    const own = history.lookup.of(subjectAt(path, history.kinds));
    const found = known.get(path) ?? { history: own, histories: resourceHistories(own, 'one') };
    known.set(path, found);
    return found;
  };
  const stateOf = (path: string, body: JsonObject): NodeState => ({
    path,
    uid: lastSegment(path),
    name: nodeNameOf(body),
    body,
    get latest() {
      return itemAt(revisions, pastOf(path).histories.lastChange(path, head)).id;
    },
  });
  const bodyOf = ({ handle }: StoredBody) => sourceFields(storedObject(store, handle));
  const bodyAt = (path: string, index: number) => {
    const resource = resourceAt(itemAt(pastOf(path).history.states, index), path);
    return resource && bodyOf(resource.body);
  };
  return {
    revision: () => ({ id, date: utcTimestamp(date) }),
    node: async (path) => {
      const body = bodyAt(path, head);
      return body && stateOf(path, body);
    },
    nodes: async () =>
      [...resourcesIn(stateAfter(history, head))].flatMap(([path, { body }]) =>
        isNodePath(path) ? [stateOf(path, bodyOf(body))] : [],
      ),
    historySince: async () => undefined,
    past: async (asked) => {
      const { path } = asked;
      const past = pastOf(path);
      const versions = past.histories.of(path).revisions;
      const found = versionsSince(versions, (index) => itemAt(revisions, index).id, asked);
      return (
        found && {
          before: found.since === undefined ? undefined : bodyAt(path, found.since),
          steps: found.told.flatMap((index) => stepOf(past.history, store, path, index)),
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
      revision: id,
      date: utcTimestamp(date),
      author,
      message,
      action: change.action,
      classes: classNames(change.classes),
      fields: Array.isArray(fields) ? fields.flatMap(fieldOf) : [],
      ...(change.successor === undefined ? {} : { successor: change.successor }),
    },
  ];
}
