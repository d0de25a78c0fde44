/**
 * Nodes that are not like the others of their type in a hardware field. What most of them have is the reference; where
 * nothing is, the sorts stand side by side. Items of arrays are compared as a whole, whatever their order and names.
 */
import { itemAt } from '../../platform/certain.ts';
import { type Cell, type Column, cellAt, type StatedValue, type TypeColumns } from './columns.ts';
import type { FleetNode, NodeDifference, Split } from './fact.ts';
import { isPlaceholder } from './placeholders.ts';
import { sameness } from './same-value.ts';
import { isUnique } from './shared-values.ts';

interface Reading {
  readonly node: number;
  readonly key: string;
  readonly distinct: ReadonlySet<string>;
  /** Whether every item of the arrays around says it; one that does not may have the value of the others. */
  readonly isComplete: boolean;
  readonly items: number;
  readonly value: string;
}

interface Sort {
  readonly first: Reading;
  readonly readings: Reading[];
}

/** A column in which no two of so many nodes have the same varies by nature. */
const LEAST_TO_VARY = 3;

export function nodeDifferences({ nodeType, members, columns }: TypeColumns): (NodeDifference | Split)[] {
  if (nodeType === undefined || members.length < 2) return [];
  return columns.flatMap((column): (NodeDifference | Split)[] => {
    if (column.rule.class !== 'hardware' || isUnique(column)) return [];
    const same = sameness(column);
    const readings = readingsOf(column, same);
    const sorts = sortsOf(readings);
    const [usual, ...odd] = sorts;
    if (!usual || odd.length === 0) return [];
    if (usual.readings.length === 1 && readings.length >= LEAST_TO_VARY) return [];
    const { field, isCount } = column;
    const told = sorts.map((sort) => ({ value: textOf(sort), members: membersOf(sort, members) }));
    if (usual.readings.length * 2 <= readings.length) {
      const all = readings.map(({ node }) => itemAt(members, node));
      return [{ check: 'difference', kind: 'split', field, isCount, members: all, sorts: told }];
    }
    return told
      .slice(1)
      .map((sort) => ({
        check: 'difference',
        kind: 'difference',
        field,
        isCount,
        ...sort,
        usual: textOf(usual),
        isMeant: (value) => isScalar(value) && !usual.first.distinct.has(same(value)),
      }));
  });
}

function membersOf({ readings }: Sort, members: readonly FleetNode[]): FleetNode[] {
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
    const known = counts.get(same(value));
    if (known) known.count++;
    else counts.set(same(value), { count: 1, value: shown(value) });
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

/** What most of a sort say: they say the same, but may write it down otherwise. */
function textOf({ readings }: Sort): string {
  const counts = new Map<string, number>();
  for (const { value } of readings) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [most] = itemAt(
    [...counts].sort((a, b) => b[1] - a[1]),
    0,
  );
  return most;
}

/** The sorts of nodes that a column tells apart, the most frequent first. */
function sortsOf(readings: readonly Reading[]): Sort[] {
  const byKey = new Map<string, Reading[]>();
  for (const reading of readings) {
    const alike = byKey.get(reading.key);
    if (alike) alike.push(reading);
    else byKey.set(reading.key, [reading]);
  }
  const sorts: Sort[] = [];
  for (const alike of [...byKey.values()].sort((a, b) => b.length - a.length)) {
    const [first] = alike;
    if (!first) continue;
    const known = sorts.find((sort) => agree(sort.first, first));
    if (known) known.readings.push(...alike);
    else sorts.push({ first, readings: [...alike] });
  }
  return sorts.sort((a, b) => b.readings.length - a.readings.length);
}

/**
 * Whether one says nothing that the other does not. Where the numbers of items differ, or some items do not say, only
 * values that the other has nowhere are a difference: the numbers are told of by themselves.
 */
function agree(usual: Reading, other: Reading): boolean {
  if (usual.key === other.key) return true;
  const isWhole = usual.isComplete && other.isComplete && usual.items === other.items;
  return !isWhole && [...other.distinct].every((key) => usual.distinct.has(key));
}

function shown(value: StatedValue): string {
  return JSON.stringify(value);
}
