import { byCodeUnit, isJsonObject, type Json } from '../model/json.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { rowsOfValues, type TableColumn } from './node-table.ts';

export type JsonType = 'array' | 'boolean' | 'null' | 'number' | 'object' | 'string';

export interface FieldCounts {
  readonly path: readonly string[];
  readonly types: ReadonlySet<JsonType>;
  readonly nodes: number;
  readonly values: ValueCounts;
  readonly lengths: ValueCounts;
}

interface SeenField extends FieldCounts {
  readonly types: Set<JsonType>;
  nodes: number;
  readonly below: Map<string, SeenField>;
  lastPart: number;
}

interface FieldCounter {
  /** Starts a group of values. Each value in this group counts for `nodes` nodes. */
  readonly next: (nodes: number) => void;
  readonly fieldAt: (path: readonly string[]) => SeenField;
  readonly count: (field: SeenField, value: Json) => void;
  readonly countColumn: (field: SeenField, column: TableColumn) => void;
  /** Returns all fields in the order of their first occurrence. Parent fields precede their subfields. */
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
    fieldAt: (path) => path.reduce(fieldBelow, top),
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

function newField(path: readonly string[]): SeenField {
  const [values, lengths] = [newValueCounts(), newValueCounts()];
  return { path, types: new Set(), nodes: 0, values, lengths, below: new Map(), lastPart: 0 };
}

function fieldBelow(field: SeenField, name: string): SeenField {
  return getOrCreate(field.below, name, () => newField([...field.path, name]));
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

type Scalar = string | number | boolean | null;

export interface ValueCount {
  readonly value: Scalar;
  readonly nodes: number;
}

export interface ValueCounts {
  /** Adds `nodes` to the count of a JSON text. If the text occurs several times in one `part`, it is counted once. */
  readonly add: (json: string, nodes: number, part: number) => void;
  /** Releases the texts of the field if the field has too many distinct texts to count. */
  readonly close: () => void;
  readonly distinct: number;
  /** Returns values with counts, most frequent first. Undefined if there are more than `MOST_TEXTS` distinct texts. */
  readonly counted: () => readonly ValueCount[] | undefined;
  readonly numbers: () => readonly (ValueCount & { readonly value: number })[];
}

interface Count {
  nodes: number;
  lastPart: number;
}

/** If a field has more distinct texts than this number, its texts are not counted. */
const MOST_TEXTS = 4096;

export function newValueCounts(): ValueCounts {
  const counts = new Map<string, Count>();
  let texts = 0;
  /** If there are more than `MOST_TEXTS` distinct texts, this set contains them, and their nodes are not counted. */
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
