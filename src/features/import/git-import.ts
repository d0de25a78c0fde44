import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { valueBodies } from '../../core/history/bodies.ts';
import { contentsDigest } from '../../core/history/contents-digest.ts';
import { stateDigest } from '../../core/history/replay.ts';
import { type ResourceChange, type RevisionFile, writeRevisionFile } from '../../core/history/revision-file.ts';
import { difference } from '../../core/model/differences/difference.ts';
import { fieldRules } from '../../core/model/field-classes.ts';
import { byCodeUnit, isJsonObject, type Json, type JsonObject, setOwn } from '../../core/model/json.ts';
import { itemOf, lastSegment, type Subject, subjectAt } from '../../core/model/resource-path.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import {
  type BodyStore,
  editState,
  type RegistryState,
  resourceAt,
  type StateEdit,
  type StoredBody,
} from '../../core/model/state.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { getOrThrow, itemAt } from '../../core/platform/lookups.ts';
import { revisionFileName } from '../../core/registry/layout.ts';
import type { QuickChecks } from '../../core/registry/quick-check.ts';
import type { Repository } from '../../system/git/git.ts';
import { type BlobContents, readBlobs } from '../../system/git/git-objects.ts';
import { progress } from '../../system/terminal/progress.ts';
import { type Stage, stageFile } from '../../system/trees/staging.ts';
import { requireReadable } from '../sources/registry-files.ts';
import { type ForeignBody, type Issue, readForeignBody, readForeignItems } from './foreign-file.ts';
import {
  contentsKey,
  type GitRegistry,
  isSameFile,
  type NeededFile,
  neededFiles,
  type PlannedCommit,
  type SourceFile,
  sourceOf,
  unreadFinding,
} from './import-plan.ts';
import { completeParents } from './missing-parents.ts';

export interface Importer {
  /** Converts a commit to a revision. Parents must come first. `blobs` contains the contents of `files`. */
  readonly revise: (planned: PlannedCommit, files: readonly NeededFile[], blobs: Blobs) => RevisedCommit;
  readonly addKnown: (header: RevisionHeader, state: RegistryState) => void;
  readonly stateAt: (id: string) => RegistryState;
  /** Releases the state of a commit. Callers must first convert all children of the commit. */
  readonly dropState: (id: string) => void;
}

type Blobs = ReadonlyMap<string, BlobContents>;

interface RevisedCommit {
  readonly revision: RevisionFile;
  readonly findings: readonly Finding[];
}

type Contents = { readonly body: StoredBody; readonly issues: readonly Issue[]; readonly broken?: undefined } | Broken;
type Broken = { readonly body?: undefined; readonly broken: string | undefined };

