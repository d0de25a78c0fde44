/**
 * Random git registries from a seed, in which files change their layout: a resource is described by a file next to its
 * siblings, in a folder of its own or in the file of its collection, sometimes by two of these. Sites and clusters are
 * renamed; files become links or executable, break, or are reformatted; branches are merged.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../../src/core/model/json.ts';
import { type Random, random } from '../values/random.ts';
import { git } from './random-repository.ts';

export const LAYOUT_GRID = 'data/grid';
const GRID_FILE = `${LAYOUT_GRID}/grid.json`;
const SITES = ['s1', 's2', 's3'];
const CLUSTERS = ['c1', 'c2'];
const ITEMS = ['n1', 'n2'];
const FIELDS = ['value', 'a', 'b'];
const VALUES = 2;

export interface LayoutFile {
  readonly mode: '100644' | '100755' | '120000';
  readonly text: string;
}

/** The files of a commit by path. */
export type LayoutFiles = ReadonlyMap<string, LayoutFile>;

interface Commit {
  readonly mark: number;
  readonly parents: readonly Commit[];
  readonly files: LayoutFiles;
}

/** `isSettled`: each item has one readable file at a time. */
export interface LayoutOptions {
  readonly seed: number;
  readonly size: number;
  readonly isSettled: boolean;
}

interface Making extends Random {
  readonly isSettled: boolean;
}

/**
 * Fills an empty folder with about `size` commits. The last one is valid. Returns the files of each commit by its
 * id.
 */
