import { sourceFields } from '../api/written-fields.ts';
import type { Graph } from '../history/graph.ts';
import type { History } from '../history/replay.ts';
import { type Histories, resourceHistories } from '../history/resource-history.ts';
import { fieldChangesFrom } from '../model/differences/difference.ts';
import { classNames } from '../model/field-classes.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Kinds } from '../model/kinds.ts';
import { isNodePath, lastSegment, type Subject, subjectAt } from '../model/resource-path.ts';
import { utcTimestamp } from '../model/revision.ts';
import { type BodyStore, resourceAt, type StoredBody } from '../model/state.ts';
import { nodeNameOf } from '../model/uid.ts';
import { getOrCreate, itemAt } from '../platform/lookups.ts';
import { storedObject } from '../registry/registry.ts';
import type { NodeState } from './lock-format.ts';
import { type ListedNode, type NodeSource, type Step, versionsSince } from './node-source.ts';

export interface NodeHistories {
  readonly graph: Graph;
  readonly kinds: Kinds;
  readonly store: BodyStore;
  readonly of: (subject: Subject) => History;
  readonly prepare: (paths: readonly string[], names: readonly string[]) => void;
  readonly nodesNamed: (name: string) => readonly { readonly path: string; readonly history: History }[];
  readonly list: () => readonly ListedNode[];
  readonly sites: () => readonly string[];
  /** Fails if a registry file and the head describe a node differently. */
  readonly checkRecorded: (path: string, recorded: StoredBody | undefined) => void;
}

export function historySource(asked: NodeHistories): NodeSource {
  const { graph, store } = asked;
  const { revisions } = graph;
  const head = revisions.length - 1;
  const { id, date } = itemAt(revisions, head);
  const known = new Map<string, { readonly history: History; readonly histories: Histories }>();
  const pastOf = (path: string) =>
    getOrCreate(known, path, () => {
      const history = asked.of(subjectAt(path, asked.kinds));
      return { history, histories: resourceHistories(history, 'one') };
    });
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
    prepare: asked.prepare,
    node: async (path) => {
      const held = resourceIn(pastOf(path).history, path, head);
      asked.checkRecorded(path, held?.body);
      return held && stateOf(path, bodyOf(held.body));
    },
    nodesNamed: async (name) =>
      asked.nodesNamed(name).flatMap(({ path, history }) => {
        const held = isNodePath(path) ? resourceIn(history, path, head) : undefined;
        const state = held && stateOf(path, bodyOf(held.body));
        return state && [state.uid, state.name].includes(name) ? [state] : [];
      }),
    list: async () => asked.list(),
    sites: async () => asked.sites(),
    historySince: async () => undefined,
    history: async (query) => {
      const { path } = query;
      const { history, histories } = pastOf(path);
      const found = versionsSince(histories.of(path).revisions, (index) => itemAt(revisions, index).id, query);
      const before = found?.since === undefined ? undefined : resourceIn(history, path, found.since);
      return (
        found && {
          before: before && bodyOf(before.body),
          steps: found.newest.flatMap((index) => stepOf(history, store, path, index)),
          omitted: found.omitted,
        }
      );
    },
  };
}

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
      fields: Array.isArray(fields) ? fields.flatMap(fieldChangesFrom) : [],
      ...(change.successor === undefined ? {} : { successor: change.successor }),
    },
  ];
}
