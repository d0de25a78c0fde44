/** Translates filters to CQL2, and simple queries to filters. */

import { pathOfField } from '../../core/model/fields/field-name.ts';
import type { Json } from '../../core/model/json.ts';
import { quantityOf, quantityText, unitOfField } from '../../core/model/units.ts';
import { parseQuery } from '../../core/query/parse.ts';
import { type Condition, literalsOf, type Query } from '../../core/query/query.ts';
import { fieldText, quotedLiteral } from '../../core/query/query-text.ts';
import { type Filter, facetColumn, parameterOf } from './filters.ts';
import type { Fleet } from './fleet.ts';

/** Returns a query for the nodes that match `query` and all filters. */
export function queryOfFilters(filters: readonly Filter[], query: string, fleet: Fleet): string {
  const parts = filters.map(({ field, texts, range }) => {
    const { texts: all, values } = facetColumn(fleet, field);
    const name = fieldText(field);
    const wanted = texts.map((text) => (all.includes(text) ? (values[all.indexOf(text)] ?? text) : text));
    const [from, to] = [range?.from, range?.to].map((bound) => (bound === undefined ? '' : literalText(bound, field)));
    const bounds = rangeCondition(name, from, to);
    if (texts.length === 0) return bounds;
    const equal = equality(field, wanted);
    return bounds === '' ? equal : `(${equal} OR ${bounds})`;
  });
  if (query === 'FALSE') return query;
  const own = query === '' || filters.length === 0 ? query : `(${query})`;
  return [own, ...parts].filter((part) => part !== '').join(' AND ');
}

/** Returns a condition for nodes whose field has one of the values. */
export function equality(field: string, values: readonly Json[]): string {
  const name = fieldText(field);
  // `=` cannot compare with a text that ends with a backslash, but LIKE can.
  const isPattern = (value: Json) => typeof value === 'string' && quotedLiteral(value) === undefined;
  const [first, ...others] = values.filter((value) => !isPattern(value)).map((value) => literalText(value, field));
  const equal = others.length > 0 ? `${name} IN (${[first, ...others].join(', ')})` : `${name} = ${first}`;
  const parts = [
    ...(first === undefined ? [] : [equal]),
    ...values.filter(isPattern).map((value) => `${name} LIKE ${quoted(patternText(String(value)))}`),
  ];
  return parts.length === 1 ? parts.join('') : `(${parts.join(' OR ')})`;
}

/**
 * Returns a condition for nodes with a value in a range. An empty text means no bound. Two comparisons are no range,
 * because different items of a list can match them.
 */
export function rangeCondition(name: string, from = '', to = ''): string {
  if (from !== '' && to !== '') return `${name} BETWEEN ${from} AND ${to}`;
  if (from !== '') return `${name} >= ${from}`;
  return to === '' ? '' : `${name} <= ${to}`;
}

/** Escapes the wildcards of LIKE. */
export function patternText(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}

/** Formats a value for a query. A number gets a unit, such as `256GiB`, if the unit does not round the number. */
export function literalText(value: Json | undefined, field: string): string {
  if (typeof value === 'boolean') return String(value).toUpperCase();
  if (typeof value !== 'number') return quoted(String(value));
  const base = unitOfField(pathOfField(field) ?? [field]);
  const text = base ? quantityText(value, base).replaceAll(/[\s\u202f]/g, '') : '';
  return quantityOf(text)?.value === value ? text : String(value);
}

/** Formats a text for a query. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns URL parameters of equivalent filters, or undefined if filters cannot express the query. */
export function filtersOfQuery(text: string): Readonly<Record<string, string[]>> | undefined {
  const found: Record<string, string[]> = {};
  const conditions = simpleConditions(parseQuery(text));
  for (const { field, test } of conditions ?? []) {
    const isPlain = field.folds.length === 0 && !field.name.includes('"') && !hasQuotedQuantity(test, field.path);
    const values = isPlain ? filterValues(test) : undefined;
    const name = parameterOf(field.name);
    if (!values || Object.hasOwn(found, name)) return undefined;
    found[name] = values;
  }
  return conditions && found;
}

/** True if a literal is a quantity in quotes, such as `'512 GiB'`, which also equals numbers. A filter compares texts. */
function hasQuotedQuantity(test: Condition['test'], path: readonly string[]): boolean {
  const base = unitOfField(path);
  return literalsOf(test).some(({ value }) => base && quantityOf(String(value))?.unit.base === base);
}

/** Returns the conditions of a query that joins conditions with AND. Returns undefined for other queries. */
function simpleConditions(query: Query): readonly Condition[] | undefined {
  if (query.kind === 'condition') return [query];
  if (query.kind !== 'and') return undefined;
  const parts = query.parts.flatMap((part) => (part.kind === 'condition' ? [part] : []));
  return parts.length === query.parts.length ? parts : undefined;
}

function filterValues(test: Condition['test']): string[] | undefined {
  switch (test.kind) {
    case 'compare': {
      const { operator, literal } = test;
      if (literal.temporal) return undefined;
      if (operator === '=') return [String(literal.value)];
      if (typeof literal.value !== 'number') return undefined;
      return operator === '>=' ? [`${literal.value}..`] : operator === '<=' ? [`..${literal.value}`] : undefined;
    }
    case 'in':
      return test.literals.some(({ temporal }) => temporal)
        ? undefined
        : test.literals.map(({ value }) => String(value));
    case 'between': {
      const [low, high] = [test.low.value, test.high.value];
      return typeof low === 'number' && typeof high === 'number' ? [`${low}..${high}`] : undefined;
    }
    case 'compare-field':
    case 'like':
    case 'null':
      return undefined;
    default:
      return test satisfies never;
  }
}
