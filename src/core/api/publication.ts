import { firstParentLine } from '../history/graph.ts';
import type { HistoryStart } from '../history/history-start.ts';
import type { History } from '../history/replay.ts';
import type { Histories } from '../history/resource-history.ts';
import type { Labelling } from '../labels/labels.ts';
import type { Badges, Configuration } from '../model/configuration.ts';
import { sha256 } from '../model/digest.ts';
import { asText, type JsonObject, parsedObject } from '../model/json.ts';
import { epochSeconds, isoTimestamp, type RevisionHeader } from '../model/revision.ts';
import type { BodyStore, RegistryState } from '../model/state.ts';
import { itemAt } from '../platform/lookups.ts';
import type { Lazy } from '../platform/on-demand.ts';
import type { NodeSurvey } from '../table/node-survey.ts';
import type { Dialect, Link } from './dialect.ts';
import type { CacheControl } from './endpoints.ts';

/** The data for rendering all documents of a tree. Revision numbers are indexes into `history.revisions`. */
export interface Publication {
  readonly history: History;
  readonly histories: Histories;
  /** The history start. Undefined if the tree includes the whole history. */
  readonly bound: HistoryStart | undefined;
  readonly store: BodyStore;
  readonly dialect: Dialect;
  /** The path prefix of all URLs. Most documents omit the prefix, because their readers know the base URL. */
  readonly basePath: string;
  /** The prefix of all URLs in JSON Feeds: the configured URL of the API, or otherwise the base path. */
  readonly baseUrl: string;
  readonly head: number;
  /** The state of the head. Fields of bodies have the order of the registry files. */
  readonly current: RegistryState;
  /** The revisions with snapshots in the tree, newest first. */
  readonly snapshots: ReadonlySet<number>;
  /** The indexes of the revisions for which every resource has a version URL, even if there is no snapshot. */
  readonly linkedRevisions: ReadonlySet<number>;
  readonly labels: Labelling;
  /** The maximum number of nodes that `/nodes/search` lists. */
  readonly maxFoundNodes: number;
  /** The maximum size of the nodes' history document, in characters. */
  readonly maxHistoryLength: number;
  /** The maximum size of each history in the explorer's offline copies, in characters. */
  readonly maxOfflineHistoryLength: number;
  readonly groupingFields: readonly string[];
  readonly hasTimemaps: boolean;
  readonly hasNames: boolean;
  readonly hasExports: boolean;
  /** The JSON Schemas of the dialect's documents, by document name. */
  readonly schemas: Lazy<ReadonlyMap<string, JsonObject>>;
  readonly nodes: Lazy<NodeSurvey>;
  /** Undefined if the configuration excludes the explorer. */
  readonly explorer: ExplorerFiles | undefined;
  /** The operator's links on the overview of the explorer. */
  readonly explorerLinks: readonly { readonly title: string; readonly url: string }[];
  readonly badges: Badges;
  readonly citation: Configuration['citation'];
  readonly sunset: Configuration['sunset'];
  readonly cacheControl: CacheControl;
  readonly deep: DeepResponseLimits;
  /** The time of a file is this number of seconds earlier than the time of its revision. See `timeShift`. */
  readonly timeShift: number;
  /** A number of seconds that depends on the order of fields in `current`. See `headTime`. */
  readonly orderShift: number;
}

export interface DeepResponseLimits {
  /** The maximum number of items in one response. 0 disables deep documents. */
  readonly maxItems: number;
  readonly inSnapshots: boolean;
}

