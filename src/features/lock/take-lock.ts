/** `gridpress lock`: what nodes are now, as a file by which it can be told later whether they are still the same. */
import { dirname, relative, resolve, sep } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { nearestTo } from '../../core/diagnostics/nearest.ts';
import { type Lock, lockOf, lockText, type NodeState, type Origin } from '../../core/lock/lock-format.ts';
import type { NodeSource } from '../../core/lock/node-past.ts';
import { isNodePath } from '../../core/model/resource-path.ts';
import { replaceFile } from '../../system/files/replace-file.ts';
import { originOf, type ReachOptions, readNodes } from './node-source.ts';

export interface LockOptions extends ReachOptions {
  /** Paths, uids or names of nodes. */
  readonly nodes: readonly string[];
  /** A base URL, or the folder of a tree or a registry. */
  readonly from: string;
  /** The file to write; by default the text is only given back. */
  readonly out?: string | undefined;
}

export interface LockResult {
  readonly file: string | undefined;
  readonly lock: Lock;
  readonly text: string;
}

export async function lock(options: LockOptions): Promise<LockResult> {
  const { nodes: wanted, out: file } = options;
  const origin = originOf(options.from);
  const taken = await readNodes(origin, options, async (source) => {
    const found = await Promise.all(wanted.map((given) => theNode(given, source)));
    const nodes = [...new Map(found.map((node) => [node.path, node])).values()];
    return lockOf(placedFor(origin, file), source.revision(), nodes);
  });
  const text = lockText(taken);
  if (file !== undefined) replaceFile('', file, text);
  return { file, lock: taken, text };
}

/** Folders are told as seen from the lock's own folder, so that both can move together. */
export function placedFor(origin: Origin, file: string | undefined): Origin {
  if (origin.kind === 'url') return origin;
  const way = relative(file === undefined ? '.' : dirname(file), resolve(origin.place));
  return { ...origin, place: way.split(sep).join('/') || '.' };
}

/** The one node that a path, a uid or a name means, with its whole body. */
async function theNode(given: string, source: NodeSource): Promise<NodeState> {
  const path = given.replace(/^\/|\/$/g, '');
  const atPath = isNodePath(path) ? await source.node(path) : undefined;
  if (atPath) return atPath;
  const found = (await source.called(given)).map((node) => node.path);
  const [only] = found;
  if (only === undefined)
    return fail(finding('unknown-node', { given, nearest: similar(given, await source.names()) }));
  if (found.length > 1) return fail(finding('ambiguous-node', { given, found }));
  return (await source.node(only)) ?? fail(finding('unknown-node', { given, nearest: [] }));
}

/** Names and uids that are much like what was given; of a path, its last part counts. */
function similar(given: string, names: readonly string[]): string[] {
  return nearestTo(given.replace(/\/$/, '').replace(/^.*\//, ''), names);
}
