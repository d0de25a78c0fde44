import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apiInFolder } from '../../../../src/system/client/api-in-folder.ts';
import { newFolder } from '../../../support/folders.ts';

test('a link with a NUL character, or to a folder above, returns no document', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'index.json'), '{"uid":"x"}');
  const api = apiInFolder(folder);
  expect(await api.get('/sites/\0')).toBe(undefined);
  expect(await api.get('/../index')).toBe(undefined);
  expect((await api.get('/'))?.body).toEqual({ uid: 'x' });
});

test('a document that is not UTF-8 is rejected', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'index.json'), '{}');
  writeFileSync(join(folder, 'sites.json'), Buffer.from('{"uid":"\xe9"}', 'latin1'));
  await expect(apiInFolder(folder).get('/sites')).rejects.toThrow('site-not-json');
});
