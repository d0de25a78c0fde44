/** Counts the values of nodes with a simple loop over every body, without columns. */
import { isJsonObject, type Json } from '../../../src/core/model/json.ts';

export interface CountedField {
  readonly types: readonly string[];
  /** The number of nodes with the field. */
  readonly nodes: number;
  /** The number of nodes with each value, by JSON text. */
  readonly values: ReadonlyMap<string, number>;
}

/** Counts by field path as JSON; array positions are ignored. */
export function countedFields(bodies: readonly Json[]): Map<string, CountedField> {
  const counted = new Map<string, { types: Set<string>; nodes: number; values: Map<string, number> }>();
  for (const body of bodies) {
    const found = new Map<string, { types: Set<string>; values: Set<string> }>();
    gather(body, [], found);
    for (const [way, { types, values }] of found) {
      const field = counted.get(way) ?? { types: new Set(), nodes: 0, values: new Map() };
      counted.set(way, field);
      field.nodes++;
      for (const type of types) field.types.add(type);
      for (const value of values) field.values.set(value, (field.values.get(value) ?? 0) + 1);
    }
  }
  return new Map(
    [...counted].map(([way, { types, nodes, values }]) => [way, { types: [...types].sort(), nodes, values }]),
  );
}

type Found = Map<string, { readonly types: Set<string>; readonly values: Set<string> }>;

function gather(value: Json, way: readonly string[], found: Found): void {
  if (way.length > 0) {
    const key = JSON.stringify(way);
    const here = found.get(key) ?? { types: new Set(), values: new Set() };
    found.set(key, here);
    here.types.add(typeNameOf(value));
    if (typeof value !== 'object' || value === null) here.values.add(JSON.stringify(value));
  }
  if (Array.isArray(value)) for (const item of value) gather(item, way, found);
  else if (isJsonObject(value)) for (const [name, held] of Object.entries(value)) gather(held, [...way, name], found);
}

function typeNameOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
