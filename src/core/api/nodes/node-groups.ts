/** Groups nodes by a field value or by name, for clients that only follow links. */

import { sha256 } from '../../model/digest.ts';
import { byCodeUnit, parsedJson } from '../../model/json.ts';
import { NODE } from '../../model/kinds.ts';
import { uidProblem } from '../../model/uid.ts';
import { getOrCreate, getOrThrow } from '../../platform/lookups.ts';
import { findField } from '../../query/columns.ts';
import { tableFleet } from '../../query/table-fleet.ts';
import type { Publication } from '../publication.ts';
import { RAW_ENDING_PATTERN } from '../raw-forms.ts';

type LabelledNodes = Pick<Publication, 'nodes' | 'labels'>;

export interface NodeGroup {
  readonly field: string;
  readonly value: string | number | boolean;
  /** The field and the value, each as a path segment. */
  readonly segments: readonly [field: string, value: string];
  readonly rows: readonly number[];
}

/** The groups have the order of `fields`. For each field, the largest group comes first. */
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
        segments: [getOrThrow(names, field), getOrThrow(values, textOf(json))] as const,
      }));
  });
}

export interface NodeName {
  readonly name: string;
  readonly segment: string;
  readonly rows: readonly number[];
}

/** Returns an empty list if the table has no column `node_name`. */
export function nodeNames(nodes: LabelledNodes): NodeName[] {
  const rows = new Map(
    [...rowsByValue(nodes, 'node_name')].flatMap(([json, rows]) => {
      const name: unknown = JSON.parse(json);
      return typeof name === 'string' && name !== '' ? [[name, rows] as const] : [];
    }),
  );
  return [...segmentsOf(rows.keys())].map(([name, segment]) => ({ name, segment, rows: getOrThrow(rows, name) }));
}

/** Maps the JSON text of each value to the numbers of the rows that contain the value. Lists each row once. */
function rowsByValue({ nodes, labels }: LabelledNodes, field: string): Map<string, number[]> {
  const { table } = nodes();
  const { valuesOf } = findField(field, tableFleet(table, labels));
  const rows = new Map<string, number[]>();
  for (let row = 0; row < table.total; row++) {
    const scalars = valuesOf(row).filter((value) => typeof value !== 'object');
    for (const json of new Set(scalars.map((value) => JSON.stringify(value))))
      getOrCreate(rows, json, (): number[] => []).push(row);
  }
  return rows;
}

/** Returns a distinct text for each value. The string `"1"` has quotation marks, to differ from the number 1. */
function textOf(json: string): string {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' && parsedJson(value) === undefined ? value : json;
}

/** Matches the endings of raw documents and of variants. */
const RESERVED_ENDING = new RegExp(`(?:\\.(?:html?|gz|br)|${RAW_ENDING_PATTERN})$`, 'i');
/** A longer name, with digits and `/index.json.gz`, can exceed the 100 bytes that tar files have for the end of a name. */
const MAX_LENGTH = 75;
const DIGITS = 8;

/**
 * Returns the path segment for each text. No two segments are equal, even if case is ignored. Hyphens replace invalid
 * characters. Digits of a digest are appended if the segment is still invalid or already used.
 */
export function segmentsOf(texts: Iterable<string>): ReadonlyMap<string, string> {
  const sorted = [...new Set(texts)].sort(byCodeUnit);
  const segments = new Map<string, string>();
  const taken = new Set<string>();
  const take = (text: string, segment: string): boolean => {
    const folded = segment.toLowerCase();
    if (taken.has(folded) || !isSegment(segment)) return false;
    taken.add(folded);
    segments.set(text, segment);
    return true;
  };
  const others = sorted.filter((text) => !take(text, text));
  for (const text of others) {
    const plain = plainSegment(text);
    let digest = sha256(text);
    for (let segment = plain; !take(text, segment); digest = sha256(digest))
      segment = `${plain}${plain === '' ? '' : '-'}${digest.slice(0, DIGITS)}`;
  }
  return segments;
}

function isSegment(text: string): boolean {
  return (
    text !== '' &&
    text.length <= MAX_LENGTH + DIGITS + 1 &&
    uidProblem(text, NODE, 'name') === undefined &&
    !RESERVED_ENDING.test(text)
  );
}

function plainSegment(text: string): string {
  const plain = text.slice(0, MAX_LENGTH).replaceAll(/[^A-Za-z0-9_.~]+/g, '-');
  return plain.replace(/^[-_.]+/, '').replace(/[-.]+$/, '');
}
