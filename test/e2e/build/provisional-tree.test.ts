/** A tree with unrecorded changes, as `gridpress dev` builds it: which commands accept it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { AUTHOR } from '../../support/registries/revisions.ts';
import { nodeFile, nodeText, nodeUid, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { manifestOf, serveTree } from '../../support/trees/served.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';

let folder: string;
let bed: Testbed;
let out: string;

beforeAll(async () => {
  folder = newFolder();
  bed = writeTestbed(folder);
  out = join(folder, 'dist');
  await preview();
  expect(manifestOf(out)).not.toHaveProperty('provisional');
  writeFileSync(join(bed.registry, nodeFile('lyra', 1)), nodeText(1, 'bios:\n  version: "9.9"\n'));
  await preview();
  expect(manifestOf(out)).toMatchObject({ provisional: true });
});

const preview = () => build({ registry: bed.registry, out, showsProgress: false, isPreview: true });
const run = (...args: string[]) => gridpress(args, { cwd: folder });
const PROVISIONAL = (file: string) =>
  `${file}: error: The tree was built by "gridpress dev" from unrecorded changes. Its revision is in no history. [tree-provisional]
  Record the changes (gridpress record), and build the tree (gridpress build).
`;

test.each([
  ['publish', 'www'],
  ['publish', 's3://bucket/api', '--endpoint', 'http://127.0.0.1:9'],
  ['bundle', '--out', 'all.bundle'],
  ['bundle', '--out', 'news.bundle', '--since', 'dist'],
  ['prune', 'dist'],
])('%s %s rejects it', async (...args) => {
  const before = filesBelow(folder);
  expect(await run(...args)).toEqual({ status: 1, stdout: '', stderr: PROVISIONAL('_manifest.json') });
  expect(filesBelow(folder)).toEqual(before);
});

test('lock and find reject it', async () => {
  for (const args of [
    ['lock', nodeUid(1), '--from', 'dist'],
    ['find', '--from', 'dist'],
  ])
    expect(await run(...args)).toEqual({ status: 1, stdout: '', stderr: PROVISIONAL('dist/_manifest.json') });
});

test('verify reports it, in a folder and over HTTP', async () => {
  expect(await run('verify')).toEqual({
    status: 1,
    stdout: 'dist: 1 finding.\n',
    stderr: PROVISIONAL('_manifest.json'),
  });
  const { port } = await serveTree(bed.registry, out);
  const url = `http://127.0.0.1:${port}/`;
  expect(await run('verify', url)).toEqual({
    status: 1,
    stdout: `${url}: 1 finding.\n`,
    stderr: PROVISIONAL('_manifest.json'),
  });
});

test('recorded trees replace it, in its folder and where it was published', async () => {
  const mirror = join(folder, 'mirror');
  await build({ registry: bed.registry, out: mirror, showsProgress: false, isPreview: true });
  for (const args of [
    ['record', '-m', 'Update the BIOS', '--author', AUTHOR],
    ['build'],
    ['verify'],
    // Its serial is lower than the provisional tree's serial.
    ['build', '--at', bed.revisions.joined.id, '--out', 'earlier'],
    ['publish', 'mirror', '--tree', 'earlier'],
    ['verify', 'mirror'],
  ])
    expect([args[0], await run(...args)]).toMatchObject([
      args[0],
      { status: 0, stderr: args[0] === 'publish' ? expect.stringContaining('[publish-older-than-registry]') : '' },
    ]);
});
