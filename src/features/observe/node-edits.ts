/** Matches machines to nodes, merges their fields, and creates new nodes if requested. */
import { randomUUID } from 'node:crypto';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { changesOfBodies } from '../../core/history/changes-between.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { kindNamed } from '../../core/model/kinds.ts';
import { lastSegment } from '../../core/model/resource-path.ts';
import { isUuid, uidProblem } from '../../core/model/uid.ts';
import { quantityText } from '../../core/model/units.ts';
import { type Machine, PART_LISTS, type WeakReason } from '../../core/observe/format.ts';
import {
  indexNodes,
  knownNode,
  MATCH_KEYS,
  type Match,
  type MatchKey,
  matchMachine,
  namesOf,
} from '../../core/observe/match.ts';
import { type Merged, mergeMachine } from '../../core/observe/merge.ts';
import { getOrThrow } from '../../core/platform/lookups.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { UID_CODES } from '../../core/registry/rules.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { nodesAt } from '../edit/add-nodes.ts';
import type { BodyEdit } from '../edit/apply-edits.ts';
import { type FoundResource, findSite, isNodeAt, requireCluster, resourcesOf } from '../edit/find-resource.ts';
import { type Source, sourceAt } from '../edit/site-sources.ts';
import { type DifferingResource, differingResources } from '../revisions/differing-resources.ts';
import type { Worktree } from '../sources/load-worktree.ts';
import type { Observation } from './observations.ts';

export interface NodeChoices {
  /** Whether to create a new node for each machine that matches no node. */
  readonly add: boolean;
  /** Whether to accept a machine if the matching node has another serial number or MAC address. */
  readonly accept: boolean;
  /** The site of new nodes, and of nodes that are found by name. `cluster` is their cluster. */
  readonly site?: string | undefined;
  readonly cluster?: string | undefined;
}

interface NodeEdits {
  readonly names: readonly string[];
  readonly sources: readonly Source[];
  readonly added: readonly DifferingResource[];
  readonly changed: readonly BodyEdit[];
  readonly matched: Readonly<Record<MatchKey, number>>;
  readonly findings: readonly Finding[];
}

export function editsOf(observations: readonly Observation[], options: NodeChoices, worktree: Worktree): NodeEdits {
  if (options.site !== undefined) findSite(options.site, worktree);
  if (options.cluster !== undefined) requireCluster(options.cluster, options.site, worktree);
  const nodes = new Map(resourcesOf(['node'], worktree).map((node) => [node.subject.path, node]));
  const known = [...nodes].map(([path, { name, body }]) => knownNode(path, lastSegment(path), name, body));
  const index = indexNodes(known, ({ path }) => isNodeAt(path, options.site, options.cluster));
  const pairs = observations.map((observation) => ({
    observation,
    match: matchMachine(observation.machine, observation.name, index),
  }));
  const findings: Finding[] = [];
  const matched: Record<MatchKey, number> = { uid: 0, serial: 0, mac: 0, name: 0 };
  const merges: NamedMerge[] = [];
  const changed: BodyEdit[] = [];
  const claimed = new Map<string, string>();
  for (const { observation, match } of pairs.toSorted((a, b) => rankOf(a.match) - rankOf(b.match))) {
    if (!match) continue;
    const problem = problemOf(observation, match, claimed, options.accept);
    if (problem) {
      findings.push(problem);
      continue;
    }
    const { subject, body, name } = getOrThrow(nodes, match.node.path);
    claimed.set(subject.path, observation.file);
    matched[match.by]++;
    const merged = mergeMachine(body, isExchange(match) ? withAllParts(observation.machine) : observation.machine);
    merges.push([name, merged]);
    if (merged.otherMemory) findings.push(memoryFinding(name, merged.otherMemory, observation.file));
    changed.push({ subject, before: body, after: merged.body });
  }
  const added = newNodes(
    pairs.flatMap(({ observation, match }) => (match ? [] : [observation])),
    options,
    worktree,
    [...nodes.values()],
  );
  return {
    names: added.names,
    sources: added.sources,
    added: differingResources(changesOfBodies(new Map(), added.bodies, worktree.kinds)),
    changed,
    matched,
    findings: [...findings, ...added.findings, ...substituteFindings([...merges, ...added.merges])],
  };
}

function rankOf(match: Match | undefined): number {
  return match === undefined ? MATCH_KEYS.length : MATCH_KEYS.indexOf(match.by);
}

function problemOf(
  { file }: Observation,
  { node, by, conflict }: Match,
  claimed: ReadonlyMap<string, string>,
  isAccepted: boolean,
): Finding | undefined {
  const other = claimed.get(node.path);
  if (other !== undefined) return finding('observe-twice', { node: node.name, other }, { file });
  if (!conflict || isAccepted) return undefined;
  const { key, reported, known } = conflict;
  return finding('observe-moves', { node: node.name, by: KEYS[by], key: KEYS[key], reported, known }, { file });
}

/** A machine with the same MAC address but another serial number can be the same machine with another board. */
function isExchange({ by, conflict }: Match): boolean {
  return conflict !== undefined && by !== 'mac';
}

/** The parts of the old machine are not in the new one, even if the report of the new one can lack parts. */
function withAllParts(machine: Machine): Machine {
  return { ...machine, completeLists: PART_LISTS, omitsVolumes: false };
}