export function writeLayoutRepository(
  folder: string,
  { seed, size, isSettled }: LayoutOptions,
): Map<string, LayoutFiles> {
  const commits = commitsOf({ ...random(seed), isSettled }, size);
  git(folder, ['init', '--quiet', '--initial-branch=main']);
  git(folder, ['fast-import', '--quiet', '--export-marks=.git/marks'], commits.map(commitText).join(''));
  const marks = readFileSync(join(folder, '.git', 'marks'), 'utf8')
    .trim()
    .split('\n');
  const ids = new Map(marks.map((line) => [line.slice(1, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]));
  return new Map(commits.map(({ mark, files }) => [ids.get(String(mark)) ?? '', files]));
}

/** Returns the files that can describe an item, by priority. */
export function filesOf(item: string): string[] {
  if (item === '') return [GRID_FILE];
  const name = item.slice(item.lastIndexOf('/') + 1);
  const flat = `${LAYOUT_GRID}/${item}.json`;
  const own = `${LAYOUT_GRID}/${item}/${name}.json`;
  return /^sites\/[^/]+(\/clusters\/[^/]+)?$/.test(item) ? [own, flat] : [flat, own];
}

function commitText({ mark, parents, files }: Commit): string {
  const message = `Commit ${mark}`;
  const date = `${1_700_000_000 + (mark % 5) * 3600} +0100`;
  return [
    `commit refs/heads/main\nmark :${mark}\n`,
    `author Ada Brown <ada@example.org> ${date}\ncommitter Ada Brown <ada@example.org> ${date}\n`,
    `data ${message.length}\n${message}\n`,
    ...parents.map((parent, i) => `${i === 0 ? 'from' : 'merge'} :${parent.mark}\n`),
    'deleteall\n',
    ...[...files].map(([path, { mode, text }]) => `M ${mode} inline ${path}\ndata ${text.length}\n${text}\n`),
    '\n',
  ].join('');
}

function commitsOf(chosen: Making, size: number): Commit[] {
  const commits: Commit[] = [];
  const commit = (parents: readonly Commit[], files: LayoutFiles): Commit => {
    const made = { mark: commits.length + 1, parents, files };
    commits.push(made);
    return made;
  };
  const first = new Map([[GRID_FILE, plain({ type: 'grid', uid: 'grid', value: 0 })]]);
  for (const site of SITES.slice(1))
    for (const item of [site, `${site}/clusters/c1`, `${site}/clusters/c1/nodes/n1`])
      first.set(filesOf(`sites/${item}`)[0] ?? '', plain(bodyOf(`sites/${item}`, chosen)));
  let tips = [commit([], first)];
  while (commits.length < size) {
    const tip = chosen.pick(tips);
    if (tips.length > 1 && chosen.chance(0.3)) {
      const [one = tip, ...others] = chosen.chance(0.5) ? tips : [...tips].reverse();
      tips = [commit([one, ...others], mergedFiles([one, ...others], chosen))];
    } else if (tips.length < (chosen.isSettled ? 2 : 3) && chosen.chance(0.25)) {
      tips = [...tips, commit([tip], edited(tip.files, chosen))];
      tips = tips.filter((each) => !commits.some(({ parents }) => parents.includes(each)) || each === tip);
    } else tips = tips.map((each) => (each === tip ? commit([tip], edited(tip.files, chosen)) : each));
  }
  const [last, ...others] = tips;
  if (last) {
    const joined = others.length > 0 ? commit([last, ...others], mergedFiles([last, ...others], chosen)) : last;
    commit([joined], whole(joined.files, chosen));
  }
  return commits;
}

/** Takes each file from either side, or all files of one side or of one site. */
function mergedFiles(parents: readonly Commit[], chosen: Making): LayoutFiles {
  if (chosen.chance(0.2)) return chosen.pick(parents).files;
  const paths = [...new Set(parents.flatMap(({ files }) => [...files.keys()]))].sort();
  const files = new Map<string, LayoutFile>();
  const sides = new Map(SITES.map((site) => [site, chosen.pick(parents)]));
  for (const path of paths) {
    const site = chosen.isSettled ? /sites\/(\w+)/.exec(path)?.[1] : undefined;
    const side = sides.get(site ?? '') ?? chosen.pick(parents);
    const file = side.files.get(path);
    if (file) files.set(path, file);
  }
  // A merge edits a file only where it changes its values.
  return !chosen.isSettled && chosen.chance(0.3) ? edited(files, chosen) : files;
}

function edited(before: LayoutFiles, chosen: Making): LayoutFiles {
  const files = new Map(before);
  for (let left = 1 + chosen.below(3); left > 0; left--) editOnce(files, chosen);
  files.set(GRID_FILE, before.get(GRID_FILE) ?? plain({ type: 'grid', uid: 'grid' }));
  return files;
}

function editOnce(files: Map<string, LayoutFile>, chosen: Making): void {
  const path = chosen.pick([...files.keys()].sort());
  const file = files.get(path);
  const item = anyItem(chosen);
  const [counts = '', other = ''] = filesOf(item);
  const kind = chosen.below(10);
  if (kind < 2) files.set(files.has(other) && chosen.isSettled ? other : counts, plain(bodyOf(item, chosen)));
  else if (kind === 2) files.set(files.has(counts) && chosen.isSettled ? counts : other, plain(bodyOf(item, chosen)));
  else if (kind === 3) files.delete(path);
  else if (kind === 4) move(files, chosen.chance(0.5) ? [counts, other] : [other, counts]);
  else if (kind === 5) rename(files, chosen);
  else if (kind === 6 && !chosen.isSettled)
    files.set(`${LAYOUT_GRID}/sites/${chosen.pick(SITES)}/pdus.json`, plain(manyItems(chosen)));
  else if (kind === 7 && file) files.set(path, otherwise(file, chosen));
  else if (file && isPlain(path, file)) files.set(path, { ...file, text: withField(file.text, chosen) });
}

const isPlain = (path: string, { mode, text }: LayoutFile) =>
  mode !== '120000' && !path.endsWith('/pdus.json') && !text.includes('broken');

/** Adds, changes or removes a field, first or last, so that two branches can reach one body in two orders. */
function withField(text: string, chosen: Making): string {
  const body: JsonObject = JSON.parse(text);
  const field = { [chosen.pick(FIELDS)]: chosen.below(VALUES) };
  const { [chosen.pick(FIELDS)]: _, ...less } = body;
  const [first, last] = [
    { ...field, ...body, ...field },
    { ...body, ...field },
  ];
  return JSON.stringify(chosen.pick([first, last, less]));
}

function anyItem(chosen: Making): string {
  const site = `sites/${chosen.pick(SITES)}`;
  const cluster = `${site}/clusters/${chosen.pick(CLUSTERS)}`;
  return chosen.pick([site, cluster, `${cluster}/nodes/${chosen.pick(ITEMS)}`, `${site}/pdus/${chosen.pick(ITEMS)}`]);
}

/** Moves over an existing file, unless it would be the second file of an item. */
function move(files: Map<string, LayoutFile>, [from, to]: readonly [string, string]): void {
  const file = files.get(from);
  if (!file) return;
  files.delete(from);
  files.set(to, file);
}

/** Renames a site or a cluster with its descendants to a free name; the name of its file changes too. */
function rename(files: Map<string, LayoutFile>, chosen: Making): void {
  const [kind, uids] = chosen.pick([['sites', SITES] as const, ['clusters', CLUSTERS] as const]);
  const [from, to] = [chosen.pick(uids), chosen.pick(uids)];
  const moves = [...files.keys()].map((path) => {
    const inside = path.replace(`/${kind}/${from}/${from}.json`, `/${kind}/${to}/${to}.json`);
    return [
      path,
      inside.replace(`/${kind}/${from}/`, `/${kind}/${to}/`).replace(`/${kind}/${from}.json`, `/${kind}/${to}.json`),
    ] as const;
  });
  if ([...files.keys()].some((path) => path.includes(`/${kind}/${to}/`) || path.endsWith(`/${kind}/${to}.json`)))
    return;
  for (const each of moves) move(files, each);
}

/** Changes the mode or the format of a file, or breaks it. */
function otherwise({ mode, text }: LayoutFile, chosen: Making): LayoutFile {
  switch (chosen.isSettled ? chosen.pick([0, 3]) : chosen.below(4)) {
    case 0:
      return { mode: mode === '100755' ? '100644' : '100755', text };
    case 1:
      return { mode: '120000', text: 'elsewhere.json' };
    case 2:
      return { mode: '100644', text: '{ "broken": ' };
    default:
      return { mode, text: mode === '120000' ? text : reversed(text) };
  }
}

/** Reverses the order of fields and changes white space. */
function reversed(text: string): string {
  if (text.includes('broken')) return text;
  const fields: [string, Json][] = Object.entries(JSON.parse(text));
  return JSON.stringify(Object.fromEntries(fields.reverse()), null, chosenIndent(text));
}

const chosenIndent = (text: string) => (text.includes('\n') ? 0 : 1);

function manyItems(chosen: Making): JsonObject {
  return Object.fromEntries(
    ITEMS.filter(() => chosen.chance(0.7)).map((uid) => [uid, { value: chosen.below(VALUES) }]),
  );
}

function bodyOf(item: string, chosen: Making): JsonObject {
  const value = chosen.below(VALUES);
  const segments = item.split('/');
  const uid = segments.at(-1) ?? '';
  const type = { sites: 'site', clusters: 'cluster', nodes: 'node', pdus: 'pdu' }[segments.at(-2) ?? ''] ?? 'node';
  return type === 'site' ? { type, uid, name: uid, value } : { type, uid, value };
}

function plain(body: JsonObject): LayoutFile {
  return { mode: '100644', text: JSON.stringify(body) };
}

/** Adds every missing parent and repairs unreadable files. */
function whole(before: LayoutFiles, chosen: Making): LayoutFiles {
  const files = new Map(before);
  for (const [path, { mode, text }] of before) if (mode === '120000' || text.includes('broken')) files.delete(path);
  for (const path of [...files.keys()]) {
    const segments = path.slice(LAYOUT_GRID.length + 1).split('/');
    for (const count of [2, 4]) {
      if (count > segments.length || (count === 4 && segments[2] !== 'clusters')) continue;
      const item = segments
        .slice(0, count)
        .join('/')
        .replace(/\.json$/, '');
      const [counts = '', other = ''] = filesOf(item);
      if (!files.has(counts) && !files.has(other)) files.set(counts, plain(bodyOf(item, chosen)));
    }
  }
  return files;
}
