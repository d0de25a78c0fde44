/**
 * Translates typed words to CQL2.
 *
 *     words = group *("OR" group) / *term "(" words ")" *term
 *     group = 1*term
 *     term  = ["-" / NOT] [field ":"] [comparison] (word / quantity / '"' text '"') / number ["x"] device / "GPU" / "FPGA"
 *     NOT   = "NOT" / "no" / "without"
 *
 * A term matches a node if a field contains the word or has the number. A uid must begin with the word. A word that
 * equals a label, such as `A100`, matches only labels. A quantity, such as `256 GiB`, matches only quantities. A hyphen
 * excludes the matching nodes. The words `2 A100` mean exactly two devices. The words `2 or more GPUs` and `at least 2
 * GPUs` mean the range `2..`. The explorer ignores words such as "in". A term with a hyphen or outside the parentheses
 * applies to all groups.
 */

import { pathOfField } from '../../core/model/fields/field-name.ts';
import { quantityOf, unitOfField } from '../../core/model/units.ts';
import { namedField } from '../../core/query/named-field.ts';
import { fieldText } from '../../core/query/query-text.ts';
import { fieldsOf } from './field-names.ts';
import { namedByTitle } from './field-titles.ts';
import { quoted } from './filter-queries.ts';
import { facetColumn } from './filters.ts';
import type { Fleet } from './fleet.ts';
import { conditionsOn, isUidStart, UID, UNITS, withUnitName } from './word-conditions.ts';

interface Count {
  /** The label that contains the model names of the counted devices. */
  readonly label?: string;
  /** `count` is the field with the number of these devices in a node. `title` is the title of this field. */
  readonly count: string;
  readonly title: string;
}

const GPU = 'label.gpu';
const COUNTS: readonly Count[] = [
  { label: GPU, count: 'gpu.gpu_count', title: 'gpus' },
  { label: 'label.cpu', count: 'architecture.smp_size', title: 'sockets' },
  { count: 'architecture.smt_size', title: 'threads' },
];
const NOT = /^(?:not?|without)$/i;
const LITTLE_WORDS = ['in', 'at', 'on', 'and', 'with'];
/** The maximum length of a search, in characters. The explorer ignores the rest. */
export const LONGEST_SEARCH = 500;
const MOST_TERMS = 20;
const SPACED_QUANTITY = `\\d+(?:\\.\\d+)?\\s+(?:${[...UNITS.keys()].join('|')})(?!\\S)`;
const COMPARED = '(?:[<>]=?|=)\\s*';
const TERM = new RegExp(`-?(?:[a-z_][\\w.]*:)?(?:${COMPARED})?(?:"[^"]*"|${SPACED_QUANTITY}|[^\\s"]+)`, 'gi');
/** Matches a field and a comparison in words, such as `ram:>=` in `ram:>=256GiB`. CQL2 does not allow this colon. */
export const COMPARED_FIELD = new RegExp(`(?<!\\S)-?[a-z_][\\w.]*:${COMPARED}`, 'gi');
/** A field name has at least three characters. A shorter word before a colon is probably a part of a MAC address. */
const WITH_FIELD = /^([A-Za-z_][\w.]{2,}):(.+)$/;

/** Maps the display name of each site, in lower case, to the uid of the site. */
export type SiteUids = ReadonlyMap<string, string>;

export interface WordsQuery {
  readonly text: string;
  readonly missing: readonly MissingWord[];
  /** Sentences that explain how the explorer interprets a term, such as `2 A100`. */
  readonly notes: readonly string[];
}

export interface MissingWord {
  readonly word: string;
  /** The fields in which the explorer searches for the word. */
  readonly fields: readonly string[];
}

/** Translates typed words to a query. Throws a Failure if a term names a field that occurs in no node. */
export function queryOfWords(text: string, fleet: Fleet, siteUids: SiteUids): WordsQuery {
  const missing: MissingWord[] = [];
  const notes: string[] = [];
  const groups: string[][] = [[]];
  const common: string[] = [];
  const { inside, outside } = parenthesized(text.slice(0, LONGEST_SEARCH)) ?? {
    inside: text.slice(0, LONGEST_SEARCH),
    outside: '',
  };
  const inner = termsIn(inside, fleet);
  const terms = [...inner, ...termsIn(outside, fleet)].slice(0, MOST_TERMS);
  let isNegated = false;
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i] ?? '';
    if (/^or$/i.test(term)) groups.push([]);
    else if (NOT.test(term)) isNegated = !isNegated;
    else if (!LITTLE_WORDS.includes(term.toLowerCase())) {
      const counted = isNegated ? undefined : countOf(terms, i, fleet);
      const asked = isNegated ? negated(term) : term;
      const isCommon = i >= inner.length || term.startsWith('-');
      const list = isCommon ? common : groups.at(-1);
      list?.push(counted?.condition ?? termQuery(asked, { fleet, siteUids, missing }));
      if (counted?.note) notes.push(counted.note);
      i = counted?.end ?? i;
      isNegated = false;
    }
  }
  const filled = groups.filter((group) => group.length > 0);
  const parts = (filled.length === 0 && common.length > 0 ? [[]] : filled).map((group) =>
    conjunction([...group, ...common]),
  );
  const possible = parts.filter((part) => part.text !== 'FALSE');
  const texts = possible.map((part) => (possible.length > 1 && part.isJoined ? `(${part.text})` : part.text));
  return { text: parts.length === 0 ? 'TRUE' : texts.join(' OR ') || 'FALSE', missing, notes };
}

