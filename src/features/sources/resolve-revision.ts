/** Which moment of the history a user means: by a revision, a date, or `head`. */

import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import type { Graph, Placed } from '../../core/history/graph.ts';
import { isRecordable } from '../../core/history/revision-file.ts';
import { epochSeconds } from '../../core/model/revision.ts';
import { isRevisionId } from '../../core/model/uid.ts';
import { itemAt, mustGet } from '../../core/platform/certain.ts';
import { isDate } from './moment-names.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The index of a revision; for a date, of the newest on the line of first parents that is not later. */
export function indexAtRevisionOrDate(graph: Graph<Placed>, given: string): number {
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

/** The seconds since 1970 of a date as a user writes it; a day alone is completed. */
export function secondsOf(given: string, timeOfDay: 'T00:00:00Z' | 'T23:59:59Z'): number {
  const moment = DAY.test(given) ? given + timeOfDay : given;
  // Without an offset, the answer would depend on where the command runs.
  if (!isRecordable(moment)) return fail(finding('bad-date', { date: given }));
  return epochSeconds(moment);
}

const SHORTEST_ID = 4;

/** The index of the revision that an identifier, the beginning of one, or `head` names. */
export function indexOfRevision(graph: Graph<Placed>, given: string): number {
  return (
    knownRevision(graph, given) ?? fail(finding('unknown-revision', { given, nearest: nearestRevisions(graph, given) }))
  );
}

/** The same; undefined where there is none. */
export function knownRevision(graph: Graph<Placed>, given: string): number | undefined {
  if (given === 'head') return graph.revisions.length - 1;
  const exact = graph.indexOf.get(given);
  if (exact !== undefined) return exact;
  const isPrefix = /^[0-9a-f]+$/.test(given) && !isRevisionId(given) && given.length >= SHORTEST_ID;
  const found = isPrefix ? graph.revisions.filter(({ id }) => id.startsWith(given)).map(({ id }) => id) : [];
  if (found.length > 1) return fail(finding('ambiguous-revision', { given, found }));
  const [only] = found;
  return only === undefined ? undefined : mustGet(graph.indexOf, only);
}

/** Those that begin as a text does that names none. */
export function nearestRevisions(graph: Graph<Placed>, given: string): string[] {
  const near = graph.revisions.map(({ id }) => id).filter((id) => id.startsWith(given.slice(0, SHORTEST_ID)));
  return near.slice(0, 3);
}
