/** Builds over a tree that is large enough for a second writer thread. */
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { writeGenerated } from '../../support/registries/generated.ts';
import { nodeUid } from '../../support/registries/testbed.ts';

import { manifestOf } from '../../support/trees/served.ts';
import { digestOfWhole } from '../../support/trees/whole-tree.ts';

let registry: string;
/** The parent folder of the tree, without other files. */
let folder: string;
let out: string;
let first: { readonly digest: string; readonly documents: number; readonly aliases: number };

const press = async (...more: string[]) => {
  const args = ['build', '--registry', registry, '--out', 'dist', ...more];
  const { status, stderr, stdout } = await gridpress([...args, '--json'], { cwd: folder });
  expect([status, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
};

beforeAll(async () => {
  folder = newFolder();
  out = join(folder, 'dist');
  ({ registry } = writeGenerated(newFolder(), 1000, 26, 'index_files: false'));
  first = await press();
  expect(first.documents + first.aliases).toBeGreaterThan(50_000);
});

describe('a build over a large tree', () => {
  test('writes nothing when nothing changed', async () => {
    expect(await press()).toMatchObject({ is_written: false, digest: first.digest });
  });

  test('repairs damaged files and names the first one', async () => {
    const { documents } = manifestOf(out);
    const [early = '', late = ''] = [2, documents.length - 2].map((at) => documents[at]?.file);
    truncateSync(join(out, early), 1);
    rmSync(join(out, late));
    const mended = await press();
    expect(mended).toMatchObject({ is_written: true, digest: first.digest });
    expect(mended.findings).toMatchObject([{ code: 'build-damaged', file: join('dist', early) }]);
    expect(digestOfWhole(out)).toBe(first.digest);
  });

  test('deletes its own outdated files and keeps foreign files', async () => {
    const notes = join('sites', 'lyra', 'clusters', 'main', 'nodes', nodeUid(1), 'notes.txt');
    for (const file of ['CNAME', notes]) {
      mkdirSync(join(out, file, '..'), { recursive: true });
      writeFileSync(join(out, file), file);
    }
    await press('--snapshots', 'none');
    expect([readFileSync(join(out, 'CNAME'), 'utf8'), readFileSync(join(out, notes), 'utf8')]).toEqual([
      'CNAME',
      notes,
    ]);
    expect(readdirSync(folder)).toEqual(['dist']);
  });
});
