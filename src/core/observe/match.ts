/** Finds the node of a machine: by uid, then serial, then MAC address, then name. */
import { isJsonObject, type JsonObject, objectsIn } from '../model/json.ts';
import { isUuid } from '../model/uid.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { isPlaceholder } from '../registry/fleet/placeholders.ts';
import type { Machine } from './format.ts';
import { isOfBmc } from './pair-parts.ts';
import { ethernetMacOf } from './read-values.ts';
import { isEmptyValue } from './same-meaning.ts';

/** Lists the most reliable key first. */
export const MATCH_KEYS = ['uid', 'serial', 'mac', 'name'] as const;
export type MatchKey = (typeof MATCH_KEYS)[number];

export interface KnownNode {
  readonly path: string;
  readonly uid: string;
  readonly name: string;
  readonly serial: string | undefined;
  readonly macs: readonly string[];
  /** The MAC addresses without the addresses of BMCs. */
  readonly hostMacs: readonly string[];
}

export interface Match {
  readonly node: KnownNode;
  readonly by: MatchKey;
  /** Set if the serial number or the MAC address in the report differs from the one in the registry. */
  readonly conflict?: { readonly key: 'serial' | 'mac'; readonly reported: string; readonly known: string };
}

/** Ignores the case of values, because people type serial numbers and names in another case than tools. */
export interface NodeIndex {
  readonly nodesBy: (key: MatchKey, value: string) => readonly KnownNode[];
}

export function knownNode(path: string, uid: string, name: string, body: JsonObject): KnownNode {
  const { chassis } = body;
  const serial = isJsonObject(chassis) ? chassis['serial'] : undefined;
  const adapters = objectsIn(body['network_adapters']);
  return {
    path,
    uid,
    name,
    serial: serial === undefined || isEmptyValue(serial) || isPlaceholder(serial, true) ? undefined : String(serial),
    macs: adapters.flatMap(({ mac }) => macsOf(mac)),
    hostMacs: adapters.filter((adapter) => !isOfBmc(adapter)).flatMap(({ mac }) => macsOf(mac)),
  };
}

function macsOf(value: unknown): string[] {
  const mac = typeof value === 'string' ? ethernetMacOf(value) : undefined;
  return mac === undefined ? [] : [mac];
}

/** `hasName` selects the nodes that can be found by name, because two sites can use the same name. */
export function indexNodes(nodes: Iterable<KnownNode>, hasName: (node: KnownNode) => boolean): NodeIndex {
  const index = new Map<string, KnownNode[]>();
  const add = (key: MatchKey, value: string, node: KnownNode) => {
    const nodes = getOrCreate(index, keyOf(key, value), () => []);
    if (nodes.at(-1) !== node) nodes.push(node);
  };
  for (const node of nodes) {
    add('uid', node.uid, node);
    if (hasName(node)) for (const name of namesOfNode(node)) add('name', name, node);
    if (node.serial !== undefined) add('serial', node.serial, node);
    for (const mac of node.macs) add('mac', mac, node);
  }
  return { nodesBy: (key, value) => index.get(keyOf(key, value)) ?? [] };
}

function keyOf(key: MatchKey, value: string): string {
  return `${key} ${value.toLowerCase()}`;
}

/** Includes the host name with a final dot. A machine without a domain has this name too. */
function namesOfNode({ name, uid }: KnownNode): string[] {
  return [name, uid, name.replace(/\..*/, '.')];
}

/** The default host names of live systems do not identify a machine. The option -sanitize of lshw writes `computer`. */
const DEFAULT_NAME = /^(localhost\b.*|(computer|ubuntu|ubuntu-server|debian|archiso|sysrescue|grml)(\..*)?)$/;

/** Returns the names in the report and the name of the report file, with and without domains. */
export function namesOf(machine: Machine, fileName: string | undefined): string[] {
  const all = [...machine.names, fileName === undefined || isUuid(fileName) ? undefined : fileName];
  return all.flatMap((name) =>
    name === undefined || DEFAULT_NAME.test(name) ? [] : [...new Set([name, name.split('.')[0] ?? name])],
  );
}

/** Returns undefined if no node matches. Ignores keys that several nodes share. `fileName` has no extension. */
export function matchMachine(machine: Machine, fileName: string | undefined, index: NodeIndex): Match | undefined {
  const uids = [...machine.uids, fileName].filter((uid) => uid !== undefined).filter(isUuid);
  const names = namesOf(machine, fileName);
  const values: Readonly<Record<MatchKey, readonly string[]>> = {
    uid: uids,
    serial: machine.serials,
    mac: (machine.network_adapters ?? []).flatMap(({ mac }) => macsOf(mac)),
    name: names.some((name) => name.includes('.')) ? names : names.flatMap((name) => [name, `${name}.`]),
  };
  let doubtful: Match | undefined;
  for (const by of MATCH_KEYS) {
    const found = values[by].map((value) => index.nodesBy(by, value));
    // The key `name` uses only the first name that belongs to exactly one node. Other keys use all values.
    const node = by === 'name' ? found.find(({ length }) => length === 1)?.[0] : soleNode(found);
    if (!node) continue;
    const conflict = conflictOf({ node, by }, machine, values, index);
    if (!conflict) return { node, by };
    doubtful ??= { node, by, conflict };
    // Another node can have the same serial number, because the machines in one chassis can share it.
    if (by !== 'serial') break;
  }
  return doubtful;
}

/** Returns the node that most values identify uniquely, or undefined if two nodes have equally many values. */
function soleNode(found: readonly (readonly KnownNode[])[]): KnownNode | undefined {
  const counts = new Map<KnownNode, number>();
  for (const [node, ...others] of found) if (node && others.length === 0) counts.set(node, (counts.get(node) ?? 0) + 1);
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a);
  return first && first[1] !== second?.[1] ? first[0] : undefined;
}

function conflictOf(
  { node, by }: Match,
  machine: Machine,
  { serial: serials, mac: macs, name: names }: Readonly<Record<MatchKey, readonly string[]>>,
  index: NodeIndex,
): Match['conflict'] {
  const [reported] = serials;
  const known = node.serial;
  if (by === 'uid') {
    const owner = soleNode(serials.map((serial) => index.nodesBy('serial', serial)));
    if (!owner || owner === node || reported === undefined) return undefined;
    return { key: 'serial', reported, known: known ?? `none; ${owner.name} has it` };
  }
  if (by !== 'serial' && reported !== undefined && known !== undefined)
    return serials.some((serial) => isSameText(serial, known)) ? undefined : { key: 'serial', reported, known };
  const isKnown =
    names.length === 0 || namesOfNode(node).some((known) => names.some((name) => isSameText(name, known)));
  const isDoubtful = by === 'serial' ? machine.listsAdapters && !isKnown : by === 'name';
  return isDoubtful && !macs.some((mac) => node.macs.includes(mac)) ? otherAddress(node, machine) : undefined;
}

/** Returns undefined if the node or the report contains only the adapter of a BMC. */
function otherAddress(
  { hostMacs: [known] }: KnownNode,
  { network_adapters: adapters = [] }: Machine,
): Match['conflict'] {
  const [reported] = adapters.filter(({ management }) => management !== true).flatMap(({ mac }) => macsOf(mac));
  return reported === undefined || known === undefined ? undefined : { key: 'mac', reported, known };
}

function isSameText(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
