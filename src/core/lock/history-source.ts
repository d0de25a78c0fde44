/** A registry's own history as where nodes and their pasts are read from. */
import { sourceFields } from '../api/written-fields.ts';
import type { Graph } from '../history/graph.ts';
import type { History } from '../history/replay.ts';
import { type Histories, resourceHistories } from '../history/resource-history.ts';
import { fieldOf } from '../model/differences/difference.ts';
import { classNames } from '../model/field-classes.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Kinds } from '../model/kinds.ts';
import { isNodePath, lastSegment, type Subject, subjectAt } from '../model/resource-path.ts';
import { utcTimestamp } from '../model/revision.ts';
import { type BodyStore, resourceAt, type StoredBody } from '../model/state.ts';
import { nodeNameOf } from '../model/uid.ts';
import { itemAt } from '../platform/certain.ts';
import { storedObject } from '../registry/registry.ts';
import type { NodeState } from './lock-format.ts';
import { type NodeSource, type Step, versionsSince } from './node-past.ts';

/** What a registry can be asked of its history. */
export interface NodeHistories {
  readonly graph: Graph;
  readonly kinds: Kinds;
  readonly store: BodyStore;
  /** The history of one subject. */
  readonly of: (subject: Subject) => History;
  /** The resources that ever had a uid or a node name, each with its own history. */
  readonly called: (name: string) => readonly { readonly path: string; readonly history: History }[];
  /** Names and uids of the nodes that there are now. */
  readonly names: () => readonly string[];
  /** Fails where the files of the registry describe a node otherwise than the head does. */
  readonly checkRecorded: (path: string, recorded: StoredBody | undefined) => void;
}

/** The head of a history as a source of nodes. */
export function historySource(asked: NodeHistories): NodeSource {
  const { graph, store } = asked;
  const { revisions } = graph;
  const head = revisions.length - 1;
  const { id, date } = itemAt(revisions, head);
  const known = new Map<string, { readonly history: History; readonly histories: Histories }>();
  const pastOf = (path: string) => {
    const found = known.get(path);
    if (found) return found;
    const history = asked.of(subjectAt(path, asked.kinds));
    const past = { history, histories: resourceHistories(history, 'one') };
    known.set(path, past);
    return past;
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
  const resourceIn = ({ states }: History, path: string, index: number) => resourceAt(itemAt(states, index), path);
  return {
    revision: () => ({ id, date: utcTimestamp(date) }),
    node: async (path) => {
      const held = resourceIn(pastOf(path).history, path, head);
      asked.checkRecorded(path, held?.body);
      return held && stateOf(path, bodyOf(held.body));
    },
    called: async (name) =>
      asked.called(name).flatMap(({ path, history }) => {
        const held = isNodePath(path) ? resourceIn(history, path, head) : undefined;
        const state = held && stateOf(path, bodyOf(held.body));
        return state && [state.uid, state.name].includes(name) ? [state] : [];
      }),
    names: async () => asked.names(),
    historySince: async () => undefined,
    past: async (query) => {
      const { path } = query;
      const { history, histories } = pastOf(path);
      const found = versionsSince(histories.of(path).revisions, (index) => itemAt(revisions, index).id, query);
      const before = found?.since === undefined ? undefined : resourceIn(history, path, found.since);
      return (
        found && {
          before: before && bodyOf(before.body),
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
