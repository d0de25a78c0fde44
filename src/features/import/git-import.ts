/**
 * The commits of a git registry -> revisions. Each commit's state is its first parent's with the files that it
 * changed read anew. A file that cannot be read keeps its last good contents, and is reported.
 */

import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { contentsDigest } from '../../core/history/contents-digest.ts';
import { stateDigest } from '../../core/history/replay.ts';
import { type ResourceChange, type RevisionFile, writeRevisionFile } from '../../core/history/revision-file.ts';
import { difference } from '../../core/model/differences/difference.ts';
import { fieldRules } from '../../core/model/field-classes.ts';
import { byCodeUnit } from '../../core/model/json.ts';
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
import { mustGet } from '../../core/platform/certain.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { revisionFileName } from '../../core/registry/layout.ts';
import type { QuickChecks } from '../../core/registry/quick-check.ts';
import type { Repository } from '../../system/git/git.ts';
import { type BlobContents, readBlobs } from '../../system/git/git-objects.ts';
import { progress } from '../../system/terminal/progress.ts';
import { stageFile } from '../../system/trees/stage-files.ts';
import type { Stage } from '../../system/trees/staging.ts';
import { type ForeignBody, type Oddity, readForeignBody, readForeignItems } from './foreign-file.ts';
import {
  contentsKey,
  type GitRegistry,
  isSameFile,
  type NeededFile,
  neededFiles,
  type PlannedCommit,
  type SourceFile,
  sourceOf,
} from './import-plan.ts';
import { bodyOf, ImportedBody, withFieldsOf } from './imported-bodies.ts';
import { completeParents } from './missing-parents.ts';

export interface Importer {
  /** Makes a revision of a commit. Parents come before their children, each commit with the blobs of its needed files. */
  readonly revise: (planned: PlannedCommit, files: readonly NeededFile[], blobs: Blobs) => RevisedCommit;
  readonly know: (header: RevisionHeader, state: RegistryState) => void;
  readonly stateAt: (id: string) => RegistryState;
  /** Drops the state of a commit that no later commit has as a parent. */
  readonly forget: (id: string) => void;
}

type Blobs = ReadonlyMap<string, BlobContents>;

interface RevisedCommit {
  readonly revision: RevisionFile;
  readonly findings: readonly Finding[];
}

/** What a file contains for an item: a body, or why there is none. */
type Contents =
  | { readonly body: StoredBody; readonly oddities: readonly Oddity[]; readonly broken?: undefined }
  | Broken;
type Broken = { readonly body?: undefined; readonly broken: string | undefined };

