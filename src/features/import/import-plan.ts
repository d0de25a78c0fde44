/**
 * What each commit of a git registry touches, from the paths and blobs alone: which resources, described by which
 * files. No contents are read yet.
 */

import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { isRecordable } from '../../core/history/revision-file.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import { lastSegment, type Subject } from '../../core/model/resource-path.ts';
import { SortedMap } from '../../core/model/sorted-map.ts';
import { mustGet } from '../../core/platform/certain.ts';
import type { GitCommit, RawEntry } from '../../system/git/git-log.ts';
import { type ForeignPlace, foreignPlace, gridFiles } from './foreign-file.ts';

/** Where the grid's folder is in the repository, and the name of the grid's own file without its ending. */
export interface GitRegistry {
  readonly folder: string;
  readonly gridName: string;
  /** The kinds of the registry. */
  readonly kinds: Kinds;
}

/** A file that describes a resource. */
export interface SourceFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly blob: string;
  /** Among the files that describe the same resource, the lowest counts. */
  readonly rank: number;
}

/** The files at a commit, by the path of the resource that they describe, the one that counts first. */
export type SourceFiles = SortedMap<readonly SourceFile[]>;

const NO_FILES: SourceFiles = SortedMap.empty();
/** The date of a first commit that has none. */
const NO_DATE = '1970-01-01T00:00:00+00:00';

export interface PlannedCommit {
  readonly commit: GitCommit;
  readonly files: SourceFiles;
  /** The files at each parent, in the order of the parents. */
  readonly parentFiles: readonly SourceFiles[];
  /** The resources that it may change. */
  readonly items: readonly Subject[];
  readonly findings: readonly Finding[];
}

/** Plans commits that come with parents before children. */
export function planImport(commits: readonly GitCommit[], registry: GitRegistry): PlannedCommit[] {
  const filesAt = new Map<string, SourceFiles>();
  const places = new Map<string, ForeignPlace | undefined>();
  const dates = new Map<string, string>();
  const placeOf = (path: string) => {
    if (!places.has(path)) places.set(path, placeBelow(path, registry));
    return places.get(path);
  };
  return commits.map((commit) => {
    const parentFiles = commit.parents.map((id) => mustGet(filesAt, id));
    const findings: Finding[] = [];
    const items = new Map<string, Subject>();
    let files = parentFiles[0] ?? NO_FILES;
    for (const entry of commit.entries) {
      const place = placeOf(entry.path);
      if (!place) continue;
      findings.push(...entryFindings(commit.id, entry, place));
      if (place.problem !== undefined) continue;
      items.set(place.item.path, place.item);
      files = withEntry(files, entry, place.item, place.rank);
    }
    filesAt.set(commit.id, files);
    const [parent] = commit.parents;
    const parentDate = parent === undefined ? undefined : mustGet(dates, parent);
    const date = isRecordable(commit.date) ? commit.date : (parentDate ?? NO_DATE);
    if (date !== commit.date) {
      const { id, date: given } = commit;
      findings.push(finding('import-date', { id, given, taken: date, hasParent: parentDate !== undefined }));
    }
    dates.set(commit.id, date);
    return { commit: { ...commit, date }, files, parentFiles, items: [...items.values()], findings };
  });
}

/** The file that counts, for a resource. */
export function sourceOf(files: SourceFiles | undefined, path: string): SourceFile | undefined {
  return files?.get(path)?.[0];
}

/** For each commit the blobs to read, in this order: those that no commit before it has needed in the same place. */
export function blobsToRead(planned: readonly PlannedCommit[]): string[][] {
  const read = new Set<string>();
  return planned.map(({ files, items }) => {
    const blobs = new Set<string>();
    for (const { path } of items) {
      const source = sourceOf(files, path);
      if (!source || read.has(contentsKey(source))) continue;
      read.add(contentsKey(source));
      blobs.add(source.blob);
    }
    return [...blobs];
  });
}

/** The same for files that say the same of the same resource. */
export function contentsKey({ blob, path }: SourceFile): string {
  return `${blob} ${path}`;
}

function placeBelow(path: string, { folder, gridName, kinds }: GitRegistry): ForeignPlace | undefined {
  return path.startsWith(`${folder}/`)
    ? foreignPlace(path.slice(folder.length + 1), gridName, kinds)
    : undefined;
}

function withEntry(
  files: SourceFiles,
  { path, blob, mode }: RawEntry,
  item: Subject,
  rank: number,
): SourceFiles {
  const others = (files.get(item.path) ?? []).filter((file) => file.path !== path);
  const now = isFile(mode) ? [...others, { path, blob, rank }].sort((a, b) => a.rank - b.rank) : others;
  return now.length > 0 ? files.with(item.path, now) : files.without(item.path);
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

/** The folders of a repository's files that hold a grid: `data/x` has `data/x/x.json` and `data/x/sites`. */
export function gridFolders(paths: readonly string[]): string[] {
  const withSites = new Set(paths.flatMap((path) => /^(.+?)\/sites\//.exec(path)?.[1] ?? []));
  const known = new Set(paths);
  return [...withSites].filter((folder) =>
    gridFiles(lastSegment(folder)).some((file) => known.has(`${folder}/${file}`)),
  );
}
