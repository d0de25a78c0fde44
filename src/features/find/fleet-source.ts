/** A fleet comes from the files or the history of a registry, from a tree, or from a service. */

import type { Reference } from '../../core/api/citation.ts';
import type { Finding } from '../../core/diagnostics/finding.ts';
import type { Labelling } from '../../core/labels/labels.ts';
import type { NodeState, Origin } from '../../core/lock/lock-format.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { nodePlace } from '../../core/model/node-path.ts';
import { byTree, lastSegment } from '../../core/model/resource-path.ts';
import type { RevisionName } from '../../core/model/revision.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import type { Lazy } from '../../core/platform/on-demand.ts';
import type { QueryFleet } from '../../core/query/columns.ts';
import { type NodeSurvey, type PlacedBody, surveyBodies } from '../../core/table/node-survey.ts';

export interface FleetSource {
  readonly origin: Origin;
  /** The revision of the nodes. Undefined for registry files, because they can contain unrecorded changes. */
  readonly revision: RevisionName | undefined;
  /** Whether the source has a newer revision than `revision`. */
  readonly isPast: boolean;
  /** The nodes, sorted by site, cluster and uid. */
  readonly fleet: QueryFleet;
  /** A survey of all fields of the nodes. Undefined if `fleet` contains only some fields. */
  readonly survey: Lazy<NodeSurvey> | undefined;
  readonly labels: Labelling;
  readonly nodesAt: (rows: readonly number[]) => Promise<readonly NodeState[]>;
  /** Returns the nodes without private fields, for lock files. Undefined if `nodesAt` already omits private fields. */
  readonly lockedAt?: FleetSource['nodesAt'];
  /** Returns the fleet without private fields, for documents. Returns undefined if every field is public. */
  readonly publicFleet?: () => Promise<PublicFleet | undefined>;
  readonly siteNames: () => Promise<ReadonlyMap<string, string>>;
  readonly reference: () => Promise<Reference>;
  /** Warnings about the source itself. */
  readonly warnings?: readonly Finding[];
}

/** The fleet without private fields. Each node has the same row number as in the fleet with all fields. */
export type PublicFleet = Pick<FleetSource, 'fleet' | 'reference'>;

export function sortedByPath(nodes: readonly NodeState[]): NodeState[] {
  return nodes.toSorted((a, b) => byTree(a.path, b.path));
}

export function nodeState(path: string, body: JsonObject, latest: string | undefined): NodeState {
  return { path, uid: lastSegment(path), name: nodeNameOf(body), body, latest };
}

export function surveyOf(nodes: readonly NodeState[]): NodeSurvey {
  return surveyBodies(placed(nodes), 'nothing');
}

function* placed(nodes: readonly NodeState[]): Generator<PlacedBody> {
  for (const { path, body } of nodes) yield { ...nodePlace(path), json: JSON.stringify(body) };
}
