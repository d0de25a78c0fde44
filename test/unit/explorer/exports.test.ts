import { expect, test } from 'vitest';
import { tableIn } from '../../../src/core/client/table-document.ts';
import { ABSENT } from '../../../src/core/table/node-table.ts';
import { csvOf, ndjsonOf } from '../../../src/explorer/exports.ts';
import { fleetOf } from '../../../src/explorer/fleet/fleet.ts';
import { fleetOfBodies } from '../../support/values/query-fleet.ts';

test('a spreadsheet reads no name of a column and no value as a formula', () => {
  const fleet = fleetOfBodies([{ body: { uid: 'a', '=own': '=1+1' } }]);
  expect(csvOf(fleet, [0], ['uid', '=own'])).toBe("uid,'=own\na,'=1+1\n");
});

test('a cell has a value for each item of a list, even if the list has one item', () => {
  const disks = [{ size: 1 }, { size: 2, wwn: 'w' }];
  const fleet = fleetOfBodies([{ body: { disks } }, { body: { disks: disks.slice(0, 1) } }, { body: {} }]);
  expect(csvOf(fleet, [0, 1, 2], ['site', 'disks.size', 'disks.wwn'])).toBe(
    'site,disks.size,disks.wwn\nlyra,"[1,2]","[null,""w""]"\nlyra,[1],\nlyra,,\n',
  );
});

test('NDJSON contains the site of a node, even if a field has the same name', () => {
  const table = tableIn({
    total: 1,
    uids: ['a'],
    clusters: [{ site: 'lyra', cluster: 'main', nodes: 1 }],
    columns: [{ name: 'site', values: ['a field'], rows: [0] }],
    labels: [],
  });
  if (!table) throw new Error('the table is inconsistent');
  expect(ndjsonOf(fleetOf(table), [0])).toBe('{"site":"lyra","cluster":"main","uid":"a","\\"site\\"":"a field"}\n');
});

test('NDJSON contains the labels of a node', () => {
  const values = [{ model: 'NVIDIA A100 80GB' }, { model: null }];
  const table = tableIn({
    total: 3,
    uids: ['a', 'b', 'c'],
    clusters: [{ site: 'lyra', cluster: 'main', nodes: 3 }],
    columns: [{ name: 'gpu', values, rows: [0, 1, ABSENT] }],
    labels: [{ name: 'label.gpu', of: [{ column: 'gpu', values: ['A100', null] }] }],
  });
  if (!table) throw new Error('the table is inconsistent');
  const lines = ndjsonOf(fleetOf(table), [0, 1, 2]).trimEnd().split('\n');
  const place = { site: 'lyra', cluster: 'main' };
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...place, uid: 'a', gpu: values[0], label: { gpu: 'A100' } },
    { ...place, uid: 'b', gpu: values[1] },
    { ...place, uid: 'c' },
  ]);
});
