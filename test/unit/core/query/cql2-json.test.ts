import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cql2JsonOf, textOfCql2Json } from '../../../../src/core/query/cql2-json.ts';
import { parseQuery } from '../../../../src/core/query/parse.ts';
import { COMPARISONS } from '../../../../src/core/query/query.ts';
import { findingsOf } from '../../../support/processes/failure.ts';
import { queryError } from '../../../support/processes/refused-query.ts';

const toJson = (text: string) => cql2JsonOf(parseQuery(text));
const toText = (json: unknown) => textOfCql2Json(JSON.stringify(json));
const property = (name: string) => ({ property: name });
const call = (op: string, ...args: readonly unknown[]) => ({ op, args });

describe('a query as CQL2-JSON, and the text of that', () => {
  test.each([
    ["a = 'x'", call('=', property('a'), 'x'), "a = 'x'"],
    ["a.b <> 'it''s'", call('<>', property('a.b'), "it's"), "a.b <> 'it''s'"],
    ['a >= 5GiB', call('>=', property('a'), 5 * 2 ** 30), 'a >= 5368709120'],
    ['5 < a', call('>', property('a'), 5), 'a > 5'],
    ['a = TRUE', call('=', property('a'), true), 'a = TRUE'],
    ['a = b', call('=', property('a'), property('b')), 'a = b'],
    ["a IN ('x', 1)", call('in', property('a'), ['x', 1]), "a IN ('x', 1)"],
    ['a BETWEEN 1 AND 2', call('between', property('a'), 1, 2), 'a BETWEEN 1 AND 2'],
    ["a LIKE '%x\\_'", call('like', property('a'), '%x\\_'), "a LIKE '%x\\_'"],
    ['a IS NULL', call('isNull', property('a')), 'a IS NULL'],
    ['a IS NOT NULL', call('not', call('isNull', property('a'))), 'NOT a IS NULL'],
    ["d < DATE('2026-01-02')", call('<', property('d'), { date: '2026-01-02' }), "d < DATE('2026-01-02')"],
    [
      "d < TIMESTAMP('2026-01-02T00:00:00Z')",
      call('<', property('d'), { timestamp: '2026-01-02T00:00:00Z' }),
      "d < TIMESTAMP('2026-01-02T00:00:00Z')",
    ],
    ["CASEI(a) = 'x'", call('=', call('casei', property('a')), call('casei', 'x')), "CASEI(a) = CASEI('x')"],
    [
      "a = 'x' AND (b = 1 OR NOT c = 2)",
      call(
        'and',
        call('=', property('a'), 'x'),
        call('or', call('=', property('b'), 1), call('not', call('=', property('c'), 2))),
      ),
      "(a = 'x' AND (b = 1 OR NOT c = 2))",
    ],
    ['FALSE', false, 'FALSE'],
  ] as const)('%s', (text, json, back) => {
    expect(toJson(text)).toEqual(json);
    expect(toText(json)).toBe(back);
  });

  test('names that are words of the language, or no words, are quoted', () => {
    expect(toText(call('=', property('in'), 1))).toBe('"in" = 1');
    expect(toText(call('=', property('true'), 1))).toBe('"true" = 1');
    expect(toText(call('=', property('rack no'), 1))).toBe('"rack no" = 1');
    expect(toText(call('=', property('rack.row no'), 1))).toBe('"rack"."row no" = 1');
    expect(toText(call('=', property('a..b'), 1))).toBe('"a..b" = 1');
    expect(toText(call('=', property('eo:cloud_cover'), 1))).toBe('eo:cloud_cover = 1');
    expect(toJson('"rack no" = 1')).toEqual(call('=', property('"rack no"'), 1));
    expect(toText(toJson('"rack no" = 1'))).toBe('"rack no" = 1');
  });

  test('the field comes first if a value has a function', () => {
    expect(toText(call('<', call('casei', 'x'), property('a')))).toBe("a > CASEI('x')");
    expect(toText(call('=', 'x', call('casei', property('a'))))).toBe("CASEI(a) = 'x'");
  });
});

