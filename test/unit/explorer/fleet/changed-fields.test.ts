import { expect, test } from 'vitest';
import type { FleetHistory } from '../../../../src/explorer/data/history.ts';
import { largestRevisions } from '../../../../src/explorer/fleet/change-counts.ts';
import { changedFields } from '../../../../src/explorer/fleet/changed-fields.ts';

const revisions = ['first', 'second', 'side', 'third'].map((id, i) => ({
  id,
  date: `2026-01-0${i + 1}T00:00:00Z`,
  parent: i === 3 ? 1 : i - 1,
  isCut: false,
}));
const history: FleetHistory = {
  revisions,
  line: [0, 1, 3],
  columns: [
    { name: 'node_name', values: ['a'] },
    { name: 'bios', values: [{ version: '1', vendor: 'Dell' }, { version: '2', vendor: 'Dell' }, { version: '3' }] },
  ],
  labels: [],
  leftOut: [],
  nodes: [
    {
      ...{ site: 's', cluster: 'c', uid: 'u1' },
      events: [
        { revision: 0, cells: [0, 0, 1, 0] },
        { revision: 1, cells: [1, 1] },
        { revision: 2, cells: [1, 0] },
        { revision: 3, cells: [1, 2] },
      ],
    },
    {
      ...{ site: 's', cluster: 'c', uid: 'u2' },
      events: [
        { revision: 1, cells: [0, 0] },
        { revision: 3, cells: null },
      ],
    },
  ],
};

test('the changed fields of revisions on the line, without added and removed nodes', () => {
  const found = [...changedFields(history)].map(([id, fields]) => [id, Object.fromEntries(fields)]);
  const path = 'sites/s/clusters/c/nodes/u1';
  expect(found).toEqual([
    ['second', { [path]: ['bios.version'] }],
    ['third', { [path]: ['bios.version', 'bios.vendor'] }],
  ]);
  expect(largestRevisions(history, 2, 1)).toEqual([
    { revision: 1, nodes: 2 },
    { revision: 3, nodes: 2 },
  ]);
});
