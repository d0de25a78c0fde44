/** Converts the JSON form of CQL2 (OGC 21-065, CQL2-JSON) to the text form, so that one parser reads both forms. */

import { fail, finding } from '../diagnostics/finding.ts';
import { isJsonObject, type Json, type JsonObject, parsedJson } from '../model/json.ts';
import { FLIPPED } from './parse.ts';
import {
  COMPARISONS,
  type Comparison,
  type Condition,
  type FieldReference,
  FOLDS,
  type Fold,
  type Literal,
  placeInQuery,
  type Query,
} from './query.ts';
import { fieldText, quotedLiteral } from './query-text.ts';
import { DEEPEST_QUERY } from './token-reader.ts';
import { LONGEST_QUERY } from './tokens.ts';

export function cql2JsonOf(query: Query): JsonObject | boolean {
  switch (query.kind) {
    case 'constant':
      return query.value;
    case 'not':
      return call('not', [cql2JsonOf(query.part)]);
    case 'and':
    case 'or':
      return call(query.kind, query.parts.map(cql2JsonOf));
    case 'condition':
      return conditionJson(query);
    default:
      return query satisfies never;
  }
}

function call(op: string, args: readonly Json[]): JsonObject {
  return { op, args };
}

function conditionJson({ field, test }: Condition): JsonObject {
  const fold = (json: Json) => field.folds.reduce<Json>((inner, each) => call(each, [inner]), json);
  const property = fold(fieldJson(field));
  const literal = ({ value, temporal }: Literal) => {
    if (temporal) return { [temporal]: value };
    return typeof value === 'string' ? fold(value) : value;
  };
  switch (test.kind) {
    case 'compare':
      return call(test.operator, [property, literal(test.literal)]);
    case 'compare-field':
      return call(test.operator, [property, fold(fieldJson(test.other))]);
    case 'in':
      return call('in', [property, test.literals.map(literal)]);
    case 'between':
      return call('between', [property, literal(test.low), literal(test.high)]);
    case 'like':
      return call('like', [property, literal(test.literal)]);
    case 'null':
      return call('isNull', [fieldJson(field)]);
    default:
      return test satisfies never;
  }
}

function fieldJson({ name }: FieldReference): JsonObject {
  return { property: name };
}

/** Throws a Failure with the path of the wrong part. */
export function textOfCql2Json(text: string): string {
  const { length } = text;
  if (length > LONGEST_QUERY) return fail(finding('query-long', { length, limit: LONGEST_QUERY }));
  const json = parsedJson(text);
  return json === undefined ? throwSyntaxError(text) : truthText(json, '', 0);
}

/** Throws a Failure that points to the first unmatched bracket, quote or comma. */
function throwSyntaxError(text: string): never {
  const open: string[] = [];
  for (const { 0: part, 1: quote, index } of text.matchAll(/"(?:[^"\\]|\\.)*("?)|[[\]{}]|,\s*(?=[\]}])/gs)) {
    const closing = CLOSING.get(part);
    if (closing !== undefined) open.push(closing);
    else if (part.startsWith(',')) throwUnexpected(text, 'a value', index + part.length);
    else if (quote === '') throwUnexpected(text, '"', text.length);
    else if (quote === undefined) {
      const expected = open.pop() ?? 'the end of the query';
      if (part !== expected) throwUnexpected(text, expected, index);
    }
  }
  const unclosed = open.pop();
  return unclosed === undefined
    ? fail(finding('query-json-syntax', { expected: undefined, found: undefined }))
    : throwUnexpected(text, unclosed, text.length);
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
]);

function throwUnexpected(text: string, expected: string, offset: number): never {
  return fail(finding('query-json-syntax', { expected, found: text[offset] }, placeInQuery(text, offset)));
}

function wrong(path: string, problem: string): never {
  return fail(finding('query-json', { path, problem }));
}