export function importer(registry: GitRegistry, store: BodyStore, checks: QuickChecks = () => undefined): Importer {
  const { kinds } = registry;
  const bodies = valueBodies(store);
  const states = new Map<string, RegistryState>();
  const digests = new Map<string, string | undefined>();
  const earlier = new Set<string>();

  /** Maps the paths of the items in a file to their contents. If the whole file is unreadable, returns the reason. */
  const readFile = (
    { source, item }: NeededFile,
    blob: BlobContents,
    before: RegistryState,
  ): ReadonlyMap<string, Contents> | Broken => {
    if (!blob) return { broken: undefined };
    if ('broken' in blob) return blob;
    const { path, collection } = source;
    const stored = (itemPath: string, read: ForeignBody): Contents => {
      if (read.broken !== undefined) return read;
      const held = resourceAt(before, itemPath)?.body;
      const value = held ? withFieldsOf(bodies.of(held), read.body) : read.body;
      return { body: bodies.put(value), issues: read.issues };
    };
    if (!collection) return new Map([[item.path, stored(item.path, readForeignBody(path, blob.bytes, item, checks))]]);
    const items = readForeignItems(path, blob.bytes, collection, checks);
    if ('broken' in items) return items;
    const pathOf = (uid: string) => itemOf(collection, uid).path;
    return new Map(Array.from(items, ([uid, one]) => [pathOf(uid), stored(pathOf(uid), one)]));
  };

  const standIn = ({ path, kind }: Subject): StateEdit => {
    const uid = path === '' ? registry.gridName : lastSegment(path);
    return { path, body: bodies.put({ type: kind.name, uid }) };
  };

  const changeOf = (
    { path, body }: StateEdit,
    held: StoredBody | undefined,
    hasNewFile: boolean,
  ): ResourceChange | undefined => {
    if (!held) return body ? { action: 'added', path, value: bodies.of(body) } : undefined;
    if (!body) return { action: 'removed', path };
    if (body.digest === held.digest) return hasNewFile ? { action: 'touched', path } : undefined;
    const rules = fieldRules(subjectAt(path, kinds).kind);
    return { action: 'updated', path, fields: difference(bodies.of(held), bodies.of(body), rules) };
  };

  const revise: Importer['revise'] = (planned, neededFiles, blobs) => {
    const { commit, files, parentFiles, items } = planned;
    const { id, parents, date, author, message } = commit;
    const findings = [...planned.findings];
    const [parent] = parents;
    const before = parent === undefined ? null : getOrThrow(states, parent);
    const read = new Map(
      neededFiles.map((needed) => [
        contentsKey(needed.source),
        readFile(needed, blobs.get(needed.source.blob), before),
      ]),
    );
    const contentsOf = (source: SourceFile, item: Subject): Contents => {
      const contents = getOrThrow(read, contentsKey(source));
      return 'broken' in contents ? contents : getOrThrow(contents, item.path);
    };
    const editOf = (item: Subject): StateEdit => {
      const [source, other] = files.get(item.path) ?? [];
      if (!source) return { path: item.path, body: null };
      const { path } = source;
      if (other) findings.push(finding('import-two-files', { id, path: other.path, other: path }));
      const contents = contentsOf(source, item);
      if (contents.body) {
        findings.push(...contents.issues.map((issue) => issueFinding(issue, id, path, item)));
        return { path: item.path, body: contents.body };
      }
      const body = lastGoodBody(planned, source, item.path, states);
      findings.push(unreadFinding(id, path, contents.broken, body !== null));
      return { path: item.path, body };
    };

    /** Returns the body before the commit. If possible, its keys have the order of the git file. */
    const bodyBefore = (path: string): StoredBody | undefined => {
      const held = resourceAt(before, path)?.body;
      const source = sourceOf(parentFiles[0], path);
      if (!held || !source || parent === undefined || !earlier.has(parent)) return held;
      const { body } = contentsOf(source, subjectAt(path, kinds));
      return body?.digest === held.digest ? body : held;
    };

    const edits = new Map(items.map((item) => [item.path, editOf(item)]));
    const hasFile = (path: string) => sourceOf(files, path) !== undefined;
    const orphans = completeParents(edits, { before, kinds, hasFile, standIn });
    findings.push(...orphans.map((orphan) => finding('import-no-parent', { id, ...orphan })));

    const effective: StateEdit[] = [];
    const changes: ResourceChange[] = [];
    for (const edit of edits.values()) {
      const hasNewFile = isRewritten(sourceOf(parentFiles[0], edit.path), sourceOf(files, edit.path));
      const held = bodyBefore(edit.path);
      const change = changeOf(edit, held, hasNewFile);
      if (!change) continue;
      changes.push(change);
      effective.push(edit);
    }
    const state = editState(before, effective);
    states.set(id, state);
    changes.sort((a, b) => byCodeUnit(a.path, b.path));
    const header = { id, parents, date, author, message, origin: 'git', state: stateDigest(state) } as const;
    const contents = contentsDigest(
      header,
      changes,
      parents.map((parentId) => digests.get(parentId)),
    );
    digests.set(id, contents);
    return { revision: { header: { ...header, contents }, changes }, findings };
  };

  return {
    revise,
    addKnown: ({ id, contents }, state) => {
      earlier.add(id);
      states.set(id, state);
      digests.set(id, contents);
    },
    stateAt: (id) => getOrThrow(states, id),
    dropState: (id) => states.delete(id),
  };
}

/** Returns false for items in a collection file, because these items have no separate file. */
function isRewritten(was: SourceFile | undefined, is: SourceFile | undefined): boolean {
  return !isSameFile(was, is) && !was?.collection && !is?.collection;
}

