/** Conditions are true, false or unknown. If a node lacks the field, a condition and its negation are unknown. */

import { type Place, placeAt } from '../diagnostics/finding.ts';
import type { Unit } from '../model/units.ts';
import type { Temporal } from './temporal.ts';

/** A range in a query: the position of the first character, and the position after the last character. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** With these functions, a comparison ignores case (`casei`) or accents (`accenti`). */
export const FOLDS = ['casei', 'accenti'] as const;
export type Fold = (typeof FOLDS)[number];

export interface FieldReference extends Span {
  readonly name: string;
  /** A path through an array matches if any item matches. */
  readonly path: readonly string[];
  /** The functions around the field or the value, such as `casei`. They apply to both sides of the comparison. */
  readonly folds: readonly Fold[];
}

export interface Literal extends Span {
  /** A literal with a unit is converted to the base unit. */
  readonly value: string | number | boolean;
  readonly unit?: Unit;
  /** The text of a quantity in quotes. Registry files can contain the same text instead of a number. */
  readonly quantityText?: string;
  /** Set if the value is the argument of the function DATE or TIMESTAMP. */
  readonly temporal?: Temporal;
}

export const COMPARISONS = ['=', '<>', '<', '<=', '>', '>='] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A condition is true if its test is true for at least one value of the field. */
export type Test =
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly literal: Literal }
  | { readonly kind: 'compare-field'; readonly operator: Comparison; readonly other: FieldReference }
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

export function fieldsIn({ field, test }: Condition): FieldReference[] {
  return test.kind === 'compare-field' ? [field, test.other] : [field];
}

export function isOrder(test: Test): boolean {
  return test.kind === 'between' || (test.kind === 'compare' && !['=', '<>'].includes(test.operator));
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
    case 'compare-field':
    case 'null':
      return [];
    default:
      return test satisfies never;
  }
}

const QUERY = 'query';

export function placeInQuery(text: string, offset: number): Place {
  return placeAt(QUERY, text, offset);
}
