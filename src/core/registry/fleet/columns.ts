/**
 * The fields of nodes of one type, or of other resources of a kind, side by side: a column for each field, with the
 * values that each node has there. The positions of array items do not count.
 */

import { type FieldRule, fieldRules } from '../../model/field-classes.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { Kind } from '../../model/kinds.ts';
import { certain, itemAt } from '../../platform/certain.ts';
import type { FleetNode } from './fact.ts';

export type StatedValue = string | number | boolean;

export interface Cell {
  /** The scalars that say something, in the order of the node's file: null, false and what is absent say nothing. */
  readonly values: StatedValue[];
  /** The mappings in which the field could stand, or, of an array of mappings, its items. */
  items: number;
}

export interface Column {
  readonly field: readonly string[];
  readonly rule: FieldRule;
  /** The column of the mapping or the array that holds the field; none at the top. */
  readonly holder: Column | undefined;
  /** Whether its values are counts: how many items an array has. */
  isCount: boolean;
  readonly below: Map<string, Column>;
  /** By the position of the node among the members; only those that have anything there. */
  readonly cells: Map<number, Cell>;
}

export interface TypeColumns {
  readonly nodeType: string | undefined;
  readonly members: readonly FleetNode[];
  /** Holders before what they hold. */
  readonly columns: readonly Column[];
}

/** Columns while they are filled, one member after the other. */
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

/** The members that have each value of a column, in the order in which the values were found. */
export function membersByValue({ cells }: Column, members: readonly FleetNode[]): Map<StatedValue, FleetNode[]> {
  const found = new Map<StatedValue, FleetNode[]>();
  for (const [node, { values }] of cells) {
    for (const value of new Set(values)) {
      const known = found.get(value);
      if (known) known.push(itemAt(members, node));
      else found.set(value, [itemAt(members, node)]);
    }
  }
  return found;
}

function newColumn(field: readonly string[], rule: FieldRule, holder: Column | undefined): Column {
  return { field, rule, holder, isCount: false, below: new Map(), cells: new Map() };
}

function columnBelow(column: Column, name: string): Column {
  const known = column.below.get(name);
  if (known) return known;
  const rule = column.isCount ? column.rule.below('0') : column.rule;
  const holder = column.field.length > 0 ? column : undefined;
  const made = newColumn([...column.field, name], rule.below(name), holder);
  column.below.set(name, made);
  return made;
}

function openCell(column: Column, node: number): Cell {
  const known = column.cells.get(node);
  if (known) return known;
  const cell: Cell = { values: [], items: 0 };
  column.cells.set(node, cell);
  return cell;
}

/** Whether the value says anything. What says nothing leaves no cell. */
function gather(value: Json, column: Column, node: number): boolean {
  if (Array.isArray(value)) return gatherArray(value, column, node);
  if (isJsonObject(value)) {
    // What can be one mapping or a list of them is a list of one.
    if (column.rule.keys.length > 0) return gatherArray([value], column, node);
    const says = gatherObject(value, column, node);
    if (says) openCell(column, node).items++;
    return says;
  }
  if (!saysSomething(value)) return false;
  openCell(column, node).values.push(value);
  return true;
}

function gatherArray(items: readonly Json[], column: Column, node: number): boolean {
  let says = items.length === 0;
  if (!items.every(isJsonObject)) {
    for (const item of items) says = gather(item, column, node) || says;
    return says;
  }
  column.isCount = true;
  for (const item of items) says = gatherObject(item, column, node) || says;
  if (!says) return false;
  const cell = openCell(column, node);
  cell.items += items.length;
  cell.values.splice(0, 1, cell.items);
  return true;
}

function gatherObject(object: JsonObject, column: Column, node: number): boolean {
  let says = false;
  for (const name of Object.keys(object)) {
    if (gather(certain(object[name]), columnBelow(column, name), node)) says = true;
  }
  return says;
}

/** Inventory tools write booleans as words, too. */
function saysSomething(value: Json): value is StatedValue {
  return value !== null && value !== false && value !== 'false' && typeof value !== 'object';
}
