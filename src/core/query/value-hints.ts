/** Warns about likely mistakes in a query, and suggests replacements for values that no node has. */
import { type Finding, finding } from '../diagnostics/finding.ts';
import { MOST_SUGGESTIONS, suggestSimilar } from '../diagnostics/nearest.ts';
import { LABEL_PREFIX } from '../model/fields/field-name.ts';
import { byCodeUnit, byNaturalOrder, type Json } from '../model/json.ts';
import { type BaseUnit, quantityOf, quantityText, unitOfField } from '../model/units.ts';
import { matchesPattern } from '../model/wildcards.ts';
import { getOrCreate } from '../platform/lookups.ts';
import { ABSENT } from '../table/node-table.ts';
import { addressOf, type QueryFleet, valuesAt } from './columns.ts';
import { likePattern, nodesOf, temporalOf } from './evaluate.ts';
import {
  type Condition,
  conditionsOf,
  type FieldReference,
  isOrder,
  type Literal,
  literalsOf,
  placeInQuery,
  type Query,
  type Test,
} from './query.ts';
import { isTemporal, temporalValue } from './temporal.ts';

const MOST_HINTS = 10;

/** Returns at most `MOST_HINTS` warnings about a valid query with a probable mistake. */
export function queryHints(query: Query, fleet: QueryFleet, text: string): Finding[] {
  const hints = [
    ...formHints(query, text),
    ...orderHints(query, fleet, text),
    ...caseHints(query, fleet, text),
    ...nominalHints(query, fleet, text),
    ...valueHints(query, fleet, text),
  ];
  return hints.slice(0, MOST_HINTS);
}

/** If a size, rate or frequency has no unit and is below this number, the user probably meant a larger unit. */
const SMALLEST_AMOUNT = 1_000_000;

function* formHints(query: Query, text: string): Generator<Finding> {
  for (const { field, test } of conditionsOf(query)) {
    const base = unitOfField(field.path);
    for (const { value, unit, start } of literalsOf(test)) {
      const place = placeInQuery(text, start);
      if (test.kind === 'like' && String(value).includes('*') && !String(value).includes('%'))
        yield finding('query-star', { pattern: String(value) }, place);
      const isSmall = typeof value === 'number' && value > 0 && value < SMALLEST_AMOUNT;
      if (base && !unit && isSmall) yield finding('query-unitless', { field: field.name, value, base }, place);
    }
  }
}

/** Warns about bounds in the wrong order, and about bounds that cannot be compared with the values of some nodes. */
function* orderHints(query: Query, fleet: QueryFleet, text: string): Generator<Finding> {
  for (const { field, test } of conditionsOf(query)) {
    if (!isOrder(test)) continue;
    const [low, high = low] = literalsOf(test).map((literal) => amountOf(literal, field));
    if (low === undefined || high === undefined) continue;
    const temporal = temporalOf(test);
    const isPlain = field.folds.length === 0;
    const held = heldValues(field, fleet);
    if (test.kind === 'between' && isPlain && typeof low === typeof high && low > high) {
      const { start, end } = test.low;
      yield finding('query-reversed', { low: text.slice(start, end) }, placeInQuery(text, start));
    } else if (!temporal) yield* rangeHints(field, test, [low, high], held, text);
    for (const { value, temporal, start } of literalsOf(test)) {
      if (temporal || typeof value !== 'string') continue;
      if (isTemporal(value, 'date') || [...held.texts].some(isDateText))
        yield finding('query-date-text', { text: value, date: dateLike(value) }, placeInQuery(text, start));
      const other = [...held.texts].find((each) => isMisplacedVersion(each, value));
      if (other !== undefined)
        yield finding('query-version', { version: value, other, isLarger: other > value }, placeInQuery(text, start));
    }
    const isComparable = (value: Json) =>
      temporal ? temporalValue(value, temporal) !== null : typeof value === typeof low;
    const { nodes, example } = nodesWithout(field, fleet, isComparable);
    const asked = temporal ?? (typeof low === 'number' ? 'number' : 'text');
    const place = placeInQuery(text, field.start);
    if (nodes > 0) yield finding('query-order', { field: field.name, nodes, example, asked }, place);
  }
}

/** Whether two versions, such as `2.8.2` and `2.10.0`, are in the wrong order if they are sorted as texts. */
function isMisplacedVersion(version: string, other: string): boolean {
  const areVersions = [version, other].every((each) => /^\d+(\.\d+)+$/.test(each));
  return areVersions && byNaturalOrder(version, other) * byCodeUnit(version, other) < 0;
}

