/**
 * Translates words that people type, and filters, to a query in CQL2, and simple queries to filters.
 *
 *     words = group *("OR" group)
 *     group = 1*term
 *     term  = ["-"] [field ":"] (word / '"' text '"')
 *
 * A node matches a term if one of its fields contains the word, or has this number or quantity. With a field, only this
 * field counts. A hyphen excludes the nodes that match. Little words between the terms, such as "in", mean nothing.
 */

import { pathOfField } from '../../core/model/fields/field-name.ts';
import type { Json } from '../../core/model/json.ts';
import { quantityOf, quantityText, unitOfField } from '../../core/model/units.ts';
import { allFieldNames, namedField } from '../../core/query/named-field.ts';
import { parseQuery } from '../../core/query/parse.ts';
import type { Condition, Query } from '../../core/query/query.ts';
import { type FacetColumn, type Filter, facetColumn, parameterOf } from './filters.ts';
import type { Fleet } from './fleet.ts';

/** Short names of fields. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ...['cpu', 'gpu', 'ram', 'disk', 'network'].map((name) => [name, `label.${name}`] as const),
  ['type', 'node_type'],
  ['name', 'node_name'],
  ['rack', 'placement.rack'],
  ['threads', 'architecture.smt_size'],
  ['gpus', 'gpu.gpu_count'],
]);
const LITTLE_WORDS = ['in', 'at', 'on', 'and', 'with'];
/** In characters, and in terms. Longer texts would give too long queries. */
const LONGEST = 500;
const MOST_TERMS = 20;
const TERM = /-?(?:[A-Za-z_][\w.]*:)?(?:"[^"]*"|[^\s"]+)/g;
/** A short word before a colon is rather a part of a MAC address. */
const WITH_FIELD = /^([A-Za-z_][\w.]{2,}):(.+)$/;

/** Throws a Failure if a term names a field that no node has. */
export function queryOfWords(text: string, fleet: Fleet): string {
  const groups: string[][] = [[]];
  const terms = text.slice(0, LONGEST).match(TERM) ?? [];
  for (const term of terms.slice(0, MOST_TERMS)) {
    if (/^or$/i.test(term)) groups.push([]);
    else if (!LITTLE_WORDS.includes(term.toLowerCase())) groups.at(-1)?.push(termQuery(term, fleet));
  }
  const parts = groups.filter((group) => group.length > 0);
  const isSingle = parts.length === 1;
  const texts = parts.map((group) =>
    isSingle || group.length === 1 ? group.join(' AND ') : `(${group.join(' AND ')})`,
  );
  return texts.length === 0 ? 'TRUE' : texts.join(' OR ');
}

function termQuery(term: string, fleet: Fleet): string {
  const isExcluded = term.startsWith('-') && term.length > 1;
  const [, given, after] = WITH_FIELD.exec(isExcluded ? term.slice(1) : term) ?? [];
  const word = (after ?? (isExcluded ? term.slice(1) : term)).replaceAll('"', '');
  const fields = given === undefined ? fieldsOf(fleet) : [namedField(ALIASES.get(given) ?? given, fleet.query).name];
  const found = fields.flatMap((field) => {
    const condition = conditionOn(field, word, facetColumn(fleet, field));
    return condition === undefined ? [] : [{ field, condition }];
  });
  if (isExcluded) {
    const all = found.map(({ field, condition }) => `(${field} IS NULL OR NOT ${condition})`);
    return all.length === 0 ? 'TRUE' : all.join(' AND ');
  }
  const [only, ...others] = found.map(({ condition }) => condition);
  if (only === undefined) return 'FALSE';
  return others.length === 0 ? only : `(${[only, ...others].join(' OR ')})`;
}

const known = new WeakMap<Fleet, readonly string[]>();

function fieldsOf(fleet: Fleet): readonly string[] {
  const names = known.get(fleet) ?? [...new Set(allFieldNames(fleet.query))];
  known.set(fleet, names);
  return names;
}

/** Returns undefined if no node has the word in the field. */
function conditionOn(field: string, word: string, { values }: FacetColumn): string | undefined {
  const [low, high] = word.split('..');
  if (high !== undefined && values.some((value) => typeof value === 'number')) {
    const bounds = [low ? `${field} >= ${low}` : '', high ? `${field} <= ${high}` : ''].filter((bound) => bound !== '');
    if (bounds.length > 0) return bounds.length === 1 ? bounds[0] : `(${bounds.join(' AND ')})`;
  }
  const quantity = quantityOf(word);
  const isOfField = quantity?.unit.base === unitOfField(pathOfField(field) ?? [field]);
  const amount = quantity && isOfField ? quantity.value : Number(word);
  if (values.includes(amount)) return `${field} = ${word.replaceAll(/\s/g, '')}`;
  const truth = /^(?:true|false)$/i.test(word) ? word.toLowerCase() === 'true' : undefined;
  if (truth !== undefined && values.includes(truth)) return `${field} = ${String(truth).toUpperCase()}`;
  const folded = word.toLowerCase();
  const texts = values.filter((value) => typeof value === 'string' && value.toLowerCase().includes(folded));
  if (texts.length === 0) return undefined;
  if (texts.length === 1 && String(texts[0]).toLowerCase() === folded) return `${field} = ${quoted(String(texts[0]))}`;
  return `CASEI(${field}) LIKE ${quoted(`%${folded.replaceAll(/[\\%_]/g, '\\$&')}%`)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Returns the query for nodes that match all filters and a query. */
export function queryOfFilters(filters: readonly Filter[], query: string, fleet: Fleet): string {
  const parts = filters.map(({ field, texts, range }) => {
    const { texts: all, values } = facetColumn(fleet, field);
    const literals = texts.map((text) => literalText(all.includes(text) ? values[all.indexOf(text)] : text, field));
    const bounds = [
      ...(range?.from === undefined ? [] : [`${field} >= ${literalText(range.from, field)}`]),
      ...(range?.to === undefined ? [] : [`${field} <= ${literalText(range.to, field)}`]),
    ].join(' AND ');
    const [first, ...others] = literals;
    const equal = others.length > 0 ? `${field} IN (${literals.join(', ')})` : `${field} = ${first}`;
    if (first === undefined) return bounds;
    return bounds === '' ? equal : `(${equal} OR ${bounds})`;
  });
  const own = query === '' || filters.length === 0 ? query : `(${query})`;
  return [own, ...parts].filter((part) => part !== '').join(' AND ');
}

/** Writes a value in a query. A number has a readable unit, if this does not round it. */
export function literalText(value: Json | undefined, field: string): string {
  if (typeof value === 'boolean') return String(value).toUpperCase();
  if (typeof value !== 'number') return quoted(String(value));
  const base = unitOfField(pathOfField(field) ?? [field]);
  const text = base ? quantityText(value, base).replaceAll(/[\s\u202f]/g, '') : '';
  return quantityOf(text)?.value === value ? text : String(value);
}

/** Returns the parameters of filters that mean the same as a query. Undefined if no filters can mean it. */
export function filtersOfQuery(text: string): Readonly<Record<string, string[]>> | undefined {
  const found: Record<string, string[]> = {};
  const conditions = simpleConditions(parseQuery(text));
  for (const { field, test } of conditions ?? []) {
    const values = field.folds.length === 0 && !field.name.includes('"') ? filterValues(test) : undefined;
    const name = parameterOf(field.name);
    if (!values || Object.hasOwn(found, name)) return undefined;
    found[name] = values;
  }
  return conditions && found;
}

/** Returns the conditions that must all be true. Undefined if the query has another form. */
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
