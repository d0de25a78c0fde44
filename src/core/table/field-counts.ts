/**
 * Counting what nodes have in each field: how many have the field at all, and how many each of its values. A node that
 * has a value in several items of an array has it once.
 */

import { byCodeUnit, isJsonObject, type Json } from '../model/json.ts';
import { rowsOfValues, type TableColumn } from './node-table.ts';

export type JsonType = 'array' | 'boolean' | 'null' | 'number' | 'object' | 'string';

export interface FieldCounts {
  readonly way: readonly string[];
  readonly types: ReadonlySet<JsonType>;
  readonly nodes: number;
  /** How many nodes have each text, number, boolean and null in it. */
  readonly values: ValueCounts;
  /** Where it is an array, how many nodes have so many items in it. */
  readonly lengths: ValueCounts;
}

interface SeenField extends FieldCounts {
  readonly types: Set<JsonType>;
  nodes: number;
  readonly below: Map<string, SeenField>;
  lastPart: number;
}

interface FieldCounter {
  /** What is counted from now on is a part of so many nodes, and of no node that anything before was a part of. */
  readonly next: (nodes: number) => void;
  readonly fieldAt: (way: readonly string[]) => SeenField;
  readonly count: (field: SeenField, value: Json) => void;
  readonly countColumn: (field: SeenField, column: TableColumn) => void;
  /** Ends it: every field that was seen, each before those below it, in the order in which they were first seen. */
  readonly close: () => FieldCounts[];
}

export function newFieldCounter(): FieldCounter {
  const top = newField([]);
  let part = 0;
  let weight = 0;

  const see = (field: SeenField, type: JsonType) => {
    field.types.add(type);
    if (field.lastPart === part) return;
    field.lastPart = part;
    field.nodes += weight;
  };
  const count = (field: SeenField, value: Json): void => {
    see(field, typeOf(value));
    if (Array.isArray(value)) {
      field.lengths.add(String(value.length), weight, part);
      for (const item of value) count(field, item);
    } else if (isJsonObject(value)) {
      for (const [name, held] of Object.entries(value)) count(fieldBelow(field, name), held);
    } else field.values.add(JSON.stringify(value), weight, part);
  };
  const next = (nodes: number) => {
    part++;
    weight = nodes;
  };
  return {
    next,
    fieldAt: (way) => way.reduce(fieldBelow, top),
    count,
    countColumn: (field, column) => {
      const nodes = rowsOfValues(column);
      for (const [number, value] of column.values.entries()) {
        next(nodes[number] ?? 0);
        count(field, value);
      }
    },
    close: () => {
      const fields = [...fieldsBelow(top)];
      for (const { values, lengths } of fields) for (const counts of [values, lengths]) counts.close();
      return fields;
    },
  };
}

function newField(way: readonly string[]): SeenField {
  const [values, lengths] = [newValueCounts(), newValueCounts()];
  return { way, types: new Set(), nodes: 0, values, lengths, below: new Map(), lastPart: 0 };
}

function fieldBelow(field: SeenField, name: string): SeenField {
  const known = field.below.get(name);
  if (known) return known;
  const made = newField([...field.way, name]);
  field.below.set(name, made);
  return made;
}

function* fieldsBelow(field: SeenField): Generator<FieldCounts> {
  for (const below of field.below.values()) {
    yield below;
    yield* fieldsBelow(below);
  }
}

function typeOf(value: Json): JsonType {
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number') return 'number';
  return value === null ? 'null' : 'boolean';
}

/** How many nodes have each value of a field. */
type Scalar = string | number | boolean | null;

export interface ValueCount {
  readonly value: Scalar;
  readonly nodes: number;
}

export interface ValueCounts {
  /** Adds a value by its JSON text, which so many nodes have; again in the same part, it adds nothing. */
  readonly add: (json: string, nodes: number, part: number) => void;
  /** Ends the counting, and lets go of the texts that were too many to be counted. */
  readonly close: () => void;
  readonly distinct: number;
  /** All of them, those of most nodes first; undefined where there are too many texts. */
  readonly counted: () => readonly ValueCount[] | undefined;
  /** The numbers among them, ascending. */
  readonly numbers: () => readonly (ValueCount & { readonly value: number })[];
}

interface Count {
  nodes: number;
  lastPart: number;
}

/** Fields with more texts are about so many things that nobody counts each. */
const MOST_TEXTS = 4096;

export function newValueCounts(): ValueCounts {
  const counts = new Map<string, Count>();
  let texts = 0;
  /** The texts of a field that has too many of them. Only their number is used. */
  const uncounted = new Set<string>();
  let uncountedSize = 0;

  const valueCounts = (): ValueCount[] => [...counts].map(([json, { nodes }]) => ({ value: JSON.parse(json), nodes }));
  return {
    add: (json, nodes, part) => {
      if (texts > MOST_TEXTS && isText(json)) {
        uncounted.add(json);
        return;
      }
      const known = counts.get(json);
      if (!known) {
        counts.set(json, { nodes, lastPart: part });
        if (isText(json) && ++texts > MOST_TEXTS) {
          for (const text of [...counts.keys()].filter(isText)) {
            uncounted.add(text);
            counts.delete(text);
          }
        }
      } else if (known.lastPart !== part) {
        known.nodes += nodes;
        known.lastPart = part;
      }
    },
    close: () => {
      uncountedSize = uncounted.size;
      uncounted.clear();
    },
    get distinct() {
      return counts.size + Math.max(uncounted.size, uncountedSize);
    },
    counted: () => (texts > MOST_TEXTS ? undefined : valueCounts().sort(byNodes)),
    numbers: () =>
      valueCounts()
        .flatMap(({ value, nodes }) => (typeof value === 'number' ? [{ value, nodes }] : []))
        .sort((a, b) => a.value - b.value),
  };
}

function isText(json: string): boolean {
  return json.startsWith('"');
}

function byNodes(a: ValueCount, b: ValueCount): number {
  return b.nodes - a.nodes || byCodeUnit(JSON.stringify(a.value), JSON.stringify(b.value));
}