/** Warns if all numbers of a field are outside the bounds of the comparison. */
function* rangeHints(
  { name, path }: FieldReference,
  test: Test,
  [low, high]: readonly [Literal['value'], Literal['value']],
  { numbers }: HeldValues,
  text: string,
): Generator<Finding> {
  if (typeof low !== 'number' || typeof high !== 'number' || numbers.size === 0) return;
  const operator = test.kind === 'compare' ? test.operator : undefined;
  const [least, most] = [[...numbers].reduce((a, b) => Math.min(a, b)), [...numbers].reduce((a, b) => Math.max(a, b))];
  const isAbove = operator === '>' ? low >= most : operator === '>=' || !operator ? low > most : false;
  const isBelow = operator === '<' ? high <= least : operator === '<=' || !operator ? high < least : false;
  if (!isAbove && !isBelow) return;
  const [{ start } = { start: 0 }] = isAbove ? literalsOf(test) : literalsOf(test).slice(-1);
  const extreme = valueText(isAbove ? most : least, unitOfField(path));
  yield finding('query-range', { field: name, isLargest: isAbove, extreme }, placeInQuery(text, start));
}

/** Whether a text is a date, such as `2026-03-01` or `03/01/2026`. */
function isDateText(text: string): boolean {
  return temporalValue(text, 'date') !== null || /^\d{1,2}([/.])\d{1,2}\1\d{4}$/.test(text);
}

/** Guesses the argument of DATE from a text. Returns an example date if the text is no date, month or year. */
function dateLike(text: string): string {
  if (isTemporal(text, 'date')) return text;
  return [`${text}-01`, `${text}-01-01`].find((each) => isTemporal(each, 'date')) ?? '2026-03-01';
}

/** Warns about patterns that match only if case is ignored. */
function* caseHints(query: Query, fleet: QueryFleet, text: string): Generator<Finding> {
  for (const { field, test } of conditionsOf(query)) {
    if (test.kind !== 'like' || field.folds.length > 0) continue;
    const pattern = String(test.literal.value);
    if (!/[%_]/.test(pattern)) continue;
    const texts = [...heldValues(field, fleet).texts];
    const [exact, folded] = [likePattern(pattern), likePattern(pattern.toLowerCase())];
    if (texts.some((each) => matchesPattern(each, exact))) continue;
    if (texts.some((each) => matchesPattern(each.toLowerCase(), folded)))
      yield finding('query-case', { field: field.name, pattern }, placeInQuery(text, test.literal.start));
  }
}

const MEASURED_MEMORY = 'main_memory.ram_size';
const NOMINAL_MEMORY = 'ram';

/** Warns if a comparison of the nominal memory sizes would find more nodes or fewer nodes. */
function* nominalHints(query: Query, fleet: QueryFleet, text: string): Generator<Finding> {
  const isMeasured = ({ field, test }: Condition) =>
    field.name === MEASURED_MEMORY && ['compare', 'in', 'between'].includes(test.kind);
  const first = [...conditionsOf(query)].find(isMeasured);
  if (!first || fleet.column('label', NOMINAL_MEMORY) === undefined) return;
  const label = `${LABEL_PREFIX}.${NOMINAL_MEMORY}`;
  const path = [LABEL_PREFIX, NOMINAL_MEMORY];
  const nominal = withConditions(query, (condition) =>
    isMeasured(condition) ? { ...condition, field: { ...condition.field, name: label, path } } : condition,
  );
  const [found, others] = [query, nominal].map((each) => new Set(nodesOf(each, fleet, text)));
  const countWithout = (some: Iterable<number> = [], those?: ReadonlySet<number>) =>
    [...some].filter((node) => !those?.has(node)).length;
  const [more, fewer] = [countWithout(others, found), countWithout(found, others)];
  if (more + fewer > 0)
    yield finding(
      'query-nominal',
      { field: MEASURED_MEMORY, label, more, fewer },
      placeInQuery(text, first.field.start),
    );
}

function withConditions(query: Query, change: (condition: Condition) => Condition): Query {
  switch (query.kind) {
    case 'condition':
      return change(query);
    case 'and':
    case 'or':
      return { ...query, parts: query.parts.map((part) => withConditions(part, change)) };
    case 'not':
      return { ...query, part: withConditions(query.part, change) };
    case 'constant':
      return query;
    default:
      return query satisfies never;
  }
}

/** Converts a literal for comparison. A text such as `'256 GiB'` becomes a number of bytes if the field has a unit. */
function amountOf({ value, temporal }: Literal, { path }: FieldReference): Literal['value'] {
  if (temporal) return temporalValue(value, temporal) ?? value;
  const isQuantity = typeof value === 'string' && unitOfField(path) !== undefined;
  return isQuantity ? (quantityOf(value)?.value ?? value) : value;
}

