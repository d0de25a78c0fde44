import {
  type Finding,
  failAll,
  finding,
  MOST_FINDINGS_PER_FILE,
  withWarnings,
} from '../../core/diagnostics/finding.ts';
import { suggestSimilar } from '../../core/diagnostics/nearest.ts';
import { shownText } from '../../core/exports/hardware-table.ts';
import {
  groupsOf,
  type ReasonedReservation,
  type ReservableNode,
  type ReservationRequest,
  reservableNodes,
  reservationsOf,
  spreadFindings,
} from '../../core/exports/reservations.ts';
import { blazarFilter, type Spread } from '../../core/exports/snippet-context.ts';
import { hostMatcher } from '../../core/lock/match-hosts.ts';
import { classDigests } from '../../core/model/class-digests.ts';
import { differingFields } from '../../core/model/fields/differing-fields.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { NODE } from '../../core/model/kinds.ts';
import { nodePath } from '../../core/model/node-path.ts';
import { groupBy, itemAt } from '../../core/platform/lookups.ts';
import { readHostLines } from '../lock/host-files.ts';
import { alignedLines } from './describe-found.ts';
import type { Choice } from './find.ts';
import type { FleetSource } from './fleet-source.ts';

export interface ReserveOptions {
  readonly reserve: number | 'all';
  /** Whether to choose nodes in the order of the search. By default, nodes are first sorted by site and name. */
  readonly keepsOrder?: boolean | undefined;
  readonly spread?: Spread | undefined;
  readonly sameHardware?: boolean | undefined;
  /** Files with one host name or uid per line, or `-` for standard input. The listed nodes are not reserved. */
  readonly exclude?: readonly string[] | undefined;
}

const COLUMNS = ['node_name', 'node_type'];

export function reservationChoice(options: ReserveOptions): Choice {
  const { reserve, spread, exclude = [], sameHardware, keepsOrder } = options;
  return {
    fields: spread === 'rack' ? [...COLUMNS, 'placement.rack'] : COLUMNS,
    choose: async (found, source) => {
      const fleet = reservableNodes(found.fleet);
      const { excluded, warnings } = nodesInFiles(exclude, fleet);
      const findings = [...found.findings, ...warnings];
      const rows = found.rows.filter((row) => !excluded.has(itemAt(fleet, row)));
      const matching = rows.map((row) => itemAt(fleet, row));
      const profiled = sameHardware === true ? await profiledNodes(rows, matching, source) : [];
      const profiles = new Map(profiled.map(({ node, profile }) => [node, profile]));
      const hardwareOf = sameHardware === true ? (node: ReservableNode) => profiles.get(node) ?? '' : undefined;
      const request: ReservationRequest = { count: reserve, spread, hardwareOf, keepsOrder };
      const rowOf = new Map(rows.map((row) => [itemAt(fleet, row), row]));
      const withProfiles = () => [...findings, ...unequalTypes(profiled)];
      const reservations = withWarnings(withProfiles, () => reservationsOf(fleet, matching, request));
      const chosen = reservations.flatMap(({ nodes }) => nodes);
      return {
        reservations,
        rows: chosen.flatMap((node) => rowOf.get(node) ?? []),
        findings: [...findings, ...spreadFindings(chosen, spread, sameHardware === true, matching)],
      };
    },
  };
}

const HEAD = ['site', 'nodes', 'property', 'value', 'name', 'reason'];

export function reservationLines(reservations: readonly ReasonedReservation[]): Iterable<string> {
  return alignedLines([HEAD, ...reservations.map(lineOf)]);
}

function lineOf({ property, value, nodes, reason }: ReasonedReservation): string[] {
  const { site, name } = itemAt(nodes, 0);
  return [site, String(nodes.length), property, value, property === 'uid' ? name : '-', reason].map(shownText);
}

export function reservationRecord(reservation: ReasonedReservation): object {
  const { property, value, nodes, reason } = reservation;
  return {
    site: itemAt(nodes, 0).site,
    count: nodes.length,
    property,
    value,
    resource_properties: blazarFilter(reservation),
    reason,
    nodes: nodes.map(({ cluster, uid, name }) => ({ cluster, uid, node_name: name })),
  };
}

interface ProfiledNode {
  readonly node: ReservableNode;
  readonly body: JsonObject;
  /** A digest of the hardware fields. Nodes with equal digests have equal hardware. */
  readonly profile: string;
}

async function profiledNodes(
  rows: readonly number[],
  nodes: readonly ReservableNode[],
  source: FleetSource,
): Promise<ProfiledNode[]> {
  const states = await source.nodesAt(rows);
  return nodes.map((node, i) => {
    const { body } = itemAt(states, i);
    return { node, body, profile: classDigests(NODE, body).hardware ?? '' };
  });
}

/** Compares the two most frequent hardware profiles of each node type at each site. */
function unequalTypes(nodes: readonly ProfiledNode[]): Finding[] {
  return groupsOf(nodes, ({ node }) => JSON.stringify([node.site, node.type])).flatMap((ofType) => {
    const profiles = groupsOf(ofType, ({ profile }) => profile).toSorted((a, b) => b.length - a.length);
    const [one, other] = profiles.map((group) => itemAt(group, 0));
    if (!one || !other || one.node.type === undefined) return [];
    const fields = differingFields(NODE, one.body, other.body).filter((field) => field.class === 'hardware');
    return finding('reserve-profiles', {
      type: one.node.type,
      site: one.node.site,
      profiles: profiles.length,
      names: [one.node.name, other.node.name],
      fields: fields.map(({ field }) => field),
    });
  });
}

interface ExcludedNodes {
  readonly excluded: ReadonlySet<ReservableNode>;
  readonly warnings: readonly Finding[];
}

/** Warns about hosts that match no node, such as removed nodes. Fails if no host in the files matches a node. */
function nodesInFiles(files: readonly string[], fleet: readonly ReservableNode[]): ExcludedNodes {
  const byPath = new Map<string, ReservableNode>(fleet.map((node) => [nodePath(node), node]));
  const sites = fleet.map(({ site }) => site);
  const match = hostMatcher(
    [...byPath].map(([path, { name }]) => ({ path, name })),
    sites,
  );
  // A file of OAR lists each host once per core.
  const named = [...groupBy(files.flatMap(readHostLines), ({ name }) => name)].map(([name, [{ place }]]) => ({
    name,
    place,
    found: match(name),
  }));
  const unknown = named.filter(({ found }) => found.length === 0);
  const names = fleet.flatMap(({ name, uid }) => [name, uid]);
  const code = unknown.length === named.length ? 'reserve-exclude' : 'reserve-exclude-unknown';
  const warnings = unknown
    .slice(0, MOST_FINDINGS_PER_FILE)
    .map(({ name, place }) =>
      finding(code, { name, nearest: suggestSimilar(name.replace(/\..*/, ''), names) }, place()),
    );
  if (code === 'reserve-exclude' && warnings.length > 0) failAll(warnings);
  const excluded = new Set(named.flatMap(({ found }) => found.flatMap(({ path }) => byPath.get(path) ?? [])));
  return { excluded, warnings };
}
