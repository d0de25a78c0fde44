/** Finds the resource that a user names: any resource by its path, and a node also by its uid or name. */

import { fail, finding } from '../../core/diagnostics/finding.ts';
import { isSimilar, MOST_SUGGESTIONS, suggestSimilar } from '../../core/diagnostics/nearest.ts';
import { byCodeUnit, type JsonObject } from '../../core/model/json.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import { byTree, itemPath, lastSegment, parsePath, type Subject, subjectAt } from '../../core/model/resource-path.ts';
import { type BodyStore, membersOf, type RegistryState, resourceAt, resourcesIn } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { storedObject } from '../../core/registry/registry.ts';
import type { SearchedHistory } from './search-history.ts';

export interface Scope {
  readonly history: SearchedHistory;
  /** The index of a revision. Names are looked up in this revision first, because a name can move between nodes. */
  readonly moment?: number;
  /** The registry files, if the search includes them. The search treats these files as newer than the head. */
  readonly worktree?: { readonly state: RegistryState; readonly store: BodyStore };
}

/** Finds a resource by its path or name. Also finds resources that were removed. */
export function findSubject(given: string, scope: Scope): Subject {
  const { history, worktree } = scope;
  const subject = parsePath(given, history.kinds);
  if (subject && everExisted(subject, scope)) return subject;
  const named = given === '' || given.includes('/') ? [] : withName(given, scope);
  const [only] = named;
  if (only !== undefined && named.length === 1) return subjectAt(only, history.kinds);
  if (named.length > 1) fail(finding('several-resources', { given, paths: named }));
  const present = worktree ?? history.present();
  const nearest = given.includes('/') ? similar(given, history.kinds, present.state) : similarNames(given, present);
  // If there is no `worktree`, suggests only recorded resources.
  const isKnown = (near: string) => {
    const close = given.includes('/') ? parsePath(near, history.kinds) : undefined;
    return close ? everExisted(close, scope) : history.resourcesNamed(near).length > 0;
  };
  return fail(finding('unknown-resource', { path: given, nearest: worktree ? nearest : nearest.filter(isKnown) }));
}

function everExisted(subject: Subject, { history, worktree }: Scope): boolean {
  const item = itemPath(subject);
  return item === '' || resourceAt(worktree?.state ?? null, item) !== undefined || history.hadEver(item);
}

/** Searches at `moment`, or in the newest state with a match. */
function withName(given: string, { history, moment, worktree }: Scope): string[] {
  const called = history.resourcesNamed(given).toSorted((a, b) => byTree(a.path, b.path));
  const at = (index: number) =>
    called.flatMap(({ path, history: { states } }) => {
      const held = resourceAt(itemAt(states, index), path);
      return held && isCalled(given, path, storedObject(history.store, held.body.handle)) ? [path] : [];
    });
  const inWorktree = () =>
    worktree
      ? [...resourcesIn(worktree.state)].flatMap(([path, { body }]) =>
          isCalled(given, path, storedObject(worktree.store, body.handle)) ? [path] : [],
        )
      : [];
  let paths = moment === undefined ? [] : at(moment);
  if (paths.length === 0) paths = inWorktree();
  for (let index = history.graph.revisions.length - 1; paths.length === 0 && called.length > 0 && index >= 0; index--)
    paths = at(index);
  return paths.slice(0, MOST_SUGGESTIONS);
}

function isCalled(given: string, path: string, body: JsonObject): boolean {
  return lastSegment(path) === given || body['node_name'] === given;
}

function similarNames(given: string, { state, store }: NonNullable<Scope['worktree']>): string[] {
  const names = [...resourcesIn(state)].flatMap(([path, { body }]) => {
    const { node_name: name } = storedObject(store, body.handle);
    return typeof name === 'string' ? [name, lastSegment(path)] : [lastSegment(path)];
  });
  return suggestSimilar(given, names);
}

/** Suggests children of the deepest existing part of the path, ordered by common prefix. */
function similar(given: string, kinds: Kinds, head: RegistryState): string[] {
  const segments = given.split('/').filter(Boolean);
  for (let length = segments.length - 1; length >= 0; length--) {
    const holder = parsePath(segments.slice(0, length).join('/'), kinds);
    if (!holder) continue;
    const resource = resourceAt(head, itemPath(holder));
    if (!resource) continue;
    const names = holder.isCollection
      ? [...membersOf(resource, lastSegment(holder.path)).keys()]
      : [...resource.collections.keys()].sort(byCodeUnit);
    const wanted = itemAt(segments, length);
    const prefix = holder.path === '' ? '' : `${holder.path}/`;
    const close = names.filter((name) => isSimilar(name, wanted));
    return close.slice(0, MOST_SUGGESTIONS).map((name) => prefix + name);
  }
  return [];
}
