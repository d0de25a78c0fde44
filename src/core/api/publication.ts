/** What is published: a history up to its head, in a dialect, with the snapshots that are built. */

import type { HistoryBound } from '../history/history-bound.ts';
import type { History } from '../history/replay.ts';
import type { Histories } from '../history/resource-history.ts';
import type { Labelling } from '../labels/labels.ts';
import type { Badges } from '../model/configuration.ts';
import type { JsonObject } from '../model/json.ts';
import { epochSeconds, isoTimestamp, type RevisionHeader } from '../model/revision.ts';
import type { BodyStore, RegistryState } from '../model/state.ts';
import type { Lazy } from '../platform/on-demand.ts';
import type { NodeSurvey } from '../table/node-survey.ts';
import type { Dialect } from './dialect.ts';

export interface Publication {
  readonly history: History;
  readonly histories: Histories;
  /** Where the history that is told begins; undefined where all of it is. */
  readonly bound: HistoryBound | undefined;
  readonly store: BodyStore;
  readonly dialect: Dialect;
  /** What stands before every path on the host. Only what readers without a base URL get needs to say it. */
  readonly basePath: string;
  /** What stands before every path in JSON Feeds: the URL of the API, or the base path where none is configured. */
  readonly baseUrl: string;
  /** The index of the head. */
  readonly head: number;
  /** The head's state with the bodies as the registry's own files order their fields. */
  readonly current: RegistryState;
  /** The indexes of the revisions whose snapshots are built, newest first. */
  readonly snapshots: ReadonlySet<number>;
  /** The indexes of the revisions at which the `version` link of everything alive answers, snapshots or not. */
  readonly linkedRevisions: ReadonlySet<number>;
  /** What hardware is called. */
  readonly labels: Labelling;
  /** Up to how many nodes a search finds all. */
  readonly mostFoundNodes: number;
  /** How many characters the table over time may have. */
  readonly mostHistory: number;
  /** How many characters each of the explorer's histories may have that lie beside its page. */
  readonly mostTwinnedHistory: number;
  /** The fields by which nodes are grouped. */
  readonly groupedBy: readonly string[];
  /** Whether items have TimeMaps. */
  readonly hasTimemaps: boolean;
  /** Whether nodes answer by their names, too. */
  readonly hasNames: boolean;
  /** Whether there are documents for others' programs. */
  readonly hasExports: boolean;
  /** The JSON Schemas of the documents of the dialect, by their names. */
  readonly schemas: Lazy<ReadonlyMap<string, JsonObject>>;
  /** The nodes of the head in columns, and what their fields have; made when something first asks for it. */
  readonly nodes: Lazy<NodeSurvey>;
  /** The page that shows the registry; undefined where none is wanted. */
  readonly explorer: ExplorerFiles | undefined;
  /** Of what there are badges. */
  readonly badges: Badges;
  readonly deep: DeepLimits;
}

/** Where there are items with all that is below them, and how many that may be. */
export interface DeepLimits {
  /** 0 where none are wanted. */
  readonly maxItems: number;
  readonly inSnapshots: boolean;
}

/** The parts of the explorer as they come with the program. */
export interface ExplorerFiles {
  readonly page: string;
  readonly script: string;
  readonly more: string;
  readonly style: string;
  readonly icon: string;
}

export function revisionAt({ history }: Publication, index: number): RevisionHeader {
  const header = history.revisions[index];
  if (!header) throw new Error(`no revision has the index ${index}`);
  return header;
}

export function stateAt({ history }: Publication, index: number): RegistryState {
  return history.states[index] ?? null;
}

export function idAt(publication: Publication, index: number): string {
  return revisionAt(publication, index).id;
}

/** From when on the history is told, in ISO 8601; undefined where all of it is. */
export function historySince({ bound }: Publication): string | undefined {
  return bound && isoTimestamp(bound.since);
}

/**
 * The Last-Modified times of all revisions, in epoch seconds: a revision's own time, but always later than its
 * parents'. Servers make ETags from time and size, and real revisions share seconds and go backwards in time.
 */
export function modificationTimes(history: History): number[] {
  const times: number[] = [];
  for (const [index, header] of history.revisions.entries()) {
    const after = (history.parents[index] ?? []).map((parent) => (times[parent] ?? 0) + 1);
    times.push(Math.max(epochSeconds(header.date), ...after));
  }
  return times;
}

/**
 * Which revision a document reflects that tells of one resource's past and names no head: the resource's newest one, or the
 * newest merge on the head's line of first parents, since a merge can take revisions out of a history. So its
 * time grows along the graph when it changes, and stays when it does not.
 */
export function pastReflected({ history, histories, bound, head }: Publication): (path: string) => number {
  // What is told from a bound on follows from all that is.
  if (bound) return () => head;
  const { parents } = history;
  let merge = head;
  while (parents[merge]?.length === 1) merge = parents[merge]?.[0] ?? 0;
  return (path) => Math.max(merge, histories.of(path).revisions[0] ?? head);
}

/** Whether there are items with all that is below them, in snapshots or beside them. */
export function hasDeep({ maxItems, inSnapshots }: DeepLimits, inSnapshot: boolean): boolean {
  return maxItems > 0 && (inSnapshots || !inSnapshot);
}
