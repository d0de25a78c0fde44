import { describe, expect, test } from 'vitest';
import { joinedByAnd, parseQuery } from '../../../../src/core/query/parse.ts';
import type { FieldReference, Literal, Query, Test } from '../../../../src/core/query/query.ts';
import { cpuMs } from '../../../support/growth.ts';
import { queryError } from '../../../support/processes/refused-query.ts';

/** Formats a query with all parentheses, fields in brackets and values as JSON. */
function formatQuery(query: Query): string {
  switch (query.kind) {
    case 'and':
    case 'or':
      return `(${query.parts.map(formatQuery).join(` ${query.kind} `)})`;
    case 'not':
      return `not ${formatQuery(query.part)}`;
    case 'constant':
      return String(query.value);
    case 'condition':
      return `${toldField(query.field)} ${toldTest(query.test)}`;
    default:
      return query satisfies never;
  }
}

/** A field in brackets, after `~` if case is ignored, and after `^` if accents are. */
function toldField({ folds, path }: FieldReference): string {
  const signs = { casei: '~', accenti: '^' } as const;
  return `${folds.map((fold) => signs[fold]).join('')}[${path.join('|')}]`;
}

function toldTest(test: Test): string {
  const value = (literal: Literal) => JSON.stringify(literal.value) + (literal.unit ? ` ${literal.unit.base}` : '');
  switch (test.kind) {
    case 'compare':
      return `${test.operator} ${value(test.literal)}`;
    case 'compare-field':
      return `${test.operator} ${toldField(test.other)}`;
    case 'in':
      return `in ${test.literals.map(value).join(', ')}`;
    case 'between':
      return `between ${value(test.low)} and ${value(test.high)}`;
    case 'like':
      return `like ${value(test.literal)}`;
    case 'null':
      return 'is null';
    default:
      return test satisfies never;
  }
}

test.each([
  ["a = 'x'", '[a] = "x"'],
  ['a.b.c >= 5', '[a|b|c] >= 5'],
  ['5 < a', '[a] > 5'],
  ["'x'='y'".replace("='y'", '<>a'), '[a] <> "x"'],
  ['a>-5', '[a] > -5'],
  ['a < .5 and a > 5.', '([a] < 0.5 and [a] > 5)'],
  ['a <= 1e3', '[a] <= 1000'],
  ['a = true', '[a] = true'],
  ['a = FALSE', '[a] = false'],
  ['true = a', '[a] = true'],
  ['a = b', '[a] = [b]'],
  ['a.b >= "AND"', '[a|b] >= [AND]'],
  ['CASEI(a) = b', '~[a] = [b]'],
  ['a = CASEI(ACCENTI(b))', '~^[a] = [b]'],
  ["ACCENTI(a) IN ('é', CASEI('x'))", '~^[a] in "é", "x"'],
  ['TRUE', 'true'],
  ['not false', 'not false'],
  ['a = 1 OR b = 2 AND c = 3', '([a] = 1 or ([b] = 2 and [c] = 3))'],
  ['(a = 1 OR b = 2) AND c = 3', '(([a] = 1 or [b] = 2) and [c] = 3)'],
  ['NOT a = 1 AND b = 2', '(not [a] = 1 and [b] = 2)'],
  ['NOT NOT (a = 1)', 'not not [a] = 1'],
  ["a in ('x', 2, true)", '[a] in "x", 2, true'],
  ["a NOT IN ('x')", 'not [a] in "x"'],
  ['a BETWEEN 1 AND 2 AND b = 3', '([a] between 1 and 2 and [b] = 3)'],
  ['a not between 1 and 2', 'not [a] between 1 and 2'],
  ["a LIKE '%A100%'", '[a] like "%A100%"'],
  ["a NOT LIKE 'x'", 'not [a] like "x"'],
  ['a IS NULL', '[a] is null'],
  ['a Is Not Null', 'not [a] is null'],
  ["CASEI(a) = CASEI('X')", '~[a] = "X"'],
  ["casei(a.b) LIKE '%x%'", '~[a|b] like "%x%"'],
  ["a IN (CASEI('x'), 'y')", '~[a] in "x", "y"'],
  ["a BETWEEN casei('x') AND 'y'", '~[a] between "x" and "y"'],
  ["a = 'it''s'", `[a] = "it's"`],
  [String.raw`a = 'it\'s'`, `[a] = "it's"`],
  [String.raw`a LIKE '100\%'`, String.raw`[a] like "100\\%"`],
  [String.raw`a = 'x\\'`, String.raw`[a] = "x\\\\"`],
  ["a = ''", '[a] = ""'],
  ["a = '-- ; DROP\n'", String.raw`[a] = "-- ; DROP\n"`],
  ['"and" = 1', '[and] = 1'],
  ['"a.b"."c""d".e = 1', '[a.b|c"d|e] = 1'],
  ['kavlan-1.eth0.postinstall-version = 1', '[kavlan-1|eth0|postinstall-version] = 1'],
  ['__proto__.constructor IS NULL', '[__proto__|constructor] is null'],
  ['größe_µ:x = 1', '[größe_µ:x] = 1'],
  ['\t a\n=\r\n1 ', '[a] = 1'],
])('parses %s', (text, expected) => {
  expect(formatQuery(parseQuery(text))).toBe(expected);
});

