import type { History } from '../../core/history/replay.ts';
import { type ResourceHistory, resourceHistories } from '../../core/history/resource-history.ts';
import type { ResourceChange } from '../../core/history/revision-file.ts';
import { type Counts, countChanges, NO_COUNTS } from '../../core/history/touches.ts';
import type { FieldClass } from '../../core/model/field-classes.ts';
import { isNodePath, lastSegment, type Subject } from '../../core/model/resource-path.ts';
import { epochSeconds, type RevisionHeader } from '../../core/model/revision.ts';
import { resourceAt } from '../../core/model/state.ts';
import { isUuid } from '../../core/model/uid.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import { secondsOf } from '../sources/resolve-revision.ts';
import { findSubject } from '../sources/resolve-subject.ts';
import { type SearchedHistory, searchHistory } from '../sources/search-history.ts';

export interface LogOptions extends SourceOptions {
  readonly resource?: string | undefined;
  readonly limit?: number | undefined;
  /** Selects revisions that changed a field of these classes. */
  readonly classes?: readonly FieldClass[] | undefined;
  /** A part of the author's name. The comparison ignores upper and lower case. */
  readonly author?: string | undefined;
  /** Only revisions from the date `since` to the date `until` are listed. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface LogEntry {
  readonly id: string;
  readonly date: string;
  readonly author: string;
  readonly message: string;
  readonly changes: Counts;
  /** Set if the revision added, removed or restored the requested resource. Missing for all other revisions. */
  readonly event?: 'added' | 'removed' | 'returned';
  /** Set if the revision moved a node with a UUID: its path before the revision, or after it if `event` is `removed`. */
  readonly moved?: string;
}

export interface LogResult {
  readonly resource: string;
  /** The number of matching revisions. `revisions` can be shorter because of the limit. */
  readonly total: number;
  readonly revisions: readonly LogEntry[];
}

export function log(options: LogOptions): LogResult {
  return searchHistory(options, (asked) => logged(options, asked), options.resource);
}

function logged(options: LogOptions, asked: SearchedHistory): LogResult {
  const subject = findSubject(options.resource ?? '', { history: asked });
  const { indexes, countsAt, eventAt } = subject.path === '' ? wholeLog(asked) : subjectLog(asked, subject);
  const headerAt = (index: number) => itemAt(asked.graph.revisions, index);
  const isAsked = filterOf(options);
  const { classes } = options;
  const found = indexes.filter(
    (index) =>
      isAsked(headerAt(index)) &&
      (classes === undefined || classes.some((each) => (countsAt(index).classes[each] ?? 0) > 0)),
  );
  const revisions = found.slice(0, options.limit).map((index): LogEntry => {
    const { id, date, author, message } = headerAt(index);
    const entry = { id, date, author, message, changes: countsAt(index) };
    const event = eventAt(index);
    if (event === undefined) return entry;
    const moved = otherPath(subject.path, event, asked.outlineOf(index));
    return { ...entry, event, ...(moved === undefined ? {} : { moved: `/${moved}` }) };
  });
  return { resource: `/${subject.path}`, total: found.length, revisions };
}

interface SubjectLog {
  /** The indexes of the revisions, newest first. */
  readonly indexes: readonly number[];
  readonly countsAt: (index: number) => Counts;
  readonly eventAt: (index: number) => LogEntry['event'];
}

/** Returns the log of the grid, which contains every revision. Reads revision files only to count changes. */
function wholeLog({ graph, kinds, outlineOf }: SearchedHistory): SubjectLog {
  return {
    indexes: [...graph.revisions.keys()].reverse(),
    countsAt: (index) => countChanges(outlineOf(index), kinds),
    eventAt: () => undefined,
  };
}

function subjectLog(asked: SearchedHistory, subject: Subject): SubjectLog {
  const history = asked.of(subject);
  const histories = resourceHistories(history, 'one');
  const own = histories.of(subject.path);
  // Omits the resources below an item, because they do not affect whether the item existed.
  const alone = lazily(() => (subject.kind.children.length > 0 ? asked.ownOf(subject) : history));
  return {
    indexes: own.revisions,
    countsAt: (index) => histories.counts(subject.path, index) ?? NO_COUNTS,
    eventAt: (index) => eventAt(index, own, subject, alone()),
  };
}

/** Finds the other path of a node, if a revision removed the node at one path and added it at another path. */
function otherPath(path: string, event: LogEntry['event'], changes: readonly ResourceChange[]): string | undefined {
  const uid = lastSegment(path);
  // Other uids can occur in several clusters.
  if (!isNodePath(path) || !isUuid(uid)) return undefined;
  const action = event === 'removed' ? 'added' : 'removed';
  return changes.find((each) => each.action === action && each.path !== path && lastSegment(each.path) === uid)?.path;
}

export function filterOf({ author, since, until }: LogOptions) {
  const first = since === undefined ? undefined : secondsOf(since, 'T00:00:00Z');
  const last = until === undefined ? undefined : secondsOf(until, 'T23:59:59Z');
  const name = author?.toLowerCase();
  return (header: Pick<RevisionHeader, 'date' | 'author'>): boolean => {
    const moment = epochSeconds(header.date);
    return (
      (first === undefined || moment >= first) &&
      (last === undefined || moment <= last) &&
      (name === undefined || header.author.toLowerCase().includes(name))
    );
  };
}

/** Returns undefined for the grid and for collections. */
function eventAt(
  index: number,
  { revisions }: ResourceHistory,
  { path, isCollection }: Subject,
  history: History,
): LogEntry['event'] {
  if (isCollection || path === '') return undefined;
  const { states, parents } = history;
  const isThere = (at: number) => resourceAt(itemAt(states, at), path) !== undefined;
  const wasThere = itemAt(parents, index).some(isThere);
  if (isThere(index) === wasThere) return undefined;
  if (wasThere) return 'removed';
  return revisions.some((other) => other < index && isThere(other)) ? 'returned' : 'added';
}
