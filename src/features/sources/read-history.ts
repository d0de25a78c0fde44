import { isDeepStrictEqual } from 'node:util';
import { type Finding, finding, type Place } from '../../core/diagnostics/finding.ts';
import { headText, NeedsReplay, partsOf, splitChanges } from '../../core/history/excerpt.ts';
import { type Graph, orderGraph, type PlaceOfRevision } from '../../core/history/graph.ts';
import { type History, replay, replayHeads } from '../../core/history/replay.ts';
import {
  type ResourceChange,
  type RevisionFile,
  readRevisionFile,
  readRevisionText,
} from '../../core/history/revision-file.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import type { RevisionHeader } from '../../core/model/revision.ts';
import type { BodyStore, RegistryState } from '../../core/model/state.ts';
import { getOrThrow } from '../../core/platform/lookups.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import type { QuickCheck } from '../../core/registry/quick-check.ts';
import { placeOf, type SourceFolder, shownFile } from '../../core/registry/registry.ts';
import { decodeText } from '../../core/registry/yaml/read-yaml.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { revisionFiles } from './registry-files.ts';

export interface HistoryOptions {
  /** Whether the history may have several heads, as before a merge. */
  readonly isMerging: boolean;
  readonly kinds: Kinds;
}

/** The revisions with their states. The history is empty if a revision file is invalid. */
export interface ReadHistory {
  readonly history: History;
  readonly lastNumber: number;
  readonly findings: readonly Finding[];
}

export function readHistory(folder: SourceFolder, store: BodyStore, options: HistoryOptions): ReadHistory {
  const { kinds } = options;
  return replayed(folder, options, ({ graph, changesOf, place, lastNumber, findings }) => {
    if (!graph) return { history: emptyHistory(kinds), lastNumber, findings };
    return { lastNumber, ...replay(graph, changesOf, store, place, kinds) };
  });
}

export interface ReadHeads {
  readonly graph: Graph;
  /** Maps the identifier of each head to the state of the registry at this head. */
  readonly heads: ReadonlyMap<string, RegistryState>;
  readonly lastNumber: number;
  readonly findings: readonly Finding[];
}

export function readHeads(folder: SourceFolder, store: BodyStore, options: HistoryOptions): ReadHeads {
  const { kinds } = options;
  return replayed(folder, options, ({ graph, changesOf, place, lastNumber, findings }) => {
    if (!graph) return { graph: emptyHistory(kinds), heads: new Map(), lastNumber, findings };
    return { graph, lastNumber, ...replayHeads({ graph, changesOf, store, place, kinds }) };
  });
}

/** Keeps one revision at a time in memory. If the replay fails, reads all revisions to report all findings. */
function replayed<T extends { readonly findings: readonly Finding[] }>(
  folder: SourceFolder,
  options: HistoryOptions,
  replay: (read: ReadRevisions) => T,
): T {
  const read = unlessReplayNeeded(() => replay(readRevisions(folder, options, true)));
  return read && read.findings.length === 0 ? read : replay(readRevisions(folder, options));
}

export function unlessReplayNeeded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof NeedsReplay) return undefined;
    throw error;
  }
}

interface ReadRevisions {
  /** The graph of the revisions. Undefined if there are findings or no revisions. */
  readonly graph: Graph | undefined;
  readonly changesOf: (id: string) => Iterable<ResourceChange>;
  readonly place: PlaceOfRevision;
  readonly lastNumber: number;
  readonly findings: readonly Finding[];
}

interface PlacedRevision {
  readonly header: RevisionHeader;
  /** The changes of the revision. Undefined if only the header was read. */
  readonly changes: readonly ResourceChange[] | undefined;
  readonly file: string;
}

