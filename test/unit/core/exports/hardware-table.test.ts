import { expect, test } from 'vitest';
import { fieldColumn, nodeGroups, titledColumn } from '../../../../src/core/exports/hardware-table.ts';
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
