/** Changes by quarter are sums of the changes by month. */
import { expect, test } from 'vitest';
import { quarterlyChanges } from '../../../../src/explorer/fleet/monthly-changes.ts';

test('a quarter has the sums of its months and the revision of its last one', () => {
  const monthly = {
    months: ['2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04'],
    groups: [{ name: 'lyra', counts: [1, 2, 0, 3, 0, 4], total: 10 }],
    mostInCell: 4,
    lastRevisions: new Map([
      ['2025-11', 0],
      ['2025-12', 1],
      ['2026-02', 2],
      ['2026-04', 3],
    ]),
  };
  expect(quarterlyChanges(monthly)).toEqual({
    months: ['2025-10', '2026-01', '2026-04'],
    groups: [{ name: 'lyra', counts: [3, 3, 4], total: 10 }],
    mostInCell: 4,
    lastRevisions: new Map([
      ['2025-10', 1],
      ['2026-01', 2],
      ['2026-04', 3],
    ]),
  });
});
