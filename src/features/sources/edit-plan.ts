/**
 * The journal lets the next command undo an interrupted change of several files. The original of file N is `old-N`.
 * `new-N` exists until file N is written. `gone-N` exists after file N is removed.
 * The plan is in the user's cache folder, because a cloned registry could contain a foreign plan.
 */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure, type Finding, fail, finding, withWarnings } from '../../core/diagnostics/finding.ts';
import { sha256 } from '../../core/model/digest.ts';
import { isJsonObject, type Json, parsedJson } from '../../core/model/json.ts';
import { DOCUMENT_BYTES, HIGHEST_SOURCE_LIMITS } from '../../core/platform/limits.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { makeFolders, syncFile, syncFolders } from '../../system/files/disk-sync.ts';
import { readPlainFile } from '../../system/files/file-io.ts';
import { linkOrCopy } from '../../system/files/link-folder.ts';
import { failToWrite, undefinedOnSystemError, writing } from '../../system/files/system-errors.ts';
import { cachedFile, readCached, removeCached, writeCached } from '../../system/files/user-cache.ts';

interface Wanted {
  readonly texts: ReadonlyMap<string, string>;
  /** The old file of each moved file. */
  readonly moved: ReadonlyMap<string, string>;
  readonly removed: readonly string[];
  /** The removed resources and their successors, as `PATH=PATH`. */
  readonly successors: readonly string[];
}

interface PlannedFile {
  readonly file: string;
  /** The digest of the file before the change. Undefined for a new file. */
  readonly before?: string | undefined;
  /** The digest of the file after the change. Undefined for a removed file. */
  readonly after?: string | undefined;
}

interface Plan {
  readonly files: readonly PlannedFile[];
  readonly successors: readonly string[];
  /** The content of the file `nonce` in the journal. This content proves that the plan belongs to this journal. */
  readonly nonce: string;
  /** A digest of the names of the revision files. */
  readonly history: string;
}

const NAME = '-edit.json';

/** The name of the journal folder. Registries and git ignore this folder. */
const JOURNAL = '.edit.gridpress';
const NONCE = 'nonce';
/** This file is in the journal while files are changed. Other users see it, but they cannot read the plan. */
const BEGUN = 'begun';
const NONCE_BYTES = 100;

const journalOf = (registry: string) => join(registry, JOURNAL);

/** Writes the new files into the journal, and then the plan. Changes no file of the registry. */
export function prepareEdit(registry: string, wanted: Wanted): Plan {
  forgetPlan(registry);
  try {
    return writeJournal(registry, wanted);
  } catch (error) {
    forgetPlan(registry);
    throw error;
  }
}

function writeJournal(registry: string, { texts, moved, removed, successors }: Wanted): Plan {
  const journal = journalOf(registry);
  return writing(journal, () => {
    mkdirSync(journal);
    writeFileSync(join(journal, '.gitignore'), '*\n');
    const nonce = randomBytes(16).toString('hex');
    writeFileSync(join(journal, NONCE), nonce);
    syncFile(join(journal, NONCE));
    // Removes the deepest files first, so that the remaining resources keep their parents.
    const files = [...texts.keys(), ...removed.toReversed()].map((file, i): PlannedFile => {
      const [path, text] = [join(registry, file), texts.get(file)];
      const before = digestOf(registry, file);
      if (before === '') fail(finding('edit-link', { file: path }));
      const old = before === undefined ? undefined : join(journal, `old-${i}`);
      if (old !== undefined) linkOrCopy(path, old);
      if (text !== undefined) {
        const changed = join(journal, `new-${i}`);
        writeFileSync(changed, text);
        const replaced = before === undefined ? moved.get(file) : file;
        if (replaced !== undefined) chmodSync(changed, lstatSync(join(registry, replaced)).mode);
        syncFile(changed);
      }
      return { file, before, after: text === undefined ? undefined : sha256(text) };
    });
    syncFolders(journal, registry);
    const plan = { files, successors, nonce, history: historyOf(registry) };
    const bytes = Buffer.from(JSON.stringify(plan));
    if (bytes.length <= DOCUMENT_BYTES) writeCached(registry, NAME, bytes);
    return plan;
  });
}

