import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { isRecordable } from '../../core/history/revision-file.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import { isAtOrBelow, itemOf, lastSegment, type Subject } from '../../core/model/resource-path.ts';
import { SortedMap } from '../../core/model/sorted-map.ts';
import { uidProblem } from '../../core/model/uid.ts';
import { getOrThrow } from '../../core/platform/lookups.ts';
import type { GitCommit, RawEntry } from '../../system/git/git.ts';
import { type ForeignPlace, foreignPlace, gridFiles, type ListedUids } from './foreign-file.ts';

/** `gridName` is the name of the grid's file without its extension. */
export interface GitRegistry {
  readonly folder: string;
  readonly gridName: string;
  readonly kinds: Kinds;
}

export interface SourceFile {
  /** The path relative to the root of the repository. */
  readonly path: string;
  readonly blob: string;
  /** The git mode `100644`, or `100755` for an executable file. */
  readonly mode: string;
  /** The collection whose items the file contains. Undefined if the file contains a single item. */
  readonly collection?: Subject | undefined;
  /** The file with the lowest rank wins if several files describe a resource. */
  readonly rank: number;
}

/** Maps the path of each resource to the files of a commit that describe it, lowest rank first. */
type SourceFiles = SortedMap<readonly SourceFile[]>;

const NO_FILES: SourceFiles = SortedMap.empty();
/** The date of a root commit that has no valid date. */
const NO_DATE = '1970-01-01T00:00:00+00:00';

export interface PlannedCommit {
  readonly commit: GitCommit;
  readonly files: SourceFiles;
  readonly parentFiles: readonly SourceFiles[];
  readonly items: readonly Subject[];
  readonly findings: readonly Finding[];
}

/** Returns the collection files of all commits. Each version of a file occurs once. */
export function collectionFiles(commits: readonly GitCommit[], registry: GitRegistry) {
  const files = new Map<string, SourceFile & { readonly collection: Subject }>();
  const placeOf = placesIn(registry);
  for (const { path, blob, mode } of commits.flatMap(({ entries }) => entries)) {
    const place = isFile(mode) ? placeOf(path) : undefined;
    if (!place || place.problem !== undefined || !place.subject.isCollection) continue;
    const file = { path, blob, mode, collection: place.subject, rank: place.rank };
    files.set(contentsKey(file), file);
  }
  return [...files.values()];
}

/**
 * Lists the history of the first parent before the histories of the other parents. Repeated imports then number
 * revisions in the same order as one import.
 */
