/** Runs `log`, `show` and `diff` on the version documents of a tree or a service. */

import { fail, finding } from '../../core/diagnostics/finding.ts';
import { changesOfBodies } from '../../core/history/changes-between.ts';
import { ACTIONS } from '../../core/history/revision-file.ts';
import type { Counts } from '../../core/history/touches.ts';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import { isJsonObject, type Json, type JsonObject, textOf } from '../../core/model/json.ts';
import { KINDS } from '../../core/model/kinds.ts';
import { isoTimestamp } from '../../core/model/revision.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { originOf } from '../lock/node-source.ts';
import { type ReachOptions, readPublished } from '../lock/published-source.ts';
import { type DiffOptions, type DiffResult, diff, sideAt } from '../revisions/diff.ts';
import { countsOf, differingResources, displayNameOf } from '../revisions/differing-resources.ts';
import { filterOf, type LogEntry, type LogOptions, type LogResult, log } from '../revisions/log.ts';
import {
  namedAt,
  type ResolvedSide,
  type ResourceDiffOptions,
  type ResourceDiffResult,
  resourceDiff,
  resourceDifference,
} from '../revisions/resource-diff.ts';
import { type ShowOptions, type ShowResult, show } from '../revisions/show.ts';
import { publishedIndex, publishedRevisions } from './published-fleet.ts';
import {
  bodiesAt,
  bodyAt,
  changesSince,
  membersAt,
  type PublishedHistory,
  startOf,
  versionsOf,
  withChanges,
} from './published-states.ts';
import { anySubjectNamed, subjectNamed } from './published-subjects.ts';

interface PublishedOptions extends Pick<ReachOptions, 'timeout' | 'maxRequests' | 'config'> {
  /** A base URL, or the folder of a tree or a registry. */
  readonly place: string;
}

export function publishedLog(options: LogOptions & PublishedOptions): Promise<LogResult> {
  return askPlace(options, log, async (history) => {
    const subject = await anySubjectNamed(options.resource ?? '', history);
    const items = await versionsOf(subject.path, history);
    const isAsked = filterOf(options);
    const entries = items.map(entryOf);
    const found = entries.filter(
      (entry) => isAsked(entry) && (options.classes?.some((name) => (entry.changes.classes[name] ?? 0) > 0) ?? true),
    );
    return { resource: `/${subject.path}`, total: found.length, revisions: found.slice(0, options.limit) };
  });
}

export function publishedShow(options: ShowOptions & PublishedOptions): Promise<ShowResult> {
  return askPlace(options, show, async (history) => {
    const index = await publishedIndex(options.at ?? 'head', history);
    const subject = await anySubjectNamed(options.resource, history, index);
    const { id, date } = itemAt(history.graph.revisions, index);
    const { path } = subject;
    const body = subject.isCollection ? await membersAt(path, index, history) : await bodyAt(path, index, history);
    if (body === undefined) return fail(finding('resource-not-at', { path, id }));
    return { resource: `/${path}`, revision: id, date, body };
  });
}

export function publishedDiff(options: DiffOptions & PublishedOptions): Promise<DiffResult> {
  return askPlace(options, diff, async (history) => {
    const [from, to] = [await publishedIndex(options.from, history), await publishedIndex(options.to, history)];
    const { path } = await subjectNamed(options.resource ?? '', history);
    if (startOf(from, history) !== startOf(to, history)) {
      const [one, other] = [from, to].map((at) => itemAt(history.graph.revisions, at).id);
      fail(finding('older-revisions', { from: textOf(one), to: textOf(other) }));
    }
    const changedFrom = await changesSince(to, from, path, history);
    const changedTo = await changesSince(from, to, path, history);
    const before = await bodiesAt(from, changedFrom, changedTo, history);
    const after = await bodiesAt(to, changedTo, changedFrom, history);
    const compared = changesOfBodies(before, after, KINDS);
    const changes = differingResources(compared, { within: path, classes: options.classes });
    const sides = { from: sideAt(history.graph, from), to: sideAt(history.graph, to) };
    return { ...sides, resource: `/${path}`, counts: countsOf(changes), changes };
  });
}

export function publishedResourceDiff(options: ResourceDiffOptions & PublishedOptions): Promise<ResourceDiffResult> {
  return askPlace(options, resourceDiff, async (history) => {
    const sideOf = async (given: string): Promise<ResolvedSide> => {
      const named = namedAt(given, options.at ?? 'head');
      const index = await publishedIndex(named.moment, history);
      const { path, kind, isCollection } = await subjectNamed(named.given, history, index);
      if (isCollection) return fail(finding('collection-not-compared', { path }));
      const body = await bodyAt(path, index, history);
      const side = sideAt(history.graph, index);
      if (!body) return fail(finding('resource-not-at', { path, id: itemAt(history.graph.revisions, index).id }));
      return { kind, body, side: { resource: `/${path}`, name: displayNameOf(body), ...side } };
    };
    return resourceDifference(await sideOf(options.from), await sideOf(options.to), options.classes);
  });
}

async function askPlace<O extends PublishedOptions, T>(
  options: O,
  ofRegistry: (options: O) => T | Promise<T>,
  ofPublished: (history: PublishedHistory) => Promise<T>,
): Promise<T> {
  const origin = originOf(options.place);
  if (origin.kind === 'registry') return await ofRegistry({ ...options, registry: origin.place });
  const { timeout, maxRequests, config } = options;
  return await readPublished(origin, { timeout, maxRequests, config }, async (api) =>
    ofPublished(withChanges(await publishedRevisions(api, true))),
  );
}

function entryOf({ uid, date, author, message, changes }: JsonObject): LogEntry {
  const seconds = Math.floor(Date.parse(textOf(date)) / 1000);
  return {
    id: textOf(uid),
    date: Number.isFinite(seconds) ? isoTimestamp(seconds) : '',
    author: textOf(author),
    message: textOf(message),
    changes: countsFrom(changes),
  };
}

function countsFrom(changes: Json | undefined): Counts {
  const numberIn = (holder: Json | undefined, name: string) => {
    const value = isJsonObject(holder) ? holder[name] : undefined;
    return typeof value === 'number' ? value : 0;
  };
  const classes = isJsonObject(changes) ? changes['classes'] : undefined;
  const [added = 0, updated = 0, removed = 0, replaced = 0] = ACTIONS.map((action) => numberIn(changes, action));
  return {
    added,
    updated,
    removed,
    replaced,
    classes: Object.fromEntries(
      FIELD_CLASSES.flatMap((name) => (numberIn(classes, name) > 0 ? [[name, numberIn(classes, name)]] : [])),
    ),
  };
}
