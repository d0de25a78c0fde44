import { describe, expect, test } from 'vitest';
import { KINDS } from '../../../../src/core/model/kinds.ts';
import { gridOf, parsePath } from '../../../../src/core/model/resource-path.ts';
import { foreignPlace, gridFiles, readForeignBody } from '../../../../src/features/import/foreign-file.ts';

const NODE = parsePath('sites/lyra/clusters/main/nodes/n1', KINDS) ?? gridOf(KINDS);

function read(text: string | Uint8Array, item = NODE, path = 'n1.json') {
  return readForeignBody(path, typeof text === 'string' ? Buffer.from(text) : text, item);
}

describe('foreignPlace', () => {
  test.each([
    ['grid.json', ''],
    ['sites/lyra/lyra.json', 'sites/lyra'],
    ['sites/lyra.json', 'sites/lyra'],
    ['sites/lyra/clusters/main/main.yaml', 'sites/lyra/clusters/main'],
    ['sites/lyra/clusters/main.yml', 'sites/lyra/clusters/main'],
    ['sites/lyra/clusters/main/nodes/n1.json', NODE.path],
    ['sites/lyra/clusters/main/nodes/n1/n1.json', NODE.path],
    ['sites/lyra/flavors/m1.small.json', 'sites/lyra/flavors/m1.small'],
    ['sites/lyra/pdus.json', 'sites/lyra/pdus'],
    ['network_equipments.yaml', 'network_equipments'],
    ['sites/lyra/pdus/.json', undefined],
    ['sites/lyra/clusters.json', undefined],
    ['.json', undefined],
    ['sites/lyra/lyra/lyra.json', undefined],
    ['other.json', undefined],
    ['sites/lyra/README.md', undefined],
    ['sites/lyra/notes.json', undefined],
    ['sites/lyra/clusters/main/nodes/n1/disk.json', undefined],
  ])('maps %s', (path, resource) => {
    const place = foreignPlace(path, 'grid', KINDS);
    expect('subject' in place ? place.subject.path : undefined).toBe(resource);
  });

  test('reports a uid that is invalid in a path', () => {
    expect(foreignPlace('sites/a b/a b.json', 'grid', KINDS)).toEqual({ problem: 'bad-uid', uid: 'a b' });
    expect(foreignPlace('sites/lyra/flavors/latest.json', 'grid', KINDS)).toEqual({
      problem: 'bad-uid',
      uid: 'latest',
    });
    expect(foreignPlace('sites/__proto__/__proto__.json', 'grid', KINDS)).toEqual({
      problem: 'bad-uid',
      uid: '__proto__',
    });
  });
});

test('gridFiles lists the files that can describe the grid', () => {
  expect(gridFiles('mygrid')).toEqual(['mygrid.json', 'mygrid.yaml', 'mygrid.yml']);
});

