/**
 * The nodes in groups: those that have the same value in a field, and those that are called the same, so that a client that
 * only follows links gets an answer.
 */

import { sha256 } from '../../model/digest.ts';
import { byCodeUnit, type Json, parsedJson } from '../../model/json.ts';
import { NODE } from '../../model/kinds.ts';
import { uidProblem } from '../../model/uid.ts';
import { mustGet } from '../../platform/certain.ts';
import { findField } from '../../query/columns.ts';
import { tableFleet } from '../../query/table-fleet.ts';
import type { Publication } from '../publication.ts';
import { RAW_ENDING_PATTERN } from '../raw-forms.ts';

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

/** How names of files end that are no JSON, or are made from other files. */
const TAKEN_ENDING = new RegExp(`(?:\\.(?:html?|gz|br)|${RAW_ENDING_PATTERN})$`, 'i');
const LONGEST = 100;
const DIGITS = 8;

/**
 * A segment for each of some texts, all different, whatever the case of letters. A text that can be a segment is its own; of any other
 * all that cannot stand in one becomes a hyphen, and where that is not enough to tell it from others, some digits of its digest follow.
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
    text.length <= LONGEST + DIGITS + 1 &&
    uidProblem(text, NODE, 'name') === undefined &&
    !TAKEN_ENDING.test(text)
  );
}

function plainSegment(text: string): string {
  const plain = text.slice(0, LONGEST).replaceAll(/[^A-Za-z0-9_.~]+/g, '-');
  return plain.replace(/^[-_.]+/, '').replace(/[-.]+$/, '');
}
