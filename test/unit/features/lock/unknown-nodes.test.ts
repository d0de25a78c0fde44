import { expect, test } from 'vitest';
import { Failure } from '../../../../src/core/diagnostics/finding.ts';
import { type LockSource, lock } from '../../../../src/features/lock/take-lock.ts';

test('many unknown nodes search the names of all nodes once', async () => {
  let searches = 0;
  const source: LockSource = {
    revision: () => ({ id: '0'.repeat(40) }),
    node: async () => undefined,
    nodesNamed: async () => [],
    list: async () => {
      searches++;
      return [{ path: 'sites/lyra/clusters/main/nodes/1', name: 'lyra-c01' }];
    },
    sites: async () => ['lyra'],
  };
  const from = 'https://api.testbed.example.org';
  const nodes = ['lyra-x1', 'lyra-x2', 'lyra-x3'];
  const locked = lock({ nodes, from, timeout: 1, maxRequests: 1, reader: (read) => read(source) });
  await expect(locked).rejects.toBeInstanceOf(Failure);
  expect(searches).toBe(1);
});
