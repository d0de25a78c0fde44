import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { resourceSchemas } from '../../../../src/core/model/schemas.ts';
import { decode } from '../../../../src/core/registry/decode.ts';

const UID = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

function decoded(source: string, schema: z.ZodType = resourceSchemas().node): unknown {
  const read = decode('f', new TextEncoder().encode(source), () => schema);
  if (!read.findings) return read.value;
  return read.findings.map(({ code, args, place }) => [code, args, `${place?.line}:${place?.column}`]);
}

function node(fields: string): unknown {
  return decoded(`type: node\nuid: ${UID}\n${fields}`);
}

describe('a decoded node', () => {
  test('has every field, known or not, in the order of the file', () => {
    const body = node('zeta: {b: [1, {c: null}]}\nnode_name: n1\nalpha: yes\n');
    expect(JSON.stringify(body)).toBe(
      `{"type":"node","uid":"${UID}","zeta":{"b":[1,{"c":null}]},"node_name":"n1","alpha":"yes"}`,
    );
  });

  test('has unquoted texts as written', () => {
    const body = node(
      'storage_devices:\n  - {serial: 271828182846, rev: 7, model: true}\n  - serial: 007\n' +
        'chassis: {serial: 1.5}\nbios: {release_date: 2021-04-05, version: 2}\nplacement: {rack: 12, node: 1.10}\n',
    );
    expect(body).toEqual({
      type: 'node',
      uid: UID,
      storage_devices: [{ serial: '271828182846', rev: '7', model: 'true' }, { serial: '007' }],
      chassis: { serial: '1.5' },
      // Numbers are accepted where both types occur, and 1.10 is not a number.
      bios: { release_date: '2021-04-05', version: 2 },
      placement: { rack: 12, node: '1.10' },
    });
  });

  test('has numbers in any notation', () => {
    expect(node('main_memory: {ram_size: 1e3}\nprocessor: {clock_speed: 007, cache_l1: +5, cache_l2: 2.0}\n')).toEqual({
      type: 'node',
      uid: UID,
      main_memory: { ram_size: 1000 },
      processor: { clock_speed: 7, cache_l1: 5, cache_l2: 2 },
    });
  });

  test('may have one graphics card or a list, and sizes as text or in parts', () => {
    const fields =
      'gpu: [{gpu: true}, {gpu: "yes", gpu_count: 2}]\n' +
      'main_memory: {humanized_ram_size: {value: 192, unit: GiB}}\ninfiniband: "true"\n';
    expect(node(fields)).toEqual({
      type: 'node',
      uid: UID,
      gpu: [{ gpu: true }, { gpu: 'yes', gpu_count: 2 }],
      main_memory: { humanized_ram_size: { value: 192, unit: 'GiB' } },
      infiniband: 'true',
    });
    expect(node('gpu: {gpu: false}\n')).toEqual({ type: 'node', uid: UID, gpu: { gpu: false } });
  });

  test('has "__proto__" as data next to converted fields', () => {
    const body = node('__proto__: {polluted: 1}\nchassis: {serial: 5, __proto__: {x: 1}}\n');
    expect(JSON.stringify(body)).toBe(
      `{"type":"node","uid":"${UID}","__proto__":{"polluted":1},"chassis":{"serial":"5","__proto__":{"x":1}}}`,
    );
    expect('polluted' in {}).toBe(false);
  });

  test.each([
    ['ram_size', 'main_memory: {ram_size: 9007199254740993}\n', 'number-too-large', '9007199254740993', '3:25'],
    ['ram_size', 'main_memory: {ram_size: 1e400}\n', 'number-too-large', '1e400', '3:25'],
  ])('must not have a %s beyond double precision', (field, fields, code, text, where) => {
    expect(node(fields)).toEqual([[code, { field: `main_memory.${field}`, text }, where]]);
  });

  test('has quoted values without conversion', () => {
    expect(node('main_memory: {ram_size: "1000"}\n')).toEqual([
      ['schema', { field: 'main_memory.ram_size', problem: 'expected a number, found "1000"' }, '3:25'],
    ]);
  });

  test('must not have null as a required text', () => {
    expect(decoded('type: node\nuid: ~\n')).toEqual([
      ['schema', { field: 'uid', problem: 'expected a string, found null' }, '2:6'],
    ]);
  });
});

test('converted values must satisfy the other rules of their schema', () => {
  const schema = z.strictObject({ id: z.string().regex(/^[0-9a-f]{40}$/, 'expected 40 digits') });
  expect(decoded(`id: ${'1'.repeat(40)}\n`, schema)).toEqual({ id: '1'.repeat(40) });
  expect(decoded('id: 12345\n', schema)).toEqual([['schema', { field: 'id', problem: 'expected 40 digits' }, '1:5']]);
});

test('findings are sorted from top to bottom', () => {
  const schema = z.strictObject({ a: z.string(), b: z.union([z.string(), z.number()]), c: z.array(z.string()) });
  expect(decoded('d: 1\nc: [x, [], {}]\nb: []\na: []\n', schema)).toEqual([
    ['schema', { field: 'd', problem: 'no such field' }, '1:1'],
    ['schema', { field: 'c.1', problem: 'expected a string, found a list' }, '2:8'],
    ['schema', { field: 'c.2', problem: 'expected a string, found a mapping' }, '2:12'],
    ['schema', { field: 'b', problem: 'expected a string or a number, found a list' }, '3:4'],
    ['schema', { field: 'a', problem: 'expected a string, found a list' }, '4:4'],
  ]);
});