export interface ExplorerFiles {
  readonly page: string;
  readonly script: string;
  readonly more: string;
  readonly exports: string;
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

/**
 * Returns the earlier revisions on the first-parent line of the head, newest first. Maps each revision to the number of
 * seconds between the date of the head and the date of the revision that followed it as the head.
 */
export function secondsSinceHead(history: History): ReadonlyMap<number, number> {
  const head = history.revisions.length - 1;
  const line = firstParentLine(history, head);
  const secondsAt = (index: number) => epochSeconds(itemAt(history.revisions, index).date);
  return new Map(line.slice(1).map((at, i) => [at, secondsAt(head) - secondsAt(itemAt(line, i))]));
}

/** Returns undefined if the registry has no resources. */
export function gridBody({ current, store }: Publication): JsonObject | undefined {
  return current === null ? undefined : parsedObject(store.get(current.body.handle));
}

export function gridName(publication: Publication): string {
  const { name, uid } = gridBody(publication) ?? {};
  return typeof name === 'string' && name !== '' ? name : asText(uid ?? '');
}

export function idAt(publication: Publication, index: number): string {
  return revisionAt(publication, index).id;
}

/** Returns the end of a document's JSON text: the fields `version` and `links`. */
export function documentEnd(publication: Publication, index: number, links: readonly Link[]): string {
  return `,"version":"${idAt(publication, index)}","links":${publication.dialect.links(links)}}`;
}

export function historySince({ bound }: Publication): string | undefined {
  return bound && isoTimestamp(bound.since);
}

/** All file times are multiples of this number of seconds, because FAT and zip files store only such times. */
export const TIME_STEP = 2;
/** The longest time shift, in seconds. */
export const LONGEST_SHIFT = 3600 * TIME_STEP;

/**
 * Returns a time shift in seconds that depends on a text: the settings, or the bodies with another order of fields.
 * Servers compute ETags from time and size, but both can change a document's bytes without changing its size. Different
 * texts get the same shift with a probability of 1/3600.
 */
export function timeShift(text: string): number {
  return (Number.parseInt(sha256(text).slice(0, 8), 16) * TIME_STEP) % LONGEST_SHIFT;
}

/**
 * Returns the Last-Modified times of all revisions, in epoch seconds. The time of a revision is always later than the
 * times of its parents, even if its date is earlier. The time shift is subtracted from all times. No time is before
 * 1970, because Node.js would set the current time instead.
 */
export function modificationTimes({ history, timeShift }: Pick<Publication, 'history' | 'timeShift'>): number[] {
  const times: number[] = [];
  for (const [index, header] of history.revisions.entries()) {
    const after = (history.parents[index] ?? []).map((parent) => (times[parent] ?? 0) + TIME_STEP);
    const date = epochSeconds(header.date);
    times.push(Math.max(date - (date % TIME_STEP), LONGEST_SHIFT, ...after));
  }
  return times.map((time) => time - timeShift);
}

/**
 * Returns the time of the documents that show `current`. Another order of fields in the registry files changes the
 * bytes of these documents, but is no revision. So `orderShift` makes their time earlier, but later than the times of
 * the parents, and at most `LONGEST_SHIFT` before the time of the head.
 */
export function headTime(publication: Publication): number {
  const { history, head, timeShift, orderShift } = publication;
  const times = modificationTimes(publication);
  const time = times[head] ?? 0;
  const steps = (history.parents[head] ?? []).map((parent) => time - (times[parent] ?? 0));
  return time - (orderShift % Math.min(LONGEST_SHIFT - timeShift, ...steps));
}

/**
 * Returns the revision that dates a history document without the head. The revision is the resource's newest revision
 * or the newest merge on the head's first-parent line. A merge can remove revisions, so the document may change at each
 * merge.
 */
export function latestRelevantRevision({ history, histories, bound, head }: Publication): (path: string) => number {
  // A new revision can change the published part of a tree with a history start.
  if (bound) return () => head;
  const { parents } = history;
  let merge = head;
  while (parents[merge]?.length === 1) merge = parents[merge]?.[0] ?? 0;
  return (path) => Math.max(merge, histories.of(path).revisions[0] ?? head);
}

export function hasDeepResponses({ maxItems, inSnapshots }: DeepResponseLimits, inSnapshot: boolean): boolean {
  return maxItems > 0 && (inSnapshots || !inSnapshot);
}
