/** Fields that neither the schema nor the head has: `record`, `add` and `set` stop, because a revision is permanent. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gridpress } from '../../support/processes/cli.ts';
import { NODE, NODE_UID, registryOf, SITE } from '../../support/registries/registry.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

const TEXT = `type: node\nuid: ${NODE_UID}\nnode_name: lyra-1\nasset_tag: 17\n`;
const AUTHOR = ['--author', 'Ada Brown'];

function bed() {
  const { folder, write, record } = registryOf({ [NODE]: TEXT });
  const run = (...args: string[]) => gridpress(args, { cwd: folder });
  return { folder, write, record, run };
}

test('record stops at unknown fields, once per field with the place of the first, and accepts them afterwards', async () => {
  const { write, run } = bed();
  const stopped = await run('record', '-m', 'First', ...AUTHOR);
  expect([stopped.status, stopped.stdout]).toEqual([1, '']);
  expect(stopped.stderr).toContain(
    `registry-data/${NODE}:4:1: error: Unknown field "asset_tag" in 1 resource: lyra-1. [field-unknown]`,
  );
  expect((await run('record', '-m', 'First', '--dry-run', ...AUTHOR)).status).toBe(1);
  expect((await run('record', '-m', 'First', '--allow-unknown', ...AUTHOR)).status).toBe(0);
  write({ [NODE]: TEXT.replace('17', '18') });
  expect((await run('record', '-m', 'Known now', ...AUTHOR)).status).toBe(0);
  write({ [NODE]: `${TEXT}asset_tga: 19\n` });
  expect((await run('record', '-m', 'Slip', ...AUTHOR)).stderr).toContain(
    'Did you mean "asset_tag"? A recorded revision cannot be changed.',
  );
});

test('record names the grid in the error about an unknown field of it', async () => {
  const { write, run } = bed();
  write({ [NODE]: TEXT.replace('asset_tag: 17\n', ''), 'grid.yaml': 'type: grid\nuid: meridian\nowner: Ada\n' });
  expect((await run('record', '-m', 'First', ...AUTHOR)).stderr).toContain(
    'Unknown field "owner" in 1 resource: the grid.',
  );
});

test('add stops before it writes, and names the misspelt columns of a table', async () => {
  const { folder, record, run } = bed();
  record('First revision');
  const rows = [4, 5, 6, 7, 8].map((n) => `lyra-${n},SX${n},7,${n}\n`);
  writeFileSync(join(folder, 'nodes.csv'), `node_name,chasis.serial,main_memory.ramsize,asset_tag\n${rows.join('')}`);
  const before = folderContents(folder);
  for (const more of [[], ['-m', 'Grow', ...AUTHOR]]) {
    const { status, stderr } = await run('add', 'node', '--from', 'nodes.csv', ...more);
    expect([status, stderr]).toEqual([
      1,
      `error: Unknown field "chasis" in 5 resources: lyra-4, lyra-5, lyra-6 and 2 more. [field-unknown]
  Did you mean "chassis"? A recorded revision cannot be changed. If this is a field of your own, add --allow-unknown.

error: Unknown field "main_memory.ramsize" in 5 resources: lyra-4, lyra-5, lyra-6 and 2 more. [field-unknown]
  Did you mean "ram_size"? A recorded revision cannot be changed. If this is a field of your own, add --allow-unknown.
`,
    ]);
    expect(folderContents(folder)).toEqual(before);
  }
  expect((await run('add', 'node', '--from', 'nodes.csv', '--allow-unknown', '-m', 'Grow', ...AUTHOR)).status).toBe(0);
});

test('add quotes an unknown field once if its name is reserved', async () => {
  const { folder, record, run } = bed();
  record('First revision');
  writeFileSync(join(folder, 'nodes.csv'), 'node_name,label\nlyra-4,main\n');
  expect((await run('add', 'node', '--from', 'nodes.csv')).stderr).toContain(
    'error: Unknown field "label" in 1 resource: lyra-4. [field-unknown]',
  );
});

test('record accepts a field that only the data dictionary has, and a group of such fields', async () => {
  const { write, run } = bed();
  const known = TEXT.replace('asset_tag: 17', 'performance: { core_flops: 13170000000 }');
  write({
    [NODE]: known,
    'sites/lyra/clusters/main/cluster.yaml':
      'type: cluster\nuid: main\nmodel: Model 630\nqueues: [default]\nmodle: x\n',
  });
  const { status, stderr } = await run('record', '-m', 'First', ...AUTHOR);
  expect([status, stderr.match(/Unknown field "\w+"/g)]).toEqual([1, ['Unknown field "modle"']]);
});

test('record does not suggest the name itself if only another kind has the field', async () => {
  const { write, record, run } = bed();
  record('First revision');
  write({ [SITE]: 'type: site\nuid: lyra\nname: Lyra\nsite_class: baremetal\nnode_type: a\n' });
  expect((await run('record', '-m', 'Slip', ...AUTHOR)).stderr).toBe(
    `registry-data/${SITE}:5:1: error: Unknown field "node_type" in 1 resource: lyra. [field-unknown]
  3 | name: Lyra
  4 | site_class: baremetal
> 5 | node_type: a
    | ^
  A recorded revision cannot be changed. If this is a field of your own, add --allow-unknown.
`,
  );
});

test('set stops before it writes', async () => {
  const { record, run } = bed();
  record('First revision');
  expect((await run('set', 'lyra-1', 'placment.rack=4')).stderr).toContain('Did you mean "placement"?');
  expect((await run('set', 'lyra-1', 'asset_tag=18')).status).toBe(0);
  expect((await run('set', 'lyra-1', 'owner=ada', '--allow-unknown')).status).toBe(0);
});
