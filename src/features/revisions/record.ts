import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { type ComparedResource, changesBetween } from '../../core/history/changes-between.ts';
import { headsOf } from '../../core/history/graph.ts';
import { isRecordable, writeRevisionFile } from '../../core/history/revision-file.ts';
import { sourceLimits } from '../../core/model/configuration-parts.ts';
import { joinPath, lastSegment, pathAbove, subjectAt } from '../../core/model/resource-path.ts';
import type { RevisionHeader, Successors } from '../../core/model/revision.ts';
import { type BodyStore, membersOf, type RegistryState, resourceAt } from '../../core/model/state.ts';
import { fileOfResource, revisionFileName } from '../../core/registry/layout.ts';
import { positionsOf, storedObject } from '../../core/registry/registry.ts';
import { makeFolders, putInPlace } from '../../system/files/disk-sync.ts';
import { writing } from '../../system/files/system-errors.ts';
import { sparseFiles } from '../../system/git/listed-files.ts';
import { gitSetting } from '../../system/git/run-git.ts';
import type { Stage } from '../../system/trees/staging.ts';
import { archivableFindings } from '../check/archivable.ts';
import { unknownFieldFindings } from '../check/field-names.ts';
import { forgetPlan, pendingEdit } from '../sources/edit-plan.ts';
import { type HeadSources, loadHeadSources, type SourceOptions } from '../sources/load-sources.ts';
import { hasPrivateFields } from '../sources/privacy.ts';
import { requireReadable } from '../sources/registry-files.ts';
import { changingRegistry } from '../sources/registry-stages.ts';
import { indexOfRevision } from '../sources/resolve-revision.ts';
import { type DifferingResource, differingResources } from './differing-resources.ts';
import { movedResources } from './moved-resources.ts';
import { revisionOf, stateBefore } from './pending-revision.ts';

export interface RecordOptions extends SourceOptions {
  readonly message: string;
  readonly author?: string | undefined;
  /** A date in ISO 8601 with an offset. */
  readonly date?: string | undefined;
  /** The head that becomes the last parent of a merge. The merge records the current registry files unchanged. */
  readonly merge?: string | undefined;
  /** Successors of removed resources: `REMOVED=STAYING`. Each part is a uid, a name or a path. */
  readonly successors?: readonly string[] | undefined;
  /** The successors of an edit, with paths. A resource that the head does not have needs no successor. */
  readonly plannedSuccessors?: readonly string[] | undefined;
  readonly dryRun?: boolean | undefined;
  /** Whether to accept fields that neither the schema nor a parent revision contains. */
  readonly allowUnknown?: boolean | undefined;
}

export interface RecordResult {
  readonly id: string;
  /** The parents of the revision. `changes` lists the differences from the first parent. */
  readonly parents: readonly string[];
  readonly file: string;
  readonly isWritten: boolean;
  readonly changes: readonly DifferingResource[];
}

/** Calls `show` with the changes before anything is written. */
export function record(options: RecordOptions, show: Show = () => {}): RecordResult {
  return recordIfChanged(options, show) ?? fail(finding('nothing-to-record', {}));
}

/** Returns undefined if the registry matches its history. */
export function recordIfChanged(options: RecordOptions, show: Show = () => {}): RecordResult | undefined {
  return changingRegistry(options, (stage) => {
    const pending = pendingEdit(options.registry);
    if (!pending || pending.changed.length === 0) return recordIn(stage, options, show);
    const { isWhole, canUndo, changed: files, plan } = pending;
    if (!isWhole) {
      if (canUndo) fail(finding('edit-begun', { files, total: plan.files.length }));
      if (stage) forgetPlan(options.registry);
      fail(finding('edit-stays', { files }));
    }
    if (!canUndo) return recordIn(stage, options, show);
    // The command was killed before the change was recorded.
    return recordIn(stage, { ...options, plannedSuccessors: plan.successors }, show);
  });
}

export type Show = (changes: readonly DifferingResource[]) => void;

