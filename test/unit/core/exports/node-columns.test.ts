import { expect, test } from 'vitest';
import { hostRowReader } from '../../../../src/core/exports/host-exports.ts';
import { cellOf, nodeColumns, sourceValue } from '../../../../src/core/exports/node-columns.ts';
import { nodeItem } from '../../../../src/core/exports/whole-node.ts';
import { labelling } from '../../../../src/core/labels/labels.ts';
import type { JsonObject } from '../../../../src/core/model/json.ts';
import { facetsOf } from '../../../../src/core/table/facets.ts';
import { labelColumns } from '../../../../src/core/table/label-columns.ts';
import { type LeftOut, surveyBodies } from '../../../../src/core/table/node-survey.ts';

const labels = labelling(undefined);

/** The non-empty cells of nodes by column name. */
function tableOf(bodies: readonly JsonObject[]): Record<string, string>[] {
  const placed = bodies.map((body, i) => ({ site: 'x', cluster: 'c', uid: `n${i}`, json: JSON.stringify(body) }));
  const survey = surveyBodies(placed);
  const columns = nodeColumns(facetsOf(survey, labelColumns(survey.table.columns, labels)));
  const toldIn = hostRowReader(survey, labels);
  return bodies.map((body, i) => {
    const node = { site: 'x', cluster: 'c', uid: `n${i}`, body, labels: labels.of(body) };
    const texts = columns.map((column) => cellOf(column, sourceValue(column, node)));
    expect(toldIn?.(i).labels ?? node.labels).toEqual(node.labels);
    const cells = texts.map((cell, n) => [columns[n]?.name ?? '', cell] as const);
    return Object.fromEntries(cells.filter(([, cell]) => cell !== ''));
  });
}

const PLACE = { site: 'x', cluster: 'c' };

test('each field is a column, identifying columns first', () => {
  const [cells] = tableOf([{ bios: { version: '1.10' }, type: 'node', uid: 'n0', node_name: 'a', serial: '007' }]);
  expect(Object.entries(cells ?? {})).toEqual([
    ...Object.entries(PLACE),
    ...[
      ['uid', 'n0'],
      ['node_name', 'a'],
      ['bios.version', '1.10'],
      ['serial', '007'],
      ['type', 'node'],
    ],
  ]);
});

test('a list of items gives one column per field, with the values in item order', () => {
  const disks = [{ device: 'sda', size: 1, serial: '007' }, { device: 'sdb' }, { size: 7, note: null }];
  expect(tableOf([{ uid: 'n0', storage_devices: disks }])).toEqual([
    {
      ...PLACE,
      uid: 'n0',
      storage_devices_count: '3',
      'label.disk': '8',
      'storage_devices.device': '["sda","sdb",null]',
      'storage_devices.size': '[1,null,7]',
      'storage_devices.serial': '["007",null,null]',
    },
  ]);
});

test('a missing value, an empty text and an empty list differ', () => {
  expect(tableOf([{ uid: 'n0' }, { uid: 'n1', a: '', b: [] }, { uid: 'n2', a: null, b: ['', null] }])).toEqual([
    { ...PLACE, uid: 'n0' },
    { ...PLACE, uid: 'n1', a: "'", b_count: '0' },
    { ...PLACE, uid: 'n2', b: '["",null]', b_count: '2' },
  ]);
});

test('a field with lists, mappings and single values has a column for each form', () => {
  expect(
    tableOf([
      { uid: 'n0', a: 1 },
      { uid: 'n1', a: { b: 2 } },
      { uid: 'n2', a: [3, { b: 4 }] },
    ]),
  ).toEqual([
    { ...PLACE, uid: 'n0', a: '[1]' },
    { ...PLACE, uid: 'n1', 'a.b': '[2]' },
    { ...PLACE, uid: 'n2', a: '[3,null]', 'a.b': '[null,4]', a_count: '2' },
  ]);
});

test('unusual field names are column names', () => {
  const body: JsonObject = JSON.parse(
    '{"uid":"n0","__proto__":{"x":1},"a.b":2,"site":3,"label":{"gpu":4},"b_count":5,"b":[6],"=c()":7,"constructor":8}',
  );
  expect(tableOf([body])).toEqual([
    {
      ...PLACE,
      uid: 'n0',
      '__proto__.x': '1',
      '"a.b"': '2',
      '"site"': '3',
      '"label".gpu': '4',
      b_count: '5',
      b: '[6]',
      '=c()': '7',
      constructor: '8',
    },
  ]);
  const item = nodeItem({ ...PLACE, uid: 'n0', body, labels: { gpu: 'A100' } });
  expect(JSON.stringify(item)).toBe(
    '{"site":"x","cluster":"c","uid":"n0","__proto__":{"x":1},"a.b":2,"\\"site\\"":3,"\\"label\\"":{"gpu":4},"b_count":5,"b":[6],"=c()":7,"constructor":8,"label":{"gpu":"A100"}}',
  );
});

test('the table contains computed labels, except labels of omitted fields', () => {
  const told = (sizeOf: (i: number) => number, leftOut?: LeftOut) => {
    const placed = Array.from({ length: 60 }, (_, i) => {
      const body = { uid: `n${i}`, node_name: `a${i}`, main_memory: { ram_size: sizeOf(i) }, serial: `${i}` };
      return { ...PLACE, uid: body.uid, json: JSON.stringify(body) };
    });
    return hostRowReader(surveyBodies(placed, leftOut), labels)?.(7);
  };
  expect(told(() => 2 ** 30)).toEqual({ body: { node_name: 'a7' }, labels: { ram: 2 ** 30 } });
  expect(told((i) => 2 ** 30 + i)).toMatchObject({ labels: { ram: 2 ** 30 + 7 } });
  expect(told(() => 2 ** 30, ['main_memory.ram_size'])).toBeUndefined();
});
