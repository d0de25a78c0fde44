import { expect, test } from 'vitest';
import { listVersions } from '../../../../src/core/client/pinned-reader.ts';
import { failureOf } from '../../../support/processes/failure.ts';

test('listVersions lists all versions of a page with 200,000 versions', async () => {
  const items = Array.from({ length: 200_000 }, (_, i) => ({ uid: i }));
  const get = async (url: string) => ({ url, path: url, body: { items }, size: 8_000_000 });
  expect(await listVersions({ resolve: (href) => href }, '/versions', get, get)).toEqual(items);
});

test('listVersions stops at a service that makes up pages without end', async () => {
  let made = 0;
  const get = async (url: string) => {
    const links = [{ rel: 'next', href: `/pages/${++made}` }];
    return { url, path: url, body: { items: [], links }, size: 60_000_000 };
  };
  expect(await failureOf(() => listVersions({ resolve: (href) => href }, '/versions', get, get))).toBe(
    'error: /pages/4 cannot be read: with the pages before it, it has 300.0 MB, more than the 256.0 MB that are read. [too-large]\n  gridpress never writes or needs a file of this size. Check where it comes from.\n',
  );
});
