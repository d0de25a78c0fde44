import { assert, constantFrom, dictionary, oneof, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { configurationSchema } from '../../../../src/core/model/configuration.ts';
import type { Json } from '../../../../src/core/model/json.ts';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import { quickCheck } from '../../../../src/core/registry/quick-check.ts';
import { packagedChecks } from '../../../../src/system/trees/packaged-checks.ts';

const UID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

function fits(schema: Json, value: Json): boolean | undefined {
  return quickCheck(schema)?.(value);
}

describe('the quick check of a schema', () => {
  test.each<[string, Json, Json[], Json[]]>([
    ['supports strings', { type: 'string' }, ['', 'x'], [1, null, {}, []]],
    ['supports several types', { type: ['number', 'null'] }, [1.5, null], ['1', true]],
    ['supports integers', { type: 'integer', exclusiveMinimum: 0, maximum: 9 }, [1, 9], [0, 10, 1.5, '1']],
    ['supports constants', { const: 'node' }, ['node'], ['site', null]],
    ['supports enumerations', { enum: ['a', 'b'] }, ['a', 'b'], ['c', ['a']]],
    ['supports patterns', { type: 'string', pattern: '^a+$' }, ['a', 'aa'], ['', 'b']],
    ['supports lengths', { type: 'string', maxLength: 2 }, ['', 'ab'], ['abc', ['a']]],
    ['supports alternatives', { anyOf: [{ type: 'boolean' }, { enum: ['true'] }] }, [true, 'true'], ['false', null]],
    ['supports lists', { type: 'array', items: { type: 'number' }, minItems: 1 }, [[1], [1, 2]], [[], ['1'], {}]],
    ['supports maximum lengths', { type: 'array', maxItems: 1 }, [[], [1]], [[1, 2]]],
    [
      'supports tuples',
      { type: 'array', prefixItems: [{ type: 'string' }, { const: 2 }], items: false, minItems: 2, maxItems: 2 },
      [['x', 2]],
      [['x'], ['x', 3], [2, 2], ['x', 2, 2], {}],
    ],
    [
      'supports exclusive alternatives',
      { oneOf: [{ type: ['string', 'null'] }, { type: ['number', 'null'] }] },
      ['x', 1],
      [null, true],
    ],
    ['supports schemas that nothing matches', { type: 'array', items: { not: {} } }, [[]], [[1], [null]]],
    [
      'supports names and values of fields',
      { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: { type: 'integer' } },
      [{}, { a: 1 }, { b: 0, a: 2 }],
      [{ c: 1 }, { a: 'x' }, { a: 1, c: 1 }],
    ],
    ['supports schemas that anything matches', {}, [null, 1, {}, []], []],
  ])('%s', (_, schema, fitting, others) => {
    expect(fitting.map((value) => fits(schema, value))).toEqual(fitting.map(() => true));
    expect(others.map((value) => fits(schema, value))).toEqual(others.map(() => false));
  });

  test('supports mappings with required and optional fields', () => {
    const schema = { type: 'object', properties: { a: { type: 'number' }, b: {} }, required: ['a'] };
    const loose = { ...schema, additionalProperties: {} };
    const strict = { ...schema, additionalProperties: false };
    const values = [{ a: 1 }, { a: 1, b: 'x' }, { b: 1 }, { a: '1' }, { a: 1, c: 2 }];
    expect(values.map((value) => fits(loose, value))).toEqual([true, true, false, false, true]);
    expect(values.map((value) => fits(strict, value))).toEqual([true, true, false, false, false]);
  });

  test.each<[string, Json]>([
    ['with an unknown keyword', { type: 'string', format: 'date' }],
    ['with an unknown nested keyword', { properties: { a: { items: { anyOf: [{ not: { type: 'string' } }] } } } }],
    ['of an unknown type', { type: 'tuple' }],
    ['with a schema for other fields', { properties: {}, additionalProperties: { type: 'string' } }],
    ['with a field that every object inherits', { properties: { constructor: {} } }],
    ['with items without a schema', { prefixItems: [{}], minItems: 1 }],
    ['that is not an object', true],
  ])('is undefined %s', (_, schema) => {
    expect(quickCheck(schema)).toBeUndefined();
  });
});

describe('the packaged quick checks', () => {
  const schemas = [
    ...KINDS.all.map(({ name, schema }) => [name, schema] as const),
    ['gridpress', configurationSchema] as const,
  ];
  const fields = constantFrom(
    ...['type', 'uid', 'name', 'bios', 'version', 'gpu', 'gpu_count', 'storage_devices', 'serial', 'size'],
    ...['humanized_size', 'value', 'unit', 'infiniband', 'latitude', 'vcpus', 'placement', 'rack'],
    ...['cluster_uid', 'snapshots', 'max_files', 'base_path', 'headers', 'hosts', 'host_plan', 'constructor'],
  );
  const scalars = constantFrom<Json>(
    ...['x', '/a', 'true', 'none', 'node', 'site', 'abcdef12', 1, 0, -1, 1.5, 2 ** 53, true, null],
  );
  const mapping = (depth: number): ReturnType<typeof dictionary> =>
    dictionary(
      fields,
      depth === 0 ? scalars : oneof(scalars, mapping(depth - 1), constantFrom([], [{}], ['x'], [{ serial: 'x' }])),
      { maxKeys: 4 },
    );

  test.each(schemas)('check a %s like its schema', (name, schema) => {
    const check = packagedChecks(name);
    const whole = { type: name, uid: UID, name: 'x', cluster_uid: 'main' };
    const { type: _, uid: __, name: ___, ...configuration } = whole;
    assert(
      property(mapping(2), (value) => {
        const body = { ...(name === 'gridpress' ? configuration : whole), ...value };
        const json: Json = JSON.parse(JSON.stringify(body));
        expect(check?.(json)).toBe(schema().safeParse(json).success);
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });
});
