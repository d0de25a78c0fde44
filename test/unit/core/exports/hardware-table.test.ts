import { expect, test } from 'vitest';
import { fieldColumn, groupsTable, nodeGroups, titledColumn } from '../../../../src/core/exports/hardware-table.ts';
import { findField } from '../../../../src/core/query/columns.ts';
import { fleetOfBodies } from '../../../support/values/query-fleet.ts';

const MODEL = `MT28908 Family [ConnectX-6] ${'x'.repeat(200)}`;
const FLEET = fleetOfBodies([{ body: { model: `${MODEL}1` } }, { body: { model: `${MODEL}2` } }]);

test('long values are cut for a terminal and whole in documents', () => {
  expect(fieldColumn(findField('model', FLEET)).textOf(0)).toBe(`${MODEL.slice(0, 59)}…`);
  const column = titledColumn(findField('model', FLEET));
  expect([0, 1].map(column.textOf)).toEqual([`${MODEL}1`, `${MODEL}2`]);
  expect(nodeGroups([0, 1], [column])).toHaveLength(2);
});

test('a group lists its sizes in order: all in documents, and the first ones in a terminal', () => {
  const GiB = 2 ** 30;
  const sizes = [1024, 128, 256, 512, 64];
  const fleet = fleetOfBodies(sizes.map((size) => ({ body: { main_memory: { ram_size: size * GiB } } })));
  const column = titledColumn(findField('main_memory.ram_size', fleet));
  const cells = (rows: readonly number[], most?: number) =>
    groupsTable({ rows, keys: [], others: [column], most }).rows;
  expect(cells([0, 1, 2, 3, 4])).toEqual([['5', '64 GiB; 128 GiB; 256 GiB; 512 GiB; 1 TiB']]);
  expect(cells([0, 1, 2, 3, 4], 3)).toEqual([['5', '64 GiB; 128 GiB; 256 GiB; 2 more']]);
  expect(cells([0, 1, 2, 3], 3)).toEqual([['4', '128 GiB; 256 GiB; 512 GiB; 1 TiB']]);
});
