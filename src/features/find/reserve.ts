import { Failure, type Finding, failAll, finding, MOST_FINDINGS_PER_FILE } from '../../core/diagnostics/finding.ts';
import { suggestSimilar } from '../../core/diagnostics/nearest.ts';
import { shownText } from '../../core/exports/hardware-table.ts';
import {
  type ReasonedReservation,
  type ReservableNode,
  type ReservationRequest,
  reservableNodes,
  reservationsOf,
} from '../../core/exports/reservations.ts';
import { blazarFilter, type Spread } from '../../core/exports/snippet-context.ts';
import { classDigests } from '../../core/model/class-digests.ts';
import { NODE } from '../../core/model/kinds.ts';
import { getOrCreate, itemAt } from '../../core/platform/lookups.ts';
import { readPlainFile } from '../../system/files/file-io.ts';
import { reading } from '../../system/files/system-errors.ts';
import { alignedLines } from './describe-found.ts';
import type { Choice } from './find.ts';
import type { FleetSource } from './fleet-source.ts';

export interface ReserveOptions {
  readonly reserve: number | 'all';
  readonly spread?: Spread | undefined;
  readonly sameHardware?: boolean | undefined;
  /** A file with one name or uid per line. These nodes are not reserved. */
  readonly exclude?: string | undefined;
}

const MAX_FILE_BYTES = 10_000_000;
const COLUMNS = ['node_name', 'node_type'];

export function reservationChoice({ reserve, spread, exclude, sameHardware }: ReserveOptions): Choice {
  return {
    fields: spread === 'rack' ? [...COLUMNS, 'placement.rack'] : COLUMNS,
    choose: async (found, source) => {
      const fleet = reservableNodes(found.fleet);
      const excluded = exclude === undefined ? new Set<ReservableNode>() : readNames(exclude, fleet);
      const rows = found.rows.filter((row) => !excluded.has(itemAt(fleet, row)));
      const matching = rows.map((row) => itemAt(fleet, row));
      const hardwareOf = sameHardware === true ? await hardwareProfiles(rows, matching, source) : undefined;
      const request: ReservationRequest = { count: reserve, spread, hardwareOf };
      const rowOf = new Map(rows.map((row) => [itemAt(fleet, row), row]));
      const reservations = withWarnings(found.findings, () => reservationsOf(fleet, matching, request));
      return {
        reservations,
        rows: reservations.flatMap(({ nodes }) => nodes.flatMap((node) => rowOf.get(node) ?? [])),
      };
    },
  };
}

/** Adds the warnings about a query to a failure, because they often name its cause. */
function withWarnings<T>(warnings: readonly Finding[], run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof Failure ? new Failure([...warnings, ...error.findings]) : error;
  }
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

/** Nodes with equal digests of their hardware fields have the same hardware. */
async function hardwareProfiles(
  rows: readonly number[],
  nodes: readonly ReservableNode[],
  source: FleetSource,
): Promise<(node: ReservableNode) => string> {
  const states = await source.nodesAt(rows);
  const digests = new Map(nodes.map((node, i) => [node, classDigests(NODE, itemAt(states, i).body).hardware ?? '']));
  return (node) => digests.get(node) ?? '';
}

function readNames(file: string, fleet: readonly ReservableNode[]): Set<ReservableNode> {
  const byName = new Map<string, ReservableNode[]>();
  for (const node of fleet) for (const name of [node.uid, node.name]) getOrCreate(byName, name, () => []).push(node);
  const lines = reading(file, () => readPlainFile(file, MAX_FILE_BYTES).toString('utf8')).split('\n');
  const named = lines.map((line, i) => ({ name: line.trim(), place: { file, line: i + 1 } }));
  const unknown = named.filter(({ name }) => name !== '' && !byName.has(name)).slice(0, MOST_FINDINGS_PER_FILE);
  if (unknown.length > 0) {
    failAll(
      unknown.map(({ name, place }) => {
        return finding('reserve-exclude', { name, nearest: suggestSimilar(name, byName.keys()) }, place);
      }),
    );
  }
  return new Set(named.flatMap(({ name }) => byName.get(name) ?? []));
}