/** Splits words into the text in parentheses and the text outside. Accepts only one pair of parentheses. */
export function parenthesized(text: string): { readonly inside: string; readonly outside: string } | undefined {
  const [, before = '', inside, after = ''] = /^([^()]*)(?<!\S)\(([^()]*)\)(?!\S)([^()]*)$/.exec(text) ?? [];
  const outside = `${before} ${after}`;
  return inside === undefined || /(?<!\S)(?:or|not)(?!\S)/i.test(outside) ? undefined : { inside, outside };
}

/** Returns each word of a search, and the search without this word. Omits words such as "in", and parentheses. */
export function termsWithout(text: string): { readonly part: string; readonly text: string }[] {
  const terms = [...text.slice(0, LONGEST_SEARCH).matchAll(TERM)];
  return terms.flatMap(({ 0: term, index }, i) => {
    if (/^or$|[()]/i.test(term) || NOT.test(term) || LITTLE_WORDS.includes(term.toLowerCase())) return [];
    const before = terms[i - 1];
    const start = before && NOT.test(before[0]) ? before.index : index;
    const rest = `${text.slice(0, start).trimEnd()} ${text.slice(index + term.length).trimStart()}`;
    return [{ part: `“${term}”`, text: rest.trim().replace(/^or\s+|\s+or$/i, '') }];
  });
}

const AMOUNT_TERM = new RegExp(`^(?:\\d+(?:\\.\\d+)?|${SPACED_QUANTITY}|\\d+(?:\\.\\d+)?[a-z/]+)$`, 'i');

/** Splits words into terms. For example, `at least 2` becomes `2..`, and `256 GiB of RAM` becomes `RAM:256GiB`. */
function termsIn(text: string, fleet: Fleet): string[] {
  const all = text.match(TERM) ?? [];
  const terms: string[] = [];
  let carried: string | undefined;
  for (let i = 0; i < all.length; i++) {
    const [first = '', second = '', third = ''] = all.slice(i, i + 3);
    const [, bound] = /^at (least|most)$/i.exec(`${first} ${second}`) ?? [];
    const [, direction] = /^or (more|less|fewer)$/i.exec(`${second} ${third}`) ?? [];
    const amount = bound === undefined ? first : third;
    if (!AMOUNT_TERM.test(amount)) {
      terms.push(first);
      if (/^or$/i.test(first)) carried = undefined;
      continue;
    }
    const number = amount.replaceAll(/\s/g, '');
    const own = (bound ?? direction)?.toLowerCase();
    const rangeOf = (limit: string | undefined) =>
      limit === undefined ? amount : /least|more/.test(limit) ? `${number}..` : `..${number}`;
    if (own !== undefined) i += 2;
    carried = own ?? carried;
    const at = /^of$/i.test(all[i + 1] ?? '') ? i + 2 : i + 1;
    const title = all[at] ?? '';
    const field = namedByTitle(title) ?? title;
    const isOfField = /[a-z]/i.test(amount) && unitOfField(pathOfField(field) ?? [field]) !== undefined;
    if (isOfField && fieldsOf(fleet).includes(field)) {
      terms.push(`${title}:${rangeOf(carried).replaceAll(/\s/g, '')}`);
      i = at;
    } else terms.push(rangeOf(own));
  }
  return terms;
}

/** Joins conditions with AND. Short conditions come first, so that the query is easier to read. */
function conjunction(group: readonly string[]): { readonly text: string; readonly isJoined: boolean } {
  if (group.includes('FALSE')) return { text: 'FALSE', isJoined: false };
  const needed = group.filter((part) => part !== 'TRUE').sort((a, b) => a.length - b.length);
  return { text: needed.join(' AND ') || 'TRUE', isJoined: needed.length > 1 };
}

function negated(term: string): string {
  return term.startsWith('-') ? term.slice(1) : `-${term}`;
}

const NUMBER_OF = /^(?:(\d{1,4})([x×]?|\.\.)|\.\.(\d{1,4}))$/i;
const TIMES = /^[x×]$/i;
const GPU_WORD = /^gpus?$/i;
const FPGA_WORD = /^fpgas?$/i;

