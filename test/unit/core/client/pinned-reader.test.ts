import { expect, test } from 'vitest';
import { listVersions } from '../../../../src/core/client/pinned-reader.ts';

test('listVersions lists all versions of a page with 200,000 versions', async () => {
  const items = Array.from({ length: 200_000 }, (_, i) => ({ uid: i }));
  const get = async (url: string) => ({ url, path: url, body: { items } });
  expect(await listVersions({ resolve: (href) => href }, '/versions', get, get)).toEqual(items);
});
