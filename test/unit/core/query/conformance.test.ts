/**
 * The predicates of the abstract test suite of CQL2 (OGC 21-065r2, Annex A) that concern attributes, with the numbers of
 * items that the standard expects. Copyright (c) Open Geospatial Consortium, used under the OGC document licence. The
 * predicates have a shorter notation here. The suite runs on Natural Earth data. This test has invented places and
 * countries with the same names in the predicates and the same counts. The 77 combinations of predicates determine how
 * many places have which smaller and larger values.
 */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { findNodes } from '../../../../src/core/query/evaluate.ts';
import { queryError } from '../../../support/processes/refused-query.ts';
import { fleetOfBodies } from '../../../support/values/query-fleet.ts';

const NAME = 'København';
const POPULATION = 1_038_288;
const START = '2022-04-16T10:13:19Z';

/** The names that sort before `NAME` and that a predicate contains. */
const NAMED = ['Athens', 'Berlin', 'Bern', 'Burgos', 'Kiev', 'Koror'];
const SHARED = 73;

/** The numbers of places whose names and populations are below or above those of `NAME`. */
const GROUPS = [
  { names: 'below', populations: 'below', places: 43 },
  { names: 'below', populations: 'above', places: 63 },
  { names: 'above', populations: 'below', places: 77 },
  { names: 'above', populations: 'above', places: 59 },
] as const;

/** Three places have dates. The other places have none. */
const DATED: readonly JsonObject[] = [
  { date: '2021-04-16', start: '2021-04-16T10:15:59Z', end: '2022-04-16T10:16:06Z', boolean: true },
  { date: '2022-04-16', start: START, end: '2022-04-16T10:15:10Z', boolean: true },
  { date: '2023-04-16', start: '2023-04-16T10:15:09Z', end: '2024-04-16T10:16:06Z', boolean: false },
];

const PLACES: readonly JsonObject[] = [
  { name: NAME, nameascii: 'Kobenhavn', pop_other: POPULATION, pop_min: 1, pop_max: 2, ...DATED[0] },
  ...otherPlaces(),
];

function otherPlaces(): JsonObject[] {
  const kinds = GROUPS.flatMap((group) => Array.from({ length: group.places }, () => group));
  let above = 0;
  return kinds.map(({ names, populations }, i) => {
    const isAccented = i >= kinds.length - 12;
    const plain = names === 'above' ? `Valen ${i}` : (NAMED[i] ?? `Alden ${i}`);
    return {
      name: isAccented ? plain.replace('a', 'á') : plain,
      nameascii: plain,
      pop_other: populations === 'below' ? 1000 + i : populationAbove(above++),
      pop_min: 1,
      pop_max: i < 27 ? 1 : 2,
      // The first place with a smaller name and a larger population, and the first with a smaller name and population.
      ...(i === 43 ? DATED[1] : i === 0 ? DATED[2] : {}),
    };
  });
}

/** Returns populations above `POPULATION`: 74 up to 3,000,000, and the others above. */
function populationAbove(i: number): number {
  if (i < 2) return [1_611_692, 3_013_258][i] ?? 0;
  return i - 2 < SHARED ? 2_000_000 + i : 4_000_000 + i;
}

const COUNTRIES: readonly JsonObject[] = Array.from({ length: 177 }, (_, i) => ({
  NAME: i === 93 ? 'Luxembourg' : `${i < 93 ? 'Arden' : 'Orden'} ${i}`,
  POP_EST: i < 138 ? 1000 + i : i === 138 ? 37_589_262 : 50_000_000 + i,
}));

function count(query: string, bodies: readonly JsonObject[]): number {
  return findNodes(query, fleetOfBodies(bodies.map((body) => ({ body })))).length;
}

const TEXTS: Readonly<Record<string, string>> = { n: `'${NAME}'`, p: String(POPULATION), s: `TIMESTAMP('${START}')` };
const FIELDS: Readonly<Record<string, string>> = { n: 'name', p: 'pop_other', s: 'start', b: 'boolean' };

/** Writes a predicate such as `n>=`, `sN` (IS NULL), `sV` (IS NOT NULL) or `bT` (= true) in CQL2. */
function predicate(code: string): string {
  const [field = '', test] = [FIELDS[code.charAt(0)], code.slice(1)];
  if (test === 'N') return `${field} IS NULL`;
  if (test === 'V') return `${field} IS NOT NULL`;
  return test === 'T' ? `${field}=true` : `${field}${test}${TEXTS[code.charAt(0)]}`;
}

/** The expected counts for `=`, `<>`, `<`, `<=`, `>` and `>=`. */
type Counts = readonly [number, number, number, number, number, number];
const OPERATORS = ['=', '<>', '<', '<=', '>', '>='];

