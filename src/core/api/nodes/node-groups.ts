/**
 * The nodes in groups: those that have the same value in a field, and those that are called the same, so that a client that
 * only follows links gets an answer.
 */
import { byCodeUnit, type Json, parsedJson } from '../../model/json.ts';
import { mustGet } from '../../platform/certain.ts';
import { findField } from '../../query/field-values.ts';
import { tableFleet } from '../../query/table-fleet.ts';
import type { Publication } from '../publication.ts';
import { segmentsOf } from '../segments.ts';

type LabelledNodes = Pick<Publication, 'nodes' | 'labels'>;

/** The nodes that have a value in a field. */
export interface NodeGroup {
  readonly field: string;
  readonly value: string | number | boolean;
  /** The field and the value as segments of a path. */
  readonly segments: readonly [field: string, value: string];
  /** Their rows in the table, ascending. */
  readonly rows: readonly number[];
}

/** The groups by each of some fields that nodes have, once each, in their order; in each the largest group first. */
export function nodeGroups(nodes: LabelledNodes, fields: readonly string[]): NodeGroup[] {
  const names = segmentsOf(fields);
  return [...new Set(fields)].flatMap((field) => {
    const rows = rowsByValue(nodes, field);
    const values = segmentsOf([...rows.keys()].map(textOf));
    return [...rows]
      .sort(([a, some], [b, others]) => others.length - some.length || byCodeUnit(a, b))
      .map(([json, rows]) => ({
        field,
        value: JSON.parse(json),
        rows,
        segments: [mustGet(names, field), mustGet(values, textOf(json))] as const,
      }));
  });
}

/** A name that nodes have. */
export interface NodeName {
  readonly name: string;
  readonly segment: string;
  /** The rows of the nodes in the table, ascending. */
  readonly rows: readonly number[];
}

/** The names of nodes, but where the table leaves names out. */
export function nodeNames(nodes: LabelledNodes): NodeName[] {
  const rows = new Map(
    [...rowsByValue(nodes, 'node_name')].flatMap(([json, rows]) => {
      const name: unknown = JSON.parse(json);
      return typeof name === 'string' && name !== '' ? [[name, rows] as const] : [];
    }),
  );
  return [...segmentsOf(rows.keys())].map(([name, segment]) => ({ name, segment, rows: mustGet(rows, name) }));
}

/** By the JSON of each text, number and boolean. A node that has one several times has it once. */
function rowsByValue({ nodes, labels }: LabelledNodes, field: string): Map<string, number[]> {
  const { table } = nodes();
  const { valuesOf } = findField(field, tableFleet(table, labels));
  const rows = new Map<string, number[]>();
  for (let row = 0; row < table.total; row++) {
    for (const json of new Set(
      valuesOf(row)
        .filter(isScalar)
        .map((value) => JSON.stringify(value)),
    )) {
      const known = rows.get(json);
      if (known) known.push(row);
      else rows.set(json, [row]);
    }
  }
  return rows;
}

function isScalar(value: Json): boolean {
  return typeof value !== 'object';
}

/** A value as a text, and every one as another: a text that could be a number keeps its quotation marks. */
function textOf(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' && parsedJson(value) === undefined ? value : json;
}
