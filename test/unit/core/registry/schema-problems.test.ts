import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Json } from '../../../../src/core/model/json.ts';
import { schemaProblems, shown } from '../../../../src/core/registry/schema-problems.ts';

function says(schema: z.ZodType, value: Json): string[] {
  return schemaProblems(schema, value).map((problem) => `${problem.path.map(String).join('.')}: ${problem.message}`);
}

describe('schemaProblems', () => {
  test.each<[z.ZodType, Json, string]>([
    [z.string(), 5, ': expected a string, found 5'],
    [z.number(), true, ': expected a number, found true'],
    [z.boolean(), null, ': expected true or false, found null'],
    [z.looseObject({}), [], ': expected a mapping, found a list'],
    [z.array(z.string()), {}, ': expected a list, found a mapping'],
    [z.literal('node'), 'site', ': expected "node", found "site"'],
    [z.enum(['a', 'b']), 'c', ': expected "a" or "b", found "c"'],
    [z.union([z.string(), z.number(), z.null()]), [], ': expected a string, a number or null, found a list'],
    [z.object({ a: z.string() }), {}, 'a: missing; expected a string'],
    [z.strictObject({}), { a: 1 }, 'a: no such field'],
    [z.object({ a: z.array(z.object({ b: z.number() })) }), { a: [{ b: 'x' }] }, 'a.0.b: expected a number, found "x"'],
    [z.string().regex(/a/, 'Expected an a'), 'b', ': expected an a'],
  ])('describes the problem', (schema, value, expected) => {
    expect(says(schema, value)).toEqual([expected]);
  });

  test('describes the form of a union that the value has', () => {
    const gpu = z.looseObject({ count: z.number().optional() });
    const either = z.object({ gpu: z.union([gpu, z.array(gpu)]) });
    expect(says(either, { gpu: { count: 'x' } })).toEqual(['gpu.count: expected a number, found "x"']);
    expect(says(either, { gpu: [{ count: 1 }, { count: 'x' }] })).toEqual([
      'gpu.1.count: expected a number, found "x"',
    ]);
    expect(says(either, { gpu: 5 })).toEqual(['gpu: expected a mapping or a list, found 5']);
  });

  test('points at the name of an unknown field, and otherwise at the value', () => {
    const schema = z.strictObject({ a: z.string() });
    expect(schemaProblems(schema, { a: 1, b: 2 }).map(({ path, at, wants }) => [path, at, wants])).toEqual([
      [['a'], 'value', ['string']],
      [['b'], 'key', []],
    ]);
  });

  test('is empty for a valid value', () => {
    expect(schemaProblems(z.looseObject({ a: z.string() }), { a: 'x', b: 1 })).toEqual([]);
  });

  test('treats inherited names as missing fields', () => {
    expect(says(z.object({ constructor: z.string() }), {})).toEqual(['constructor: missing; expected a string']);
  });
});

test.each([
  [undefined, 'nothing'],
  [null, 'null'],
  ['x', '"x"'],
  [1.5, '1.5'],
  [[1], 'a list'],
  [{}, 'a mapping'],
  ['y'.repeat(60), `"${'y'.repeat(56)}…`],
])('shown(%j) is correct', (value, text) => {
  expect(shown(value)).toBe(text);
});
