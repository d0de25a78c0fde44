/**
 * A query as a tree, from the text form of CQL2 (OGC 21-065). Three values: a condition about a field that a node does not
 * have is neither true nor false but unknown, `NOT` of unknown is unknown, and a query finds what it is true of.
 */

import { type Place, placeAt } from '../diagnostics/finding.ts';
import type { Unit } from '../model/units.ts';

/** Where something stands in the text of a query: its first character and the one after its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface FieldReference extends Span {
  readonly name: string;
  /** The names on the way to it; a way through an array means any of its items. */
  readonly way: readonly string[];
  readonly isFolded: boolean;
}

export interface Literal extends Span {
  /** In the base unit, where it has a unit. */
  readonly value: string | number | boolean;
  readonly unit?: Unit;
}

export const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** What a condition asks of the values of a field: it is true when it is true of any of them. */
export type Test =
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly literal: Literal }
  | { readonly kind: 'in'; readonly literals: readonly Literal[] }
  | { readonly kind: 'between'; readonly low: Literal; readonly high: Literal }
  | { readonly kind: 'like'; readonly literal: Literal }
  | { readonly kind: 'null' };

export interface Condition {
  readonly kind: 'condition';
  readonly field: FieldReference;
  readonly test: Test;
}

export type Query =
  | Condition
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Query[] }
  | { readonly kind: 'not'; readonly part: Query }
  | { readonly kind: 'constant'; readonly value: boolean };

export function* conditionsOf(query: Query): Generator<Condition> {
  switch (query.kind) {
    case 'condition':
      yield query;
      return;
    case 'and':
    case 'or':
      for (const part of query.parts) yield* conditionsOf(part);
      return;
    case 'not':
      yield* conditionsOf(query.part);
      return;
    case 'constant':
      return;
    default:
      query satisfies never;
  }
}

export function literalsOf(test: Test): readonly Literal[] {
  switch (test.kind) {
    case 'compare':
    case 'like':
      return [test.literal];
    case 'in':
      return test.literals;
    case 'between':
      return [test.low, test.high];
    case 'null':
      return [];
    default:
      return test satisfies never;
  }
}

/** The name of a query among files. */
const QUERY = 'query';

export function placeInQuery(text: string, offset: number): Place {
  return placeAt(QUERY, text, offset);
}