describe('a quantity', () => {
  test.each([
    ['a = 256GiB', '[a] = 274877906944 B'],
    ['a = 256 GiB', '[a] = 274877906944 B'],
    ['a > 1.92TB', '[a] > 1920000000000 B'],
    ['a >= 40Gbps AND b = 1', '([a] >= 40000000000 bit/s and [b] = 1)'],
    ['a >= 40 Gb/s', '[a] >= 40000000000 bit/s'],
    ['2.4GHz < a', '[a] > 2400000000 Hz'],
    ['2.4 GHz < a', '[a] > 2400000000 Hz'],
    ['a BETWEEN 1 TB AND 2TB', '[a] between 1000000000000 B and 2000000000000 B'],
    ['a IN (1GB, 2 GB, 3)', '[a] in 1000000000 B, 2000000000 B, 3'],
  ])('is parsed with its unit: %s', (text, expected) => {
    expect(formatQuery(parseQuery(text))).toBe(expected);
  });

  test.each([
    ['a = 256gib', 8, 'Unknown unit gib.', 'Did you mean GiB?'],
    ['a = 256 G', 9, 'Unknown unit G.', 'Did you mean GB or GiB or Gbps?'],
    ['a = 40gbps', 7, 'Unknown unit gbps.', 'Did you mean Gbps?'],
    [
      'a = 3parsec',
      6,
      'Unknown unit parsec.',
      'Examples of units are GB, GiB, Gbps and GHz. Upper and lower case matter.',
    ],
    ['a = 1e400', 5, '1e400 is too large for a number.', 'Write a smaller number.'],
    ['a = 9e307TB', 5, '9e307 is too large for a number.', 'Write a smaller number.'],
  ])('with an unknown unit is rejected: %s', (text, column, what, fix) => {
    expect(queryError(() => parseQuery(text))).toEqual({ column, what, fix });
  });
});

