/** Which resource or collection a user means: by its path, or by the uid or the name of a node. */

import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { isClose, MOST_SUGGESTIONS, nearestTo } from '../../core/diagnostics/nearest.ts';
import { type History, stateAfter } from '../../core/history/replay.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import { itemPath, lastSegment, parsePath, type Subject, subjectAt } from '../../core/model/resource-path.ts';
import { type BodyStore, membersOf, type RegistryState, resourceAt, resourcesIn } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { storedObject } from '../../core/registry/registry.ts';

/** Where to look for a name. */
export interface Scope {
  readonly history: History;
  readonly store: BodyStore;
  /** The index of the revision at which a name is looked up first: names of nodes pass from one to another. */
  readonly moment?: number;
  /** What the files say, where they count as newer than the head. */
  readonly worktree?: RegistryState;
}

/** The subject, whether it lives at the head or lived before. */
export function findSubject(given: string, scope: Scope): Subject {
  const { history } = scope;
  const subject = parsePath(given, history.kinds);
  if (subject && everExisted(subject, scope)) return subject;
  const named = given === '' || given.includes('/') ? [] : withName(given, scope);
  const [only] = named;
  if (only !== undefined && named.length === 1) return subjectAt(only, history.kinds);
  if (named.length > 1) fail(finding('several-resources', { given, paths: named }));
  const nearest = given.includes('/') ? similar(given, scope) : similarNames(given, scope);
  return fail(finding('unknown-resource', { path: given, nearest }));
}

function everExisted(subject: Subject, { history, worktree = null }: Scope): boolean {
  const item = itemPath(subject);
  if (resourceAt(worktree, item)) return true;
  if (history.lookup) return history.lookup.hadEver(item);
  return history.states.some((state) => resourceAt(state, item) !== undefined);
}

/** The paths of resources whose uid or node name this is: at the moment, or in the newest state that has any. */
function withName(given: string, { history: whole, store, moment, worktree }: Scope): string[] {
  const history = whole.lookup?.called(given) ?? whole;
  const first = moment === undefined ? [] : [itemAt(history.states, moment)];
  if (worktree !== undefined) first.push(worktree);
  for (const state of [...first, ...[...history.states].reverse()]) {
    const paths: string[] = [];
    for (const [path, { body }] of resourcesIn(state)) {
      if (lastSegment(path) === given || storedObject(store, body.handle)['node_name'] === given) paths.push(path);
    }
    if (paths.length > 0) return paths.slice(0, MOST_SUGGESTIONS);
  }
  return [];
}

/** Names and uids of what there is now. */
function similarNames(given: string, scope: Scope): string[] {
  const names = [...resourcesIn(newestOf(scope))].flatMap(([path, { body }]) => {
    const { node_name: name } = storedObject(scope.store, body.handle);
    return typeof name === 'string' ? [name, lastSegment(path)] : [lastSegment(path)];
  });
  return nearestTo(given, names);
}

function newestOf({ history, worktree }: Scope): RegistryState {
  return worktree === undefined ? stateAfter(history, history.revisions.length - 1) : worktree;
}

/** Members of the deepest part of the path that exists, those first that begin alike. */
function similar(given: string, scope: Scope): string[] {
  const { history } = scope;
  const head = newestOf(scope);
  const segments = given.split('/').filter(Boolean);
  for (let length = segments.length - 1; length >= 0; length--) {
    const holder = parsePath(segments.slice(0, length).join('/'), history.kinds);
    if (!holder) continue;
    const resource = resourceAt(head, itemPath(holder));
    if (!resource) continue;
    const names = holder.isCollection
      ? [...membersOf(resource, lastSegment(holder.path)).keys()]
      : [...resource.collections.keys()].sort(byCodeUnit);
    const wanted = itemAt(segments, length);
    const prefix = holder.path === '' ? '' : `${holder.path}/`;
    const close = names.filter((name) => isClose(name, wanted));
    return close.slice(0, MOST_SUGGESTIONS).map((name) => prefix + name);
  }
  return [];
}
