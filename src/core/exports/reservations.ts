/**
 * Plans reservations. A scheduler can assign any node whose property has the requested value. A reservation names a
 * node type only if all nodes of this type at the site qualify. Otherwise the reservation names the uid of one node.
 */

import { type Finding, fail, finding } from '../diagnostics/finding.ts';
import { byNaturalOrder } from '../model/json.ts';
import { groupBy } from '../platform/lookups.ts';
import { findField, type QueryFleet } from '../query/columns.ts';
import { ABSENT } from '../table/node-table.ts';
import { isPlainName, type Reservation, reservationByUid, type SnippetNode, type Spread } from './snippet-context.ts';

export interface ReservableNode extends SnippetNode {
  /** Undefined if the node type is missing or not a text. */
  readonly type: string | undefined;
  readonly rack: string | undefined;
}

export function reservableNodes(fleet: QueryFleet): ReservableNode[] {
  const textOf = (field: string) => {
    const { valuesOf } = findField(field, fleet);
    return (row: number) => String(valuesOf(row)[0] ?? '').trim();
  };
  const [siteOf, clusterOf, uidOf] = [textOf('site'), textOf('cluster'), textOf('uid')];
  const [nameOf, rackOf] = [textOf('node_name'), textOf('placement.rack')];
  const types = fleet.column('field', 'node_type');
  return Array.from({ length: fleet.total }, (_, row) => {
    const [site, cluster, uid] = [siteOf(row), clusterOf(row), uidOf(row)];
    // A scheduler stores a list as another kind of property, so only a text can be a reserved node type.
    const type = types?.values[types.rows[row] ?? ABSENT];
    return {
      site,
      cluster,
      uid,
      name: nameOf(row) || uid,
      rack: rackOf(row) || undefined,
      type: typeof type === 'string' && type.trim() !== '' ? type : undefined,
    };
  });
}

export interface ReservationRequest {
  readonly count: number | 'all';
  /** Whether to keep the given order of nodes. By default, nodes are sorted by site and name. */
  readonly keepsOrder?: boolean | undefined;
  /** The chosen nodes alternate between these places. Undefined if the nodes need not alternate. */
  readonly spread?: Spread | undefined;
  /** Returns the hardware profile of a node as a text. If this option is set, chosen nodes have equal profiles. */
  readonly hardwareOf?: ((node: ReservableNode) => string) | undefined;
}

export interface ReasonedReservation extends Reservation {
  readonly nodes: readonly ReservableNode[];
  /** The reason why the reservation names a node type or a uid. */
  readonly reason: string;
}

/** Throws a Failure if fewer nodes qualify than the user requests. `matching` is a subset of `fleet`. */
export function reservationsOf(
  fleet: readonly ReservableNode[],
  matching: readonly ReservableNode[],
  request: ReservationRequest,
): ReasonedReservation[] {
  const { spread, hardwareOf, keepsOrder = false } = request;
  const placed = spread === 'rack' ? matching.filter(({ rack }) => rack !== undefined) : matching;
  const sorted = keepsOrder ? placed : placed.toSorted((a, b) => compareBy(a, b, ['site', 'name', 'uid']));
  const qualifying = hardwareOf ? largestProfile(sorted, hardwareOf, spread) : sorted;
  const count = request.count === 'all' ? qualifying.length : request.count;
  if (qualifying.length < count || count === 0) {
    const args = { count: request.count, qualifying: qualifying.length, matching: matching.length };
    fail(finding('reserve-few', { ...args, spread, isSameHardware: hardwareOf !== undefined }));
  }
  const chosen = chooseInTurn(qualifying, count, spread);
  const isInRacks = spread === 'rack' && groupsOf(chosen, placeOf(spread)).length > 1;
  const difference = isInRacks ? 'be in another rack' : keepsOrder ? 'have another place in the order' : undefined;
  return cover(fleet, new Set(qualifying), chosen, difference);
}

/** Warns if `spread` has no effect. Equal hardware is the cause only if matching nodes are in several places. */
export function spreadFindings(
  chosen: readonly ReservableNode[],
  spread: Spread | undefined,
  isSameHardware: boolean,
  matching?: readonly ReservableNode[],
): Finding[] {
  const isInOnePlace = (nodes: readonly ReservableNode[]) => groupsOf(nodes, placeOf(spread)).length < 2;
  if (spread === undefined || chosen.length < 2 || !isInOnePlace(chosen)) return [];
  const placed = matching?.filter(({ rack }) => spread === 'site' || rack !== undefined);
  const isHardware = isSameHardware && (placed === undefined || !isInOnePlace(placed));
  return [finding('reserve-one-place', { spread, isSameHardware: isHardware })];
}

