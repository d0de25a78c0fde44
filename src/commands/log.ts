/** `gridpress log`: the revisions of the registry, or of one resource or collection, newest first. */

import { resourceHistories } from '../history/resource-history.ts';
import { type Counts, NO_COUNTS } from '../history/touches.ts';
import { loadSources, requireHistory, type SourceOptions } from './sources.ts';
import { findSubject } from './subject.ts';

export interface LogOptions extends SourceOptions {
  readonly resource?: string | undefined;
  /** The most revisions to list. */
  readonly limit?: number | undefined;
}

export interface LogEntry {
  readonly id: string;
  readonly date: string;
  readonly author: string;
  readonly message: string;
  readonly changes: Counts;
}

export interface LogResult {
  readonly resource: string;
  readonly total: number;
  readonly revisions: readonly LogEntry[];
}

export function log(options: LogOptions): LogResult {
  const { history, store } = requireHistory(loadSources(options));
  const histories = resourceHistories(history);
  const { path } = findSubject(options.resource ?? '', { history, store });
  const indexes = histories.of(path).revisions;
  const revisions = indexes.slice(0, options.limit ?? indexes.length).flatMap((index): LogEntry[] => {
    const header = history.revisions[index];
    if (!header) return [];
    const { id, date, author, message } = header;
    return [{ id, date, author, message, changes: histories.counts(path, index) ?? NO_COUNTS }];
  });
  return { resource: `/${path}`, total: indexes.length, revisions };
}