/** Writes nothing without a stage. Returns undefined if the registry matches its history. */
export function recordIn(stage: Stage | undefined, options: RecordOptions, show: Show = () => {}) {
  const { merge } = options;
  const sources = loadHeadSources({ ...options, isMerging: merge !== undefined });
  if (sources.findings.length > 0) failAll(sources.findings);
  const parents = merge === undefined ? headsOf(sources.history.revisions) : mergeParents(sources, merge);
  return recordFiles(stage, { ...options, sources, parents }, show);
}

export interface RecordedFiles extends RecordOptions {
  readonly sources: HeadSources;
  readonly parents: readonly RevisionHeader[];
}

export function recordFiles(stage: Stage | undefined, options: RecordedFiles, show: Show): RecordResult | undefined {
  const { date = now(), message, sources, parents } = options;
  if (!isRecordable(date)) fail(finding('bad-moment', { date }));
  if (options.date === undefined) rejectEarlyClock(date, parents);
  rejectSparse(options.registry);
  const ids = parents.map(({ id }) => id);
  const before = stateBefore(sources, ids);
  const compared = [...changesBetween(before, sources.worktree, sources.store, sources.history.kinds)];
  if (options.allowUnknown === false) {
    const known = ids.map((id) => stateBefore(sources, [id]));
    rejectUnknownFields(compared, known, sources);
  }
  if (parents.length < 2 && compared.length === 0) return undefined;
  if (parents.length < 2) rejectLongNames(compared, sources);
  const author = authorOf(options);
  const planned = (options.plannedSuccessors ?? []).filter((pair) =>
    compared.some(({ change }) => change.action === 'removed' && pair.startsWith(`${change.path}=`)),
  );
  const named = successorsFrom([...(options.successors ?? []), ...planned], sources, { before, compared });
  // The revisions that a merge joins have recorded their own successors.
  const moved = parents.length < 2 ? movedResources(compared, before, sources.worktree) : {};
  const successors = { ...moved, ...named };
  const salt = saltFor(sources);
  const revision = revisionOf(sources, compared, { parents: ids, date, author, message, successors, salt });
  const file = revisionFileName(sources.lastNumber + 1, revision.header.id);
  const changes = differingResources(compared).map((each) => {
    const successor = successors[each.resource.slice(1)];
    return successor === undefined ? each : { ...each, successor };
  });
  const to = join(options.registry, file);
  const text = writeRevisionFile(revision);
  requireReadable(to, text, sourceLimits(sources.configuration));
  show(changes);
  if (stage) {
    placeRevision(stage, to, text);
    // A revision of all files includes the changes of an interrupted command.
    forgetPlan(options.registry);
  }
  return { id: revision.header.id, parents: ids, file: to, isWritten: stage !== undefined, changes };
}

function rejectLongNames(compared: readonly ComparedResource[], sources: HeadSources): void {
  const added = compared.flatMap(({ change }) => (change.action === 'added' ? [change.path] : []));
  const findings = archivableFindings(sources, added);
  if (findings.length > 0) failAll(findings);
}

/** Fails if a sparse checkout omits files of the registry, because a revision would record them as removed. */
function rejectSparse(registry: string): void {
  const files = sparseFiles(registry).filter((file) => file.endsWith('.yaml'));
  const omitted = files.map((file) => join(registry, file)).filter((file) => !existsSync(file));
  if (omitted.length > 0) fail(finding('sparse-checkout', { files: omitted }));
}

function rejectUnknownFields(
  compared: readonly ComparedResource[],
  known: readonly RegistryState[],
  { folder, store, history }: HeadSources,
): void {
  const bodies = compared.flatMap(({ change: { path }, after }) => (after ? [{ path, body: after }] : []));
  const findings = unknownFieldFindings(bodies, { known, store }, (path, field) => {
    const file = fileOfResource(subjectAt(path, history.kinds));
    return positionsOf(folder, file).locate(field, 'key');
  });
  if (findings.length > 0) failAll(findings);
}

