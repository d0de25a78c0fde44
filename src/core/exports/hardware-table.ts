/** Renders hardware tables. A row describes a group of nodes. The columns are fields that papers list for a machine. */

import { printable } from '../diagnostics/finding.ts';
import { formatCount, truncated } from '../diagnostics/words.ts';
import { byNaturalOrder, type Json } from '../model/json.ts';
import { type BaseUnit, quantityText, unitOfField } from '../model/units.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { findField, type NamedField, type QueryFleet } from '../query/columns.ts';
import type { TableHead, TextTable } from './text-table.ts';

export const WIDEST_CELL = 60;

/** Matches characters without width, and characters that reverse the direction of text. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** `textOf` returns `-` for a node without a value in this column. */
export interface NodeTableColumn extends TableHead {
  readonly textOf: (row: number) => string;
  /**
   * Returns the number that determines the position of a text in its group. Without `sizeOf`, the texts are in natural
   * order.
   */
  readonly sizeOf?: (row: number) => number;
}

const NO_VALUE = '-';

/** Converts foreign text to one line of limited length, without control characters. */
export function shownText(text: string): string {
  return wholeText(text.slice(0, WIDEST_CELL * 2));
}

function wholeText(text: string): string {
  return printable(text.replace(/\s/g, ' ')).replace(INVISIBLE, '\ufffd');
}

/** Returns a column for a terminal, where values longer than `widest` are cut. */
export function fieldColumn(field: NamedField, widest = WIDEST_CELL): NodeTableColumn {
  const { textOf, ...column } = documentColumn(field);
  return { ...column, text: shownText(field.name), textOf: (row) => truncated(textOf(row), widest) };
}

function documentColumn({ name, path, valuesOf }: NamedField): NodeTableColumn {
  const unit = unitOfField(path);
  const column = { text: wholeText(name), textOf: (row: number) => valuesText(valuesOf(row), unit) || NO_VALUE };
  if (unit === undefined) return column;
  return { ...column, sizeOf: (row) => valuesOf(row).find((value) => typeof value === 'number') ?? 0 };
}

const TITLES: Readonly<Record<string, string>> = {
  site: 'Site',
  cluster: 'Cluster',
  node_name: 'Name',
  node_type: 'Node type',
};

/** Returns a column for a table in a document, with complete values. Common fields have a readable title. */
export function titledColumn(field: NamedField): NodeTableColumn {
  const column = documentColumn(field);
  return { ...column, text: Object.hasOwn(TITLES, field.name) ? (TITLES[field.name] ?? '') : column.text };
}

