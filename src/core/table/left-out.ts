/** Which fields a table leaves out besides those of components, and a table without them. */
import { isReadByLabels } from '../labels/labels.ts';
import { ABSENT, newDictionary } from './dictionary.ts';
import type { FieldCounts } from './field-counts.ts';
import type { TableColumn } from './node-table.ts';
import { isOwnAt, type OwnFields, sharedValue } from './own-fields.ts';

/** A field of so few values is shared by nodes, however few they are. */
const FEWEST_VALUES = 50;
/** Values of which there are more than so many for each node that has one say which node it is. */
const LARGEST_SHARE = 0.2;
/** Asked for, though they are others at every node. */
const ASKED_FOR = ['uid', 'node_name'];

/**
 * The fields that are the nodes' own by what the nodes have: no class says it, but hardly two nodes have the same. What labels
 * are read from stays, as the labels are made of the columns.
 */
export function ownByValues(fields: readonly FieldCounts[], own: OwnFields): FieldCounts[] {
  const labelled = fields.filter(({ way }) => isReadByLabels(way));
  return fields.filter(({ way, nodes, values: { distinct } }) => {
    const isShared = distinct <= FEWEST_VALUES || distinct <= LARGEST_SHARE * nodes;
    if (isShared || ASKED_FOR.includes(way[0] ?? '') || isOwnAt(way, own)) return false;
    return !labelled.some((field) => way.every((name, i) => name === field.way[i]));
  });
}

/** Columns without the fields that turned out to be the nodes' own, which `decided` leads to; `own` has them too. */
export function withoutOwnColumns(
  columns: readonly TableColumn[],
  own: OwnFields,
  decided: readonly (readonly string[])[],
): TableColumn[] {
  const changed = new Set(decided.map(([name]) => name));
  return columns.flatMap((column) => {
    if (!changed.has(column.name)) return [column];
    const field = own.below(column.name);
    return field.isOwn ? [] : [narrowed(column, field)];
  });
}

function narrowed({ name, values, rows }: TableColumn, field: OwnFields): TableColumn {
  const dictionary = newDictionary();
  const numbers = values.map((value) => dictionary.numberOf(JSON.stringify(sharedValue(value, field))));
  return { name, values: dictionary.values, rows: Int32Array.from(rows, (old) => numbers[old] ?? ABSENT) };
}