describe('an invalid query', () => {
  const HELP = '"gridpress find --help" shows example queries.';
  const CONDITION = 'Expected a condition, such as gpu.gpu_count >= 2, but found';
  const COMPARISON = 'Expected =, <>, <, <=, >, >=, IN, BETWEEN, LIKE or IS NULL, but found';
  const OPERATOR = 'Expected =, <>, <, <=, > or >= after a value, but found';
  const END = 'Expected AND, OR, or the end of the query, but found';
  const TEXTS = 'Put text in single quotes:';
  const REPEAT = 'Repeat the field after AND: each condition names its field.';
  const ARITHMETIC = 'Arithmetic is not supported. Compare a field with a value or with another field.';
  test.each([
    ['', 1, `${CONDITION} the end of the query.`, HELP],
    ['  ', 3, `${CONDITION} the end of the query.`, HELP],
    ['a = 1 AND', 10, `${CONDITION} the end of the query.`, HELP],
    ['a = 1 OR OR b = 2', 10, `${CONDITION} OR.`, HELP],
    ['a = 1 b = 2', 7, 'Expected AND, OR, or the end of the query, but found b.', HELP],
    ['a = 1)', 6, 'Expected AND, OR, or the end of the query, but found ).', HELP],
    ['(a = 1', 7, 'Expected a closing parenthesis, but found the end of the query.', HELP],
    ['a', 2, `${COMPARISON} the end of the query.`, HELP],
    ['a b', 3, `${COMPARISON} b.`, HELP],
    ['a == 1', 3, `${COMPARISON} ==.`, 'Write = instead of ==.'],
    ['a != 1', 3, `${COMPARISON} !=.`, 'Write <> instead of !=.'],
    ['a =~ 1', 3, `${COMPARISON} =~.`, 'Write LIKE instead of =~.'],
    ['a = 1 && b = 2', 7, 'Expected AND, OR, or the end of the query, but found &&.', 'Write AND instead of &&.'],
    ['!(a = 1)', 1, `${CONDITION} !.`, 'Write NOT instead of !.'],
    ['a NOT = 1', 7, 'Expected IN, BETWEEN or LIKE after NOT, but found =.', HELP],
    ['a IS 1', 6, 'Expected NULL, or NOT NULL, but found 1.', HELP],
    ['a =', 4, 'Expected a value, but found the end of the query.', HELP],
    ['a = 01029fb8-12', 5, 'Expected a value, but found 01029fb8-12.', `${TEXTS} '01029fb8-12'`],
    ['a = AND', 5, 'Expected a value, but found AND.', HELP],
    ['a IN 1', 6, 'Expected a parenthesis before the list, but found 1.', 'Write IN (1) instead of IN 1.'],
    [
      "a NOT IN 'x', 'y'",
      10,
      "Expected a parenthesis before the list, but found 'x'.",
      "Write IN ('x', 'y') instead of IN 'x', 'y'.",
    ],
    ['a IN ()', 7, 'Expected a value, but found ).', HELP],
    ['a IN (1 2)', 9, 'Expected a comma, or the parenthesis that closes the list, but found 2.', HELP],
    ['a BETWEEN 1, 2', 12, 'Expected AND between the two bounds, but found ,.', HELP],
    ['a LIKE %x%', 8, 'Expected a value, but found %x%.', `${TEXTS} '%x%'`],
    ["site = 'a' OR 'b'", 18, `${OPERATOR} the end of the query.`, "Write IN ('a', 'b') instead of = 'a' OR 'b'."],
    ['a = 1GiB OR 2GiB OR 3', 18, `${OPERATOR} OR.`, 'Write IN (1GiB, 2GiB, 3) instead of = 1GiB OR 2GiB OR 3.'],
    ['a > 1 AND 2', 12, `${OPERATOR} the end of the query.`, REPEAT],
    ["a = 'x', 'y'", 8, `${END} ,.`, "Write IN ('x', 'y') instead of = 'x', 'y'."],
    ["a <> 'x', 'y' AND b = 1", 9, `${END} ,.`, "Write NOT IN ('x', 'y') instead of <> 'x', 'y'."],
    ['a = 1 GiB, 2 GiB', 10, `${END} ,.`, 'Write IN (1 GiB, 2 GiB) instead of = 1 GiB, 2 GiB.'],
    ['a = 1, b = 2', 6, `${END} ,.`, HELP],
    ['a BETWEEN 1 AND 2, 3', 18, `${END} ,.`, HELP],
    ['a >= 2,4GHz', 7, `${END} ,.`, 'Write 2.4GHz instead of 2,4GHz.'],
    ['a > 1,000', 6, `${END} ,.`, 'Write 1000 instead of 1,000.'],
    ['a > 0,125', 6, `${END} ,.`, 'Write 0.125 instead of 0,125.'],
    [
      "a IN ['x', 'y']",
      6,
      'Expected a parenthesis before the list, but found [.',
      "Write ('x', 'y') instead of ['x', 'y'].",
    ],
    ["a CONTAINS 'x'", 3, `${COMPARISON} CONTAINS.`, "Write LIKE '%x%' instead of CONTAINS 'x'."],
    ['a > DATE(2023-01-01)', 10, 'Expected a value, but found 2023-01-01.', `${TEXTS} '2023-01-01'`],
    ['a = 25GbE', 7, 'Unknown unit GbE.', 'Did you mean Gbps?'],
    ['a = NULL', 5, 'Expected a value, but found NULL.', 'Write IS NULL instead of = NULL.'],
    ['a <> null', 6, 'Expected a value, but found null.', 'Write IS NOT NULL instead of <> null.'],
    ['a + 1 > 5', 3, `${COMPARISON} +.`, ARITHMETIC],
    ['a > b +1', 7, `${END} +1.`, ARITHMETIC],
    [
      'S_INTERSECTS(a, b)',
      13,
      `${COMPARISON} (.`,
      'The function S_INTERSECTS is not supported. Functions are CASEI, ACCENTI, DATE and TIMESTAMP.',
    ],
    [
      "a = UPPER('x')",
      10,
      `${END} (.`,
      'The function UPPER is not supported. Functions are CASEI, ACCENTI, DATE and TIMESTAMP.',
    ],
    ['a >= 256GiB;', 12, 'A query has no semicolon at its end.', 'Remove it.'],
    ["a = 'x' ;", 9, 'A query has no semicolon at its end.', 'Remove it.'],
    ['5 = 5', 5, 'Expected the name of a field, but found 5.', HELP],
    ['.a = 1', 1, `${CONDITION} .a.`, HELP],
    ['a..b = 1', 1, `${CONDITION} a..b.`, HELP],
    ["a = 'x", 5, "The quote ' is not closed.", "Close it. Write a single quote inside text twice: 'rack ''A'''."],
    [
      '"a = 1',
      1,
      'The quote " is not closed.',
      'Close it. Double quotes enclose unusual field names, single quotes enclose text.',
    ],
  ])('is rejected: %s', (text, column, what, fix) => {
    expect(queryError(() => parseQuery(text))).toEqual({ column, what, fix });
  });
});

