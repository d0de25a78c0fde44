/**
 * A real registry as git returns it: the files of every commit, parsed by this file alone, so that comparisons with the
 * program are independent.
 */
import { execFileSync } from 'node:child_process';
import type { JsonObject } from '../../src/core/model/json.ts';
import { isJsonObject, type Json } from '../../src/core/model/json.ts';
import { GIT_ENVIRONMENT } from '../support/registries/git-repository.ts';

/** The bodies at a commit as canonical text, by resource path. */
export type Bodies = ReadonlyMap<string, string>;

export interface TreeFile {
  readonly path: string;
  readonly blob: string;
}

export interface GitTrees {
  /** Parents before children. */
  readonly commits: readonly { readonly id: string; readonly parents: readonly string[] }[];
  readonly bodiesAt: (commit: string) => Bodies;
  /** The file of each resource at a commit, by resource path. */
  readonly filesAt: (commit: string) => ReadonlyMap<string, TreeFile>;
  /** The commits in `git log -- path`. */
  readonly log: (path: string) => string[];
  readonly gridFolder: string;
}

function git(folder: string, ...args: string[]): Buffer {
  return execFileSync('git', args, { cwd: folder, env: GIT_ENVIRONMENT, maxBuffer: 1 << 30 });
}

export function readGitTrees(repository: string): GitTrees {
  const lines = (...args: string[]) =>
    git(repository, ...args)
      .toString('utf8')
      .split('\n')
      .filter(Boolean);
  const commits = lines('rev-list', '--date-order', '--reverse', '--parents', 'HEAD').map((line) => {
    const [id = '', ...parents] = line.split(' ');
    return { id, parents };
  });
  const [gridFile = ''] = lines('ls-tree', '-r', '--name-only', 'HEAD').filter((path) =>
    /^data\/([^/]+)\/\1\.json$/.test(path),
  );
  const gridFolder = gridFile.slice(0, gridFile.lastIndexOf('/'));

  const files = new Map(commits.map(({ id }) => [id, filesOf(repository, id, gridFolder)]));
  const blobs = new Set([...files.values()].flatMap((tree) => [...tree.values()].map(({ blob }) => blob)));
  const contents = readBlobs(repository, [...blobs]);

  const bodies = new Map<string, Bodies>();
  const texts = new Map<string, string | undefined>();
  for (const { id, parents } of commits) {
    const here = new Map<string, string>();
    for (const [resource, { blob }] of files.get(id) ?? []) {
      const key = `${blob} ${resource}`;
      if (!texts.has(key)) texts.set(key, normalized(contents.get(blob) ?? '', resource));
      // Invalid JSON keeps the last good body: the body of the parent with the identical file, or else of the first parent.
      const same = parents.find((parent) => files.get(parent)?.get(resource)?.blob === blob);
      const text = texts.get(key) ?? bodies.get(same ?? parents[0] ?? '')?.get(resource);
      if (text !== undefined) here.set(resource, text);
    }
    bodies.set(id, here);
  }
  return {
    commits,
    bodiesAt: (id) => bodies.get(id) ?? new Map(),
    filesAt: (id) => files.get(id) ?? new Map(),
    log: (path) => lines('log', '--date-order', '--format=%H', '--', path),
    gridFolder,
  };
}

/** `sites/x/x.json` and `sites/x.json` are both `sites/x`; the grid's own file is the resource ''. */
function filesOf(repository: string, commit: string, gridFolder: string): Map<string, TreeFile> {
  const files = new Map<string, TreeFile>();
  const listed = git(repository, 'ls-tree', '-r', '-z', commit, '--', gridFolder).toString('utf8');
  for (const entry of listed.split('\0').filter(Boolean)) {
    const [mode, , blob = '', path = ''] = entry.split(/[ \t]/);
    if (mode !== '100644' || !path.endsWith('.json')) throw new Error(`unexpected here: ${entry}`);
    const stem = path.slice(gridFolder.length + 1, -'.json'.length);
    const segments = stem.split('/');
    const isOwnFolder = segments.at(-1) === segments.at(-2);
    const resource = segments.length === 1 ? '' : (isOwnFolder ? segments.slice(0, -1) : segments).join('/');
    files.set(resource, { path, blob });
  }
  return files;
}

function readBlobs(repository: string, blobs: readonly string[]): Map<string, string> {
  const output = execFileSync('git', ['cat-file', '--batch'], {
    cwd: repository,
    env: GIT_ENVIRONMENT,
    input: blobs.map((blob) => `${blob}\n`).join(''),
    maxBuffer: 1 << 30,
  });
  const contents = new Map<string, string>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at);
    const [blob = '', , size] = output.toString('latin1', at, end).split(' ');
    const next = end + 1 + Number(size);
    contents.set(blob, output.toString('utf8', end + 1, next));
    at = next + 1;
  }
  return contents;
}

const TYPES: Readonly<Record<string, string>> = {
  sites: 'site',
  clusters: 'cluster',
  nodes: 'node',
  flavors: 'flavor',
};

/** The body in a file, with a missing type and uid taken from its path; undefined if it is not JSON. */
function normalized(contents: string, resource: string): string | undefined {
  const segments = resource.split('/');
  const place = { type: TYPES[segments.at(-2) ?? ''] ?? 'grid', uid: segments.at(-1) ?? '' };
  try {
    const body: unknown = JSON.parse(contents);
    return isJsonObject(body) ? sorted({ ...place, ...body }) : undefined;
  } catch {
    return undefined;
  }
}

/** JSON text with sorted keys, so that equal values have equal texts. */
export function sorted(body: JsonObject): string {
  return JSON.stringify(body, (_, value: Json) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}
