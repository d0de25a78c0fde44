import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress, type RunOptions } from '../../support/processes/cli.ts';
import { nodeOf } from '../../support/processes/other-node.ts';
import { type Testbed, writeTestbed } from '../../support/registries/testbed.ts';

let original: Testbed;
let own: readonly Buffer[];

beforeAll(async () => {
  original = writeTestbed(newFolder());
  own = await bundledWith({ env: { TZ: 'UTC', LANG: 'C' } });
});

/** Builds a copy in a new folder; returns its full bundle and its bundle since a revision. */
async function bundledWith(options: RunOptions): Promise<readonly Buffer[]> {
  const folder = join(newFolder(), 'some', 'folder');
  cpSync(original.folder, folder, { recursive: true });
  const run = async (...args: string[]) => {
    const { status, stderr } = await gridpress(args, { cwd: folder, ...options });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  };
  await run('build');
  await run('bundle', '-o', 'whole.bundle');
  await run('bundle', '--since', original.revisions.closed.id, '-o', 'news.bundle');
  return ['whole.bundle', 'news.bundle'].map((file) => readFileSync(join(folder, file)));
}

const sameAsOwn = (bundles: readonly Buffer[]) => bundles.map((bytes, i) => own[i]?.equals(bytes));

describe('bundles of the same registry have the same bytes', () => {
  test.each([
    ['in another time zone', { TZ: 'Pacific/Auckland' }],
    ['in another locale', { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' }],
    ['under other names', { HOME: '/nowhere', USER: 'nobody', HOSTNAME: 'elsewhere', TMPDIR: '/var/tmp' }],
  ])('%s and in another folder', async (_, env) => {
    expect(sameAsOwn(await bundledWith({ env }))).toEqual([true, true]);
  });

  test.for(['20', '22', '24'])('with Node.js %s', async (version, { skip }) => {
    const found = await nodeOf(version);
    if ('missing' in found) return skip(`Node ${version} cannot be had: ${found.missing}`);
    expect(sameAsOwn(await bundledWith({ node: found.node }))).toEqual([true, true]);
  });
});
