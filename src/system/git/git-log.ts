/**
 * The output of `git log --raw -z` -> commits with what each changed against its first parent. See LOG_ARGUMENTS for
 * the call whose output this reads.
 */
import { withoutTrailing } from '../../core/platform/without-trailing.ts';

export interface GitCommit {
  readonly id: string;
  readonly parents: readonly string[];
  /** The commit date, ISO 8601 with an offset. */
  readonly date: string;
  readonly author: string;
  readonly message: string;
  /** The trees that it has and its first parent has not. */
  readonly trees: readonly string[];
  readonly entries: readonly RawEntry[];
}

export interface RawEntry {
  readonly path: string;
  /** The mode after the commit: `100644` a file, `120000` a symbolic link, `160000` a submodule, `000000` nothing. */
  readonly mode: string;
  /** The object after the commit. */
  readonly blob: string;
}

const START = '\u0001';
/** The mode of a folder. */
const TREE = '040000';

/** Parents before children; merges against their first parent; no renames, which are always another resource. */
export const LOG_ARGUMENTS = [
  ...['log', '--topo-order', '--reverse', '--raw', '-t', '-z', '--no-abbrev', '--no-renames'],
  ...['--diff-merges=first-parent', '--no-show-signature', '--encoding=UTF-8'],
  // What a user's configuration may have turned otherwise.
  ...['--root', '--no-relative', '--ignore-submodules=none'],
  '--format=%x01%H%x00%P%x00%T%x00%cI%x00%an%x00%B%x00',
] as const;

export function parseGitLog(output: string): GitCommit[] {
  const tokens = output.split('\0');
  const commits: GitCommit[] = [];
  let i = 0;
  const next = () => tokens[i++] ?? '';
  while (i < tokens.length) {
    const token = next();
    if (!token.startsWith(START)) continue;
    const [id, parents, tree] = [token.slice(1), next(), next()];
    const [date, author, message] = [next(), next(), next()];
    const trees = [tree];
    const entries: RawEntry[] = [];
    while (i < tokens.length && !tokens[i]?.startsWith(START)) {
      const [, before, mode = '', blob = ''] =
        /^\n?:(\d{6}) (\d{6}) [0-9a-f]+ ([0-9a-f]+) /.exec(next()) ?? [];
      if (before === undefined) continue;
      const path = next();
      if (mode === TREE) trees.push(blob);
      else if (before !== TREE) entries.push({ mode, blob, path });
    }
    commits.push({
      id,
      parents: parents.split(' ').filter(Boolean),
      date,
      author,
      message: withoutTrailing(message, '\n'),
      trees,
      entries,
    });
  }
  return commits;
}