function compareBy(a: ReservableNode, b: ReservableNode, fields: readonly ('site' | 'name' | 'uid')[]): number {
  for (const field of fields) {
    const order = byNaturalOrder(a[field], b[field]);
    if (order !== 0) return order;
  }
  return 0;
}

/** Prefers the hardware profile with the most sites or racks, and then the profile with the most nodes. */
function largestProfile(
  nodes: readonly ReservableNode[],
  hardwareOf: (node: ReservableNode) => string,
  spread: Spread | undefined,
): readonly ReservableNode[] {
  const sizes = (profile: readonly ReservableNode[]) => [groupsOf(profile, placeOf(spread)).length, profile.length];
  let largest: readonly ReservableNode[] = [];
  let [mostPlaces = 0, mostNodes = 0] = sizes(largest);
  for (const profile of groupsOf(nodes, hardwareOf)) {
    const [places = 0, size = 0] = sizes(profile);
    if (places < mostPlaces || (places === mostPlaces && size <= mostNodes)) continue;
    [largest, mostPlaces, mostNodes] = [profile, places, size];
  }
  return largest;
}

function placeOf(spread: Spread | undefined): (node: ReservableNode) => string {
  return ({ site, rack }) => JSON.stringify(spread === undefined ? [] : spread === 'site' ? [site] : [site, rack]);
}

function chooseInTurn(
  nodes: readonly ReservableNode[],
  count: number,
  spread: Spread | undefined,
): readonly ReservableNode[] {
  const places = groupsOf(nodes, placeOf(spread));
  const turns = places.flatMap((members) => members.map((node, turn) => ({ node, turn })));
  const inTurn = turns.toSorted((a, b) => a.turn - b.turn).slice(0, count);
  const isChosen = new Set(inTurn.map(({ node }) => node));
  return nodes.filter((node) => isChosen.has(node));
}

function cover(
  fleet: readonly ReservableNode[],
  qualifying: ReadonlySet<ReservableNode>,
  chosen: readonly ReservableNode[],
  difference: string | undefined,
): ReasonedReservation[] {
  const ofType = new Map(groupsOf(fleet, typeKey).map((group) => [typeKey(group[0]), group]));
  return groupsOf(chosen, typeKey).flatMap((nodes) => {
    const [{ type, site } = { type: undefined, site: '' }] = nodes;
    const group = ofType.get(typeKey(nodes[0])) ?? nodes;
    const obstacle = obstacleOf(type, group, qualifying, nodes.length < group.length ? difference : undefined);
    if (obstacle === undefined && type !== undefined) {
      const all = group.length === 1 ? 'the only node' : `all ${group.length} nodes`;
      const reason = `${all} of this type at ${site} ${group.length === 1 ? 'qualifies' : 'qualify'}`;
      return [{ property: 'node_type', value: type, nodes, reason } as const];
    }
    return nodes.map((node) => ({ ...reservationByUid(node), nodes: [node], reason: obstacle ?? '' }));
  });
}

/** Returns the reason why a reservation must not name the node type. `difference` describes the other nodes. */
function obstacleOf(
  type: string | undefined,
  group: readonly ReservableNode[],
  qualifying: ReadonlySet<ReservableNode>,
  difference: string | undefined,
): string | undefined {
  if (type === undefined) return 'the node has no node_type that is a text';
  if (!isPlainName(type)) return 'the node_type has characters that are not allowed in commands';
  const count = group.filter((node) => qualifying.has(node)).length;
  if (count < group.length) {
    const verb = count === 1 ? 'qualifies' : 'qualify';
    return `only ${count} of the ${group.length} nodes of type ${type} ${verb}, so a reservation of the type could give another node`;
  }
  if (group.some((node) => node.type !== type)) return `the node_type ${type} has several spellings`;
  return difference === undefined ? undefined : `another node of type ${type} can ${difference}`;
}

/** Returns a key for the site and the type. The key ignores case and outer spaces, as some databases do. */
function typeKey(node: ReservableNode | undefined): string {
  return JSON.stringify([node?.site, node?.type?.trim().toLowerCase()]);
}

export function groupsOf<T>(nodes: readonly T[], keyOf: (node: T) => string): [T, ...T[]][] {
  return [...groupBy(nodes, keyOf).values()];
}