describe('readForeignBody', () => {
  test('reads a body unchanged', () => {
    expect(read('{"type": "node", "uid": "n1", "a": [1.5, null, {"b": "007"}]}')).toEqual({
      body: { type: 'node', uid: 'n1', a: [1.5, null, { b: '007' }] },
      issues: [],
    });
  });

  test('keeps the text of a number in text fields, despite other errors', () => {
    expect(
      read(
        '{"type":"node","uid":"n1","node_name":7,"bios":{"vendor":1.10,"version":1.0},"chassis":{"serial":true},"network_adapters":[{"mac":1e3}],"main_memory":{"ram_size":"much"}}',
      ),
    ).toEqual({
      body: {
        type: 'node',
        uid: 'n1',
        node_name: '7',
        chassis: { serial: 'true' },
        bios: { vendor: '1.10', version: 1 },
        network_adapters: [{ mac: '1e3' }],
        main_memory: { ram_size: 'much' },
      },
      issues: [],
    });
  });

  test('keeps "__proto__" and "constructor" as plain data', () => {
    const text = '{"type":"node","uid":"n1","__proto__":{"polluted":1},"constructor":{"prototype":2}}';
    for (const odd of [
      text,
      text.replace('"n1"', '"other"'),
      text.replace('"polluted":1', '"polluted":12345678901234567'),
    ]) {
      const { body } = { body: undefined, ...read(odd) };
      expect(Object.keys(body ?? {})).toEqual(['type', 'uid', '__proto__', 'constructor']);
    }
    expect('polluted' in {}).toBe(false);
  });

  test('takes the uid from the path', () => {
    expect(read('{"uid":"other","a":1,"type":"node"}')).toEqual({
      body: { uid: 'n1', a: 1, type: 'node' },
      issues: [{ code: 'uid', uid: 'other' }],
    });
    expect(read('{"a":1}')).toEqual({
      body: { type: 'node', uid: 'n1', a: 1 },
      issues: [{ code: 'identity', fields: ['type', 'uid'] }],
    });
    expect(read('{"type":"server","uid":"n1"}')).toEqual({
      body: { type: 'server', uid: 'n1' },
      issues: [{ code: 'type', type: 'server' }],
    });
  });

  test('takes the uid of the grid from the file', () => {
    expect(read('{"type":"grid","uid":"any"}', gridOf(KINDS))).toEqual({
      body: { type: 'grid', uid: 'any' },
      issues: [],
    });
  });

  test('reads YAML by the rules of a registry', () => {
    expect(read('type: node\nuid: n1\nserial: 22227146E059\n', NODE, 'n1.yaml')).toEqual({
      body: { type: 'node', uid: 'n1', serial: '22227146E059' },
      issues: [],
    });
  });

  test('reports duplicate keys and numbers beyond double precision', () => {
    expect(read('{"type":"node","uid":"n1","a":{"b":1,"b":2},"size":12345678901234567890,"list":[1e400,1E2]}')).toEqual(
      {
        body: { type: 'node', uid: 'n1', a: { b: 2 }, size: '12345678901234567890', list: ['1e400', 100] },
        issues: [
          { code: 'duplicate-key', key: 'b' },
          { code: 'large-number', field: 'size', text: '12345678901234567890' },
          { code: 'large-number', field: 'list[0]', text: '1e400' },
        ],
      },
    );
  });

  test.each(['"b":1,"b":2', '"b":1,"b" :2', '"b"\n\t:1,"b":2', '"b" : 1, "b" : 2'])(
    'reports a duplicate key with any spacing: %j',
    (fields) => {
      expect(read(`{"type":"node","uid":"n1",${fields}}`)).toEqual({
        body: { type: 'node', uid: 'n1', b: 2 },
        issues: [{ code: 'duplicate-key', key: 'b' }],
      });
    },
  );

  test('reports nothing for colons inside texts', () => {
    const body = { type: 'node', uid: 'n1', a: '": ', b: '" :', ':': 'a : b', '': ':"' };
    expect(read(JSON.stringify(body))).toEqual({ body, issues: [] });
    expect(read(JSON.stringify(body, null, 2))).toEqual({ body, issues: [] });
  });

  test('accepts a byte order mark', () => {
    expect(read('\ufeff{"type":"node","uid":"n1"}')).toEqual({ body: { type: 'node', uid: 'n1' }, issues: [] });
  });

  test.each([
    ['an array', '[]', 'it is not an object'],
    ['text', '"x"', 'it is not an object'],
    ['conflict markers', '{\n<<<<<<< HEAD\n"a": 1\n=======\n', 'it contains merge conflict markers'],
    ['invalid UTF-8', Uint8Array.from([0x7b, 0xff, 0x7d]), 'it is not UTF-8'],
    ['a NUL', '{"a": "\0"}', 'it has a NUL character'],
  ])('rejects %s', (_, text, broken) => {
    expect(read(text)).toEqual({ broken });
  });

  test.each(['', '{"version": 2.5.5}', '{"a": NaN}', '{"a": Infinity}', '{"a": 1,}', "{'a': 1}"])(
    'rejects invalid JSON: %s',
    (text) => {
      expect(read(text)).toEqual({ broken: expect.stringMatching(/^it is not JSON \(.+\)$/) });
    },
  );

  test('rejects unsupported YAML', () => {
    expect(read('a: &x [*x]\n', NODE, 'n1.yaml')).toEqual({
      broken:
        'it is not YAML that a registry can hold (The aliases in the file expand to too many values, line 1, column 8)',
    });
  });
});
