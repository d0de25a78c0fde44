/** Where questions about nodes are asked: a registry's files or its history, a tree, or a service far away. */
import type { Labelling } from '../../core/labels/labels.ts';
import type { NodeState, Origin, RevisionName } from '../../core/lock/lock-format.ts';
import { byCodeUnit, type JsonObject } from '../../core/model/json.ts';
import { lastSegment } from '../../core/model/resource-path.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import type { Lazy } from '../../core/platform/on-demand.ts';
import type { QueryFleet } from '../../core/query/columns.ts';
import type { NodeSurvey } from '../../core/table/node-survey.ts';

export interface FleetSource {
  readonly origin: Origin;
  /** Unknown of a registry's files, which may say what its history does not. */
  readonly revision: RevisionName | undefined;
  /** The nodes by site, cluster and uid, in columns. */
  readonly fleet: QueryFleet;
  /** What is in all their fields; undefined where the fleet leaves some out, as nobody asks for them. */
  readonly survey: Lazy<NodeSurvey> | undefined;
  readonly labels: Labelling;
  /** The nodes of some rows, whole. */
  readonly nodesAt: (rows: readonly number[]) => Promise<readonly NodeState[]>;
  /** What sites are called, by their uids. */
  readonly siteNames: () => Promise<ReadonlyMap<string, string>>;
}

/** Nodes in the order of a table. */
export function inOrder(nodes: readonly NodeState[]): NodeState[] {
  const keyOf = ({ path }: NodeState) => path.split('/');
  return nodes
    .map((node) => ({ node, key: keyOf(node) }))
    .sort((a, b) => byParts(a.key, b.key))
    .map(({ node }) => node);
}

function byParts(a: readonly string[], b: readonly string[]): number {
  for (const [i, part] of a.entries()) {
    const order = byCodeUnit(part, b[i] ?? '');
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

export function nodeState(path: string, body: JsonObject, latest: string | undefined): NodeState {
  return { path, uid: lastSegment(path), name: nodeNameOf(body), body, latest };
}
