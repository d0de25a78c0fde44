import { suggestSimilar } from '../../core/diagnostics/nearest.ts';
import { pathOfField } from '../../core/model/fields/field-name.ts';
import { unitOfField } from '../../core/model/units.ts';
import { conditionsOf, type FieldReference, type Query } from '../../core/query/query.ts';
import { ABSENT } from '../../core/table/node-table.ts';
import { fieldsOf, fieldTitled } from './field-names.ts';
import { namedByTitle } from './field-titles.ts';
import { facetColumn } from './filters.ts';
import type { Fleet } from './fleet.ts';
import type { MissingWord, SiteUids } from './words.ts';

/** If a field has more values, the explorer suggests none of them, because comparing many values is slow. */
const MOST_VALUES = 1_000;
const SHORTEST_PART = 3;

export function missingNote({ word, fields }: MissingWord, fleet: Fleet): string {
  const problem = `No node has “${word}”.`;
  const [only = ''] = fields;
  const base = fields.length === 1 ? unitOfField(pathOfField(only) ?? [only]) : undefined;
  if (base && /^[\d.]+$/.test(word)) {
    const unit = { B: 'GiB', 'bit/s': 'Gbps', Hz: 'GHz' }[base];
    return `${problem} ${only} is in ${base}. Add a unit, such as ${word}${unit}.`;
  }
  if (fieldsOf(fleet).includes(fieldTitled(word, fleet))) return `${problem} It is a field: write ${word}:VALUE.`;
  const similar = similarWords(word, fields, fleet);
  return similar.length === 0 ? problem : `${problem} Did you mean ${similar.join(' or ')}?`;
}

function similarWords(word: string, fields: readonly string[], fleet: Fleet): string[] {
  const written = new Map<string, string>();
  for (const field of fields) {
    const { values } = facetColumn(fleet, field);
    const texts = values.length > MOST_VALUES ? [] : values.filter((value) => typeof value === 'string');
    const parts = texts.flatMap((text) => text.split(/[^\w.-]+/)).filter((part) => part.length >= SHORTEST_PART);
    for (const text of [...parts, ...texts]) written.set(withDigits(text), text);
  }
  const same = written.get(withDigits(word));
  if (same !== undefined) return [same];
  return suggestSimilar(withDigits(word), written.keys())
    .filter((found) => /\d/.test(word) || /\D/.test(found))
    .map((found) => written.get(found) ?? found);
}

/** Replaces letters that look like digits: `A1OO` becomes `a100`. */
function withDigits(text: string): string {
  return text.toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1');
}

/** Suggests the uid of a site if the query compares the field `site` with the site's display name. */
export function siteNotes(query: Query, siteUids: SiteUids): string[] {
  const texts = [...conditionsOf(query)].flatMap(({ field, test }) =>
    field.name !== 'site'
      ? []
      : test.kind === 'in'
        ? test.literals.map(({ value }) => value)
        : test.kind === 'compare'
          ? [test.literal.value]
          : [],
  );
  return texts.flatMap((text) => {
    const uid = siteUids.get(String(text).toLowerCase());
    return uid === undefined || uid === text ? [] : [`${String(text)} is the name of a site. Did you mean ${uid}?`];
  });
}

/** Warns if the query uses a field whose name is also the title of another column, such as `type`. */
export function titleNotes(query: Query): string[] {
  const names = new Set(Array.from(conditionsOf(query), ({ field }) => field.name));
  return [...names].flatMap((name) => {
    const titled = namedByTitle(name);
    return titled === undefined || titled === name
      ? []
      : [`The column of this name is the field ${titled}, not ${name}.`];
  });
}

/** Reports how many nodes lack the field of a negated condition. Omits fields that the query tests with IS NULL. */
export function nullNotes(query: Query, fleet: Fleet): string[] {
  const tested = [...conditionsOf(query)].flatMap(({ field, test }) => (test.kind === 'null' ? [field.name] : []));
  const names = new Set(Array.from(negatedFields(query, false), ({ name }) => name));
  return [...names].flatMap((name) => {
    const { rows, textIndexes } = facetColumn(fleet, name);
    let nodes = 0;
    for (let row = 0; row < rows.length; row++) if (!textIndexes[rows[row] ?? ABSENT]?.length) nodes++;
    if (nodes === 0 || tested.includes(name)) return [];
    const [noun, verb, pronoun] = nodes === 1 ? ['node has', 'matches', 'it'] : ['nodes have', 'match', 'them'];
    return [
      `${nodes} ${noun} no ${name} and ${verb} neither the condition nor its negation. To include ${pronoun}, add OR ${name} IS NULL.`,
    ];
  });
}

function* negatedFields(query: Query, isNegated: boolean): Generator<FieldReference> {
  switch (query.kind) {
    case 'condition': {
      const { test, field } = query;
      const isUnequal = 'operator' in test && test.operator === '<>';
      if (isUnequal !== isNegated) yield field;
      return;
    }
    case 'and':
    case 'or':
      for (const part of query.parts) yield* negatedFields(part, isNegated);
      return;
    case 'not':
      yield* negatedFields(query.part, !isNegated);
      return;
    case 'constant':
      return;
    default:
      query satisfies never;
  }
}