function readRevisions(folder: SourceFolder, { isMerging }: HistoryOptions, readsLate = false): ReadRevisions {
  const files = revisionFiles(folder);
  const findings = misnamedRevisions(folder);
  const read = new Map<string, PlacedRevision>();
  const reader = revisionReader(folder);
  for (const file of files) {
    const lateHeader = readsLate ? reader.headerOf(file) : undefined;
    const revision = lateHeader ? { value: { header: lateHeader, changes: undefined } } : reader.read(file);
    if ('findings' in revision && revision.findings) {
      findings.push(...revision.findings);
      continue;
    }
    const { header, changes } = revision.value;
    const other = read.get(header.id);
    if (other) {
      const args = { id: header.id, other: shownFile(folder, other.file) };
      findings.push(finding('revision-twice', args, placeOf(folder, file, 'id')));
    } else read.set(header.id, { header, changes, file });
  }
  const place = (id: string, ...path: PropertyKey[]): Place => placeOf(folder, getOrThrow(read, id).file, ...path);
  const headers = [...read.values()].map(({ header }) => header);
  const ordered = findings.length > 0 || read.size === 0 ? undefined : orderGraph(headers, place, isMerging);
  return {
    graph: ordered?.findings ? undefined : ordered?.graph,
    changesOf: (id) => {
      const { changes, file, header } = getOrThrow(read, id);
      return changes ?? reader.changesOf(file, header);
    },
    place,
    lastNumber: lastNumberOf(files),
    findings: [...findings, ...(ordered?.findings ?? [])],
  };
}

/** The maximum length of a file that is parsed at once, in characters. */
const MOST_PARSED_CHARACTERS = 1 << 22;
const PART = 1 << 20;

function revisionReader(folder: SourceFolder) {
  const check = packagedChecks('revision');
  return {
    read: (file: string) => readRevisionFile(shownFile(folder, file), folder.read(file), check),
    /** Returns undefined if the header cannot be read without parsing the whole file. */
    headerOf: (file: string): RevisionHeader | undefined => {
      const head = headText(textIn(folder.read(file)));
      return head === undefined ? undefined : revisionIn(head, check).header;
    },
    *changesOf(file: string, header: RevisionHeader): Generator<ResourceChange> {
      const text = textIn(folder.read(file));
      for (const part of (text.length < MOST_PARSED_CHARACTERS ? undefined : partsOf(text, PART)) ?? [text]) {
        const { known, rest } = splitChanges(part) ?? { known: [], rest: part };
        const revision = revisionIn(rest, check);
        // Another process may have replaced the file.
        if (!isDeepStrictEqual(revision.header, header)) throw new NeedsReplay();
        yield* known;
        yield* revision.changes;
      }
    },
  };
}

/** Throws `NeedsReplay` if the text is invalid. */
export function revisionIn(text: string, check: QuickCheck | undefined): RevisionFile {
  const read = readRevisionText('', text, check);
  if (read.findings) throw new NeedsReplay();
  return read.value;
}

/** Throws `NeedsReplay` if the bytes are not a text. */
export function textIn(bytes: Uint8Array): string {
  const text = decodeText('', bytes);
  if (text.findings) throw new NeedsReplay();
  return text.value;
}

export function lastNumberOf(files: readonly string[]): number {
  const numberOf = (file: string) => Number.parseInt(file.slice(HISTORY_FOLDER.length + 1), 10) || 0;
  return files.reduce((last, file) => Math.max(last, numberOf(file)), 0);
}

const REVISION_FILES = `${HISTORY_FOLDER}/NNNNNN-IDENTIFIER.yaml`;

/** Finds files that look like revisions but have the wrong extension. */
export function misnamedRevisions(folder: Pick<SourceFolder, 'name' | 'files'>): Finding[] {
  return folder.files
    .filter((file) => file.startsWith(`${HISTORY_FOLDER}/`) && /\.(ya?ml|json)$/i.test(file) && !file.endsWith('.yaml'))
    .map((file) => finding('file-unexpected', { expected: REVISION_FILES }, { file: shownFile(folder, file) }));
}

function emptyHistory(kinds: Kinds): History {
  return { kinds, revisions: [], parents: [], indexOf: new Map(), states: [], changes: [] };
}