/** Reads a number of devices, such as `2 A100`, `4 x V100` or `64.. threads`. `end` is the index of the last term. */
function countOf(terms: readonly string[], i: number, fleet: Fleet) {
  const term = terms[i] ?? '';
  const [, digits, times = '', highest] = NUMBER_OF.exec(term) ?? [];
  if (digits === undefined && highest === undefined) return undefined;
  const at = times === '' && TIMES.test(terms[i + 1] ?? '') ? i + 2 : i + 1;
  const device = (terms[at] ?? '').replaceAll('"', '').toLowerCase();
  const isTitle = ({ title }: Count) => device.replace(/s?$/, 's') === title;
  const isNamed = (words: string, { label }: Count) =>
    label !== undefined && textsOf(label, fleet).some((text) => ` ${text.toLowerCase()} `.includes(` ${words} `));
  // In `EPYC 7763 A100`, the number belongs to the name of a device.
  if (COUNTS.some((each) => isNamed(term, each))) return undefined;
  const of = COUNTS.find((each) => isTitle(each) || isNamed(device, each));
  if (!of || facetColumn(fleet, of.count).values.length === 0) return undefined;
  const number = Number.parseInt(digits ?? highest ?? '', 10);
  const operator = times === '..' ? '>=' : highest === undefined ? '=' : '<=';
  const isAnyDevice = isTitle(of);
  const least = [`${of.title}:${number}..`, ...(isAnyDevice ? [] : [terms[at]])].join(' ');
  return {
    condition: `${of.count} ${operator} ${number}`,
    end: isAnyDevice ? at : at - 1,
    note:
      operator === '=' &&
      `“${terms.slice(i, at + 1).join(' ')}” means exactly ${number}. For ${number} or more, write “${least}”.`,
  };
}

function textsOf(field: string, fleet: Fleet): string[] {
  return facetColumn(fleet, field).values.filter((value) => typeof value === 'string');
}

const SITE = 'site';

interface Searched {
  readonly fleet: Fleet;
  readonly siteUids: SiteUids;
  readonly missing: MissingWord[];
}

function termQuery(term: string, { fleet, siteUids, missing }: Searched): string {
  const isExcluded = term.startsWith('-') && term.length > 1;
  const given = isExcluded ? term.slice(1) : term;
  const [, title, after] = WITH_FIELD.exec(given) ?? [];
  const word = (after ?? given).replaceAll('"', '');
  if (GPU_WORD.test(given) && textsOf(GPU, fleet).length > 0) return `${GPU} IS ${isExcluded ? '' : 'NOT '}NULL`;
  const fields = title === undefined ? fieldsOf(fleet) : [namedField(namedByTitle(title) ?? title, fleet.query).name];
  const isUnnamed = title === undefined;
  const conditions = conditionsOn(isUnnamed ? fieldsOfRange(fields, word) : fields, word, fleet);
  const found = conditions.filter(({ field }) => !isUnnamed || field !== UID || isUidStart(word, fleet));
  // The user can list values after a field, such as `gpu:A100,V100`.
  const listed = isUnnamed || found.length > 0 ? [] : word.split(',').filter((part) => part !== '');
  if (listed.length > 1) {
    for (const part of listed) {
      const some = conditionsOn(fields, part, fleet);
      found.push(...some);
      if (some.length === 0) missing.push({ word: part, fields });
    }
  }
  const site = siteUids.get(word.toLowerCase());
  if (found.length === 0 && site !== undefined && fields.includes(SITE) && textsOf(SITE, fleet).includes(site)) {
    found.push({ field: SITE, condition: `${SITE} = ${quoted(site)}` });
  }
  if (isUnnamed && FPGA_WORD.test(word) && fields.some((field) => field.startsWith('fpga.')))
    found.push({ field: 'fpga', condition: 'fpga IS NOT NULL' });
  if (found.length === 0 && listed.length <= 1) missing.push({ word, fields });
  if (isExcluded) {
    const all = found.map(({ field, condition }) => `(${fieldText(field)} IS NULL OR NOT ${condition})`);
    return all.length === 0 ? 'TRUE' : all.join(' AND ');
  }
  const [only, ...others] = found.map(({ condition }) => condition);
  if (only === undefined) return 'FALSE';
  return others.length === 0 ? only : `(${[only, ...others].join(' OR ')})`;
}

/** Returns the fields with the unit of a range, such as `256GiB..`. Returns all fields for other words. */
function fieldsOfRange(fields: readonly string[], word: string): readonly string[] {
  const [, amount] = /^(?:\.\.)?(\d[^.]*(?:\.\d[^.]*)?)(?:\.\.)?$/.exec(word) ?? [];
  if (amount === undefined || !word.includes('..')) return fields;
  const base = quantityOf(withUnitName(amount))?.unit.base;
  return base === undefined ? fields : fields.filter((field) => unitOfField(pathOfField(field) ?? [field]) === base);
}
