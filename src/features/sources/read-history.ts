/** The revision files of a registry, read and replayed. */

import { type Finding, finding, type Place } from '../../core/diagnostics/finding.ts';
import { type Graph, orderGraph, type PlaceOfRevision } from '../../core/history/graph.ts';
import { unlessNotInOrder } from '../../core/history/partial-history.ts';
import { type History, replay } from '../../core/history/replay.ts';
import { type ResourceChange, readRevisionFile } from '../../core/history/revision-file.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import type { BodyStore } from '../../core/model/state.ts';
import { certain, mustGet } from '../../core/platform/certain.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import { placeOf, type SourceFolder, shownFile } from '../../core/registry/registry.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { isLong, longRevisions } from './long-revisions.ts';
import { revisionFiles } from './registry-files.ts';

export interface ReadHistory {
  readonly history: History;
  readonly lastNumber: number;
  readonly findings: readonly Finding[];
}

export interface HistoryOptions {
  readonly heads: 1 | 2;
  readonly kinds: Kinds;
}

/**
 * Reads and replays the revision files of a registry, long ones in parts. What is wrong with one leaves the history empty, and
 * is told of files that are read whole.
 */
export function readHistory(folder: SourceFolder, store: BodyStore, options: HistoryOptions): ReadHistory {
  const isInParts = revisionFiles(folder).some((file) => isLong(folder, file));
  const read = isInParts ? unlessNotInOrder(() => readInParts(folder, store, options)) : undefined;
  return read ?? readWhole(folder, store, options);
}

function readWhole(folder: SourceFolder, store: BodyStore, options: HistoryOptions): ReadHistory {
  const { graph, changesOf, place, lastNumber, findings } = readRevisions(folder, options);
  if (!graph) return { history: emptyHistory(options.kinds), lastNumber, findings };
  return { lastNumber, ...replay(graph, (id) => certain(changesOf(id)), store, place, options.kinds) };
}

/** Undefined where something is wrong. */
function readInParts(folder: SourceFolder, store: BodyStore, options: HistoryOptions): ReadHistory | undefined {
  const long = longRevisions(folder);
  const { graph, changesOf, fileOf, place, lastNumber } = readRevisions(folder, options, long.headerOf);
  if (!graph) return undefined;
  const changes = (id: string) => changesOf(id) ?? long.changesOf(fileOf(id));
  const replayed = replay(graph, changes, store, place, options.kinds);
  return replayed.findings.length > 0 ? undefined : { lastNumber, ...replayed };
}

/** Revisions in their order, before they are replayed. */
export interface ReadRevisions {
  /** Undefined where there is something wrong, or there are none. */
  readonly graph: Graph | undefined;
  /** Undefined for those that are known. */
  readonly changesOf: (id: string) => readonly ResourceChange[] | undefined;
  readonly fileOf: (id: string) => string;
  readonly place: PlaceOfRevision;
  readonly lastNumber: number;
  readonly findings: readonly Finding[];
}

/** `headerOf` has the headers of revisions whose files need not be read. */
export function readRevisions(
  folder: SourceFolder,
  { heads }: HistoryOptions,
  headerOf: (file: string) => RevisionHeader | undefined = () => undefined,
): ReadRevisions {
  const check = packagedChecks()('revision');
  const files = revisionFiles(folder);
  const findings: Finding[] = folder.files
    .filter(isStrayRevision)
    .map((file) => finding('file-unexpected', { expected: REVISION_FILES }, { file: shownFile(folder, file) }));
  const read = new Map<string, PlacedRevision>();
  for (const file of files) {
    const known = headerOf(file);
    const revision = known
      ? { value: { header: known, changes: undefined } }
      : readRevisionFile(shownFile(folder, file), folder.read(file), check);
    if ('findings' in revision && revision.findings) {
      findings.push(...revision.findings);
      continue;
    }
    const { header: said, changes } = revision.value;
    const other = read.get(said.id);
    if (other) {
      const args = { id: said.id, other: shownFile(folder, other.file) };
      findings.push(finding('revision-twice', args, placeOf(folder, file, 'id')));
    } else read.set(said.id, { header: said, changes, file });
  }
  const fileOf = (id: string) => mustGet(read, id).file;
  const place = (id: string, ...path: PropertyKey[]): Place => placeOf(folder, fileOf(id), ...path);
  const headers = [...read.values()].map(({ header }) => header);
  const ordered = findings.length > 0 || read.size === 0 ? undefined : orderGraph(headers, place, heads);
  return {
    graph: ordered?.findings ? undefined : ordered?.graph,
    changesOf: (id) => mustGet(read, id).changes,
    fileOf,
    place,
    lastNumber: lastNumberOf(files),
    findings: [...findings, ...(ordered?.findings ?? [])],
  };
}

interface PlacedRevision {
  readonly header: RevisionHeader;
  readonly changes: readonly ResourceChange[] | undefined;
  readonly file: string;
}

export function lastNumberOf(files: readonly string[]): number {
  const numberOf = (file: string) => Number.parseInt(file.slice(HISTORY_FOLDER.length + 1), 10) || 0;
  return files.reduce((last, file) => Math.max(last, numberOf(file)), 0);
}

/** How the files of revisions are called. */
const REVISION_FILES = `${HISTORY_FOLDER}/NNNNNN-IDENTIFIER.yaml`;

/** A file that looks like a revision and would be passed over. */
export function isStrayRevision(file: string): boolean {
  return file.startsWith(`${HISTORY_FOLDER}/`) && /\.(yml|json)$/i.test(file);
}

export function emptyHistory(kinds: Kinds): History {
  return { kinds, revisions: [], parents: [], indexOf: new Map(), states: [], changes: [] };
}