export function makeEdit(registry: string, { files }: Plan): void {
  const journal = journalOf(registry);
  writing(journal, () => writeFileSync(join(journal, BEGUN), ''));
  for (const [i, { file, after }] of files.entries()) {
    const path = join(registry, file);
    try {
      makeFolders(dirname(path));
      if (after === undefined) renameSync(path, join(journal, `gone-${i}`));
      else renameSync(join(journal, `new-${i}`), path);
    } catch (error) {
      failToWrite(path, error, false);
    }
  }
  const removed = files.filter(({ after }) => after === undefined);
  writing(journal, () => {
    rmSync(join(journal, BEGUN), { force: true });
    syncFolders(journal, ...foldersOf(registry, files));
  });
  removeEmptyFolders(registry, removed);
}

export interface PendingEdit {
  readonly plan: Plan;
  /** The files that the interrupted command changed. */
  readonly changed: readonly string[];
  /** Whether the command changed all its files. */
  readonly isWhole: boolean;
  /** False if one of these files was changed again, or if other revisions were recorded since. */
  readonly canUndo: boolean;
}

/** Fails if the edit of another user, or of a project that was moved since, was interrupted. */
export function rejectForeignEdit(registry: string): void {
  if (hasForeignEdit(registry)) fail(finding('edit-foreign', { journal: journalOf(registry) }));
}

function hasForeignEdit(registry: string): boolean {
  const plan = readPlan(registry);
  const isOwn = plan !== undefined && plan.nonce === nonceOf(registry);
  return !isOwn && hasBegun(registry);
}

/** Returns false if the journal is a link, which a cloned registry could contain. */
function hasBegun(registry: string): boolean {
  const journal = journalOf(registry);
  const isFolder = lstatSync(journal, { throwIfNoEntry: false })?.isDirectory() === true;
  return isFolder && existsSync(join(journal, BEGUN));
}

/** Whether an interrupted edit could be undone. */
export function hasPlan(registry: string): boolean {
  return readPlan(registry) !== undefined;
}

export function pendingEdit(registry: string): PendingEdit | undefined {
  const plan = readPlan(registry);
  return plan && pendingEditOf(registry, plan);
}

/** Returns the path of the plan, for messages. */
export function planFile(registry: string): string {
  return cachedFile(registry, NAME) ?? NAME;
}

/** Warns if a command was interrupted while it changed files. The current files can then contradict each other. */
export function pendingEditWarnings(registry: string): Finding[] {
  if (hasForeignEdit(registry)) return [finding('edit-foreign-pending', { journal: journalOf(registry) })];
  const { changed: files = [], canUndo = false } = pendingEdit(registry) ?? {};
  return files.length > 0 ? [finding('edit-pending', { files, canUndo })] : [];
}

/** Adds the warning about an interrupted edit to a failure, because the edit is often its cause. */
export function withPendingEdit<T>(registry: string, read: () => T): T {
  return withWarnings(() => pendingEditWarnings(registry), read);
}

export function pendingEditOf(registry: string, plan: Plan): PendingEdit {
  // Without its journal, a plan cannot be undone, and only file digests show which changes were made.
  const hasJournal = nonceOf(registry) === plan.nonce;
  const made = [...plan.files.entries()].filter(([i, file]) =>
    hasJournal ? isFileApplied(registry, i, file) : digestOf(registry, file.file) === file.after,
  );
  const changed = made.filter(([, { file, before }]) => digestOf(registry, file) !== before);
  const canRestore = ([i, { file, before, after }]: (typeof changed)[number]) =>
    digestOf(registry, file) === after && digestOf(registry, `${JOURNAL}/old-${i}`) === before;
  return {
    plan,
    changed: changed.map(([, { file }]) => file),
    isWhole: changed.length === plan.files.length,
    canUndo: hasJournal && plan.history === historyOf(registry) && changed.every(canRestore),
  };
}

/** Restores the changed files. Callers can repeat an interrupted call. */
export function undoEdit(registry: string, { plan: { files }, changed }: PendingEdit): void {
  const wanted = new Set(changed);
  for (const [i, { file, before }] of [...files.entries()].reverse()) {
    if (!wanted.has(file)) continue;
    const path = join(registry, file);
    try {
      makeFolders(dirname(path));
      if (before === undefined) rmSync(path);
      else renameSync(join(journalOf(registry), `old-${i}`), path);
    } catch (error) {
      failToWrite(path, error, false);
    }
  }
  removeEmptyFolders(
    registry,
    files.filter(({ before }) => before === undefined),
  );
  writing(registry, () => syncFolders(...foldersOf(registry, files)));
}

