import { fail, finding } from '../../core/diagnostics/finding.ts';
import type { Json } from '../../core/model/json.ts';
import { itemPath, lastSegment } from '../../core/model/resource-path.ts';
import { membersOf, resourceAt } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { storedObject } from '../../core/registry/registry.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import { indexAtRevisionOrDate } from '../sources/resolve-revision.ts';
import { findSubject } from '../sources/resolve-subject.ts';
import { type SearchedHistory, searchHistory } from '../sources/search-history.ts';

export interface ShowOptions extends SourceOptions {
  readonly resource: string;
  readonly at?: string | undefined;
}

export interface ShowResult {
  readonly resource: string;
  readonly revision: string;
  readonly date: string;
  /** The body of an item, or the uids in a collection. */
  readonly body: Json;
}

export function show(options: ShowOptions): ShowResult {
  return searchHistory(options, (history) => shown(options, history), options.resource);
}

function shown(options: ShowOptions, history: SearchedHistory): ShowResult {
  const { graph, store } = history;
  const index = indexAtRevisionOrDate(graph, options.at ?? 'head');
  const subject = findSubject(options.resource, { history, moment: index });
  const { path } = subject;
  const { id, date } = itemAt(graph.revisions, index);
  const held = resourceAt(itemAt(history.ownOf(subject).states, index), itemPath(subject));
  if (!held) return fail(finding('resource-not-at', { path, id }));
  const body = subject.isCollection
    ? [...membersOf(held, lastSegment(path)).keys()]
    : storedObject(store, held.body.handle);
  return { resource: `/${path}`, revision: id, date, body };
}
