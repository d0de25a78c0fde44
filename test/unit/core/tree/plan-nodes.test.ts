/** The number of times that a plan reads earlier states of nodes. */
import { expect, test } from 'vitest';
import { OPENAPI_PATH } from '../../../../src/core/api/description/description-paths.ts';
import { NODE_HISTORY_PATH } from '../../../../src/core/api/nodes/node-paths.ts';
import { resourceAt } from '../../../../src/core/model/state.ts';
import { assertDefined, itemAt } from '../../../../src/core/platform/lookups.ts';
import { planTree } from '../../../../src/core/tree/plan/plan-tree.ts';
import { NODE_N, publication } from '../../../support/values/publication.ts';

test('earlier states of nodes are read once, although the description shows two of them at the end', () => {
  const read: number[] = [];
  const small = publication('current');
  const { store, history } = small;
  const get = (handle: number) => {
    read.push(handle);
    return store.get(handle);
  };
  // If the table has no rows, the explorer stores no nodes.
  const plan = planTree({ ...small, store: { ...store, get }, maxFoundNodes: 0 });
  const former = assertDefined(resourceAt(itemAt(history.states, 0), NODE_N)).body.handle;
  const readFor = new Map<string, boolean>();
  for (const { list } of plan.documents)
    for (const { url, body } of list()) {
      read.length = 0;
      body();
      readFor.set(url, read.includes(former));
    }
  expect(readFor.get(NODE_HISTORY_PATH) || readFor.get('/nodes/facets')).toBe(true);
  expect(readFor.get(OPENAPI_PATH)).toBe(false);
});
