import { fail, finding } from '../../core/diagnostics/finding.ts';
import type { Graph, PositionFields } from '../../core/history/graph.ts';
import { isDateWithOffset } from '../../core/history/revision-file.ts';
import { epochSeconds } from '../../core/model/revision.ts';
import { isRevisionId } from '../../core/model/uid.ts';
import { getOrThrow, itemAt } from '../../core/platform/lookups.ts';
import { isDate } from './revision-names.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** For a date, returns the last revision up to this date on the head's first-parent line. */
export function indexAtRevisionOrDate(graph: Graph<PositionFields>, given: string): number {
  if (!isDate(given)) return indexOfRevision(graph, given);
  const until = secondsOf(given, 'T23:59:59Z');
  const { revisions, parents } = graph;
  for (let index = revisions.length - 1; ; ) {
    const { date } = itemAt(revisions, index);
    if (epochSeconds(date) <= until) return index;
    const [before] = itemAt(parents, index);
    if (before === undefined) return fail(finding('before-history', { date: given, first: date }));
    index = before;
  }
}

/** Converts a date from a user to epoch seconds. Appends `timeOfDay` to a date without a time. */
export function secondsOf(given: string, timeOfDay: 'T00:00:00Z' | 'T23:59:59Z'): number {
  const moment = DAY.test(given) ? given + timeOfDay : given;
  // Requires an offset, because the result would otherwise depend on the time zone of the machine.
  if (!isDateWithOffset(moment)) return fail(finding('bad-date', { date: given }));
  return epochSeconds(moment);
}

const SHORTEST_ID = 4;

/** `given` is an identifier, the beginning of an identifier, or `head`. */
export function indexOfRevision(graph: Graph<PositionFields>, given: string): number {
  return (
    knownRevision(graph, given) ?? fail(finding('unknown-revision', { given, nearest: nearestRevisions(graph, given) }))
  );
}

export function knownRevision(graph: Graph<PositionFields>, given: string): number | undefined {
  if (given === 'head') return graph.revisions.length - 1;
  const exact = graph.indexOf.get(given);
  if (exact !== undefined) return exact;
  const isPrefix = /^[0-9a-f]+$/.test(given) && !isRevisionId(given) && given.length >= SHORTEST_ID;
  const found = isPrefix ? graph.revisions.filter(({ id }) => id.startsWith(given)).map(({ id }) => id) : [];
  if (found.length > 1) return fail(finding('ambiguous-revision', { given, found }));
  const [only] = found;
  return only === undefined ? undefined : getOrThrow(graph.indexOf, only);
}

export function nearestRevisions(graph: Graph<PositionFields>, given: string): string[] {
  const near = graph.revisions.map(({ id }) => id).filter((id) => id.startsWith(given.slice(0, SHORTEST_ID)));
  return near.slice(0, 3);
}