export function linearize<C extends Pick<GitCommit, 'id' | 'parents'>>(commits: readonly C[], head: string): C[] {
  const byId = new Map(commits.map((commit) => [commit.id, commit]));
  const ordered = new Set<C>();
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

export interface DatedCommit extends GitCommit {
  readonly oddDate?: Finding;
}

/** A commit without a valid date gets the date of its first parent. Callers list parents before children. */
export function datedCommits(commits: readonly GitCommit[]): DatedCommit[] {
  const dates = new Map<string, string>();
  return commits.map((commit) => {
    const { id, parents, date: given } = commit;
    const [parent] = parents;
    const parentDate = parent === undefined ? undefined : getOrThrow(dates, parent);
    const taken = isRecordable(given) ? given : (parentDate ?? NO_DATE);
    dates.set(id, taken);
    if (taken === given) return commit;
    const hasParent = parentDate !== undefined;
    return { ...commit, date: taken, oddDate: finding('import-date', { id, given, taken, hasParent }) };
  });
}

/** `commits` lists parents before children. `listed` maps the `contentsKey` of a collection file to the file's uids. */
export function planImport(
  commits: readonly DatedCommit[],
  registry: GitRegistry,
  listed: ReadonlyMap<string, ListedUids>,
): PlannedCommit[] {
  const filesAt = new Map<string, SourceFiles>();
  const placeOf = placesIn(registry);
  return commits.map((commit) => {
    const parentFiles = commit.parents.map((id) => getOrThrow(filesAt, id));
    const findings: Finding[] = [];
    const items = new Map<string, Subject>();
    let files = parentFiles[0] ?? NO_FILES;
    for (const entry of commit.entries) {
      const place = placeOf(entry.path);
      if (!place) continue;
      findings.push(...entryFindings(commit.id, entry, place));
      if (place.problem !== undefined) continue;
      const described = itemsDescribedBy(commit.id, entry, place, files, listed);
      findings.push(...described.findings);
      for (const [item, source] of described.items) {
        items.set(item.path, item);
        files = withSource(files, item, entry.path, source);
      }
    }
    if (commit.oddDate) findings.push(commit.oddDate);
    filesAt.set(commit.id, files);
    return { commit, files, parentFiles, items: [...items.values()], findings };
  });
}

export interface NeededFile {
  readonly source: SourceFile;
  readonly item: Subject;
}

/** Returns the files to read. Includes files of the first parent if an earlier import recorded this parent. */
export function neededFiles(
  { commit, files, parentFiles, items }: PlannedCommit,
  isNew: (id: string) => boolean,
): NeededFile[] {
  const needed = new Map<string, NeededFile>();
  const earlier = commit.parents.slice(0, 1).every(isNew) ? undefined : parentFiles[0];
  for (const item of items)
    for (const source of [sourceOf(earlier, item.path), sourceOf(files, item.path)])
      if (source) needed.set(contentsKey(source), { source, item });
  return [...needed.values()];
}

export function sourceOf(files: SourceFiles | undefined, path: string): SourceFile | undefined {
  return files?.get(path)?.[0];
}

/** Compares the paths, contents and modes of two files, as `git log` does. */
export function isSameFile(before: SourceFile | undefined, after: SourceFile | undefined): boolean {
  if (!before || !after) return before === after;
  return before.blob === after.blob && before.path === after.path && before.mode === after.mode;
}

export function contentsKey({ blob, path }: SourceFile): string {
  return `${blob} ${path}`;
}

function placesIn({ folder, gridName, kinds }: GitRegistry): (path: string) => ForeignPlace | undefined {
  const places = new Map<string, ForeignPlace>();
  return (path) => {
    if (!path.startsWith(`${folder}/`)) return undefined;
    const place = places.get(path) ?? foreignPlace(path.slice(folder.length + 1), gridName, kinds);
    places.set(path, place);
    return place;
  };
}

type KnownPlace = Extract<ForeignPlace, { readonly subject: Subject }>;

interface Described {
  /** The items that a commit changes, with their files. The file of a removed item is undefined. */
  readonly items: readonly (readonly [item: Subject, source: SourceFile | undefined])[];
  readonly findings: readonly Finding[];
}

/** If a collection file is unreadable, its items stay unchanged. */
function itemsDescribedBy(
  id: string,
  { path, blob, mode }: RawEntry,
  { subject, rank }: KnownPlace,
  files: SourceFiles,
  listed: ReadonlyMap<string, ListedUids>,
): Described {
  const source = { path, blob, mode, rank };
  if (!subject.isCollection) return { items: [[subject, isFile(mode) ? source : undefined]], findings: [] };
  const ofCollection = { ...source, collection: subject };
  const list = isFile(mode) ? getOrThrow(listed, contentsKey(source)) : { uids: [] };
  const held = [...files.entries()].flatMap(([itemPath, sources]) =>
    isAtOrBelow(itemPath, subject.path) && sources.some((each) => each.path === path) ? [lastSegment(itemPath)] : [],
  );
  if (!list.uids) return { items: [], findings: [unreadFinding(id, path, list.broken, held.length > 0)] };
  const isBad = (uid: string) => uidProblem(uid, subject.kind, 'name') !== undefined;
  const inFile = new Set(list.uids.filter((uid) => !isBad(uid)));
  return {
    items: [...new Set([...held, ...inFile])].map((uid) => [
      itemOf(subject, uid),
      inFile.has(uid) ? ofCollection : undefined,
    ]),
    findings: list.uids.filter(isBad).map((uid) => finding('import-bad-uid', { id, path, uid })),
  };
}

/** `reason` is undefined if the blob of the file is missing. */
export function unreadFinding(id: string, path: string, reason: string | undefined, kept: boolean): Finding {
  return reason === undefined
    ? finding('import-missing-blob', { id, path, kept })
    : finding('import-broken-file', { id, path, reason, kept });
}

function withSource(
  files: SourceFiles,
  { path: itemPath }: Subject,
  path: string,
  source: SourceFile | undefined,
): SourceFiles {
  const others = (files.get(itemPath) ?? []).filter((file) => file.path !== path);
  const now = source ? [...others, source].sort((a, b) => a.rank - b.rank) : others;
  return now.length > 0 ? files.with(itemPath, now) : files.without(itemPath);
}

function isFile(mode: string): boolean {
  return mode.startsWith('100');
}

function entryFindings(id: string, { path, mode }: RawEntry, place: ForeignPlace): Finding[] {
  if (mode === '000000') return [];
  if (mode === '120000') return [finding('import-not-a-file', { id, path, what: 'a symbolic link' })];
  if (mode === '160000') return [finding('import-not-a-file', { id, path, what: 'a submodule' })];
  if (place.problem === 'bad-uid') return [finding('import-bad-uid', { id, path, uid: place.uid })];
  return place.problem === 'no-resource' ? [finding('import-no-resource', { id, path })] : [];
}

/** The folder `data/x` contains a grid if `data/x/x.json` and `data/x/sites` exist. */
export function gridFolders(paths: readonly string[]): string[] {
  const withSites = new Set(paths.flatMap((path) => /^(.+?)\/sites\//.exec(path)?.[1] ?? []));
  const known = new Set(paths);
  return [...withSites].filter((folder) =>
    gridFiles(lastSegment(folder)).some((file) => known.has(`${folder}/${file}`)),
  );
}