/** Equal values appear once, with their count: `16 × 2 TB, 400 GB`. */
function valuesText(values: readonly Json[], unit: BaseUnit | undefined): string {
  const counts = new Map<string, number>();
  for (const value of values) {
    const text = typeof value === 'number' && unit ? quantityText(value, unit) : shownValue(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(([each, count]) => (count === 1 ? each : `${count} × ${each}`)).join(', ');
}

function shownValue(value: Json): string {
  return wholeText(typeof value === 'string' ? value : JSON.stringify(value));
}

/** The columns of the hardware table: title, field, and optionally a field that counts the parts of a node. */
const HARDWARE = [
  ['CPU', 'label.cpu', 'architecture.smp_size'],
  ['Threads', 'architecture.smt_size'],
  ['Memory', 'label.ram'],
  ['GPU', 'label.gpu', 'gpu.gpu_count'],
  ['FPGA', 'fpga.board_model'],
  ['Disk', 'label.disk'],
  ['Network', 'label.network'],
] as const;

/** Returns the columns that describe a machine. Columns without a value in `rows` are omitted. */
export function hardwareColumns(
  fleet: QueryFleet,
  rows: readonly number[],
  columnOf: (field: NamedField) => NodeTableColumn = documentColumn,
): NodeTableColumn[] {
  return HARDWARE.flatMap(([text, name, countName]) => {
    const field = findField(name, fleet);
    if (!rows.some((row) => field.valuesOf(row).length > 0)) return [];
    const count = countName === undefined ? undefined : findField(countName, fleet);
    const model = name === 'label.gpu' ? findField('gpu.gpu_model', fleet) : undefined;
    const { textOf, ...column } = columnOf(field);
    const counted = (row: number) => {
      const [parts] = count?.valuesOf(row) ?? [];
      const known = withVariant(textOf(row), model?.valuesOf(row)[0]);
      return known !== NO_VALUE && typeof parts === 'number' && parts > 1 ? `${parts} × ${known}` : known;
    };
    return { ...column, text, textOf: counted };
  });
}

/** Adds the words that follow a GPU label in the model. For example, `V100` becomes `V100 PCIe 32GB`. */
function withVariant(label: string, model: Json | undefined): string {
  const words = typeof model === 'string' ? shownText(model).split(/[\s[\]]+/) : [];
  const at = words.lastIndexOf(label);
  return at < 0 ? label : words.slice(at).join(' ').trim();
}

/** The maximum number of values in a table cell on a terminal. The cell ends with the number of omitted values. */
export const MAX_VALUES = 3;

/** A group of nodes with the same texts in all columns of `keys`. */
export interface NodeGroup {
  readonly keys: readonly string[];
  /** A group has at least one row. */
  readonly rows: readonly number[];
}

/** The order of groups: the natural order of their keys, or the order of the first row of each group. */
type GroupOrder = 'keys' | 'rows';

export function nodeGroups(
  rows: readonly number[],
  keys: readonly NodeTableColumn[],
  order: GroupOrder = 'keys',
): NodeGroup[] {
  const groups = new Map<string, { keys: string[]; rows: number[] }>();
  for (const row of rows) {
    const texts = keys.map(({ textOf }) => textOf(row));
    getOrCreate(groups, JSON.stringify(texts), () => ({ keys: texts, rows: [] })).rows.push(row);
  }
  const found = [...groups.values()];
  return order === 'rows' ? found : found.sort((a, b) => byParts(a.keys, b.keys));
}

function byParts(a: readonly string[], b: readonly string[]): number {
  for (const [i, part] of a.entries()) {
    const order = byNaturalOrder(part, b[i] ?? '');
    if (order !== 0) return order;
  }
  return 0;
}

export function nodesTable(caption: string, rows: readonly number[], columns: readonly NodeTableColumn[]): TextTable {
  return { caption, head: columns, rows: rows.map((row) => columns.map(({ textOf }) => textOf(row))) };
}

export interface GroupsTableOptions {
  readonly caption?: string;
  readonly rows: readonly number[];
  /** The columns whose equal values make a group. */
  readonly keys: readonly NodeTableColumn[];
  readonly others?: readonly NodeTableColumn[];
  /** The maximum number of values of one of `others` in a row. */
  readonly most?: number | undefined;
  /** The maximum length of a value. Longer values are cut, but nodes with different values stay in different groups. */
  readonly widest?: number | undefined;
  readonly order?: GroupOrder;
}

/** Each row contains a group's keys, its number of nodes, and the values of each remaining column. */
export function groupsTable(options: GroupsTableOptions): TextTable {
  const { caption = '', rows, keys, others = [], order = 'keys' } = options;
  const { most = Number.POSITIVE_INFINITY, widest = Number.POSITIVE_INFINITY } = options;
  const cut = (text: string) => truncated(text, widest);
  return {
    caption,
    head: [...keys, { text: 'Nodes', isNumber: true }, ...others],
    rows: nodeGroups(rows, keys, order).map((group) => [
      ...group.keys.map(cut),
      formatCount(group.rows.length),
      ...others.map((column) => shortList(differentTexts(column, group.rows).map(cut), most)),
    ]),
  };
}

function differentTexts({ textOf, sizeOf = () => 0 }: NodeTableColumn, rows: readonly number[]): string[] {
  const sizes = new Map(rows.map((row) => [textOf(row), sizeOf(row)]));
  return [...sizes].sort(([a, less], [b, more]) => less - more || byNaturalOrder(a, b)).map(([text]) => text);
}

function shortList(texts: readonly string[], most: number): string {
  // The number of omitted values would need as much space as one omitted value.
  if (texts.length <= most + 1) return texts.join('; ');
  return [...texts.slice(0, most), `${formatCount(texts.length - most)} more`].join('; ');
}
