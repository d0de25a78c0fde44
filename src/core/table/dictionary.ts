/** A dictionary: every value that a column has, each once, and known by its number. */
import { canonicalJson, type Json } from '../model/json.ts';

/** What stands in a row where a node has not the field. */
export const ABSENT = -1;

export interface Dictionary {
  /** By number, in the order in which they were first seen. */
  readonly values: readonly Json[];
  /** The number of a value, by its JSON text: of two that differ only in the order of their keys it is the same. */
  readonly numberOf: (json: string) => number;
}

export function newDictionary(): Dictionary {
  const values: Json[] = [];
  const numbers = new Map<string, number>();
  return {
    values,
    numberOf: (json) => {
      const found = numbers.get(json);
      if (found !== undefined) return found;
      const value: Json = JSON.parse(json);
      const canonical = canonicalJson(value);
      const number = numbers.get(canonical) ?? values.push(value) - 1;
      numbers.set(json, number).set(canonical, number);
      return number;
    },
  };
}
