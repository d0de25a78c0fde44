import { dirname, relative, resolve, sep } from 'node:path';
import { fail, failAll, finding, MOST_FINDINGS_PER_FILE } from '../../core/diagnostics/finding.ts';
import { suggestSimilar } from '../../core/diagnostics/nearest.ts';
import { type Lock, lockOf, lockText, type NodeState, type Origin } from '../../core/lock/lock-format.ts';
import { hostMatcher } from '../../core/lock/match-hosts.ts';
import { type NodeSource, namesIn } from '../../core/lock/node-past.ts';
import { isNodePath } from '../../core/model/resource-path.ts';
import { replaceFile } from '../../system/files/replace-file.ts';
import type { UsedHost } from './host-files.ts';
import { originOf, type ReachOptions, readNodes } from './node-source.ts';

export interface LockOptions extends ReachOptions {
  /** Paths, uids or names of nodes. */
  readonly nodes: readonly string[];
  /** Hosts whose nodes are locked as well. */
  readonly hosts?: readonly UsedHost[];
  /** A base URL, or the folder of a tree or a registry. */
  readonly from: string;
  /** The path of the lock file. By default, the lock file is returned but not written. */
  readonly out?: string | undefined;
}

export interface LockResult {
  readonly file: string | undefined;
  readonly lock: Lock;
  readonly text: string;
}

export async function lock(options: LockOptions): Promise<LockResult> {
  const { nodes: wanted, hosts = [], out: file } = options;
  const origin = originOf(options.from);
  const taken = await readNodes(origin, options, async (source) => {
    const used = hosts.length > 0 ? await pathsOf(hosts, source) : [];
    const found = await Promise.all([...wanted, ...used].map((given) => findNode(given, source)));
    const nodes = [...new Map(found.map((node) => [node.path, node])).values()];
    return lockOf(relativeOrigin(origin, file), source.revision(), nodes);
  });
  const text = lockText(taken);
  if (file !== undefined) replaceFile('', file, text);
  return { file, lock: taken, text };
}

/** Makes folders relative to the lock file, so that both can be moved together. */
export function relativeOrigin(origin: Origin, file: string | undefined): Origin {
  if (origin.kind === 'url') return origin;
  const path = relative(file === undefined ? '.' : dirname(file), resolve(origin.place));
  return { ...origin, place: path.split(sep).join('/') || '.' };
}

/** Finds one node by path, uid or name. Fails unless exactly one node matches. */
async function findNode(given: string, source: NodeSource): Promise<NodeState> {
  const path = given.replace(/^\/|\/$/g, '');
  const atPath = isNodePath(path) ? await source.node(path) : undefined;
  if (atPath) return atPath;
  const found = (await source.called(given)).map((node) => node.path);
  const [only] = found;
  if (only === undefined)
    return fail(finding('unknown-node', { given, nearest: similarNames(given, namesIn(await source.list())) }));
  if (found.length > 1) return fail(finding('ambiguous-node', { given, found }));
  return (await source.node(only)) ?? fail(finding('unknown-node', { given, nearest: [] }));
}

/** Returns the path of each host's node. Fails unless each host matches exactly one node. */
async function pathsOf(hosts: readonly UsedHost[], source: NodeSource): Promise<string[]> {
  const nodes = await source.list();
  const match = hostMatcher(nodes);
  const seen = new Set<string>();
  const matched = hosts
    .filter(({ name }) => !seen.has(name) && seen.add(name))
    .map((host) => ({ ...host, found: match(host.name).map(({ path }) => path) }));
  const wrong = matched.filter(({ found }) => found.length !== 1).slice(0, MOST_FINDINGS_PER_FILE);
  if (wrong.length > 0) {
    const names = namesIn(nodes);
    failAll(
      wrong.map(({ name, found, place }) =>
        found.length > 0
          ? finding('ambiguous-node', { given: name, found }, place())
          : finding('unknown-node', { given: name, nearest: similarNames(name.replace(/\..*/, ''), names) }, place()),
      ),
    );
  }
  return matched.flatMap(({ found }) => found);
}

/** Suggests similar names and uids. If a path is given, compares only its last part. */
function similarNames(given: string, names: readonly string[]): string[] {
  return suggestSimilar(given.replace(/\/$/, '').replace(/^.*\//, ''), names);
}
