import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress, type RunOptions } from '../../support/processes/cli.ts';
import { nodeOf } from '../../support/processes/other-node.ts';
import { writeGenerated } from '../../support/registries/generated.ts';
import { REGISTRY } from '../../support/registries/revisions.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';
import { manifestOf } from '../../support/trees/served.ts';
import { digestOfWhole, filesBelow } from '../../support/trees/whole-tree.ts';

let original: string;

beforeAll(() => {
  original = writeTestbed(newFolder()).folder;
});

/** Builds a copy of the testbed in a new folder; returns the output. */
async function builtWith(options: RunOptions): Promise<string> {
  const folder = join(newFolder(), 'some', 'folder');
  cpSync(original, folder, { recursive: true });
  const { status, stderr } = await gridpress(['build'], { cwd: folder, ...options });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return join(folder, 'dist');
}

/** Every file of a tree with its bytes. */
function bytesOf(out: string): ReadonlyMap<string, string> {
  return new Map(filesBelow(out).map((file) => [file, readFileSync(join(out, file), 'latin1')]));
}

describe('two builds of the same registry give the same bytes', () => {
  test.each([
    ['in another time zone', { TZ: 'Pacific/Auckland' }],
    ['in another locale', { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }],
    ['under other names', { HOME: '/nowhere', USER: 'nobody', HOSTNAME: 'elsewhere', TMPDIR: '/var/tmp' }],
  ])('%s', async (_, env) => {
    const [one, other] = await Promise.all([builtWith({ env: { TZ: 'UTC', LANG: 'C' } }), builtWith({ env })]);
    expect(bytesOf(other)).toEqual(bytesOf(one));
  });

  test('from another folder, through other paths', async () => {
    const one = await builtWith({});
    const elsewhere = newFolder();
    const out = join(elsewhere, 'tree');
    const args = ['build', '--registry', join(original, REGISTRY), '--out', out];
    expect((await gridpress(args, { cwd: elsewhere })).status).toBe(0);
    expect(bytesOf(out)).toEqual(bytesOf(one));
  });

  test('over an older tree', async () => {
    const one = await builtWith({});
    const folder = newFolder();
    const args = ['build', '--registry', join(original, REGISTRY), '--out', 'dist'];
    await gridpress([...args, '--dialect', 'legacy', '--snapshots', 'none'], { cwd: folder });
    await gridpress(args, { cwd: folder });
    expect(bytesOf(join(folder, 'dist'))).toEqual(bytesOf(one));
  });

  test('with two threads and any division of work', async () => {
    // A document and an alias for each node in each of 20 snapshots make a second thread worthwhile.
    const { registry } = writeGenerated(newFolder(), 500, 20, 'index_files: false');
    const manifests: string[] = [];
    for (const name of ['one', 'other']) {
      const out = join(newFolder(), name);
      const { status, stdout } = await gridpress(['build', '--registry', registry, '--out', out, '--json']);
      expect(status).toBe(0);
      const { documents, aliases, digest } = JSON.parse(stdout);
      expect(documents + aliases).toBeGreaterThan(20_000);
      expect(digest).toBe(digestOfWhole(out));
      manifests.push(readFileSync(join(out, '_manifest.json'), 'utf8'));
    }
    expect(manifests[1]).toBe(manifests[0]);
  });
});

describe('all Node.js versions give the same tree', () => {
  test.for(['20', '22', '24'])('with Node.js %s', async (version, { skip }) => {
    const found = await nodeOf(version);
    if ('missing' in found) return skip(`Node ${version} cannot be had: ${found.missing}`);
    const [own, other] = await Promise.all([builtWith({}), builtWith({ node: found.node })]);
    expect(manifestOf(other).digest).toBe(manifestOf(own).digest);
    expect(bytesOf(other)).toEqual(bytesOf(own));
  });
});
