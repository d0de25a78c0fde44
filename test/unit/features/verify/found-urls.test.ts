import { expect, test } from 'vitest';
import { foundUrls } from '../../../../src/features/verify/found-urls.ts';

test('URLs come in the order in which they were found, each with where a link to it was seen', () => {
  const found = foundUrls();
  found.add({ url: '/', from: undefined }, true);
  found.add({ url: '/docs', from: '/' }, false);
  found.add({ url: '/sites', from: '/' }, true);
  found.add({ url: '/sites/é', from: '/sites' }, true);
  expect(['/', '/docs', '/sites', '/sites/é', '/nodes'].map(found.numberOf)).toEqual([0, 1, 2, 3, undefined]);
  expect(Array.from({ length: found.count() + 1 }, (_, index) => found.at(index))).toEqual([
    { url: '/', from: undefined },
    { url: '/sites', from: '/' },
    { url: '/sites/é', from: '/sites' },
    undefined,
  ]);
});