export function importer(registry: GitRegistry, store: BodyStore, checks: QuickChecks = () => undefined): Importer {
  const { kinds } = registry;
  const states = new Map<string, RegistryState>();
  const digests = new Map<string, string | undefined>();
  const earlier = new Set<string>();

  /** What a file contains, by the paths of its items; why it has no contents, where the whole file is broken. */
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
      const value = held instanceof ImportedBody ? withFieldsOf(held.value, read.body) : read.body;
      return { body: new ImportedBody(value, store), oddities: read.oddities };
    };
    if (!collection) return new Map([[item.path, stored(item.path, readForeignBody(path, blob.bytes, item, checks))]]);
    const items = readForeignItems(path, blob.bytes, collection, checks);
    if ('broken' in items) return items;
    const pathOf = (uid: string) => itemOf(collection, uid).path;
    return new Map(Array.from(items, ([uid, one]) => [pathOf(uid), stored(pathOf(uid), one)]));
  };

  const standIn = ({ path, kind }: Subject): StateEdit => {
    const uid = path === '' ? registry.gridName : lastSegment(path);
    return { path, body: new ImportedBody({ type: kind.name, uid }, store) };
  };

  const changeOf = ({ path, body }: StateEdit, held: StoredBody | undefined, hasNewFile: boolean): ResourceChange[] => {
    if (!held) return body ? [{ action: 'added', path, value: bodyOf(body, store) }] : [];
    if (!body) return [{ action: 'removed', path }];
    if (body.digest === held.digest) return hasNewFile ? [{ action: 'touched', path }] : [];
    const rules = fieldRules(subjectAt(path, kinds).kind);
    return [{ action: 'updated', path, fields: difference(bodyOf(held, store), bodyOf(body, store), rules) }];
  };

  const revise: Importer['revise'] = (planned, neededFiles, blobs) => {
    const { commit, files, parentFiles, items } = planned;
    const { id, parents, date, author, message } = commit;
    const findings = [...planned.findings];
    const [parent] = parents;
    const before = parent === undefined ? null : mustGet(states, parent);
    const read = new Map(
      neededFiles.map((needed) => [
        contentsKey(needed.source),
        readFile(needed, blobs.get(needed.source.blob), before),
      ]),
    );
    const contentsOf = (source: SourceFile, item: Subject): Contents => {
      const contents = mustGet(read, contentsKey(source));
      return 'broken' in contents ? contents : mustGet(contents, item.path);
    };
    const editOf = (item: Subject): StateEdit => {
      const [source, other] = files.get(item.path) ?? [];
      if (!source) return { path: item.path, body: null };
      const { path } = source;
      if (other) findings.push(finding('import-two-files', { id, path: other.path, other: path }));
      const contents = contentsOf(source, item);
      if (contents.body) {
        findings.push(...contents.oddities.map((oddity) => oddityFinding(oddity, id, path, item)));
        return { path: item.path, body: contents.body };
      }
      const body = lastGoodBody(planned, source, item.path, states);
      const { broken: reason } = contents;
      const kept = body !== null;
      if (reason === undefined) findings.push(finding('import-missing-blob', { id, path, kept }));
      else findings.push(finding('import-broken-file', { id, path, reason, kept }));
      return { path: item.path, body };
    };

    /** A resource before the commit, as its file has it: the state of an earlier import may have another key order. */
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
      const [change] = changeOf(edit, held, hasNewFile);
      if (!change) continue;
      changes.push(change);
      effective.push(edit);
    }
    const state = editState(before, effective);
    states.set(id, state);
    changes.sort((a, b) => byCodeUnit(a.path, b.path));
    const header = { id, parents, date, author, message, origin: 'git', state: stateDigest(state) } as const;
    const past = parents.map((of) => digests.get(of));
    const contents = contentsDigest(header, changes, past);
    digests.set(id, contents);
    return { revision: { header: { ...header, contents }, changes }, findings };
  };

  return {
    revise,
    know: ({ id, contents }, state) => {
      earlier.add(id);
      states.set(id, state);
      digests.set(id, contents);
    },
    stateAt: (id) => mustGet(states, id),
    forget: (id) => states.delete(id),
  };
}

/** Whether an item's own file is another; an item in the file of its collection has none. */
function isRewritten(was: SourceFile | undefined, is: SourceFile | undefined): boolean {
  return !isSameFile(was, is) && !was?.collection && !is?.collection;
}

/** The last good body from a file that cannot be read: in a merge, the body of the parent that has the same file. */
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
  return (parent !== undefined && resourceAt(mustGet(states, parent), path)?.body) || null;
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
    default:
      return oddity satisfies never;
  }
}

/** The commits of an import -> revision files in the stage. */
interface RevisionsToStage {
  readonly repository: Repository;
  readonly stage: Stage;
  readonly showsProgress: boolean;
  readonly limits: SourceLimits;
  /** The commits that the registry has not, parents before children. */
  readonly planned: readonly PlannedCommit[];
  readonly lastNumber: number;
  readonly translator: Importer;
}

/** Returns the findings in the order of the commits. */
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
      stageFile(stage, revisionFileName(lastNumber + at + 1, id), writeRevisionFile(revised.revision));
      for (const parent of parents) {
        const left = (childrenLeft.get(parent) ?? 0) - 1;
        childrenLeft.set(parent, left);
        if (left === 0) translator.forget(parent);
      }
      shown.at(at + 1);
    }
  } finally {
    await blobs.return(undefined);
    shown.end();
  }
  return findings;
}