const KEYS: Readonly<Record<MatchKey, string>> = {
  uid: 'uid',
  serial: 'serial number',
  mac: 'MAC address',
  name: 'name',
};

function memoryFinding(node: string, { stated, reported }: NonNullable<Merged['otherMemory']>, file: string): Finding {
  const [one, other] = [stated, reported].map((size) => quantityText(size, 'B'));
  return finding('observe-memory', { node, stated: one ?? '', reported: other ?? '' }, { file });
}

/** The name of a node, and the result of its merge. Names are not unique, because two sites can use the same name. */
type NamedMerge = readonly [name: string, merged: Merged];

interface NewNodes {
  readonly names: string[];
  readonly sources: Source[];
  readonly bodies: Map<string, JsonObject>;
  readonly merges: NamedMerge[];
  readonly findings: Finding[];
}

function newNodes(
  observations: readonly Observation[],
  { add, site, cluster }: NodeChoices,
  worktree: Worktree,
  nodes: readonly FoundResource[],
): NewNodes {
  const collection = lazily(() => nodesAt(site, cluster, worktree));
  const taken = {
    names: lazily(() => {
      const [, ofSite] = collection().split('/');
      return new Set(nodes.filter(({ subject }) => isNodeAt(subject.path, ofSite, undefined)).map(({ name }) => name));
    }),
    uids: new Set(nodes.map(({ subject }) => lastSegment(subject.path))),
  };
  const machines: { readonly machine: Machine; readonly name: string; readonly file: string }[] = [];
  const made: NewNodes = { names: [], sources: [], bodies: new Map(), merges: [], findings: [] };
  for (const { machine, file, name: fileName } of observations) {
    const [name] = namesOf(machine, fileName);
    if (!add) {
      const known = name ?? machine.serials[0] ?? file;
      made.findings.push(finding('observe-no-node', { machine: `"${known}"` }, { file }));
      continue;
    }
    const same = machines.find((each) => isSameMachine(each.machine, machine));
    if (same) {
      made.findings.push(finding('observe-twice', { node: same.name, other: same.file }, { file }));
      continue;
    }
    const node = newNode(name, fileName, worktree, taken);
    if ('code' in node) {
      made.findings.push({ ...node, place: { file } });
      continue;
    }
    machines.push({ machine, name: node.name, file });
    taken.names().add(node.name);
    taken.uids.add(node.uid);
    const merged = mergeMachine(node.body, machine);
    made.names.push(node.name);
    made.merges.push([node.name, merged]);
    const path = `${collection()}/${node.uid}`;
    made.bodies.set(path, merged.body);
    made.sources.push(sourceAt(path, encodeYaml(merged.body)));
  }
  return made;
}

/** Two machines in one chassis can have the same serial number, but not the same MAC address. */
function isSameMachine(one: Machine, other: Machine): boolean {
  // Each new machine is compared with all others, so the fast comparison is first.
  if (!one.serials.some((serial) => other.serials.includes(serial))) return false;
  const macs = new Set(one.network_adapters?.map(({ mac }) => mac));
  return other.network_adapters?.some(({ mac }) => mac !== undefined && macs.has(mac)) ?? false;
}

/** Returns a new node. If the file name of the report is a UUID, this UUID becomes the uid of the node. */
function newNode(
  name: string | undefined,
  fileName: string | undefined,
  { configuration: { node_uid: rule } }: Worktree,
  taken: { readonly names: () => ReadonlySet<string>; readonly uids: ReadonlySet<string> },
): { readonly uid: string; readonly name: string; readonly body: JsonObject } | Finding {
  const given = fileName !== undefined && isUuid(fileName) ? fileName : undefined;
  const uid = rule === 'uuid' ? (given ?? randomUUID()) : name;
  if (uid === undefined || (name === undefined && given === undefined)) return finding('observe-no-name', {});
  if (rule === 'uuid' && taken.uids.has(uid)) return finding('observe-uid-taken', { uid });
  if (taken.names().has(name ?? uid)) return finding('observe-taken', { name: name ?? uid });
  const problem = uidProblem(uid, kindNamed('node'), rule);
  if (problem) return finding(UID_CODES[problem], { uid });
  const body = { type: 'node', uid, ...(name === undefined || uid === name ? {} : { node_name: name }) };
  return { uid, name: name ?? uid, body };
}

const SUBSTITUTES: Readonly<Record<WeakReason, { readonly what: string; readonly instead: string }>> = {
  kernel: {
    what: 'main_memory.ram_size is what the kernel can use, because the reports lack the installed size',
    instead:
      'It is about 2 % too small, and later reports do not correct it. Query label.ram, or correct it with gridpress set.',
  },
  configured: {
    what: 'main_memory.ram_size is what Slurm is configured to use, because it does not know the installed size',
    instead: 'Correct it, or observe other reports too, such as the output of lshw.',
  },
  'pci-id': {
    what: 'models are PCI ids, such as 0x16d7',
    instead: 'Name a file pci.ids with --pci-ids, such as /usr/share/misc/pci.ids.',
  },
};

function substituteFindings(merges: readonly NamedMerge[]): Finding[] {
  const reasons: readonly WeakReason[] = ['kernel', 'configured', 'pci-id'];
  return reasons.flatMap((reason) => {
    const machines = merges.flatMap(([name, { substitutes }]) => (substitutes.has(reason) ? [name] : []));
    return machines.length > 0 ? [finding('observe-substitute', { machines, ...SUBSTITUTES[reason] })] : [];
  });
}