/** `p1 p2 p3 p4 count` for the expression `(NOT (p2) AND p1) OR (p3 and p4) or not (p1 OR p4)`. */
// biome-ignore format: four combinations in a line
const COMBINATIONS = [
  'p<> n<> pN n< 1', 'p<> n> n<= bT 107', 'sN pV pV p> 124', 'p< p> pN s< 121',
  's= p< s= n<> 2', 's<= n<> bT n< 2', 'p= sN s<> bV 242', 'sN p> sV n> 122',
  'p< n<> n= s< 2', 's>= nV sN p< 120', 'n>= sV bT s>= 137', 'sV n>= sV nV 3',
  'nN n< pV bV 243', 's>= n> p= n< 3', 's< n<= bN n> 138', 'pV sN p>= n> 62',
  'n= s= bT pN 243', 'n> p< p> n<= 122', 'p<> n= n<= s> 243', 's< s>= p= sN 3',
  'n<> bT s= sN 2', 'nN s<> s< nN 243', 's<> n> s<= nV 3', 'n<> p<> p< s>= 2',
  'bN p> bV pN 122', 'p= sN s> pV 2', 'p<> sN p> bT 2', 's> p< n<= p= 2',
  's>= s<= n<= n<> 107', 'bT nV bN p= 1', 's= p= p< n<> 122', 'p<> s<= sV s= 3',
  'n<> p<> pV nV 243', 'n= p< sV p<> 3', 'n< s<> s> s= 2', 'bT p< nV s<= 3',
  'p<= n< p< p< 243', 'pN n<= n= s> 2', 'p< n<> p<> n<> 243', 's<= pN s< nV 2',
  's<> n= bN p<> 241', 'bT p<= n<> pN 2', 'nV p<= sV bV 124', 'p<= p< s> p> 1',
  'sV bV n>= pV 137', 's<> sV p> p< 1', 'p<= n<= bN sV 198', 'n>= n>= n<= n>= 107',
  'bT s< bV n< 2', 's> s>= pN p<= 1', 'p< n= s>= n< 181', 'p< p<= pN sV 121',
  'n>= p>= bT nV 79', 'bN n<> bN pV 240', 'p< s>= n> p<= 199', 'n<= s> n< bN 106',
  'pV n<> p< p<= 121', 'n>= sV n>= nV 137', 'p< s< nN p>= 1', 'p>= n> bV sV 184',
  'sV n<> n<= nN 241', 'n>= p<> s= n<> 2', 'bV p<= p= s= 1', 'nV sV sV n>= 241',
  'p= pV sV n<> 2', 's= sN p> p<= 1', 'nN sV s= nV 1', 'bV n= bV nV 3',
  'p<> p<> p= p<= 1', 'pN s<> s> bV 241', 's< bN s> n< 2', 'p> p<> s<> n<> 2',
  's>= s= p= nV 2', 'p<= sV s<= bV 242', 'bT s> p< p<> 122', 'p>= p> bN p= 121',
  'n< p> s= bT 44',
];

describe('Basic CQL2', () => {
  test.each<[readonly JsonObject[], string, string, Counts]>([
    [COUNTRIES, 'NAME', "'Luxembourg'", [1, 176, 93, 94, 83, 84]],
    [COUNTRIES, 'POP_EST', '37589262', [1, 176, 138, 139, 38, 39]],
    [PLACES, 'name', `'${NAME}'`, [1, 242, 106, 107, 136, 137]],
    [PLACES, 'pop_other', '1038288', [1, 242, 120, 121, 122, 123]],
    [PLACES, '"date"', "DATE('2022-04-16')", [1, 2, 1, 2, 1, 2]],
    [PLACES, 'start', `TIMESTAMP('${START}')`, [1, 2, 1, 2, 1, 2]],
  ])('comparisons of a field: %#', (bodies, field, value, counts) => {
    expect(OPERATORS.map((operator) => count(`${field}${operator}${value}`, bodies))).toEqual(counts);
  });

  test.each([
    ['name', 243],
    ['pop_other', 243],
    ['"date"', 3],
    ['start', 3],
    ['boolean', 3],
  ])('IS NULL of %s', (field, nodes) => {
    expect(count(`${field} IS NOT NULL`, PLACES)).toBe(nodes);
    expect(count(`${field} IS NULL`, PLACES)).toBe(243 - nodes);
  });

  test.each([
    ['boolean=true', 2],
    ['boolean=false', 1],
    ['true', 243],
    ['false', 0],
  ])('%s', (query, nodes) => {
    expect(count(query, PLACES)).toBe(nodes);
  });

  test.each(COMBINATIONS)('the combination %s', (line) => {
    const [p1, p2, p3, p4] = line.split(' ').map((code) => predicate(code));
    const query = `(NOT (${p2}) AND ${p1}) OR (${p3} and ${p4}) or not (${p1} OR ${p4})`;
    expect(count(query, PLACES)).toBe(Number(line.split(' ')[4]));
  });
});

const CITIES = ['Kiev', 'kobenhavn', 'Berlin', 'athens', 'foo'];
const listOf = (call: (text: string) => string) => CITIES.map((city) => call(`'${city}'`)).join(', ');

