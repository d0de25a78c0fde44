/** Finds the conditions of a query that match a word, such as `label.gpu = 'A100'` for the word `a100`. */

import { pathOfField } from '../../core/model/fields/field-name.ts';
import type { Json } from '../../core/model/json.ts';
import { isUuid } from '../../core/model/uid.ts';
import { quantityOf, quantityText, unitNames, unitOfField } from '../../core/model/units.ts';
import { fieldText } from '../../core/query/query-text.ts';
import { equality, patternText, quoted, rangeCondition } from './filter-queries.ts';
import { type FacetColumn, facetColumn } from './filters.ts';
import type { Fleet } from './fleet.ts';

/** Maps unit names in lower case to their correct spelling. Omits the unit `B`, because B can also be a word. */
export const UNITS = new Map(
  unitNames().flatMap((name) => (name === 'B' ? [] : [[name.toLowerCase(), name] as const])),
);
const AMOUNT = /^(\d+(?:\.\d+)?)\s*([a-z/]+)$/;

export const UID = 'uid';
/** The minimum length of a word that can match a uid. Shorter words match many uids by chance. */
const SHORTEST_UID_START = 6;

/** True if a word is long enough to match a uid. Any length is enough if the uids are names instead of UUIDs. */
export function isUidStart(word: string, fleet: Fleet): boolean {
  return word.length >= SHORTEST_UID_START || !isUuid(fleet.table.uids[0] ?? '');
}

interface FieldCondition {
  readonly field: string;
  readonly condition: string;
}

/** Returns a condition for each field that contains the word. Uses the first kind of condition that fits a field. */
export function conditionsOn(fields: readonly string[], word: string, fleet: Fleet): FieldCondition[] {
  const mac = macOf(word);
  const all = (test: (field: string, column: FacetColumn) => string | undefined) =>
    fields.flatMap((field) => {
      const condition = test(field, facetColumn(fleet, field));
      return condition === undefined ? [] : [{ field, condition }];
    });
  const tests = [
    (field: string, column: FacetColumn) => (field.startsWith('label.') ? equalityOn(field, word, column) : undefined),
    ...readingsOf(word).map((texts) => (field: string, column: FacetColumn) => quantityOn(field, texts, column)),
    (field: string, column: FacetColumn) =>
      hasValueInRange(column, word) ? conditionOn(field, word, column) : undefined,
    (field: string, column: FacetColumn) => conditionOn(field, word, column),
    (field: string, column: FacetColumn) => (mac === undefined ? undefined : conditionOn(field, mac, column)),
  ];
  for (const test of tests) {
    const found = all(test);
    if (found.length > 0) return found;
  }
  return [];
}

const MAC = /^(?:[\da-f]{2}[-.]?){2,5}[\da-f]{2}$/i;

/** Adds colons to a MAC address, or to at least three bytes of a MAC address. Returns undefined for other words. */
function macOf(word: string): string | undefined {
  return MAC.test(word) ? word.replaceAll(/[-.]/g, '').replaceAll(/..(?=.)/g, '$&:') : undefined;
}

function equalityOn(field: string, word: string, { values }: FacetColumn): string | undefined {
  const folded = word.toLowerCase();
  const equal = values.filter((value) => typeof value === 'string' && value.toLowerCase() === folded);
  return equal.length === 0 ? undefined : equality(field, equal);
}

/** Returns the possible quantities of a word, the likeliest first. For `256gb`, returns `256GB`, then `256GiB`. */
function readingsOf(word: string): string[][] {
  const [, digits = '', unit = ''] = AMOUNT.exec(word.toLowerCase()) ?? [];
  const [, prefix] = /^([kmgtp])b?$/.exec(unit) ?? [];
  if (prefix === undefined) return UNITS.has(unit) ? [[digits + UNITS.get(unit)]] : [];
  const readings = UNITS.has(unit) ? [[unit], [`${prefix}ib`]] : [[`${prefix}b`, `${prefix}ib`, `${prefix}bps`]];
  return readings.map((names) => names.flatMap((name) => (UNITS.has(name) ? [digits + UNITS.get(name)] : [])));
}

/** Returns a condition for values that equal a quantity, or that the explorer shows as this quantity after rounding. */
function quantityOn(field: string, texts: readonly string[], { values }: FacetColumn): string | undefined {
  const base = unitOfField(pathOfField(field) ?? [field]);
  if (base === undefined) return undefined;
  const amounts = texts.flatMap((text) => {
    const quantity = quantityOf(text);
    return quantity?.unit.base === base ? [quantity.value] : [];
  });
  const isMeant = (value: Json) =>
    typeof value === 'number' &&
    (amounts.includes(value) || texts.includes(quantityText(value, base).replaceAll(' ', '')));
  const found = values.filter(isMeant);
  return found.length === 0 ? undefined : equality(field, found);
}

/** True if the word is a range, such as `100Gbps..`, and a number of the field is in it. */
function hasValueInRange({ values }: FacetColumn, word: string): boolean {
  const [low = '', high] = word.split('..');
  if (high === undefined) return false;
  const amountOf = (text: string) => quantityOf(withUnitName(text))?.value ?? Number(text);
  const [least, most] = [low === '' ? -Infinity : amountOf(low), high === '' ? Infinity : amountOf(high)];
  return values.some((value) => typeof value === 'number' && value >= least && value <= most);
}

/** Returns a condition that finds a word in a field. Returns undefined if no value of the field contains the word. */
function conditionOn(field: string, asked: string, { values }: FacetColumn): string | undefined {
  const name = fieldText(field);
  const hasNumbers = values.some((value) => typeof value === 'number');
  const [, operator, bound = ''] = /^([<>]=?|=)\s*(.+)$/.exec(asked) ?? [];
  if (operator !== undefined && hasNumbers && /^[\d.]/.test(bound)) return `${name} ${operator} ${withUnitName(bound)}`;
  const word = operator === '=' ? bound : asked;
  const [low = '', high] = word.split('..');
  if (high !== undefined && hasNumbers) {
    const condition = rangeCondition(name, withUnitName(low), withUnitName(high));
    if (condition !== '') return condition;
  }
  if (values.includes(Number(word))) return `${name} = ${word}`;
  const truth = /^(?:true|false)$/i.test(word) ? word.toLowerCase() === 'true' : undefined;
  if (truth !== undefined && values.includes(truth)) return `${name} = ${String(truth).toUpperCase()}`;
  const folded = word.toLowerCase();
  const isUids = field === UID && values.some((value) => isUuid(String(value)));
  const isFound = (text: string) => (isUids ? text.startsWith(folded) : text.includes(folded));
  const texts = values.filter((value) => typeof value === 'string' && isFound(value.toLowerCase()));
  if (texts.length === 0) return undefined;
  if (texts.length === 1 && String(texts[0]).toLowerCase() === folded) return equality(field, texts);
  return `CASEI(${name}) LIKE ${quoted(`${isUids ? '' : '%'}${patternText(folded)}%`)}`;
}

/** Corrects the case of the unit: `1tib` becomes `1TiB`. */
export function withUnitName(amount: string): string {
  return amount.replace(/\s*([a-z/]+)$/i, (_, unit: string) => UNITS.get(unit.toLowerCase()) ?? unit);
}
