/**
 * The order in which commits are imported: what a commit's first parent stands on, then what each further parent adds,
 * then the commit. So the commits of a line of first parents are numbered alike, whether they come at once or in steps.
 */
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import type { GitCommit } from '../../system/git/git-log.ts';

/** Those that a head stands on, parents before children; `git log --first-parent` lists no others, but names them. */
export function inLines(commits: readonly GitCommit[], head: string): GitCommit[] {
  const byId = new Map(commits.map((commit) => [commit.id, commit]));
  const ordered = new Set<GitCommit>();
  const open = [byId.get(head)];
  for (let commit = open.at(-1); open.length > 0; commit = open.at(-1)) {
    const next = commit?.parents.map((id) => byId.get(id)).find((parent) => parent && !ordered.has(parent));
    if (next) {
      open.push(next);
      continue;
    }
    if (commit) ordered.add(commit);
    open.pop();
  }
  return [...ordered];
}

/** A registry is one graph from one beginning, so that the past can be replayed. */
export function checkRoots(commits: readonly GitCommit[]): void {
  const roots = commits.filter(({ parents }) => parents.length === 0).map(({ id }) => id);
  if (roots.length > 1) fail(finding('import-several-roots', { ids: roots }));
}
