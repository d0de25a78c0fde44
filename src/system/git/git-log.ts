/**
 * The output of `git log --raw -z` -> commits with what each changed against its first parent. See LOG_ARGUMENTS for
 * the call whose output this reads.
 */
import { ownText, withoutTrailing } from '../../core/platform/text.ts';

export interface GitCommit {
  readonly id: string;
  readonly parents: readonly string[];
  /** The commit date, ISO 8601 with an offset. */
  readonly date: string;
  readonly author: string;
  readonly message: string;
  readonly entries: readonly RawEntry[];
}

export interface LoggedCommit extends GitCommit {
  /** The trees that it has and its first parent has not. */
  readonly trees: readonly string[];
}

export interface RawEntry {
  readonly path: string;
  /** The mode after the commit: `100644` a file, `120000` a symbolic link, `160000` a submodule, `000000` nothing. */
  readonly mode: string;
  readonly blob: string;
}

const START = '\u0001';
const TREE = '040000';

/** Parents before children; merges against their first parent; no renames, which are always another resource. */
export const LOG_ARGUMENTS = [
  ...['log', '--topo-order', '--reverse', '--raw', '-t', '-z', '--no-abbrev', '--no-renames'],
  ...['--diff-merges=first-parent', '--no-show-signature', '--encoding=UTF-8'],
  // What a user's configuration may have turned otherwise.
  ...['--root', '--no-relative', '--ignore-submodules=none'],
  '--format=%x01%H%x00%P%x00%T%x00%cI%x00%an%x00%B%x00',
] as const;

/** How many fields of a commit come before its entries. */
const FIELDS = 6;

export interface GitLogReader {
  readonly add: (text: string) => void;
  readonly end: () => LoggedCommit[];
}

/** Reads the output in parts as they come. Nothing of it is kept but what commits say, and each path once. */
export function gitLogReader(): GitLogReader {
  const commits: LoggedCommit[] = [];
  const texts = new Map<string, string>();
  const oneText = (text: string): string => {
    const known = texts.get(text) ?? ownText(text);
    texts.set(known, known);
    return known;
  };
  let unfinished = '';
  let tokens: string[] = [];
  const finish = () => {
    if (tokens.length > 0) commits.push(commitOf(tokens, oneText));
    tokens = [];
  };
  const take = (token: string) => {
    const isStart = token.startsWith(START);
    if (isStart && tokens.length >= FIELDS) finish();
    if (isStart || tokens.length > 0) tokens.push(token);
  };
  return {
    add: (text) => {
      const parts = text.split('\0');
      parts[0] = unfinished + parts[0];
      unfinished = parts.pop() ?? '';
      parts.forEach(take);
    },
    end: () => {
      take(unfinished);
      finish();
      return commits;
    },
  };
}

export function parseGitLog(output: string): LoggedCommit[] {
  const reader = gitLogReader();
  reader.add(output);
  return reader.end();
}

function commitOf(tokens: readonly string[], oneText: (text: string) => string): LoggedCommit {
  const [id = '', parents = '', tree = '', date = '', author = '', message = ''] = tokens;
  const trees = [ownText(tree)];
  const entries: RawEntry[] = [];
  for (let i = FIELDS; i < tokens.length; i++) {
    const [, before, mode = '', blob = ''] = /^\n?:(\d{6}) (\d{6}) [0-9a-f]+ ([0-9a-f]+) /.exec(tokens[i] ?? '') ?? [];
    if (before === undefined) continue;
    const path = tokens[++i] ?? '';
    if (mode === TREE) trees.push(ownText(blob));
    else if (before !== TREE) entries.push({ mode: oneText(mode), blob: ownText(blob), path: oneText(path) });
  }
  return {
    id: ownText(id.slice(START.length)),
    parents: parents.split(' ').filter(Boolean).map(ownText),
    date: ownText(date),
    author: ownText(author),
    message: ownText(withoutTrailing(message, '\n')),
    trees,
    entries,
  };
}