test.each([
  // Advanced Comparison Operators
  ["name LIKE 'B_r%'", 3],
  ["name NOT LIKE 'B_r%'", 240],
  ['pop_other between 1000000 and 3000000', 75],
  ['pop_other not between 1000000 and 3000000', 168],
  [`name IN (${listOf((city) => city)})`, 2],
  [`name NOT IN (${listOf((city) => city)})`, 241],
  ['pop_other in (1038288,1611692,3013258,3013257,3013259)', 3],
  ['pop_other not in (1038288,1611692,3013258,3013257,3013259)', 240],
  ["\"date\" in (DATE('2021-04-16'),DATE('2022-04-16'),DATE('2022-04-18'))", 2],
  ["\"date\" not in (DATE('2021-04-16'),DATE('2022-04-16'),DATE('2022-04-18'))", 1],
  [`start in (TIMESTAMP('${START}'))`, 1],
  [`start not in (TIMESTAMP('${START}'))`, 2],
  ['boolean in (true)', 2],
  ['boolean not in (false)', 2],
  // Case-insensitive Comparison
  ["CASEI(name)=casei('KIEV')", 1],
  ["CASEI(name)=casei('kiev')", 1],
  ["CASEI(name)=casei('Kiev')", 1],
  ["CASEI(name)=casei('København')", 1],
  ["CASEI(name)=casei('københavn')", 1],
  ["CASEI(name)=casei('KØBENHAVN')", 1],
  ["CASEI(name) LIKE casei('B_r%')", 3],
  ["CASEI(name) LIKE casei('b_r%')", 3],
  ["CASEI(name) LIKE casei('B_R%')", 3],
  [`CASEI(name) IN (${listOf((city) => `casei(${city})`)})`, 3],
  // Accent-insensitive Comparison
  ["ACCENTI(name)=accenti('København')", 1],
  ["ACCENTI(name)=accenti('Kobenhavn')", 1],
  ["ACCENTI(name)=accenti('Kiev')", 1],
  ["ACCENTI(CASEI(name))=accenti(casei('københavn'))", 1],
  ["ACCENTI(CASEI(name))=accenti(casei('kobenhavn'))", 1],
  ["ACCENTI(CASEI(name))=accenti(casei('KOBENHAVN'))", 1],
  ["ACCENTI(CASEI(name))=accenti(casei('KØBENHAVN'))", 1],
  ["ACCENTI(name) LIKE accenti('Ko%')", 2],
  ["ACCENTI(CASEI(name)) LIKE accenti(casei('kØ%'))", 2],
  ["ACCENTI(CASEI(name)) LIKE accenti(casei('kO%'))", 2],
  [`ACCENTI(CASEI(name)) IN (${listOf((city) => `accenti(casei(${city}))`)})`, 4],
])('%s', (query, nodes) => {
  expect(count(query, PLACES)).toBe(nodes);
});

describe('Property-Property Comparisons', () => {
  test.each<[string, string, Counts]>([
    [`'${NAME}'`, 'name', [1, 242, 136, 137, 106, 107]],
    ['name', 'nameascii', [230, 13, 0, 230, 13, 243]],
    ['1038288', 'pop_other', [1, 242, 122, 123, 120, 121]],
    ['pop_min', 'pop_max', [27, 216, 216, 243, 0, 27]],
    ['start', 'end', [0, 3, 3, 3, 0, 0]],
  ])('%s with %s', (left, right, counts) => {
    expect(OPERATORS.map((operator) => count(`${left}${operator}${right}`, PLACES))).toEqual(counts);
  });
});

/** A part of the message or of the remedy. */
const FUNCTION = 'The function NAME is not supported. Functions are CASEI, ACCENTI, DATE and TIMESTAMP.';
const OPERATOR = 'Expected =, <>, <, <=, > or >= after a value, but found ';

test.each([
  ["'København' LIKE 'K_benhavn'", `${OPERATOR}LIKE.`],
  ["'København' NOT LIKE 'K_benhavn'", `${OPERATOR}NOT.`],
  ['pop_other between pop_min and pop_max', 'Expected a value, but found pop_min.'],
  ['pop_other not between pop_min and pop_max', 'Expected a value, but found pop_min.'],
  ["'foo' = 'foo'", "Expected the name of a field, but found 'foo'."],
  ["DATE('2022-04-14') < DATE('2022-04-14')", 'Expected the name of a field, but found DATE.'],
  ['pop_other = 3 + 4', 'Arithmetic is not supported.'],
  ['S_INTERSECTS(geom,BBOX(0,40,10,50))', FUNCTION.replace('NAME', 'S_INTERSECTS')],
  ['S_DISJOINT(BBOX(0,40,10,50),geom)', FUNCTION.replace('NAME', 'S_DISJOINT')],
  ['S_TOUCHES(geom,POINT(6.04 50.12))', FUNCTION.replace('NAME', 'S_TOUCHES')],
  ['t_after(date(\'2022-04-16\'),"date")', FUNCTION.replace('NAME', 't_after')],
  ["T_DURING(interval(start,end),interval('2022-01-01','2022-12-31'))", FUNCTION.replace('NAME', 'T_DURING')],
  ["A_CONTAINS(values,('a','b'))", FUNCTION.replace('NAME', 'A_CONTAINS')],
])('a predicate of another class is refused: %s', (query, text) => {
  expect(JSON.stringify(queryError(() => count(query, PLACES)))).toContain(text);
});
