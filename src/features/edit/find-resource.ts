import { fail, finding } from '../../core/diagnostics/finding.ts';
import { isSimilar, MOST_SUGGESTIONS } from '../../core/diagnostics/nearest.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { lastSegment, type Subject, subjectAt } from '../../core/model/resource-path.ts';
import { resourcesIn } from '../../core/model/state.ts';
import { storedObject } from '../../core/registry/registry.ts';
import type { Worktree } from '../sources/load-worktree.ts';

export interface FoundResource {
  readonly subject: Subject;
  readonly body: JsonObject;
  readonly name: string;
}

/** Finds a resource in the files by path, uid or node name. Fails unless exactly one resource matches. */
export function findResource(given: string, kinds: readonly string[], sources: Worktree): FoundResource {
  const wanted = given.replace(/^\/|\/$/g, '');
  const all = resourcesOf(kinds, sources);
  const [found, ...others] = all.filter(
    ({ subject, name }) => [subject.path, lastSegment(subject.path), name].includes(wanted) && wanted !== '',
  );
  if (found && others.length === 0) return found;
  if (found) {
    const paths = [found, ...others].map(({ subject }) => subject.path);
    return fail(finding('several-resources', { given, paths: paths.slice(0, MOST_SUGGESTIONS) }));
  }
  const nearest = all.map(({ name }) => name).filter((name) => isSimilar(name, wanted));
  return fail(finding('unknown-resource', { path: given, nearest: nearest.slice(0, MOST_SUGGESTIONS) }));
}

export function resourcesOf(kinds: readonly string[], { kinds: known, worktree, store }: Worktree): FoundResource[] {
  return [...resourcesIn(worktree)].flatMap(([path, { body: stored }]) => {
    const subject = subjectAt(path, known);
    if (!kinds.includes(subject.kind.name)) return [];
    const body = storedObject(store, stored.handle);
    const name = body['node_name'];
    return [{ subject, body, name: typeof name === 'string' && name !== '' ? name : lastSegment(path) }];
  });
}
