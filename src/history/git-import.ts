/**
 * The commits of a git registry -> revisions. Each commit's state is its first parent's with the files that it
 * changed read anew; what cannot be read keeps its last good contents, and is reported.
 */
import { type Finding, finding } from '../diagnostics/finding.ts';
import { difference } from '../model/difference.ts';
import { byCodeUnit, type JsonObject } from '../model/json.ts';
import { GRID, lastSegment, parentItemPath, parsePath, type Subject } from '../model/resource-path.ts';
import { SortedMap } from '../model/sorted-map.ts';
import {
  type BodyStore,
  editState,
  membersOf,
  type RegistryState,
  resourceAt,
  type StateEdit,
} from '../model/state.ts';
import { type ForeignPlace, foreignFiles, foreignPlace, readForeignBody } from '../registry/foreign-file.ts';
import type { Oddity } from '../registry/json-oddities.ts';
import { storeBody, storedObject } from '../registry/registry.ts';
import type { GitCommit, RawEntry } from './git-log.ts';
import { stateDigest } from './replay.ts';
import type { Change, RevisionFile } from './revision-file.ts';

/** Where the grid's folder is in the repository, and the name of the grid's own file without its ending. */
export interface GitRegistry {
  readonly folder: string;
  readonly gridName: string;
}

/** The registry's files at a commit: the blob of each by its path below the grid's folder. */
type Files = SortedMap<string>;

const EMPTY_FILES: Files = SortedMap.empty();

/** A commit with the files that it makes readable anew. */
export interface PlannedCommit {
  readonly commit: GitCommit;
  readonly files: Files;
  /** The resources that it may change. */
  readonly items: readonly Subject[];
  /** The paths of those of them whose source has other contents than before. */
  readonly rewritten: ReadonlySet<string>;
  /** The blobs that describe them after the commit, each once. */
  readonly blobs: readonly string[];
  readonly findings: readonly Finding[];
}

/** What each commit touches, in the order of the commits. No contents are read yet. */
export function planImport(commits: readonly GitCommit[], registry: GitRegistry): PlannedCommit[] {
  const filesAt = new Map<string, Files>();
  return commits.map((commit) => {
    const before = filesAt.get(commit.parents[0] ?? '') ?? EMPTY_FILES;
    const findings: Finding[] = [];
    const items = new Map<string, Subject>();
    let files = before;
    for (const entry of commit.entries) {
      const path = below(entry.path, registry.folder);
      if (path === undefined) continue;
      const place = foreignPlace(path, registry.gridName);
      if (place.problem === undefined) items.set(place.item.path, place.item);
      const isReadable = place.problem === undefined && isFile(entry);
      files = isReadable ? files.with(path, entry.blob) : files.without(path);
      findings.push(...entryFindings(commit.id, entry, path, place));
    }
    filesAt.set(commit.id, files);
    const blobs = [...items.values()].flatMap((item) => sourceOf(item, files, registry)?.blob ?? []);
    const rewritten = [...items.values()].filter(
      (item) => sourceOf(item, before, registry)?.blob !== sourceOf(item, files, registry)?.blob,
    );
    return {
      ...{ commit, files, findings },
      items: [...items.values()],
      rewritten: new Set(rewritten.map(({ path }) => path)),
      blobs: [...new Set(blobs)],
    };
  });
}