/** Deletes the plan before the journal, because the journal is useless without a plan. */
export function forgetPlan(registry: string): void {
  undefinedOnSystemError(() => hasBegun(registry) && rmSync(join(journalOf(registry), BEGUN)));
  removeCached(registry, NAME);
  // If the plan could not be deleted, empties its file. Otherwise, the next command would undo this edit.
  if (hasPlan(registry)) writeCached(registry, NAME, '');
  undefinedOnSystemError(() => rmSync(journalOf(registry), { recursive: true, force: true }));
}

/** Returns undefined if the plan is missing or damaged. */
function readPlan(registry: string): Plan | undefined {
  const plan = parsedJson(readCached(registry, NAME)?.toString('utf8') ?? '');
  if (!isJsonObject(plan)) return undefined;
  const { files, successors, nonce, history } = plan;
  const isPlan = Array.isArray(files) && files.every(isPlannedFile) && isListOfTexts(successors);
  if (!isPlan || typeof nonce !== 'string' || typeof history !== 'string') return undefined;
  return { files, successors, nonce, history };
}

/** Matches files of resources. A uid does not begin with a dot. */
const SOURCE = /^(?:[\w~-][\w.~-]*\/)*[\w~-][\w.~-]*\.yaml$/;

function isPlannedFile(value: Json): value is Json & PlannedFile {
  if (!isJsonObject(value)) return false;
  const { file, before, after } = value;
  const isDigest = (digest: Json | undefined) => digest === undefined || typeof digest === 'string';
  const isSource = typeof file === 'string' && SOURCE.test(file) && !file.startsWith(`${HISTORY_FOLDER}/`);
  return isSource && isDigest(before) && isDigest(after);
}

function isListOfTexts(value: Json | undefined): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function nonceOf(registry: string): string | undefined {
  return undefinedOnSystemError(() => readPlainFile(join(journalOf(registry), NONCE), NONCE_BYTES).toString('utf8'));
}

function isFileApplied(registry: string, i: number, { after }: PlannedFile): boolean {
  const isThere = (name: string) => lstatSync(join(journalOf(registry), name), { throwIfNoEntry: false }) !== undefined;
  return after === undefined ? isThere(`gone-${i}`) : !isThere(`new-${i}`);
}

/** Returns undefined for a missing file, and an empty text for links, folders and files behind links. */
function digestOf(registry: string, file: string): string | undefined {
  let path = registry;
  const parts = file.split('/');
  for (const [i, part] of parts.entries()) {
    path = join(path, part);
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (!status) return undefined;
    if (i < parts.length - 1 ? !status.isDirectory() : !status.isFile()) return '';
  }
  try {
    return undefinedOnSystemError(() => sha256(readPlainFile(path, HIGHEST_SOURCE_LIMITS.source_bytes))) ?? '';
  } catch (error) {
    if (error instanceof Failure) return '';
    throw error;
  }
}

function foldersOf(registry: string, files: readonly PlannedFile[]): string[] {
  const folders = new Set(files.map(({ file }) => dirname(join(registry, file))));
  return [...folders].filter((folder) => lstatSync(folder, { throwIfNoEntry: false }) !== undefined);
}

/** Ignores errors, because an empty folder is harmless. */
function removeEmptyFolders(registry: string, files: readonly PlannedFile[]): void {
  const isEmpty = (folder: string) => (undefinedOnSystemError(() => readdirSync(folder)) ?? []).length === 0;
  for (const start of new Set(files.map(({ file }) => dirname(join(registry, file)))))
    for (let folder = start; folder !== registry && isEmpty(folder); folder = dirname(folder))
      undefinedOnSystemError(() => rmdirSync(folder));
}

function historyOf(registry: string): string {
  const names = undefinedOnSystemError(() => readdirSync(join(registry, HISTORY_FOLDER)).sort()) ?? [];
  return sha256(names.join('/'));
}