function placeRevision({ next }: Stage, to: string, text: string): void {
  const from = join(next, basename(to));
  writing(to, () => {
    writeFileSync(from, text);
    makeFolders(dirname(to));
    try {
      putInPlace([{ from, to }]);
    } catch (error) {
      // If only the flush failed, removes the revision, so that an edit can be undone and the command be repeated.
      if (!existsSync(from)) rmSync(to, { force: true });
      throw error;
    }
  });
}

/** Maps the paths of removed resources to the uids of their successors. */
function successorsFrom(
  given: readonly string[],
  { worktree, store }: HeadSources,
  { before, compared }: { readonly before: RegistryState; readonly compared: readonly ComparedResource[] },
): Successors {
  const removed = compared.flatMap(({ change }) => (change.action === 'removed' ? [change.path] : []));
  const named = given.map((pair) => {
    const [old = '', now = '', ...rest] = pair.split('=');
    const [path, ...others] = removed.filter((each) => matchesName(each, before, old, store));
    const beside = path === undefined ? [] : membersBeside(path, worktree);
    const [successor, ...more] = beside.filter((each) => matchesName(each, worktree, now, store));
    if (path === undefined || successor === undefined || others.length + more.length + rest.length > 0)
      return fail(finding('successor-of-none', { given: pair }));
    return [path, lastSegment(successor), pair] as const;
  });
  const twice = named.find(([path, uid]) => named.some(([other, otherUid]) => other === path && otherUid !== uid));
  if (twice) fail(finding('successor-of-none', { given: twice[2] }));
  return Object.fromEntries(named);
}

function membersBeside(path: string, state: RegistryState): string[] {
  const holder = resourceAt(state, pathAbove(pathAbove(path)));
  const collection = pathAbove(path);
  return holder ? [...membersOf(holder, lastSegment(collection)).keys()].map((uid) => joinPath(collection, uid)) : [];
}

function matchesName(path: string, state: RegistryState, name: string, store: BodyStore): boolean {
  const held = resourceAt(state, path);
  return (
    path === name.replace(/^\//, '') ||
    lastSegment(path) === name ||
    (held !== undefined && name !== '' && storedObject(store, held.body.handle)['node_name'] === name)
  );
}

/** Returns the heads. The head to merge comes last. */
function mergeParents({ history }: HeadSources, given: string): RevisionHeader[] {
  const heads = headsOf(history.revisions);
  if (heads.length < 2) fail(finding('nothing-to-merge', {}));
  const other = history.revisions[indexOfRevision(history, given)];
  if (!other || !heads.includes(other)) return fail(finding('not-a-head', { given, heads: heads.map(({ id }) => id) }));
  return [...heads.filter((head) => head !== other), other];
}

/** The salt prevents guessing private values from the digest of a state. */
function saltFor({ configuration }: HeadSources): string | undefined {
  return hasPrivateFields(configuration) ? randomBytes(16).toString('hex') : undefined;
}

/** Returns the given author or git's author. Fails without an author, because every revision records its author. */
export function authorOf({ author }: Pick<RecordOptions, 'author'>): string {
  if (author !== undefined) return author;
  const { GIT_AUTHOR_NAME = '' } = process.env;
  return GIT_AUTHOR_NAME || gitSetting('user.name') || fail(finding('no-author', {}));
}

/** Clocks of several machines differ, but rarely by more than a day. */
const MOST_SKEW_MS = 24 * 60 * 60_000;

/** Fails if a wrong clock would give the revision an earlier date than its parents. Queries by date would be wrong. */
function rejectEarlyClock(clock: string, parents: readonly RevisionHeader[]): void {
  for (const { id, date } of parents)
    if (Date.parse(date) > Date.parse(clock) + MOST_SKEW_MS) fail(finding('record-clock', { clock, id, date }));
}

/** Returns the current time with the local offset. Only this function reads a clock for recorded times. */
function now(): string {
  const date = new Date();
  const offset = -date.getTimezoneOffset();
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0');
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
  return new Date(date.getTime() + offset * 60_000).toISOString().replace(/\.\d+Z$/, zone);
}
