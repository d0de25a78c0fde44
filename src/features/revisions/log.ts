/** `gridpress log`: the revisions of the registry, or of one resource or collection, newest first. */

import type { History } from '../../core/history/replay.ts';
import { type ResourceHistory, resourceHistories } from '../../core/history/resource-history.ts';
import { type Counts, NO_COUNTS } from '../../core/history/touches.ts';
import type { FieldClass } from '../../core/model/field-classes.ts';
import type { Subject } from '../../core/model/resource-path.ts';
import { epochSeconds, type RevisionHeader } from '../../core/model/revision.ts';
import { resourceAt } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { type AskedHistory, askHistory } from '../sources/ask-history.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import { secondsOf } from '../sources/resolve-revision.ts';
import { findSubject } from '../sources/resolve-subject.ts';

export interface LogOptions extends SourceOptions {
  readonly resource?: string | undefined;
  /** The most revisions to list. */
  readonly limit?: number | undefined;
  /** Only revisions that changed a field of one of these classes. */
  readonly classes?: readonly FieldClass[] | undefined;
  /** A part of the author's name, in any case. */
  readonly author?: string | undefined;
  /** Dates: the first and the last moment, both included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

export interface LogEntry {
  readonly id: string;
  readonly date: string;
  readonly author: string;
  readonly message: string;
  readonly changes: Counts;
  /** What became of the resource that is asked about, where it came or went. */
  readonly event?: 'added' | 'removed' | 'returned';
}

export interface LogResult {
  readonly resource: string;
  /** How many revisions there are of what is asked for. */
  readonly total: number;
  readonly revisions: readonly LogEntry[];
}

export function log(options: LogOptions): LogResult {
  return askHistory(options, (asked) => logged(options, asked), options.resource);
}

function logged(options: LogOptions, asked: AskedHistory): LogResult {
  const subject = findSubject(options.resource ?? '', { history: asked });
  const history = asked.of(subject);
  const histories = resourceHistories(history, 'one');
  const own = histories.of(subject.path);
  // Whether an item is there takes none of the states of what is below it.
  const alone = lazily(() => (subject.kind.children.length > 0 ? asked.ownOf(subject) : history));
  const isAsked = filterOf(options);
  const found = own.revisions.flatMap((index): LogEntry[] => {
    const header = history.revisions[index];
    const changes = histories.counts(subject.path, index) ?? NO_COUNTS;
    if (!header || !isAsked(header, changes)) return [];
    const { id, date, author, message } = header;
    const event = eventAt(index, own, subject, alone());
    return [{ id, date, author, message, changes, ...(event === undefined ? {} : { event }) }];
  });
  return {
    resource: `/${subject.path}`,
    total: found.length,
    revisions: found.slice(0, options.limit ?? found.length),
  };
}

function filterOf({ classes, author, since, until }: LogOptions) {
  const first = since === undefined ? undefined : secondsOf(since, 'T00:00:00Z');
  const last = until === undefined ? undefined : secondsOf(until, 'T23:59:59Z');
  const name = author?.toLowerCase() ?? '';
  return (header: RevisionHeader, changes: Counts): boolean => {
    const moment = epochSeconds(header.date);
    return (
      header.author.toLowerCase().includes(name) &&
      (first === undefined || moment >= first) &&
      (last === undefined || moment <= last) &&
      (classes === undefined || classes.some((each) => (changes.classes[each] ?? 0) > 0))
    );
  };
}

/** Whether an item, the grid excepted, came, went or came back with a revision of its history. */
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
