import { fail, finding } from '../../core/diagnostics/finding.ts';
import { isSimilar, MOST_SUGGESTIONS, suggestSimilar } from '../../core/diagnostics/nearest.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { nodePlace } from '../../core/model/node-path.ts';
import { lastSegment, type Subject, subjectAt, withoutSlashes } from '../../core/model/resource-path.ts';
import { resourcesIn } from '../../core/model/state.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import { getOrCreate } from '../../core/platform/lookups.ts';
import { storedObject } from '../../core/registry/registry.ts';
import type { Worktree } from '../sources/load-worktree.ts';

export interface FoundResource {
  readonly subject: Subject;
  readonly body: JsonObject;
  readonly name: string;
}

/** Finds a resource by its path, uid or node name. `/` is the grid. Fails if no resource or several resources match. */
export function findResource(given: string, kinds: KindNames, sources: Worktree): FoundResource {
  return resourceFinder(kinds, sources).find(given);
}

interface ResourceFinder {
  readonly find: (given: string) => FoundResource;
  /** Whether at least one resource has this path, uid or name. */
  readonly has: (given: string) => boolean;
}

/** Finds resources by their paths, uids or names. Builds its index only once. */
export function resourceFinder(kinds: KindNames, sources: Worktree): ResourceFinder {
  const all = resourcesOf(kinds, sources);
  const byKey = new Map<string, FoundResource[]>();
  for (const each of all)
    for (const key of new Set([each.subject.path, lastSegment(each.subject.path), each.name]))
      getOrCreate(byKey, key, () => []).push(each);
  const find = (given: string) => {
    const wanted = withoutSlashes(given);
    const [found, ...others] = given === '' ? [] : (byKey.get(wanted) ?? []);
    if (found && others.length === 0) return found;
    if (found) {
      const paths = [found, ...others].map(({ subject }) => subject.path);
      return fail(finding('several-resources', { given, paths: paths.slice(0, MOST_SUGGESTIONS) }));
    }
    const nearest = all.map(({ name }) => name).filter((name) => isSimilar(name, wanted));
    return fail(finding('unknown-resource', { path: given, nearest: nearest.slice(0, MOST_SUGGESTIONS) }));
  };
  return { find, has: (given) => byKey.has(given) };
}

/** Fails for the grid, which can be neither removed nor renamed. */
export function rejectGrid({ path }: Subject): void {
  if (path !== '') return;
  const hint = 'Nothing was written. Name a site or another resource below the grid.';
  fail(finding('usage', { problem: 'The grid can be neither removed nor renamed.', hint }));
}

/** Fails and suggests similar uids if no site has this uid. */
export function findSite(uid: string, sources: Worktree): FoundResource {
  const sites = resourcesOf(['site'], sources);
  const uids = sites.map(({ subject }) => lastSegment(subject.path));
  const found = sites[uids.indexOf(siteUid(uid))];
  return found ?? fail(finding('unknown-site', { site: uid, nearest: suggestSimilar(uid, uids), sites: uids }));
}

/** Fails and suggests similar uids if no cluster has this uid, at this site if one is given. */
export function requireCluster(uid: string, site: string | undefined, sources: Worktree): void {
  const clusters = resourcesOf(['cluster'], sources).map(({ subject }) => nodePlace(subject.path));
  const atSite = clusters.filter((each) => site === undefined || siteUid(site) === each.site);
  const uids = [...new Set(atSite.map(({ cluster }) => cluster))];
  if (uids.includes(uid)) return;
  fail(finding('unknown-cluster', { cluster: uid, site, nearest: suggestSimilar(uid, uids), clusters: uids }));
}

/** Returns the uid of a site that is given as a uid or as a path. */
export function siteUid(given: string): string {
  return given.replace(/^\/?sites\//, '');
}

type KindNames = readonly string[] | 'all';

/** Whether a node is at a site and in a cluster. Undefined means any site or any cluster. */
export function isNodeAt(path: string, site: string | undefined, cluster: string | undefined): boolean {
  const place = nodePlace(path);
  return (site === undefined || siteUid(site) === place.site) && (cluster === undefined || cluster === place.cluster);
}

export function resourcesOf(kinds: KindNames, { kinds: known, worktree, store }: Worktree): FoundResource[] {
  return [...resourcesIn(worktree)].flatMap(([path, { body: stored }]) => {
    const subject = subjectAt(path, known);
    if (kinds !== 'all' && !kinds.includes(subject.kind.name)) return [];
    const body = storedObject(store, stored.handle);
    return [{ subject, body, name: nodeNameOf(body) ?? lastSegment(path) }];
  });
}