/** Returns `body`. Takes equal values from `before`, because their digests are already cached. */
export function withFieldsOf(before: JsonObject, body: JsonObject): JsonObject {
  const shared: Record<string, Json> = {};
  for (const [key, value] of Object.entries(body)) {
    const held = Object.hasOwn(before, key) ? before[key] : undefined;
    setOwn(shared, key, held !== undefined && hasSameText(held, value) ? held : value);
  }
  return shared;
}

/** Compares JSON texts, including the order of keys. */
function hasSameText(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => hasSameText(item, itemAt(b, i)));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return (
    keys.length === others.length &&
    keys.every((key, i) => key === others[i] && hasSameText(a[key] ?? null, b[key] ?? null))
  );
}

/**
 * Returns the body to use for a file that cannot be parsed. If a parent contains an identical file, returns the body in
 * this parent. Otherwise, returns the body in the first parent.
 */
function lastGoodBody(
  { commit, parentFiles }: PlannedCommit,
  source: SourceFile,
  path: string,
  states: ReadonlyMap<string, RegistryState>,
): StoredBody | null {
  const side = parentFiles.findIndex((files) => {
    const held = sourceOf(files, path);
    return held !== undefined && contentsKey(held) === contentsKey(source);
  });
  const parent = commit.parents[Math.max(side, 0)];
  return (parent !== undefined && resourceAt(getOrThrow(states, parent), path)?.body) || null;
}

function issueFinding(issue: Issue, id: string, path: string, item: Subject): Finding {
  switch (issue.code) {
    case 'duplicate-key':
      return finding('import-duplicate-key', { id, path, key: issue.key });
    case 'large-number':
      return finding('import-large-number', { id, path, field: issue.field, text: issue.text });
    case 'uid':
      return finding('import-uid', { id, path, uid: issue.uid, expected: lastSegment(item.path) });
    case 'identity':
      return finding('import-identity', { id, path, fields: issue.fields });
    case 'type':
      return finding('import-type', { id, path, type: issue.type, expected: item.kind.name });
    default:
      return issue satisfies never;
  }
}

interface RevisionsToStage {
  readonly repository: Repository;
  readonly stage: Stage;
  readonly showsProgress: boolean;
  readonly limits: SourceLimits;
  /** Commits that the registry does not contain yet, parents before children. */
  readonly planned: readonly PlannedCommit[];
  readonly lastNumber: number;
  readonly translator: Importer;
}

export async function stageRevisions(asked: RevisionsToStage): Promise<Finding[]> {
  const { stage, planned: commits, lastNumber, translator } = asked;
  const ids = new Set(commits.map(({ commit }) => commit.id));
  const childrenLeft = new Map<string, number>();
  for (const id of commits.flatMap(({ commit }) => commit.parents))
    childrenLeft.set(id, (childrenLeft.get(id) ?? 0) + 1);
  const needed = commits.map((planned) => neededFiles(planned, (id) => ids.has(id)));
  const blobIds = needed.map((files) => [...new Set(files.map(({ source }) => source.blob))]);
  const blobs = readBlobs(asked.repository.objects, blobIds.flat(), asked.limits.source_bytes);
  const shown = progress('Importing', commits.length, asked.showsProgress);
  const findings: Finding[] = [];
  try {
    for (const [at, planned] of commits.entries()) {
      const read = new Map<string, BlobContents>();
      for (const blob of blobIds[at] ?? []) read.set(blob, (await blobs.next()).value ?? undefined);
      const revised = translator.revise(planned, needed[at] ?? [], read);
      findings.push(...revised.findings);
      const { id, parents } = planned.commit;
      const [file, text] = [revisionFileName(lastNumber + at + 1, id), writeRevisionFile(revised.revision)];
      requireReadable(file, text, asked.limits);
      stageFile(stage, file, text);
      for (const parent of parents) {
        const left = (childrenLeft.get(parent) ?? 0) - 1;
        childrenLeft.set(parent, left);
        if (left === 0) translator.dropState(parent);
      }
      shown.at(at + 1);
    }
  } finally {
    await blobs.return(undefined);
    shown.end();
  }
  return findings;
}
