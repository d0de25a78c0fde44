import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type Finding, fail, failAll, finding, MOST_FINDINGS_PER_FILE } from '../../core/diagnostics/finding.ts';
import { suggestSimilar } from '../../core/diagnostics/nearest.ts';
import { type Lock, lockOf, lockText, type NodeState, type Origin } from '../../core/lock/lock-format.ts';
import { hasOtherDomain, hostMatcher, sitesOf } from '../../core/lock/match-hosts.ts';
import { type ListedNode, type NodeSource, namesIn } from '../../core/lock/node-source.ts';
import { nodePlace } from '../../core/model/node-path.ts';
import { isNodePath, withoutSlashes } from '../../core/model/resource-path.ts';
import type { RevisionName } from '../../core/model/revision.ts';
import { groupBy } from '../../core/platform/lookups.ts';
import { realPlace } from '../../system/files/real-place.ts';
import { replaceFile } from '../../system/files/replace-file.ts';
import type { UsedHost } from './host-files.ts';
import { originOf, readNodes } from './node-source.ts';
import type { ReachOptions } from './published-source.ts';

export interface LockSource extends Pick<NodeSource, 'revision' | 'prepare' | 'node' | 'list' | 'sites'> {
  readonly nodesNamed: (name: string) => Promise<readonly Pick<ListedNode, 'path'>[]>;
  /** Returns the states of several nodes for the lock file. Missing if `node` already returns these states. */
  readonly statesOf?: (paths: readonly string[]) => Promise<readonly NodeState[]>;
}

export type NodeReader = <T>(read: (source: LockSource) => Promise<T>) => Promise<T>;

export interface LockOptions extends ReachOptions {
  readonly nodes: readonly string[];
  /** Hosts of a job or a lease. The lock file contains the nodes of these hosts in addition to `nodes`. */
  readonly hosts?: readonly UsedHost[];
  /** Whether to skip hosts that match no node or several nodes. By default, such a host is an error. */
  readonly skipUnknown?: boolean | undefined;
  readonly from: string;
  /** Reads the nodes of a recorded revision. By default, the nodes are read from the head of `from`. */
  readonly reader?: NodeReader | undefined;
  /** The path of the lock file. By default, the lock file is not written. */
  readonly out?: string | undefined;
}

export interface LockResult {
  readonly file: string | undefined;
  readonly lock: Lock;
  readonly text: string;
  /** The names of the hosts that match no node or several nodes. */
  readonly skipped: readonly string[];
  /** Warnings about skipped hosts, about ended jobs, and about hosts that possibly belong to another testbed. */
  readonly findings: readonly Finding[];
}

export async function lock(options: LockOptions): Promise<LockResult> {
  const { nodes: wanted, hosts = [], out: file, reader } = options;
  const origin = originOf(options.from);
  const isPast = reader !== undefined;
  const readFrom: NodeReader = reader ?? ((read) => readNodes(origin, options, read));
  const { taken, skipped, findings } = await readFrom(async (source) => {
    const used = hosts.length > 0 ? await matchHosts(hosts, source, options) : NO_HOSTS;
    const paths = wanted.map(withoutSlashes).filter(isNodePath);
    const names = wanted.filter((given) => !isNodePath(withoutSlashes(given)));
    source.prepare?.([...paths, ...used.paths], names);
    const all = [...wanted, ...used.paths];
    const states = await Promise.all(all.map((given) => findNode(given, source)));
    // Reports only the first unknown node, because each report searches the names of all nodes.
    const unknown = all.find((_, i) => states[i] === undefined);
    if (unknown !== undefined) await failUnknown(unknown, source, isPast);
    const found = states.filter((state) => state !== undefined);
    const unique = new Map(found.map((node) => [node.path, node]));
    const nodes = source.statesOf ? await source.statesOf([...unique.keys()]) : [...unique.values()];
    return { ...used, taken: lockOf(relativeOrigin(origin, file), source.revision(), nodes) };
  });
  const text = lockText(taken);
  if (file !== undefined) replaceFile('', file, text);
  return { file, lock: taken, text, skipped, findings };
}

/**
 * Returns the path of a folder relative to the lock file. Users can then move both together. The path does not depend on
 * symbolic links in the paths of their parent folders.
 */
export function relativeOrigin(origin: Origin, file: string | undefined): Origin {
  if (origin.kind === 'url') return origin;
  const place = resolve(origin.place);
  const folder = realPlace(file === undefined ? '.' : dirname(file));
  const path = relative(folder, join(realPlace(dirname(place)), basename(place)));
  return { ...origin, place: path.split(sep).join('/') || '.' };
}

/** Finds one node by path, uid or name. Returns undefined if no node matches. Fails if several nodes match. */
async function findNode(given: string, source: LockSource): Promise<NodeState | undefined> {
  const path = withoutSlashes(given);
  const atPath = isNodePath(path) ? await source.node(path) : undefined;
  if (atPath) return atPath;
  const found = (await source.nodesNamed(given)).map((node) => node.path);
  const [only] = found;
  if (only === undefined) return undefined;
  if (found.length > 1) return fail(finding('ambiguous-node', { given, found }));
  return (await source.node(only)) ?? fail(finding('unknown-node', { given, nearest: [] }));
}

async function failUnknown(given: string, source: LockSource, isPast: boolean): Promise<never> {
  const nearest = similarNames(given, namesIn(await source.list()));
  const at = isPast ? source.revision().id : undefined;
  return fail(finding('unknown-node', { given, nearest, at, canBeEarlier: !isPast }));
}

interface MatchedHost extends UsedHost {
  readonly found: readonly ListedNode[];
}

