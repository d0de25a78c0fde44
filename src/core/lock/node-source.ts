/** The interface for reading nodes and their history from registries, trees and services. */

import type { Action } from '../history/revision-file.ts';
import type { FieldChange } from '../model/differences/difference.ts';
import type { FieldClass } from '../model/field-classes.ts';
import type { JsonObject } from '../model/json.ts';
import { lastSegment } from '../model/resource-path.ts';
import type { RevisionName } from '../model/revision.ts';
import type { NodeState } from './lock-format.ts';

export interface StepField extends FieldChange {
  /** The field label, such as `storage_devices[sda].serial`. Undefined if the body is unknown. */
  readonly field?: string;
}

export interface Step {
  readonly revision: string;
  /** The date in ISO 8601 and UTC. */
  readonly date: string;
  readonly author: string;
  readonly message: string;
  readonly action: Action;
  readonly classes: readonly FieldClass[];
  readonly fields: readonly StepField[];
  /** The uid of the resource that replaced a removed node. */
  readonly successor?: string | undefined;
}

export interface NodeHistory {
  readonly before: JsonObject | undefined;
  /** Lists the newest step first, and at most `MOST_STEPS` steps. */
  readonly steps: readonly Step[];
  readonly omitted: number;
}

export interface NodeHistoryQuery {
  readonly path: string;
  /** The locked version of the node. Only versions after it are read. Undefined if the service reported no version. */
  readonly since: string | undefined;
  /** Whether the node was removed. If so, and if `since` is unknown, the history contains only the removal. */
  readonly isGone: boolean;
}

export interface ListedNode {
  readonly path: string;
  readonly name: string | undefined;
}

export interface NodeSource {
  /** Returns the revision from which this source reads. Before the first read, the date can be missing. */
  readonly revision: () => RevisionName;
  /** Prepares many calls of `node` and `nodesNamed`, if this is faster than separate calls. */
  readonly prepare?: ((paths: readonly string[], names: readonly string[]) => void) | undefined;
  readonly node: (path: string) => Promise<NodeState | undefined>;
  /** Returns the nodes whose uid or name is `name`. Bodies from older services can be incomplete. */
  readonly nodesNamed: (name: string) => Promise<readonly NodeState[]>;
  readonly list: () => Promise<readonly ListedNode[]>;
  /** Returns the uids of all sites, including sites without nodes. */
  readonly sites: () => Promise<readonly string[]>;
  readonly history: (asked: NodeHistoryQuery) => Promise<NodeHistory | undefined>;
  /** Returns the history start in ISO 8601. Undefined if the source includes the whole history. */
  readonly historySince: () => Promise<string | undefined>;
}

export function namesIn(nodes: readonly ListedNode[]): string[] {
  return nodes.flatMap(({ path, name }) => (name === undefined ? [lastSegment(path)] : [name, lastSegment(path)]));
}

export const MOST_STEPS = 100;

/** Returns the versions after `since`, newest first. Undefined if the node exists, but `since` is unknown. */
export function versionsSince<T>(
  versions: readonly T[],
  idOf: (version: T) => string,
  { since, isGone }: NodeHistoryQuery,
): { readonly newest: readonly T[]; readonly omitted: number; readonly since: T | undefined } | undefined {
  const at = since === undefined ? -1 : versions.findIndex((version) => idOf(version) === since);
  if (at < 0 && !isGone) return undefined;
  const newer = versions.slice(0, at < 0 ? 1 : at);
  const newest = newer.slice(0, MOST_STEPS);
  return { newest, omitted: newer.length - newest.length, since: versions[at] };
}
