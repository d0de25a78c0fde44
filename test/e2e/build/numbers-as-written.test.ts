/** Texts that look like numbers stay unchanged, in current documents, histories and snapshots. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { commit, REGISTRY } from '../../support/registries/revisions.ts';
import { nodeFile, nodeText, nodeUid, writeFirstRevision } from '../../support/registries/testbed.ts';
import { buildAndServe } from '../../support/trees/served.ts';

const NODE = `/sites/lyra/clusters/main/nodes/${nodeUid(1)}`;

test('a BIOS version 1.0 stays 1.0', async () => {
  const folder = newFolder();
  const first = writeFirstRevision(folder, 'cluster_uid: main\n', [nodeText(1, 'bios:\n  version: 1.0\n')]);
  const second = commit(folder, {
    parents: [first],
    message: 'Another BIOS',
    date: '2026-02-01T00:00:00Z',
    edits: { [nodeFile('lyra', 1)]: nodeText(1, 'bios:\n  version: 1.10\n') },
  });
  const { client } = await buildAndServe(join(folder, REGISTRY));
  const bodyAt = async (path: string): Promise<unknown> => JSON.parse((await client.get(path)).body);

  expect(await bodyAt(NODE)).toMatchObject({ bios: { version: '1.10' } });
  expect(await bodyAt(`/snapshots/${first.id}${NODE}`)).toMatchObject({ bios: { version: '1.0' } });
  expect(await bodyAt(`${NODE}/versions/${first.id}`)).toMatchObject({ resource: { bios: { version: '1.0' } } });
  expect(await bodyAt(`${NODE}/versions/${second.id}`)).toMatchObject({
    resource: { bios: { version: '1.10' } },
    changes: [{ fields: [{ at: '/bios/version', from: '1.0', to: '1.10' }] }],
  });
});