describe('for random queries', () => {
  const name = fc.constantFrom('a', 'a.b', '"in"', 'gpu.gpu_count', '"x y".z');
  const value = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !/\\('|$)/.test(text)),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
    fc.boolean(),
    fc.constantFrom({ date: '2026-02-28' }, { timestamp: '2026-02-28T12:00:00+02:00' }),
  );
  const condition = fc.oneof(
    fc
      .tuple(fc.constantFrom(...COMPARISONS), name, fc.oneof(value, name.map(property)))
      .map(([op, field, other]) => call(op, property(field), other)),
    fc
      .tuple(name, fc.array(value, { minLength: 1, maxLength: 3 }))
      .map(([field, list]) => call('in', property(field), list)),
    fc.tuple(name, value, value).map(([field, low, high]) => call('between', property(field), low, high)),
    fc
      .tuple(name, fc.constantFrom('%a', 'é_'))
      .map(([field, text]) => call('like', call('accenti', property(field)), call('accenti', text))),
    name.map((field) => call('isNull', property(field))),
    fc.boolean(),
  );
  const { query } = fc.letrec<{ query: unknown }>((tie) => ({
    query: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      condition,
      tie('query').map((part) => call('not', part)),
      fc.tuple(fc.constantFrom('and', 'or'), tie('query'), tie('query')).map(([op, ...parts]) => call(op, ...parts)),
    ),
  }));

  test('JSON to text and back is the same JSON', () => {
    fc.assert(
      fc.property(query, (json) => {
        expect(toJson(toText(json))).toEqual(json);
      }),
      { numRuns: 2000 },
    );
  });
});

const CHECK = 'Check the brackets, the commas and the quotes.';

test.each([
  'a NOT IN (1, 2) AND 5GiB < a.b',
  "CASEI(a) = 'x' OR a = ACCENTI('é')",
  "NOT (a BETWEEN 1 AND 2KiB OR a NOT LIKE 'x%')",
  'a IS NOT NULL AND "b c" <> CASEI(d) AND TRUE',
])('text to JSON and back means the same: %s', (text) => {
  const json = toJson(text);
  expect(toJson(toText(json))).toEqual(json);
});

describe('CQL2-JSON that is not supported', () => {
  const reason = (json: unknown) => findingsOf(() => toText(json)).map(({ code, args }) => [code, args]);
  const wrong = (path: string, problem: string) => [['query-json', { path, problem }]];

  test.each([
    [call('s_intersects', property('a'), 1), '', 'has the operator "s_intersects", which is not supported'],
    [call('and', true), '', 'has 1 arguments, but "and" needs at least 2'],
    [call('=', property('a')), '', 'has 1 arguments, but "=" needs 2'],
    [call('not', true, true), '', 'has 2 arguments, but "not" needs 1'],
    [call('and', true, { property: 'a' }), 'args[1]', 'has no "op" with "args"'],
    [call('not', call('=', property('a'), null)), 'args[0].args[1]', 'is neither a field nor a value'],
    [call('=', property('a'), call('+', 1, 2)), 'args[1]', 'has the function "+", which is not supported'],
    [call('in', property('a'), 'x'), 'args[1]', 'is not a list of values'],
    [call('in', property('a'), []), 'args[1]', 'is not a list of values'],
    [call('in', property('a')), '', 'has 1 arguments, but "in" needs 2'],
    [call('=', property('a'), [1]), 'args[1]', 'is neither a field nor a value'],
    [call('in', property('a'), [1, {}]), 'args[1][1]', 'has no "op" with "args"'],
    [
      call('=', property('a'), 'x\\'),
      'args[1]',
      'has a backslash before a quote or at its end, which is not supported',
    ],
    [call('=', property('a'), call('casei')), 'args[1]', 'has 0 arguments, but "casei" needs 1'],
    [{ args: [] }, '', 'has no "op" with "args"'],
    [null, '', 'has no "op" with "args"'],
  ] as const)('is named with its path: %j', (json, path, problem) => {
    expect(reason(json)).toEqual(wrong(path, problem));
  });

  test.each([
    ['{"op":"not","args":[true]', 26, ': expected }, but found the end of the query.', 'Add } here.'],
    ['{"op":"not","args":[true}', 25, ': expected ], but found }.', 'Add ] here.'],
    ['{"op":"not","args":[true]}}', 27, ': expected the end of the query, but found }.', CHECK],
    ['{"op":"=","args":["a\\"]}', 25, ': expected ", but found the end of the query.', 'Add " here.'],
    ['{"op":"not","args":[true, ]}', 27, ': expected a value, but found ].', CHECK],
    ['{"op":"not" "args":[true]}', undefined, ', or it is nested too deep.', CHECK],
  ])('has a syntax error: %s', (text, column, what, fix) => {
    expect(queryError(() => textOfCql2Json(text))).toEqual({
      ...(column === undefined ? {} : { column }),
      ...{ what: `The query is not valid JSON${what}`, fix },
    });
  });

  test('is too long or too deep', () => {
    const code = (text: string) => findingsOf(() => textOfCql2Json(text))[0]?.code;
    expect(code('{"op":"=","args":[{"property":"a"},1e400]}')).toBe('query-json');
    expect(code(`{"op":"${'x'.repeat(100_000)}"}`)).toBe('query-long');
    const nested = (depth: number) => `${'{"op":"not","args":['.repeat(depth)}true${']}'.repeat(depth)}`;
    expect(code(nested(2000))).toBe('query-json-syntax');
    expect(textOfCql2Json(nested(50))).toBe(`${'NOT '.repeat(50)}TRUE`);
  });
});