describe('the parser limits', () => {
  test('the length of a query', () => {
    expect(queryError(() => parseQuery(`a = '${'x'.repeat(100_000)}'`))).toEqual({
      what: 'The query has 100,006 characters. The limit is 100,000.',
      fix: 'Use several shorter queries.',
    });
  });

  test.each([
    ['parentheses', '('],
    ['negations', 'NOT '],
    ['folded values', 'CASEI(', 'a = '],
  ])('the depth: %s', (_, deeper, before = '') => {
    expect(queryError(() => parseQuery(`${before}${deeper.repeat(90_000 / deeper.length)}a = 1`))).toMatchObject({
      what: 'Parentheses and negations are nested more than 100 levels deep.',
      fix: 'Reduce the nesting. AND binds before OR.',
    });
  });

  test('the number of conditions, because each one is compared with every value', () => {
    const conditions = (count: number) => Array.from({ length: count }, (_, n) => `(a = ${n})`).join(' OR ');
    expect(parseQuery(conditions(1000))).toMatchObject({ kind: 'or' });
    expect(queryError(() => parseQuery(conditions(1001)))).toEqual({
      column: conditions(1000).length + ' OR ('.length + 1,
      what: 'The query has more than 1,000 conditions.',
      fix: "Use one condition for many values of a field: node_name IN ('a', 'b').",
    });
  });

  test('no list length: two thousand uids are accepted', () => {
    const uids = Array.from({ length: 2000 }, (_, n) => `'${String(n).padStart(36, '0')}'`);
    expect(parseQuery(`uid IN (${uids.join(', ')})`)).toMatchObject({ test: { kind: 'in' } });
  });

  test.each(["'", '"', "''", '""', "\\'", '("', 'a."', '1', '.', '1.', 'e', '[', "'a'"])(
    'the time: repeated %s',
    (piece) => {
      const many = piece.repeat(Math.floor(99_000 / piece.length));
      const parse = (text: string) => queryError(() => parseQuery(text));
      expect(cpuMs(parse, `a = ${many}`) + cpuMs(parse, many)).toBeLessThan(2000);
    },
  );
});

test.each([
  [
    "a = 'AND' AND b BETWEEN 1 AND 2 AND NOT (c = 1 OR d = 2)",
    ["a = 'AND'", 'b BETWEEN 1 AND 2', 'NOT (c = 1 OR d = 2)'],
  ],
  ['a = 1 and b = 2', ['a = 1', 'b = 2']],
  ['a = 1 AND b = 2 OR c = 3', []],
  ['(a = 1 AND b = 2)', []],
  ['a = 1', []],
])('the parts that AND joins: %s', (text, parts) => {
  expect(joinedByAnd(text)).toEqual(parts);
});
