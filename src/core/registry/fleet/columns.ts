import { type FieldRule, fieldRules } from '../../model/field-classes.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { Kind } from '../../model/kinds.ts';
import { assertDefined, getOrCreate, itemAt } from '../../platform/lookups.ts';
import type { FleetNode } from './fact.ts';

export type StatedValue = string | number | boolean;

export interface Cell {
  /** The scalar values in the order of the registry file. Null and false do not count as values. */
  readonly values: StatedValue[];
  /** The number of mappings that could contain the field, such as the number of disks in a node. */
  items: number;
}

export interface Column {
  readonly field: readonly string[];
  readonly rule: FieldRule;
  readonly holder: Column | undefined;
  isCount: boolean;
  readonly below: Map<string, Column>;
  /** Maps each node, by its index in `members`, to its cell. A node without a value has no cell. */
  readonly cells: Map<number, Cell>;
}

export interface TypeColumns {
  readonly nodeType: string | undefined;
  readonly members: readonly FleetNode[];
  readonly columns: readonly Column[];
}

export interface OpenColumns {
  readonly add: (member: FleetNode, body: JsonObject) => void;
  readonly close: () => TypeColumns;
}

export function openColumns(kind: Kind, nodeType: string | undefined): OpenColumns {
  const root = newColumn([], fieldRules(kind), undefined);
  const members: FleetNode[] = [];
  return {
    add: (member, body) => {
      gatherObject(body, root, members.length);
      members.push(member);
    },
    close: () => ({ nodeType, members, columns: [...columnsIn(root)].slice(1) }),
  };
}

function* columnsIn(column: Column): Generator<Column> {
  yield column;
  for (const below of column.below.values()) yield* columnsIn(below);
}

export function cellAt(column: Column | undefined, node: number): Cell | undefined {
  return column?.cells.get(node);
}

export function membersByValue({ cells }: Column, members: readonly FleetNode[]): Map<StatedValue, FleetNode[]> {
  const found = new Map<StatedValue, FleetNode[]>();
  for (const [node, { values }] of cells) {
    for (const value of new Set(values)) getOrCreate(found, value, () => []).push(itemAt(members, node));
  }
  return found;
}

function newColumn(field: readonly string[], rule: FieldRule, holder: Column | undefined): Column {
  return { field, rule, holder, isCount: false, below: new Map(), cells: new Map() };
}

function columnBelow(column: Column, name: string): Column {
  return getOrCreate(column.below, name, () => {
    const rule = column.isCount ? column.rule.below('0') : column.rule;
    const holder = column.field.length > 0 ? column : undefined;
    return newColumn([...column.field, name], rule.below(name), holder);
  });
}

function openCell(column: Column, node: number): Cell {
  return getOrCreate(column.cells, node, () => ({ values: [], items: 0 }));
}

/** Adds a value, with all its subfields, to the cells of the node. Returns false for a value that counts as empty. */
function gather(value: Json, column: Column, node: number): boolean {
  if (Array.isArray(value)) return gatherArray(value, column, node);
  if (isJsonObject(value)) {
    // A field that can be one mapping or a list of mappings is always handled as a list.
    if (column.rule.keys.length > 0) return gatherArray([value], column, node);
    const hasValue = gatherObject(value, column, node);
    if (hasValue) openCell(column, node).items++;
    return hasValue;
  }
  if (!isStated(value)) return false;
  openCell(column, node).values.push(value);
  return true;
}

function gatherArray(items: readonly Json[], column: Column, node: number): boolean {
  let hasValue = items.length === 0;
  if (!items.every(isJsonObject)) {
    for (const item of items) hasValue = gather(item, column, node) || hasValue;
    return hasValue;
  }
  column.isCount = true;
  for (const item of items) hasValue = gatherObject(item, column, node) || hasValue;
  if (!hasValue) return false;
  const cell = openCell(column, node);
  cell.items += items.length;
  cell.values.splice(0, 1, cell.items);
  return true;
}

function gatherObject(object: JsonObject, column: Column, node: number): boolean {
  let hasValue = false;
  for (const name of Object.keys(object)) {
    if (gather(assertDefined(object[name]), columnBelow(column, name), node)) hasValue = true;
  }
  return hasValue;
}

/** Inventory tools also write booleans as text. */
function isStated(value: Json): value is StatedValue {
  return value !== null && value !== false && value !== 'false' && typeof value !== 'object';
}
