/** Warns about likely mistakes in a query, and suggests values for a query without a result. */
import { type Finding, finding } from '../diagnostics/finding.ts';
import { MOST_SUGGESTIONS, suggestSimilar } from '../diagnostics/nearest.ts';
import { LABEL_PREFIX } from '../model/fields/field-name.ts';
import { byCodeUnit } from '../model/json.ts';
import { quantityOf, quantityText, unitOfField } from '../model/units.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { addressOf, type QueryFleet, valuesAt } from './columns.ts';
import { conditionsOf, type FieldReference, type Literal, literalsOf, placeInQuery, type Query } from './query.ts';

const MOST_HINTS = 10;

/** Warnings about a query that is valid but probably means something else, up to `MOST_HINTS`. */
export function queryHints(query: Query, fleet: QueryFleet, text: string, isEmpty: boolean): Finding[] {
  return [...formHints(query, text), ...(isEmpty ? valueHints(query, fleet, text) : [])].slice(0, MOST_HINTS);
}

/** Smaller numbers of bytes, bits per second and hertz are probably numbers of a larger unit. */
const SMALLEST_AMOUNT = 1_000_000;

function* formHints(query: Query, text: string): Generator<Finding> {
  for (const { field, test } of conditionsOf(query)) {
    const base = unitOfField(field.path);
    for (const { value, unit, start } of literalsOf(test)) {
      const place = placeInQuery(text, start);
      if (test.kind === 'like' && String(value).includes('*'))
        yield finding('query-star', { pattern: String(value) }, place);
      const isSmall = typeof value === 'number' && value > 0 && value < SMALLEST_AMOUNT;
      if (base && !unit && isSmall) yield finding('query-unitless', { field: field.name, value, base }, place);
    }
  }
}

/** Returns a finding for each value that no node has in the field of its condition. */
export function valueHints(query: Query, fleet: QueryFleet, text: string): Finding[] {
  const findings: Finding[] = [];
  const known = new Map<string, HeldValues>();
  for (const { field, literal } of askedValues(query)) {
    const held = getOrCreate(known, field.name, () => heldValues(field, fleet));
    const nearest = missingValue(literal, field, held, fleet);
    if (!nearest) continue;
    const value = typeof literal.value === 'string' ? literal.value : text.slice(literal.start, literal.end);
    findings.push(finding('query-value', { field: field.name, value, nearest }, placeInQuery(text, literal.start)));
    if (findings.length === MOST_HINTS) break;
  }
  return findings;
}

/** Suggestions for a value that no node has; undefined if a node has it. */
function missingValue(
  { value }: Literal,
  field: FieldReference,
  { all, texts, numbers }: HeldValues,
  fleet: QueryFleet,
): string[] | undefined {
  if (all.has(String(value))) return undefined;
  const base = unitOfField(field.path);
  const amount = typeof value === 'string' && base ? (quantityOf(value)?.value ?? value) : value;
  if (typeof amount === 'number') {
    if (numbers.size === 0 || numbers.has(amount)) return undefined;
    const nearest = [...numbers].sort((a, b) => Math.abs(a - amount) - Math.abs(b - amount)).slice(0, NEAREST_NUMBERS);
    return nearest.map((each) => (base ? quantityText(each, base).replace(' ', '') : String(each)));
  }
  if (typeof amount !== 'string' || texts.size === 0) return undefined;
  const folded = amount.toLowerCase();
  const held = [...texts];
  const same = held.filter((each) => each.toLowerCase() === folded);
  const containing = held.filter((each) => folded !== '' && each.toLowerCase().includes(folded)).sort(byCodeUnit);
  const labels = labelConditions(amount, fleet);
  const near = same.length > 0 ? same : containing.slice(0, MOST_SUGGESTIONS - labels.length);
  return near.length + labels.length > 0 ? [...near, ...labels] : suggestSimilar(amount, texts);
}

const NEAREST_NUMBERS = 2;

/** The conditions on labels that have a value: `label.gpu = 'A100'`. */
export function labelConditions(value: string, fleet: QueryFleet): string[] {
  const folded = value.toLowerCase();
  return [...fleet.names('label')]
    .flatMap((name) => {
      const values = fleet.column('label', name)?.values.flatMap((each) => valuesAt(each, [])) ?? [];
      const same = values.find((each) => typeof each === 'string' && each.toLowerCase() === folded);
      return same === undefined ? [] : [`${LABEL_PREFIX}.${name} = '${same}'`];
    })
    .slice(0, MOST_SUGGESTIONS - 1);
}

interface AskedValue {
  readonly field: FieldReference;
  readonly literal: Literal;
}

function* askedValues(query: Query): Generator<AskedValue> {
  for (const { field, test } of conditionsOf(query)) {
    if (test.kind !== 'in' && !(test.kind === 'compare' && test.operator === '=')) continue;
    for (const literal of literalsOf(test)) yield { field, literal };
  }
}

interface HeldValues {
  readonly all: ReadonlySet<string>;
  readonly texts: ReadonlySet<string>;
  readonly numbers: ReadonlySet<number>;
}

function heldValues(field: FieldReference, fleet: QueryFleet): HeldValues {
  const { kind, name, rest } = addressOf(field);
  const values = fleet.column(kind, name)?.values.flatMap((value) => valuesAt(value, rest)) ?? [];
  return {
    all: new Set(values.filter((value) => typeof value !== 'object').map(String)),
    texts: new Set(values.filter((value) => typeof value === 'string')),
    numbers: new Set(values.filter((value) => typeof value === 'number')),
  };
}
