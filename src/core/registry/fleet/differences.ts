/**
 * Compares each node with the values that most nodes of its type have. If no value has a majority, one finding lists
 * all values and their nodes. The order of array items does not matter.
 */

import { assertDefined, getOrCreate, itemAt } from '../../platform/lookups.ts';
import { type Cell, type Column, cellAt, type StatedValue, type TypeColumns } from './columns.ts';
import { areNearSizes, isToleratedSize, LEAST_BYTES, textKey } from './equalities.ts';
import type { FleetNode, NodeDifference, Presence, Split } from './fact.ts';
import { EXPECTED_CLASSES, isPlaceholder } from './placeholders.ts';
import { isUnique } from './shared-values.ts';

interface Reading {
  readonly node: number;
  readonly key: string;
  readonly distinct: ReadonlySet<string>;
  /** Whether every item of the array contains the field. Items without the field count as unknown. */
  readonly isComplete: boolean;
  readonly items: number;
  readonly value: string;
}

interface ValueGroup {
  readonly first: Reading;
  readonly readings: Reading[];
}

/** If at least this many nodes all have different values, the differences are expected and not reported. */
const LEAST_TO_VARY = 3;

export function nodeDifferences({ nodeType, members, columns }: TypeColumns): (NodeDifference | Split)[] {
  if (nodeType === undefined || members.length < 2) return [];
  return columns.flatMap((column): (NodeDifference | Split)[] => {
    if (column.rule.class !== 'hardware' || isUnique(column)) return [];
    const same = comparisonKeys(column);
    const readings = readingsOf(column, same);
    const valueGroups = valueGroupsOf(readings);
    const [usual, ...odd] = valueGroups;
    if (!usual || odd.length === 0) return [];
    if (usual.readings.length === 1 && readings.length >= LEAST_TO_VARY) return [];
    const { field, isCount } = column;
    const groups = valueGroups.map((group) => ({ value: textOf(group), members: membersOf(group, members) }));
    if (usual.readings.length * 2 <= readings.length) {
      const all = readings.map(({ node }) => itemAt(members, node));
      return [{ check: 'difference', kind: 'split', field, isCount, members: all, valueGroups: groups }];
    }
    return groups
      .slice(1)
      .map((group) => ({
        check: 'difference',
        kind: 'difference',
        field,
        isCount,
        ...group,
        usual: textOf(usual),
        isReportedValue: (value) => isScalar(value) && !usual.first.distinct.has(same(value)),
      }));
  });
}

function membersOf({ readings }: ValueGroup, members: readonly FleetNode[]): FleetNode[] {
  const nodes = readings.map(({ node }) => node).sort((a, b) => a - b);
  return nodes.map((node) => itemAt(members, node));
}

function isScalar(value: unknown): value is StatedValue {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function readingsOf(column: Column, same: (value: StatedValue) => string): Reading[] {
  const readings: Reading[] = [];
  for (const [node, cell] of [...column.cells].sort((a, b) => a[0] - b[0])) {
    const values = cell.values.filter((value) => !isPlaceholder(value));
    if (values.length > 0) readings.push(readingOf(node, values, cellAt(column.holder, node), same));
  }
  return readings;
}

function readingOf(
  node: number,
  values: readonly StatedValue[],
  holder: Cell | undefined,
  same: (value: StatedValue) => string,
): Reading {
  const items = holder?.items ?? 1;
  const [only] = values;
  if (values.length === 1 && only !== undefined) {
    const key = same(only);
    return { node, key, distinct: new Set([key]), isComplete: items <= 1, items, value: shown(only) };
  }
  const counts = new Map<string, { count: number; readonly value: string }>();
  for (const value of values) {
    getOrCreate(counts, same(value), () => ({ count: 0, value: shown(value) })).count++;
  }
  const inOrder = [...counts].sort((a, b) => b[1].count - a[1].count || (a[0] < b[0] ? -1 : 1));
  return {
    node,
    key: inOrder.map(([key, { count }]) => `${count}×${key}`).join('\0'),
    distinct: new Set(counts.keys()),
    isComplete: values.length >= items,
    items,
    value: inOrder.map(([, { count, value }]) => (count > 1 ? `${count} × ${value}` : value)).join(', '),
  };
}

function textOf({ readings }: ValueGroup): string {
  const counts = new Map<string, number>();
  for (const { value } of readings) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [most] = itemAt(
    [...counts].sort((a, b) => b[1] - a[1]),
    0,
  );
  return most;
}

/** Groups the readings that agree with each other. The largest group comes first. */
function valueGroupsOf(readings: readonly Reading[]): ValueGroup[] {
  const byKey = new Map<string, Reading[]>();
  for (const reading of readings) getOrCreate(byKey, reading.key, (): Reading[] => []).push(reading);
  const valueGroups: ValueGroup[] = [];
  for (const alike of [...byKey.values()].sort((a, b) => b.length - a.length)) {
    const [first] = alike;
    if (!first) continue;
    const known = valueGroups.find((group) => agree(group.first, first));
    if (known) known.readings.push(...alike);
    else valueGroups.push({ first, readings: [...alike] });
  }
  return valueGroups.sort((a, b) => b.readings.length - a.readings.length);
}

/** An incomplete reading agrees if `usual` contains all its values. The number of items is compared separately. */
function agree(usual: Reading, other: Reading): boolean {
  if (usual.key === other.key) return true;
  const isWhole = usual.isComplete && other.isComplete && usual.items === other.items;
  return !isWhole && [...other.distinct].every((key) => usual.distinct.has(key));
}

function shown(value: StatedValue): string {
  return JSON.stringify(value);
}

export function comparisonKeys(column: Column): (value: StatedValue) => string {
  const name = assertDefined(column.field.at(-1));
  const sizes = isToleratedSize(name) ? representatives(column) : undefined;
  const known = new Map<StatedValue, string>();
  const keyOf = (value: StatedValue) =>
    typeof value === 'string' ? textKey(value, name) : String(sizes?.get(value) ?? value);
  return (value) => getOrCreate(known, value, () => keyOf(value));
}

function representatives(column: Column): ReadonlyMap<StatedValue, number> {
  const counts = new Map<number, number>();
  for (const { values } of column.cells.values()) {
    for (const value of values) {
      if (typeof value === 'number' && value >= LEAST_BYTES) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  const chosen: number[] = [];
  const found = new Map<StatedValue, number>();
  for (const [size] of [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])) {
    const near = chosen.find((other) => areNearSizes(size, other));
    if (near === undefined) chosen.push(size);
    found.set(size, near ?? size);
  }
  return found;
}

/** Finds fields that only some nodes of a type have. Ignores nodes without the mapping that would contain the field. */
export function presences({ nodeType, members, columns }: TypeColumns): Presence[] {
  if (nodeType === undefined || members.length < 2) return [];
  const facts: Presence[] = [];
  for (const column of columns) {
    if (!EXPECTED_CLASSES.has(column.rule.class)) continue;
    const { holder } = column;
    const candidates = [...members.keys()].filter((node) => !holder || (cellAt(holder, node)?.items ?? 0) > 0);
    const having = candidates.filter((node) => column.cells.has(node));
    if (having.length === 0 || having.length === candidates.length) continue;
    const isUsual = having.length * 2 >= candidates.length;
    const odd = isUsual ? candidates.filter((node) => !column.cells.has(node)) : having;
    facts.push({
      check: 'presence',
      kind: isUsual ? 'missing' : 'extra',
      field: column.field,
      members: odd.map((node) => itemAt(members, node)),
    });
  }
  return facts;
}
