import { expect, test } from 'vitest';
import { csvOf } from '../../../src/explorer/exports.ts';
import { fleetOfBodies } from '../../support/values/query-fleet.ts';

test('a spreadsheet reads no name of a column and no value as a formula', () => {
  const fleet = fleetOfBodies([{ body: { uid: 'a', '=own': '=1+1' } }]);
  expect(csvOf(fleet, [0], ['uid', '=own'])).toBe("uid,'=own\na,'=1+1\n");
});

test('a cell has a value for each item of a list, unless the list has one item', () => {
  const disks = [{ size: 1 }, { size: 2, wwn: 'w' }];
  const fleet = fleetOfBodies([{ body: { disks } }, { body: { disks: disks.slice(0, 1) } }, { body: {} }]);
  expect(csvOf(fleet, [0, 1, 2], ['site', 'disks.size', 'disks.wwn'])).toBe(
    'site,disks.size,disks.wwn\nlyra,"[1,2]","[null,""w""]"\nlyra,1,\nlyra,,\n',
  );
});