/** Returns the text of an expression whose result is true or false, such as a comparison. */
function truthText(json: Json, path: string, depth: number): string {
  if (typeof json === 'boolean') return String(json).toUpperCase();
  if (depth > DEEPEST_QUERY) return fail(finding('query-deep', { limit: DEEPEST_QUERY }));
  const { op, args } = operationIn(json, path);
  const parts = () => args.map((arg, i) => truthText(arg, argument(path, i), depth + 1));
  const values = (count: number) => {
    if (args.length !== count) wrong(path, `has ${args.length} arguments, but "${op}" needs ${count}`);
    return args.map((arg, i) => valueText(arg, argument(path, i), depth + 1));
  };
  switch (op) {
    case 'and':
    case 'or':
      if (args.length < 2) wrong(path, `has ${args.length} arguments, but "${op}" needs at least 2`);
      return `(${parts().join(` ${op.toUpperCase()} `)})`;
    case 'not':
      if (args.length !== 1) wrong(path, `has ${args.length} arguments, but "not" needs 1`);
      return `NOT ${parts().join('')}`;
    case 'like':
      return values(2).join(' LIKE ');
    case 'between': {
      const [value, low, high] = values(3);
      return `${value} BETWEEN ${low} AND ${high}`;
    }
    case 'isNull':
      return `${values(1).join('')} IS NULL`;
    case 'in': {
      const [value, list] = args;
      if (value === undefined || args.length !== 2)
        return wrong(path, `has ${args.length} arguments, but "in" needs 2`);
      if (!Array.isArray(list) || list.length === 0) return wrong(argument(path, 1), 'is not a list of values');
      const items = list.map((item: Json, i) => valueText(item, `${argument(path, 1)}[${i}]`, depth + 1));
      return `${valueText(value, argument(path, 0), depth + 1)} IN (${items.join(', ')})`;
    }
    default: {
      const operator = COMPARISONS.find((each) => each === op);
      if (!operator) return wrong(path, `has the operator ${JSON.stringify(op)}, which is not supported`);
      return comparisonText(operator, args, values(2));
    }
  }
}

/**
 * Writes the field on the left side of the comparison, because CASEI and ACCENTI can enclose a value only on the right
 * side.
 */
function comparisonText(operator: Comparison, [first, second]: readonly Json[], texts: readonly string[]): string {
  const [left, right] = texts;
  const isFlipped = !hasProperty(first) && hasProperty(second);
  return isFlipped ? `${right} ${FLIPPED[operator]} ${left}` : `${left} ${operator} ${right}`;
}

function hasProperty(json: Json | undefined): boolean {
  if (!isJsonObject(json)) return false;
  return typeof json['property'] === 'string' || (Array.isArray(json['args']) && hasProperty(json['args'][0]));
}

function valueText(json: Json, path: string, depth: number): string {
  if (typeof json === 'string') return stringText(json, path);
  if (typeof json === 'number') return Number.isFinite(json) ? String(json) : wrong(path, 'is too large for a number');
  if (typeof json === 'boolean') return String(json).toUpperCase();
  if (!isJsonObject(json)) return wrong(path, 'is neither a field nor a value');
  const { property, date, timestamp } = json;
  if (typeof property === 'string') return fieldText(property);
  if (typeof date === 'string') return `DATE(${stringText(date, path)})`;
  if (typeof timestamp === 'string') return `TIMESTAMP(${stringText(timestamp, path)})`;
  const { op, args } = operationIn(json, path);
  const fold: Fold | undefined = FOLDS.find((each) => each === op);
  if (!fold) return wrong(path, `has the function ${JSON.stringify(op)}, which is not supported`);
  if (depth > DEEPEST_QUERY) return fail(finding('query-deep', { limit: DEEPEST_QUERY }));
  const [inner] = args;
  if (inner === undefined || args.length > 1) return wrong(path, `has ${args.length} arguments, but "${op}" needs 1`);
  return `${fold.toUpperCase()}(${valueText(inner, argument(path, 0), depth + 1)})`;
}

function operationIn(json: Json, path: string): { readonly op: string; readonly args: readonly Json[] } {
  const { op, args }: JsonObject = isJsonObject(json) ? json : {};
  if (typeof op !== 'string' || !Array.isArray(args)) return wrong(path, 'has no "op" with "args"');
  return { op, args };
}

function argument(path: string, i: number): string {
  return `${path === '' ? '' : `${path}.`}args[${i}]`;
}

function stringText(text: string, path: string): string {
  return quotedLiteral(text) ?? wrong(path, 'has a backslash before a quote or at its end, which is not supported');
}
