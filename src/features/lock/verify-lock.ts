import { dirname, isAbsolute, join, resolve } from 'node:path';
import { type Finding, fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { labelSteps } from '../../core/lock/label-steps.ts';
import { readLockFile } from '../../core/lock/lock-file.ts';
import type { Lock, LockedNode, Origin } from '../../core/lock/lock-format.ts';
import { type NodeVerdict, verdictOn } from '../../core/lock/lock-verdict.ts';
import type { NodeSource } from '../../core/lock/node-source.ts';
import { bodyDigest } from '../../core/model/digest.ts';
import { classNames, classSet, type FieldClass } from '../../core/model/field-classes.ts';
import { lastSegment } from '../../core/model/resource-path.ts';
import type { RevisionName } from '../../core/model/revision.ts';
import { FILE_BYTES } from '../../core/platform/limits.ts';
import { groupBy } from '../../core/platform/lookups.ts';
import { readPlainFile } from '../../system/files/file-io.ts';
import { realPlace } from '../../system/files/real-place.ts';
import { reading } from '../../system/files/system-errors.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { inputFindings } from '../sources/input-findings.ts';
import { originOf, readNodes } from './node-source.ts';
import type { ReachOptions } from './published-source.ts';

export interface LockFileOptions extends ReachOptions {
  readonly file: string;
  /** The registry, tree or service to read from. The default is the origin in the lock file. */
  readonly against?: string | undefined;
  /** Called before a request to a server that the lock file names. Not called for servers that the user names. */
  readonly onNamed?: (place: string) => void;
}

export interface VerifyOptions extends LockFileOptions {
  /** The field classes to verify. A node fails if a field of these classes changed. */
  readonly class: readonly FieldClass[];
}

export interface VerifyResult {
  readonly ok: boolean;
  readonly against: Origin;
  readonly classes: readonly FieldClass[];
  /** The revision in the lock file. The verification compares the nodes at this revision with the nodes at `to`. */
  readonly from: RevisionName;
  readonly to: RevisionName;
  readonly nodes: readonly NodeVerdict[];
  /** The removed nodes whose unchanged data is at another path now, for example after a rename of the site. */
  readonly moved?: readonly MovedNode[] | undefined;
  /** The history start, if the tree omits revisions that the verification needs. */
  readonly history_since?: string | undefined;
}

interface MovedNode {
  readonly from: string;
  readonly to: string;
}

/** Verifies a lock file. Fails if the lock file cannot be verified completely. */
export async function verifyLock(options: VerifyOptions): Promise<VerifyResult> {
  try {
    return await verifyAgainst(options);
  } catch (error) {
    return failAll([...(await inputFindings(error)), finding('not-verified', {})]);
  }
}

async function verifyAgainst(options: VerifyOptions): Promise<VerifyResult> {
  const classes = classSet(options.class);
  const lock = readLock(options.file);
  const against = originOfLock(lock, options);
  const { to, nodes, moved, history_since } = await readNodes(against, options, async (source) => {
    source.prepare?.(
      lock.nodes.map(({ path }) => path),
      [],
    );
    const verdicts = lock.nodes.map((node) => verdictOn(node, { lock, source, classes, stepsOf: labelSteps }));
    const nodes = await Promise.all(verdicts);
    rejectContradiction(lock, source.revision(), { nodes, place: against.place });
    const isUnknown = nodes.some(({ revisions }) => revisions === undefined);
    const history_since = isUnknown ? await source.historySince() : undefined;
    const removed = lock.nodes.filter((_, i) => nodes[i]?.status === 'removed');
    const moved = removed.length > 0 ? await movedNodes(removed, source) : [];
    return { nodes, to: source.revision(), moved: moved.length > 0 ? moved : undefined, history_since };
  });
  const ok = !nodes.some(({ fails }) => fails);
  return { ok, against, classes: classNames(classes), from: lock.revision, to, nodes, moved, history_since };
}

async function movedNodes(removed: readonly LockedNode[], source: NodeSource): Promise<MovedNode[]> {
  const byUid = groupBy(await source.list(), ({ path }) => lastSegment(path));
  const pairs = removed.flatMap((node) => (byUid.get(node.uid) ?? []).map(({ path }) => ({ node, path })));
  source.prepare?.(
    pairs.map(({ path }) => path),
    [],
  );
  const found = pairs.map(async ({ node, path }) => {
    const now = await source.node(path);
    return now && bodyDigest(now.body) === node.digest ? [{ from: node.path, to: path }] : [];
  });
  return (await Promise.all(found)).flat();
}

/** Fails if the place and the lock file have the same revision, but different nodes. */
function rejectContradiction(
  { revision: { id } }: Lock,
  to: RevisionName,
  { nodes, place }: { readonly nodes: readonly NodeVerdict[]; readonly place: string },
): void {
  const different = to.id === id ? nodes.filter(({ status }) => status !== 'same') : [];
  const names = different.map(({ node_name, uid }) => node_name ?? uid);
  if (names.length > 0) fail(finding('lock-contradiction', { names, place, id }));
}

/**
 * Warns if removed nodes have another path now, if the place has an older revision than the lock file, or if it
 * contains no locked node.
 */
export function lockWarnings(result: VerifyResult): Finding[] {
  const { ok, against, from, to, nodes, moved: [first, ...others] = [], history_since } = result;
  const { place } = against;
  if (ok) return [];
  if (first) return [finding('lock-moved', { ...first, count: others.length + 1 })];
  const [locked, shown] = [from.date, to.date].map((date) => date?.slice(0, 'YYYY-MM-DD'.length));
  // A place that contains a locked body, or the removal of a locked node, is not too old, even if dates decrease.
  const isKnown = nodes.some(({ fields, removal }) => fields?.length || removal);
  if (!isKnown && locked !== undefined && shown !== undefined && shown < locked)
    return [finding('lock-later', { place, locked, shown })];
  const isUnknown = ({ status, revisions = [] }: NodeVerdict) => status === 'removed' && revisions.length === 0;
  return history_since === undefined && nodes.every(isUnknown) ? [finding('lock-elsewhere', { place })] : [];
}

export function readLock(file: string): Lock {
  const bytes = reading(file, () => readPlainFile(file, FILE_BYTES));
  const read = readLockFile(file, bytes, packagedChecks('lock'));
  return read.findings ? failAll(read.findings) : read.value;
}

/**
 * Returns the given origin, or the origin in the lock file. A folder in a lock file is relative to its folder. The
 * explorer writes absolute paths.
 */
export function originOfLock({ from: { kind, place } }: Lock, { file, against, onNamed }: LockFileOptions): Origin {
  if (against !== undefined) return originOf(against);
  const origin = originOf(kind === 'url' || isAbsolute(place) ? place : join(folderOf(file), place));
  if (origin.kind === 'url') onNamed?.(origin.place);
  return origin;
}

function folderOf(file: string): string {
  const real = realPlace(file);
  return dirname(real === resolve(file) ? file : real);
}