interface MatchedHosts {
  readonly paths: readonly string[];
  readonly skipped: readonly string[];
  readonly findings: readonly Finding[];
}

const NO_HOSTS: MatchedHosts = { paths: [], skipped: [], findings: [] };

/**
 * Fails unless each host matches exactly one node. With `skipUnknown`, skips all other hosts, and fails only if no node
 * remains.
 */
async function matchHosts(
  hosts: readonly UsedHost[],
  source: LockSource,
  { nodes: wanted, skipUnknown = false, reader }: LockOptions,
): Promise<MatchedHosts> {
  const nodes = await source.list();
  const match = hostMatcher(nodes, await source.sites());
  const matched = [...groupBy(hosts, ({ name, isUnbound = false }) => `${isUnbound} ${name}`).values()].map(
    ([host]) => ({ ...host, found: host.isUnbound ? [] : match(host.name) }),
  );
  const locked = matched.filter(({ found }) => found.length === 1);
  const unlocked = matched.filter(({ found }) => found.length !== 1);
  if (unlocked.length > 0 && !(skipUnknown && locked.length + wanted.length > 0)) {
    const day = reader ? undefined : dayBefore(unlocked, source.revision());
    const ambiguous = unlocked.filter(({ found }) => found.length > 1).length;
    const counts = { unknown: unlocked.length - ambiguous, ambiguous, total: matched.length, day };
    failAll([finding('hosts-not-locked', counts), ...hostProblems(unlocked, { match, names: namesIn(nodes) })]);
  }
  return {
    paths: locked.flatMap(({ found }) => found.map(({ path }) => path)),
    skipped: unlocked.map(({ name }) => name),
    findings: [
      ...skipWarnings(unlocked),
      ...(reader ? [] : pastWarnings(locked, source.revision())),
      ...domainWarnings(locked, nodes),
    ],
  };
}

/** Returns the first known day of a host. Returns undefined if this day is not before the date of the revision. */
function dayBefore(hosts: readonly MatchedHost[], { date = '' }: RevisionName): string | undefined {
  const day = hosts.map((host) => host.day).find((each) => each !== undefined);
  return day !== undefined && day < date.slice(0, day.length) ? day : undefined;
}

/** Returns a warning for each file and reason. The warning names the skipped hosts. */
function skipWarnings(unlocked: readonly MatchedHost[]): Finding[] {
  const reasonOf = ({ found, isUnbound }: MatchedHost) =>
    isUnbound ? 'unbound' : found.length > 1 ? 'ambiguous' : 'unknown';
  return [...groupBy(unlocked, ({ file }) => file)].flatMap(([file, hosts]) =>
    [...groupBy(hosts, reasonOf)].map(([reason, of]) =>
      finding('hosts-skipped', { reason, names: of.map(({ name }) => name) }, { file }),
    ),
  );
}

/** Returns one warning for each file with a job, a lease or an experiment that ended before the day of the revision. */
function pastWarnings(locked: readonly MatchedHost[], { date = '' }: RevisionName): Finding[] {
  const revision = date.slice(0, 'YYYY-MM-DD'.length);
  const past = locked.flatMap(({ day, end, file }) =>
    day !== undefined && end !== undefined && end < revision ? [{ day, end, file }] : [],
  );
  return [...groupBy(past, ({ file }) => file)].map(([file, [{ day, end }]]) =>
    finding('hosts-earlier', { day, end, revision }, { file }),
  );
}

/** Reports all unknown hosts of a line in one finding. Hosts of the same line share one function `place`. */
function hostProblems(
  wrong: readonly MatchedHost[],
  { match, names }: { readonly match: ReturnType<typeof hostMatcher>; readonly names: readonly string[] },
): Finding[] {
  const groups = groupBy(wrong, (host) => (host.found.length > 0 ? host : host.place));
  return [...groups.values()].slice(0, MOST_FINDINGS_PER_FILE).map(([host, ...others]) => {
    const { name: given, found, place } = host;
    if (host.isUnbound) return finding('rspec-unbound', { node: given }, place());
    if (found.length > 0) return finding('ambiguous-node', { given, found: found.map(({ path }) => path) }, place());
    if (others.length > 0)
      return finding('unknown-hosts', { names: [given, ...others.map(({ name }) => name)] }, place());
    const short = given.replace(/\..*/, '');
    // The first number of an IP address is not a name.
    const elsewhere = /^[\d.]+$/.test(given) ? [] : match(short).map(({ path }) => path);
    return finding('unknown-node', { given, nearest: similarNames(short, names), elsewhere }, place());
  });
}

/** Returns one warning for each domain with hosts that may belong to another testbed. */
function domainWarnings(matched: readonly MatchedHost[], nodes: readonly ListedNode[]): Finding[] {
  const allSites = sitesOf(nodes);
  const doubtful = matched.filter(({ name, found }) => found.some((node) => hasOtherDomain(name, node, allSites)));
  const byDomain = groupBy(doubtful, ({ name }) => name.slice(name.indexOf('.') + 1).toLowerCase());
  return [...byDomain].slice(0, MOST_FINDINGS_PER_FILE).map(([domain, hosts]) => {
    const sites = hosts.flatMap(({ found }) => found.map(({ path }) => nodePlace(path).site));
    const names = hosts.map(({ name }) => name.slice(0, name.indexOf('.')));
    return finding('host-domain', { domain, hosts: names, sites: [...new Set(sites)] }, hosts[0].place());
  });
}

/** Suggests similar names and uids. Compares only the last part of a path. */
function similarNames(given: string, names: readonly string[]): string[] {
  return suggestSimilar(given.replace(/\/$/, '').replace(/^.*\//, ''), names);
}
