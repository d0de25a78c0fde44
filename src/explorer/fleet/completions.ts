import { pathOfField } from '../../core/model/fields/field-name.ts';
import { addressOf, type QueryFleet, valuesAt } from '../../core/query/columns.ts';
import { allFieldNames } from '../../core/query/named-field.ts';
import { namedByTitle } from './field-titles.ts';
import { literalText } from './filter-queries.ts';
import { LONGEST_SEARCH } from './words.ts';

const MOST = 12;
const OPERATORS = ['=', '<>', '>=', '<=', '>', '<', "LIKE '", 'IN (', 'BETWEEN ', 'IS NULL', 'IS NOT NULL'];
const VALUE = /(?:^|[\s(])([\w.]+)\s*(?:=|<>|[<>]=?)(?:\s+|(?=['\d]))('?[^'<>=()]*)$/;
const OPERATOR = /(?:^|[\s(])([\w.]+)\s+([A-Za-z<>= ]*)$/;
const NAME = /(?:^|[\s(])([\w.]{2,})$/;

/** Returns complete queries that begin with `text`. Returns an empty list if `text` has no known completion. */
export function completions(fleet: QueryFleet, text: string): readonly string[] {
  if (text === '' || text.length > LONGEST_SEARCH) return [];
  const names = allFieldNames(fleet);
  const ends = [valuesFor, operatorsFor, namesFor]
    .map((find) => find(text, names, fleet))
    .find((found) => found.length > 0);
  return (ends ?? []).slice(0, MOST).filter((each) => each !== text);
}

function valuesFor(text: string, names: readonly string[], fleet: QueryFleet): string[] {
  const [, given = '', begun = ''] = VALUE.exec(text) ?? [];
  const name = fieldOf(given, names);
  if (!names.includes(name)) return [];
  const path = pathOfField(name) ?? [name];
  const { kind, name: top, rest } = addressOf({ name, path });
  const values = (fleet.column(kind, top)?.values ?? []).flatMap((value) => valuesAt(value, rest));
  const numbers = values.filter((value) => typeof value === 'number').sort((a, b) => a - b);
  const others = values.filter((value) => typeof value !== 'number').map((value) => literalText(value, name));
  const literals = [...numbers.map((value) => literalText(value, name)), ...others.sort()];
  return completed(text, begun, [...new Set(literals)]);
}

function operatorsFor(text: string, names: readonly string[]): string[] {
  const [, name = '', begun = ''] = OPERATOR.exec(text) ?? [];
  return names.includes(fieldOf(name, names)) ? completed(text, begun, OPERATORS) : [];
}

/** Returns the name of the field that has the given name or title. */
function fieldOf(given: string, names: readonly string[]): string {
  return names.includes(given) ? given : (namedByTitle(given) ?? given);
}

/** Completes a field by its title, or by a part of its name: `ram` finds `main_memory.ram_size`. */
function namesFor(text: string, names: readonly string[]): string[] {
  const [, begun = ''] = NAME.exec(text) ?? [];
  if (begun === '') return [];
  const start = begun.toLowerCase();
  const titled = names.filter((name) => name === namedByTitle(start));
  const first = names.filter((name) => name.startsWith(start));
  const later = names.filter((name) => !name.startsWith(start) && name.includes(`.${start}`));
  return [...new Set([...titled, ...first, ...later])].map((name) => text.slice(0, text.length - begun.length) + name);
}

/** Completes a text with the matching candidates. The user can omit the opening quotation mark of a value. */
function completed(text: string, begun: string, all: readonly string[]): string[] {
  const start = begun.toLowerCase();
  const found = all.filter((each) => [start, `'${start}`].some((one) => each.toLowerCase().startsWith(one)));
  return found.map((each) => text.slice(0, text.length - begun.length) + each);
}