/** Counts the nodes with a value that `isComparable` rejects. */
function nodesWithout(field: FieldReference, fleet: QueryFleet, isComparable: (value: Json) => boolean) {
  const { kind, name, rest } = addressOf(field);
  const { values, rows } = fleet.column(kind, name) ?? { values: [], rows: [] };
  const others = values.map((value) =>
    valuesAt(value, rest).find((each) => typeof each !== 'object' && !isComparable(each)),
  );
  let nodes = 0;
  for (let row = 0; row < rows.length; row++) if (others[rows[row] ?? ABSENT] !== undefined) nodes++;
  return { nodes, example: JSON.stringify(others.find((each) => each !== undefined && each !== '') ?? '') };
}

/** Finds values in the query that the compared field has in no node. Returns a finding for each. */
export function valueHints(query: Query, fleet: QueryFleet, text: string): Finding[] {
  const findings: Finding[] = [];
  const known = new Map<string, HeldValues>();
  for (const { field, literal, isPattern } of askedValues(query)) {
    const held = getOrCreate(known, field.name, () => heldValues(field, fleet));
    const nearest = missingValue(literal, field, held, fleet);
    if (!nearest) continue;
    const value = typeof literal.value === 'string' ? literal.value : text.slice(literal.start, literal.end);
    const place = placeInQuery(text, literal.start);
    findings.push(
      isPattern
        ? finding(
            'query-whole',
            { pattern: value, otherCase: isOtherCase(value, field, held) ? field.name : undefined },
            place,
          )
        : finding('query-value', { field: field.name, value, nearest }, place),
    );
    if (findings.length === MOST_HINTS) break;
  }
  return findings;
}

/** Whether the pattern occurs in the texts only if case is ignored. */
function isOtherCase(pattern: string, { folds }: FieldReference, { texts }: HeldValues): boolean {
  const held = [...texts];
  if (folds.length > 0 || held.some((text) => text.includes(pattern))) return false;
  return held.some((text) => text.toLowerCase().includes(pattern.toLowerCase()));
}

/** Returns suggestions for a value that no node has. Returns undefined if a node has the value. */
function missingValue(
  literal: Literal,
  field: FieldReference,
  { all, texts, numbers }: HeldValues,
  fleet: QueryFleet,
): string[] | undefined {
  if (all.has(String(literal.value))) return undefined;
  const amount = amountOf(literal, field);
  if (typeof amount === 'number') {
    if (numbers.size === 0 || numbers.has(amount)) return undefined;
    const nearest = [...numbers].sort((a, b) => Math.abs(a - amount) - Math.abs(b - amount)).slice(0, NEAREST_NUMBERS);
    return nearest.map((each) => valueText(each, unitOfField(field.path)));
  }
  if (typeof amount !== 'string' || texts.size === 0) return undefined;
  const folded = amount.toLowerCase();
  const held = [...texts];
  const same = held.filter((each) => each.toLowerCase() === folded);
  if (same.length > 0 && field.folds.length > 0) return undefined;
  const containing = held.filter((each) => folded !== '' && each.toLowerCase().includes(folded)).sort(byCodeUnit);
  const labels = labelConditions(amount, fleet, field.name);
  const near = same.length > 0 ? same : containing.slice(0, MOST_SUGGESTIONS - labels.length);
  return near.length + labels.length > 0 ? [...near, ...labels] : suggestSimilar(amount, texts);
}

/** Returns a number with its unit, as written in a query. */
function valueText(value: number, base: BaseUnit | undefined): string {
  return base ? quantityText(value, base).replace(' ', '') : String(value);
}

const NEAREST_NUMBERS = 2;

/** Returns a condition, such as `label.gpu = 'A100'`, for each label that has this value. Omits the label `except`. */
export function labelConditions(value: string, fleet: QueryFleet, except?: string): string[] {
  const folded = value.toLowerCase();
  return [...fleet.names('label')]
    .filter((name) => `${LABEL_PREFIX}.${name}` !== except)
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
  readonly isPattern: boolean;
}

/** Yields values that can be misspelt: all values of `=` and IN, and the texts of `<>` and LIKE. */
function* askedValues(query: Query): Generator<AskedValue> {
  for (const { field, test } of conditionsOf(query)) {
    if (isOrder(test)) continue;
    const isPattern = test.kind === 'like';
    for (const literal of literalsOf(test)) {
      if (literal.temporal || field.folds.includes('accenti')) continue;
      const isText = typeof literal.value === 'string';
      if (isPattern && /[%_*]/.test(String(literal.value))) continue;
      if (isText || test.kind === 'in' || (test.kind === 'compare' && test.operator === '='))
        yield { field, literal, isPattern };
    }
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
