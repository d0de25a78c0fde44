/** What a plan keeps of the nodes' past, and for how long. */
import { expect, test } from 'vitest';
import { OPENAPI_PATH } from '../../../../src/core/api/description/description-paths.ts';
import { NODE_HISTORY_PATH } from '../../../../src/core/api/nodes/node-paths.ts';
import { resourceAt } from '../../../../src/core/model/state.ts';
import { certain, itemAt } from '../../../../src/core/platform/certain.ts';
import { planTree } from '../../../../src/core/tree/plan/plan-tree.ts';
import { NODE_N, publication } from '../../../support/values/publication.ts';

test('what nodes were is looked at once, though the description shows two of them when the whole is done with', () => {
  const read: number[] = [];
  const small = publication('current');
  const { store, history } = small;
  const get = (handle: number) => {
    read.push(handle);
    return store.get(handle);
  };
  // Where the table has no rows, the explorer keeps nothing of it.
  const plan = planTree({ ...small, store: { ...store, get }, mostFoundNodes: 0 });
  const former = certain(resourceAt(itemAt(history.states, 0), NODE_N)).body.handle;
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
