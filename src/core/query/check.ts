/** Rejects queries that cannot match any node because of an unknown field, a wrong unit or a wrong type. */
import { fail, finding } from '../diagnostics/finding.ts';
import type { Advice } from '../diagnostics/messages/query.ts';
import { MOST_SUGGESTIONS } from '../diagnostics/nearest.ts';
import type { Json } from '../model/json.ts';
import { quantityOf, unitNames, unitOfField } from '../model/units.ts';
import type { QueryFleet } from './columns.ts';
import { fieldsBelow, namedField } from './named-field.ts';
import { quotedText } from './parse.ts';
import {
  type Condition,
  type FieldReference,
  isOrder,
  type Literal,
  literalsOf,
  placeInQuery,
  type Test,
} from './query.ts';

/** The maximum length of a pattern, in characters. */
const LONGEST_PATTERN = 1000;

type ScalarKind = 'text' | 'number' | 'boolean';

export interface FieldValues {
  readonly hasAny: boolean;
  readonly holds: readonly ScalarKind[];
  readonly below: (path: readonly string[]) => readonly string[];
}

export function fieldValues(all: readonly (readonly Json[])[]): FieldValues {
  const kinds = new Set<ScalarKind>();
  for (const values of all) for (const value of values) if (typeof value !== 'object') kinds.add(kindOf(value));
  return {
    hasAny: all.some((values) => values.length > 0),
    holds: [...kinds],
    below: (path) => fieldsBelow(all.flat(), path),
  };
}

/** Converts quantities in a test to numbers. Throws a Failure for a value of the wrong type. `text` is the query. */
export function fittedTest(
  { field, test }: Condition,
  { hasAny, holds, below }: FieldValues,
  fleet: QueryFleet,
  text: string,
): Test {
  const { name } = field;
  // Nodes can have the field only with null or empty lists.
  if (!hasAny) namedField(name, fleet, placeInQuery(text, field.start));
  if (!hasAny || test.kind === 'null') return test;
  requireScalars(field, { holds, below }, text);
  if (test.kind === 'compare-field') return test;
  const fitted = withLiterals(test, (literal) => withUnit(literal, field, text));
  for (const literal of literalsOf(fitted)) {
    const { length } = String(literal.value);
    if (fitted.kind === 'like' && length > LONGEST_PATTERN) {
      const args = { length, limit: LONGEST_PATTERN };
      return fail(finding('query-pattern', args, placeInQuery(text, literal.start)));
    }
    const asked = kindOf(literal.value);
    if (canHold(fitted, literal, asked, holds)) continue;
    const args = { field: name, holds, asked, hint: hintFor(fitted, literal, asked, holds) };
    return fail(finding('query-type', args, placeInQuery(text, literal.start)));
  }
  return fitted;
}

/** Throws a Failure if a field contains only objects. */
function requireScalars(
  { name, path, start }: FieldReference,
  { holds, below }: Pick<FieldValues, 'holds' | 'below'>,
  text: string,
): void {
  if (holds.length > 0) return;
  fail(
    finding('query-holder', { field: name, below: below(path).slice(0, MOST_SUGGESTIONS) }, placeInQuery(text, start)),
  );
}

/** Checks the field on the right side of a comparison. If no field has this name, it is probably meant as a value. */
export function checkComparedField(
  field: FieldReference,
  { holds }: Pick<FieldValues, 'holds'>,
  other: FieldReference,
  values: FieldValues,
  text: string,
): void {
  const { name, start } = other;
  const place = placeInQuery(text, start);
  if (!values.hasAny) {
    const advice = wordAdvice(name, field.name, holds);
    fail(finding('query-expected', { expected: 'value', found: name, advice }, place));
  }
  requireScalars(other, values, text);
  const [base, otherBase] = [unitOfField(field.path), unitOfField(other.path)];
  if (base && otherBase && base !== otherBase)
    fail(finding('query-units', { field: field.name, base, other: name, otherBase }, place));
}

function wordAdvice(word: string, field: string, holds: readonly ScalarKind[]): Advice {
  const truth = holds.includes('boolean') ? truthOf(word) : undefined;
  if (truth !== undefined) return { kind: 'replace', text: truth, instead: word };
  const [only] = holds;
  return only === undefined || only === 'text' || holds.length > 1
    ? { kind: 'quote', text: quotedText(word) }
    : { kind: 'value', field, holds: only };
}

/** Words and digits that mean TRUE or FALSE in query languages other than CQL2. */
const TRUTHS: Readonly<Record<string, readonly string[]>> = {
  TRUE: ['true', 'yes', 'on', '1'],
  FALSE: ['false', 'no', 'off', '0'],
};

function truthOf(word: string | number | boolean): string | undefined {
  return Object.keys(TRUTHS).find((truth) => TRUTHS[truth]?.includes(String(word).toLowerCase()));
}

function withLiterals(test: Test, change: (literal: Literal) => Literal): Test {
  switch (test.kind) {
    case 'compare':
      return { ...test, literal: change(test.literal) };
    case 'in':
      return { ...test, literals: test.literals.map(change) };
    case 'between':
      return { ...test, low: change(test.low), high: change(test.high) };
    case 'compare-field':
    case 'like':
    case 'null':
      return test;
    default:
      return test satisfies never;
  }
}

/** Converts a literal to the unit of its field. If the field is in bytes, the text `'256 GiB'` means 256GiB. */
function withUnit(literal: Literal, field: FieldReference, text: string): Literal {
  const base = unitOfField(field.path);
  const { value, unit, start } = literal;
  if (unit && unit.base !== base) {
    const args = { field: field.name, unit: unit.name, base, units: base ? unitNames(base) : [] };
    return fail(finding('query-unit', args, placeInQuery(text, start)));
  }
  const quantity = typeof value === 'string' && base ? quantityOf(value) : undefined;
  return quantity && quantity.unit.base === base ? { ...literal, ...quantity, quantityText: String(value) } : literal;
}

function kindOf(value: string | number | boolean): ScalarKind {
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : 'boolean';
}

function canHold(test: Test, { value }: Literal, asked: ScalarKind, holds: readonly ScalarKind[]): boolean {
  if (test.kind === 'like') return asked === 'text' && holds.includes('text');
  if (isOrder(test)) return asked !== 'boolean' && holds.includes(asked);
  if (holds.includes(asked) || holds.includes('text')) return true;
  // Allows values of another type, because tools write the same value as a text, a number or a boolean.
  if (holds.includes('number') && typeof value === 'string' && String(Number(value)) === value) return true;
  return holds.includes('boolean') && ['true', 'false'].includes(String(value));
}

function hintFor(test: Test, { value }: Literal, asked: ScalarKind, holds: readonly ScalarKind[]): string | undefined {
  if (asked === 'text' && holds.includes('number') && String(Number(value)) === value) return value;
  if (holds.length === 1 && holds.includes('boolean')) return isOrder(test) ? undefined : truthOf(value);
  return asked === 'number' && holds.includes('text') ? `'${value}'` : undefined;
}
