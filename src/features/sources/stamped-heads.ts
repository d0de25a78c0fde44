/** The state after the head of a history that was replayed before: only revisions that are new since then are replayed. */

import { NotInOrder } from '../../core/history/excerpt.ts';
import { replayHeads, stateDigest } from '../../core/history/replay.ts';
import { type BodyStore, editState, type RegistryState, resourceAt, resourcesIn } from '../../core/model/state.ts';
import { itemAt, mustGet } from '../../core/platform/certain.ts';
import { type SourceFolder, storeBody } from '../../core/registry/registry.ts';
import type { ReadFolder } from '../../system/files/read-folder.ts';
import { type HistoryStamp, readStamp, type StampRules, stampDigest, writeStamp } from './history-stamp.ts';
import { lastNumberOf, type ReadHeads, unlessNotInOrder } from './read-history.ts';
import { revisionFiles } from './registry-files.ts';
import { type HistoryScan, scanHistory } from './scan-history.ts';

export interface StampOptions {
  readonly registry: string;
  /** Whether the history may be known from an earlier command: by default it may. */
  readonly cache?: boolean | undefined;
}

export interface StampedHeads extends ReadHeads {
  /** Whether nothing had to be replayed. */
  readonly isWhole: boolean;
}

interface Worktree {
  readonly worktree: RegistryState;
  readonly store: BodyStore;
}

/** Undefined where the whole history has to be replayed. */
export function readStampedHeads(
  { registry, cache }: StampOptions,
  sources: ReadFolder,
  files: Worktree,
  rules: StampRules,
): StampedHeads | undefined {
  const stamp = cache === false || !isWorthStamp(sources.folder) ? undefined : readStamp(registry);
  return stamp && unlessNotInOrder(() => headsSince(stamp, sources, files, rules));
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
    throw new NotInOrder();
  };
  const { heads } = replayHeads({
    graph,
    changesOf: (id) => scan.changesOf(mustGet(graph.indexOf, id)),
    store: files.store,
    place,
    kinds: rules.kinds,
    known: new Map([[last, state]]),
  });
  const isWhole = stamp.files === count;
  return { graph, heads, findings: [], lastNumber: lastNumberOf(revisionFiles(folder)), isWhole };
}

/** The state after the stamped head: bodies of the files where they are the same, and others from the history. */
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

/** Writes the stamp of a history with one head, with which nothing is wrong. */
export function keepStamp(
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

/** Revision files, and bytes in them: a history with less is replayed in no time. */
const FEW = 100;
const LITTLE = 1 << 20;

function isWorthStamp(folder: SourceFolder): boolean {
  const files = revisionFiles(folder);
  return files.length >= FEW || files.reduce((sum, file) => sum + folder.sizeOf(file), 0) >= LITTLE;
}