function below(path: string, folder: string): string | undefined {
  if (folder === '') return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

function isFile({ mode }: RawEntry): boolean {
  return mode.startsWith('100');
}

function entryFindings(id: string, entry: RawEntry, path: string, place: ForeignPlace): Finding[] {
  if (entry.mode === '000000') return [];
  if (entry.mode === '120000')
    return [finding('import-not-a-file', { id, path: entry.path, what: 'a symbolic link' })];
  if (entry.mode === '160000')
    return [finding('import-not-a-file', { id, path: entry.path, what: 'a submodule' })];
  if (place.problem === 'bad-uid')
    return [finding('import-bad-uid', { id, path: entry.path, uid: place.uid })];
  if (place.problem === 'no-resource') return [finding('import-no-resource', { id, path: entry.path })];
  return path.startsWith('.') ? [finding('import-no-resource', { id, path: entry.path })] : [];
}

interface Source {
  readonly file: string;
  readonly blob: string;
  /** Another file that describes the same resource. */
  readonly other: string | undefined;
}

function sourceOf(item: Subject, files: Files, { gridName }: GitRegistry): Source | undefined {
  const found = foreignFiles(item, gridName).filter((file) => files.get(file) !== undefined);
  const file = found[0];
  const blob = file === undefined ? undefined : files.get(file);
  return file === undefined || blob === undefined ? undefined : { file, blob, other: found[1] };
}

/** The bytes of a blob; undefined when the repository lacks it. */
export type BlobReader = (blob: string) => Uint8Array | undefined;

export interface Importer {
  /** The next commit as a revision. Commits come in the order of the plan. */
  readonly revise: (planned: PlannedCommit, read: BlobReader) => RevisionFile;
  /** Tells the state of a commit that was imported before. */
  readonly know: (id: string, state: RegistryState) => void;
  readonly stateAt: (id: string) => RegistryState;
  readonly findings: readonly Finding[];
}

export function importer(registry: GitRegistry, store: BodyStore): Importer {
  const states = new Map<string, RegistryState>();
  const findings: Finding[] = [];
  const full = (file: string) => (registry.folder === '' ? file : `${registry.folder}/${file}`);

  const bodyOf = (
    planned: PlannedCommit,
    item: Subject,
    before: RegistryState,
    read: BlobReader,
  ): StateEdit => {
    const { id } = planned.commit;
    const source = sourceOf(item, planned.files, registry);
    if (!source) return { path: item.path, body: null };
    const path = full(source.file);
    if (source.other !== undefined)
      findings.push(finding('import-two-files', { id, path: full(source.other), other: path }));
    const held = resourceAt(before, item.path)?.body ?? null;
    const bytes = read(source.blob);
    if (!bytes) {
      findings.push(finding('import-missing-blob', { id, path, kept: held !== null }));
      return { path: item.path, body: held };
    }
    const parsed = readForeignBody(source.file, bytes, item);
    if (parsed.broken !== undefined) {
      findings.push(finding('import-broken-file', { id, path, reason: parsed.broken, kept: held !== null }));
      return { path: item.path, body: held };
    }
    findings.push(...parsed.oddities.map((oddity) => oddityFinding(oddity, id, path, item)));
    return { path: item.path, body: storeBody(store, parsed.body) };
  };

  const revise = (planned: PlannedCommit, read: BlobReader): RevisionFile => {
    const { commit } = planned;
    findings.push(...planned.findings);
    const before = states.get(commit.parents[0] ?? '') ?? null;
    const edits = new Map(planned.items.map((item) => [item.path, bodyOf(planned, item, before, read)]));
    completeParents(edits, before, planned, registry, store, findings);
    const changes = [...edits.values()]
      .flatMap((edit) => changeOf(edit, before, store, planned.rewritten.has(edit.path)))
      .sort((a, b) => byCodeUnit(a.path, b.path));
    const changed = new Set(changes.map(({ path }) => path));
    const state = editState(
      before,
      [...edits.values()].filter(({ path }) => changed.has(path)),
    );
    states.set(commit.id, state);
    const { id, parents, date, author, message } = commit;
    return {
      header: { id, parents, date, author, message, origin: 'git', state: stateDigest(state) },
      changes,
    };
  };

  return {
    revise,
    know: (id, state) => states.set(id, state),
    stateAt: (id) => states.get(id) ?? null,
    findings,
  };
}

function changeOf(
  { path, body }: StateEdit,
  before: RegistryState,
  store: BodyStore,
  isRewritten: boolean,
): Change[] {
  const held = resourceAt(before, path)?.body;
  if (!held) return body ? [{ action: 'added', path, value: storedObject(store, body.handle) }] : [];
  if (!body) return [{ action: 'removed', path }];
  if (body.digest === held.digest) return isRewritten ? [{ action: 'touched', path }] : [];
  const fields = difference(storedObject(store, held.handle), storedObject(store, body.handle));
  return [{ action: 'updated', path, fields }];
}

/** A resource whose parent has no file gets one with only its identity; it goes when nothing is left below it. */
function completeParents(
  edits: Map<string, StateEdit>,
  before: RegistryState,
  { commit, files }: PlannedCommit,
  registry: GitRegistry,
  store: BodyStore,
  findings: Finding[],
): void {
  const isAlive = (path: string) => {
    const edit = edits.get(path);
    return edit ? edit.body !== null : resourceAt(before, path) !== undefined;
  };
  const stub = (item: Subject) => {
    const uid = item.path === '' ? registry.gridName : lastSegment(item.path);
    const body: JsonObject = { type: item.kind.name, uid };
    edits.set(item.path, { path: item.path, body: storeBody(store, body) });
  };
  for (const { path, body } of [...edits.values()]) {
    if (body === null) continue;
    for (const parent of parentsOf(path)) {
      if (isAlive(parent.path)) continue;
      findings.push(finding('import-no-parent', { id: commit.id, path, parent: parent.kind.name }));
      stub(parent);
    }
  }
  const gone = [...edits.values()].filter(({ body }) => body === null).map(({ path }) => path);
  for (const path of gone.sort((a, b) => b.length - a.length)) {
    for (const item of [parsePath(path) ?? GRID, ...parentsOf(path)]) {
      if (sourceOf(item, files, registry)) break;
      const hasMembers = livesBelow(item, before, edits);
      if (hasMembers && edits.get(item.path)?.body === null) {
        findings.push(
          finding('import-no-parent', { id: commit.id, path: hasMembers, parent: item.kind.name }),
        );
        stub(item);
      } else if (!hasMembers && resourceAt(before, item.path))
        edits.set(item.path, { path: item.path, body: null });
    }
  }
}

/** The items above a resource, the nearest first, the grid last. */
function parentsOf(path: string): Subject[] {
  const item = parsePath(path);
  if (!item || path === '') return [];
  const parent = parsePath(parentItemPath(item)) ?? GRID;
  return [parent, ...parentsOf(parent.path)];
}

/** A member of the item that lives after the edits; undefined when there is none. */
function livesBelow(
  item: Subject,
  before: RegistryState,
  edits: ReadonlyMap<string, StateEdit>,
): string | undefined {
  for (const [path, edit] of edits) {
    if (edit.body && path !== item.path && parentsOf(path)[0]?.path === item.path) return path;
  }
  const held = resourceAt(before, item.path);
  for (const collection of held?.collections.keys() ?? []) {
    for (const uid of held ? membersOf(held, collection).keys() : []) {
      const path = item.path === '' ? `${collection}/${uid}` : `${item.path}/${collection}/${uid}`;
      if (edits.get(path)?.body !== null) return path;
    }
  }
  return undefined;
}

function oddityFinding(oddity: Oddity, id: string, path: string, item: Subject): Finding {
  switch (oddity.code) {
    case 'duplicate-key':
      return finding('import-duplicate-key', { id, path, key: oddity.key });
    case 'large-number':
      return finding('import-large-number', { id, path, field: oddity.field, text: oddity.text });
    case 'uid':
      return finding('import-uid', { id, path, uid: oddity.uid, expected: lastSegment(item.path) });
    case 'identity':
      return finding('import-identity', { id, path, fields: oddity.fields });
    case 'type':
      return finding('import-type', { id, path, type: oddity.type, expected: item.kind.name });
  }
}

/** The folders of a repository's files that hold a grid: `data/x` has `data/x/x.json` and `data/x/sites`. */
export function gridFolders(paths: readonly string[]): string[] {
  const withSites = new Set(paths.flatMap((path) => /^(.*?)\/?sites\//.exec(path)?.[1] ?? []));
  return [...withSites].filter((folder) =>
    foreignFiles(GRID, lastSegment(folder)).some((file) => paths.includes(`${folder}/${file}`)),
  );
}
