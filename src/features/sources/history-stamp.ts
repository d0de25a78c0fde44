/** A stamp in the user's cache folder records that a history was replayed without findings. */

import { NeedsReplay } from '../../core/history/excerpt.ts';
import { replayHeads, stateDigest } from '../../core/history/replay.ts';
import { classRulesDigest } from '../../core/model/class-digests.ts';
import { isJsonObject, parsedJson } from '../../core/model/json.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import { type BodyStore, editState, type RegistryState, resourceAt, resourcesIn } from '../../core/model/state.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { getOrThrow, itemAt } from '../../core/platform/lookups.ts';
import { type SourceFolder, storeBody } from '../../core/registry/registry.ts';
import { VERSION } from '../../system/files/package-version.ts';
import { digestOfFiles, type ReadFolder } from '../../system/files/read-folder.ts';
import { readCached, writeCached } from '../../system/files/user-cache.ts';
import { lastNumberOf, type ReadHeads, unlessReplayNeeded } from './read-history.ts';
import { revisionFiles } from './registry-files.ts';
import { type HistoryScan, scanHistory } from './scan-history.ts';

interface HistoryStamp {
  /**
   * The number of revision files that the stamp covers. The covered files come first in the code-unit order of names.
   */
  readonly files: number;
  /** The digest of the covered files, of the program version, and of the rules of the replay. */
  readonly digest: string;
  readonly head: string;
  /** Maps the path of each resource at the head to the digest of its body. */
  readonly bodies: ReadonlyMap<string, string>;
}

export interface StampRules {
  readonly kinds: Kinds;
  readonly limits: SourceLimits;
}

export function stampDigest({ folder, digestOf }: ReadFolder, count: number, { kinds, limits }: StampRules): string {
  const rules = kinds.all.map((kind) => [kind.name, kind.collection ?? '', kind.parents, classRulesDigest(kind)]);
  const files = revisionFiles(folder).slice(0, count);
  return digestOfFiles(
    [JSON.stringify([VERSION, rules, limits])],
    files.map((file) => [file, digestOf(file)]),
  );
}

const NAME = '.json';

/** Returns undefined if there is no valid stamp. */
export function readStamp(registry: string): HistoryStamp | undefined {
  const bytes = readCached(registry, NAME);
  return bytes && stampOf(bytes.toString());
}

function writeStamp(registry: string, { bodies, ...rest }: HistoryStamp): void {
  writeCached(registry, NAME, JSON.stringify({ ...rest, bodies: [...bodies] }));
}

function stampOf(text: string): HistoryStamp | undefined {
  const value = parsedJson(text);
  if (!isJsonObject(value)) return undefined;
  const { files, digest, head, bodies } = value;
  if (typeof files !== 'number' || typeof digest !== 'string' || typeof head !== 'string') return undefined;
  if (!Array.isArray(bodies)) return undefined;
  const pairs = bodies.flatMap((pair): (readonly [string, string])[] => {
    const [path, body] = Array.isArray(pair) ? pair : [];
    return typeof path === 'string' && typeof body === 'string' ? [[path, body]] : [];
  });
  return { files, digest, head, bodies: new Map(pairs) };
}

/** Options for reading a history with a stamp. Only revisions that the stamp does not cover are replayed. */
export interface StampOptions {
  readonly registry: string;
  /** Whether cached results of earlier commands may be used. The default is true. */
  readonly cache?: boolean | undefined;
}

interface StampedHeads extends ReadHeads {
  /** True if the stamp covers all revisions. In this case, no revision was replayed. */
  readonly isWhole: boolean;
}

interface Worktree {
  readonly worktree: RegistryState;
  readonly store: BodyStore;
}

/** Returns undefined if the whole history must be replayed. */
export function readStampedHeads(
  { registry, cache }: StampOptions,
  sources: ReadFolder,
  files: Worktree,
  rules: StampRules,
): StampedHeads | undefined {
  const stamp = cache === false || !isWorthStamp(sources.folder) ? undefined : readStamp(registry);
  return stamp && unlessReplayNeeded(() => headsSince(stamp, sources, files, rules));
}

function headsSince(
  stamp: HistoryStamp,
  sources: ReadFolder,
  files: Worktree,
  rules: StampRules,
): StampedHeads | undefined {
  const { folder } = sources;
  const count = revisionFiles(folder).length;
  const last = stamp.files - 1;
  if (!(stamp.files <= count)) return undefined;
  const scan = scanHistory(folder, rules.kinds);
  const { graph } = scan;
  const isPrefix =
    graph.revisions[last]?.id === stamp.head && stampDigest(sources, stamp.files, rules) === stamp.digest;
  if (
    !isPrefix ||
    graph.parents
      .slice(stamp.files)
      .flat()
      .some((parent) => parent < last)
  )
    return undefined;
  const state = stampedState(stamp, scan, files);
  if (state === undefined) return undefined;
  const place = () => {
    throw new NeedsReplay();
  };
  const { heads } = replayHeads({
    graph,
    changesOf: (id) => scan.changesOf(getOrThrow(graph.indexOf, id)),
    store: files.store,
    place,
    kinds: rules.kinds,
    known: new Map([[last, state]]),
  });
  const isWhole = stamp.files === count;
  return { graph, heads, findings: [], lastNumber: lastNumberOf(revisionFiles(folder)), isWhole };
}

/** Returns the state of the head. Reads bodies from the history only if the registry files do not contain them. */
function stampedState(
  { bodies, files }: HistoryStamp,
  scan: HistoryScan,
  { worktree, store }: Worktree,
): RegistryState | undefined {
  const head = files - 1;
  const stated = itemAt(scan.graph.revisions, head).state;
  if (stateDigest(worktree) === stated) return worktree;
  const isSame = (path: string) => resourceAt(worktree, path)?.body.digest === bodies.get(path);
  const missing = new Set([...bodies.keys()].filter((path) => !isSame(path)));
  const [others] = missing.size === 0 ? [] : scan.bodiesAt([head], missing);
  const edits = Array.from(bodies.keys(), (path) => {
    const held = missing.has(path) ? undefined : resourceAt(worktree, path)?.body;
    const other = others?.get(path);
    return { path, body: held ?? (other ? storeBody(store, other) : null) };
  });
  const state = editState(null, edits);
  return stateDigest(state) === stated ? state : undefined;
}

/** Writes a stamp only if the history is valid and has one head. */
export function saveStamp(
  { registry, cache }: StampOptions,
  opened: ReadFolder,
  { graph, heads, findings }: ReadHeads,
  rules: StampRules,
): void {
  const [head, ...others] = heads;
  const isOne = head !== undefined && others.length === 0 && findings.length === 0;
  if (cache === false || !isOne || !isWorthStamp(opened.folder)) return;
  const [id, state] = head;
  const files = graph.revisions.length;
  const bodies = Array.from(resourcesIn(state), ([path, { body }]) => [path, body.digest] as const);
  const digest = stampDigest(opened, files, rules);
  writeStamp(registry, { files, digest, head: id, bodies: new Map(bodies) });
}

/** A history with fewer files and fewer bytes than these limits gets no stamp, because its replay is fast. */
const LEAST_STAMPED_FILES = 100;
const LEAST_STAMPED_BYTES = 1 << 20;

function isWorthStamp(folder: SourceFolder): boolean {
  const files = revisionFiles(folder);
  return (
    files.length >= LEAST_STAMPED_FILES ||
    files.reduce((sum, file) => sum + folder.sizeOf(file), 0) >= LEAST_STAMPED_BYTES
  );
}
