/** `gridpress show`: a resource, or the members of a collection, as of any revision or date. */
import { finding } from '../diagnostics/finding.ts';
import type { History } from '../history/replay.ts';
import { isRecordable } from '../history/revision-file.ts';
import { fail } from '../io/failure.ts';
import type { Json } from '../model/json.ts';
import { lastSegment, pathAbove } from '../model/resource-path.ts';
import { epochSeconds } from '../model/revision.ts';
import { membersOf, resourceAt } from '../model/state.ts';
import { storedObject } from '../registry/registry.ts';
import { loadSources, requireHistory, revisionIndex, type SourceOptions } from './sources.ts';
import { findSubject } from './subject.ts';

export interface ShowOptions extends SourceOptions {
  readonly resource: string;
  /** A revision, `head`, or a date. */
  readonly at?: string | undefined;
}

export interface ShowResult {
  readonly resource: string;
  readonly revision: string;
  readonly date: string;
  /** The body of an item; the uids of a collection's members. */
  readonly body: Json;
}

export function show(options: ShowOptions): ShowResult {
  const { history, store } = requireHistory(loadSources(options));
  const index = momentIndex(history, options.at ?? 'head');
  const subject = findSubject(options.resource, { history, store, moment: index });
  const { path } = subject;
  const { id, date } =
    history.revisions[index] ?? fail(finding('unknown-revision', { given: options.at ?? '', nearest: [] }));
  const held = resourceAt(history.states[index] ?? null, subject.isCollection ? pathAbove(path) : path);
  if (!held) return fail(finding('resource-not-at', { path, id }));
  const body = subject.isCollection
    ? [...membersOf(held, lastSegment(path)).keys()]
    : storedObject(store, held.body.handle);
  return { resource: `/${path}`, revision: id, date, body };
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The index of a revision; for a date, of the newest on the line of first parents that is not later. */
export function momentIndex(history: History, given: string): number {
  if (!given.includes('-')) return revisionIndex(history, given);
  const moment = DAY.test(given) ? `${given}T23:59:59Z` : given;
  // Without an offset, the answer would depend on where the command runs.
  if (!isRecordable(moment)) return fail(finding('bad-date', { date: given }));
  const until = epochSeconds(moment);
  let index: number | undefined = history.revisions.length - 1;
  while (index !== undefined && epochSeconds(history.revisions[index]?.date ?? '') > until) {
    index = history.parents[index]?.[0];
  }
  return index ?? fail(finding('before-history', { date: given, first: history.revisions[0]?.date ?? '' }));
}
