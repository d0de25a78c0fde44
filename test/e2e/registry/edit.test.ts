/** `gridpress add` and `gridpress retire`: they generate identifiers, and write all files or none. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../../src/features/edit/apply-edits.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { CONFIGURATION, NODE, NODE_UID, registryOf, SITE } from '../../support/registries/registry.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TEMPLATE = `type: node
uid: ${NODE_UID}
node_name: lyra-1
node_type: compute
chassis:
  name: R650
  serial: "0001"
network_adapters:
  - device: eth0
    mac: 0a:00:00:00:00:01
    rate: 25000000000
placement:
  rack: 4
`;
const NODES = 'registry-data/sites/lyra/clusters/main/nodes';

const NOTHING = 'Nothing to record: the registry matches its history.';

function bed(files = {}) {
  const { folder, registry, record } = registryOf({ [NODE]: TEMPLATE, ...files });
  record('First revision');
  const run = (...args: string[]) => gridpress(args, { cwd: folder });
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);
  const text = (file: string) => readFileSync(join(folder, file), 'utf8');
  return { folder, registry, run, json, text };
}

describe('gridpress add node', () => {
  test('copies a node without the fields that are unique to each node', async () => {
    const { run, json, text } = bed();
    const { files, ...rest } = await json('add', 'node', '--like', 'lyra-1', '--names', 'lyra-{02..04}', '-n', '3');
    expect(rest).toEqual({
      ok: true,
      is_written: true,
      names: ['lyra-02', 'lyra-03', 'lyra-04'],
      findings: [],
      left: ['chassis.serial', 'network_adapters.mac', 'placement'],
      changes: [],
    });
    const bodies = files.map((file: string) => load(text(file)));
    for (const [i, { uid, ...body }] of bodies.entries()) {
      expect(uid).toMatch(UUID);
      expect(files[i]).toBe(`${NODES}/${uid}.yaml`);
      expect(body).toEqual({
        type: 'node',
        node_name: `lyra-0${i + 2}`,
        node_type: 'compute',
        chassis: { name: 'R650' },
        network_adapters: [{ device: 'eth0', rate: 25_000_000_000 }],
      });
    }
    expect(new Set(files).size).toBe(3);
    expect((await run('record', '-m', 'Grow', '--author', 'Ada Brown')).status).toBe(0);
    expect((await run('check', '--strict')).stdout).toBe('No errors: 7 resources, 2 revisions.\n');
  });

  test('creates a minimal node without --like, and can record it', async () => {
    const { run, json, text } = bed();
    const said = await json('add', 'node', '--names', 'a', 'b', '-m', 'Two more', '--author', 'Ada Brown');
    expect(load(text(said.files[1]))).toEqual({ type: 'node', uid: expect.stringMatching(UUID), node_name: 'b' });
    expect(said.recorded).toMatch(/^[0-9a-f]{40}$/);
    expect((await run('check')).stdout).toBe('No errors: 6 resources, 2 revisions.\n');
  });

  test('uses names as uids if nodes are identified by names', async () => {
    const { json, text } = bed({ [CONFIGURATION]: 'cluster_uid: main\nnode_uid: name\n' });
    const { files } = await json('add', 'node', '--names', 'rack1-3');
    expect(files).toEqual([`${NODES}/rack1-3.yaml`]);
    expect(text(`${NODES}/rack1-3.yaml`)).toBe('type: node\nuid: rack1-3\n');
  });

  test('reads a table and converts each cell to the type of its field', async () => {
    const { folder, json, text } = bed();
    writeFileSync(
      join(folder, 'nodes.csv'),
      `node_name,uid,chassis.serial,placement.rack,network_adapters.0.mac,main_memory.ram_size,infiniband,asset
lyra-5,,0002,7,0a:00:00:00:00:02,274877906944,true,"A, 1"
lyra-6,00000000-0000-4000-8000-000000000006,7E5,,,,,
`,
    );
    const { files, left } = await json('add', 'node', '--like', NODE_UID, '--from', 'nodes.csv', '--allow-unknown');
    expect(left).toEqual([]);
    const [first, second] = files.map((file: string) => load(text(file)));
    expect(first).toMatchObject({
      node_name: 'lyra-5',
      chassis: { name: 'R650', serial: '0002' },
      placement: { rack: 7 },
      network_adapters: [{ device: 'eth0', rate: 25_000_000_000, mac: '0a:00:00:00:00:02' }],
      main_memory: { ram_size: 274_877_906_944 },
      infiniband: true,
      asset: 'A, 1',
    });
    expect(second).toEqual({
      type: 'node',
      uid: '00000000-0000-4000-8000-000000000006',
      node_name: 'lyra-6',
      node_type: 'compute',
      chassis: { name: 'R650', serial: '7E5' },
      network_adapters: [{ device: 'eth0', rate: 25_000_000_000 }],
    });
  });

  test('ignores empty columns of a table, also if only some rows contain them', async () => {
    const { folder, json, text } = bed();
    writeFileSync(join(folder, 'nodes.csv'), 'node_name;;placement.rack;;\r\na;;A1;;\r\nb;;B2\r\n;;;;\r\n');
    const { files } = await json('add', 'node', '--from', 'nodes.csv');
    expect(files.map((file: string) => load(text(file)))).toMatchObject([
      { node_name: 'a', placement: { rack: 'A1' } },
      { node_name: 'b', placement: { rack: 'B2' } },
    ]);
  });

  test('--dry-run lists the files and writes nothing', async () => {
    const { folder, run } = bed();
    const before = folderContents(folder);
    expect(await run('add', 'node', '--names', 'a', 'b', '--dry-run')).toEqual({
      status: 0,
      stderr: '',
      stdout: 'Nothing was written. Without --dry-run, this command adds a, b (2 files).\n',
    });
    expect(folderContents(folder)).toEqual(before);
  });

  test.each([
    [[], 2, 'The names of the new nodes are missing. [add-no-names]'],
    [['--names', ''], 2, 'The names of the new nodes are missing. [add-no-names]'],
    [['--names', 'a', '-n', '2'], 2, '--count asks for 2 nodes, but --names gives 1. [add-count]'],
    [['--names', 'c{a..c}'], 2, '--names has no valid name or range in "c{a..c}" [usage]'],
    [['--names', 'c{1..3}', 'c[1-3'], 2, '--names has no valid name or range in "c[1-3" [usage]'],
    [['--names', 'c1,c2'], 2, '--names has no valid name or range in "c1,c2" [usage]'],
    [['--names', 'c1', 'bios.version=1'], 2, '--names has no valid name or range in "bios.version=1" [usage]'],
    [['--names', 'c{1..20000}'], 2, '"c{1..20000}" expands to more than 10,000 names. [add-too-many]'],
    [
      ['--names', 'lyra-1'],
      1,
      'The node "lyra-1" already exists at the site "lyra", or its uid is already used. [add-taken]',
    ],
    [
      ['--names', 'a', 'a'],
      1,
      'The node "a" already exists at the site "lyra", or its uid is already used. [add-taken]',
    ],
    [['--names', 'a', '--site', 'vega'], 2, 'There is no site "vega". [unknown-site]'],
    [['--names', 'a', '--like', 'lyra-2'], 2, 'There is no resource "lyra-2". [unknown-resource]'],
    [
      ['--from', 'nodes.csv'],
      1,
      'nodes.csv:3: error: The table cannot be read: the row has 1 cell, and there are 2 columns. [add-table]',
    ],
    [
      ['--from', 'twice.csv'],
      1,
      'twice.csv:1: error: The table cannot be read: two columns are called "rack". [add-table]',
    ],
    [['--from', 'unnamed.csv'], 1, 'unnamed.csv:1: error: The table cannot be read: a column has no name. [add-table]'],
    [
      ['--from', 'quote.csv'],
      1,
      'quote.csv:3: error: The table cannot be read: a cell in quotes does not end. [add-table]',
    ],
    [['--from', 'latin.csv'], 1, 'latin.csv:2:4: error: The file is not valid UTF-8. [not-utf8]'],
    [['--from', 'inside.csv'], 1, 'inside.csv:2: error: "a.b" of x: the row also has a value for "a". [set-value]'],
    [
      ['--from', 'sizes.csv'],
      1,
      'sizes.csv:2: error: "main_memory.ram_size" of a: expected a number, found "256gib". [set-value]',
    ],
  ])('rejects %j and writes nothing', async (options, status, message) => {
    const { folder, run } = bed();
    writeFileSync(join(folder, 'nodes.csv'), 'node_name,rack\na,1\nb\n');
    writeFileSync(join(folder, 'twice.csv'), 'node_name,rack,rack\na,1,2\n');
    writeFileSync(join(folder, 'unnamed.csv'), 'node_name,\na,1\n');
    writeFileSync(join(folder, 'quote.csv'), 'node_name,rack\ra,1\rb,"2\r');
    writeFileSync(join(folder, 'latin.csv'), Buffer.from('node_name,room\na,M\xfcnster\n', 'latin1'));
    writeFileSync(join(folder, 'inside.csv'), 'node_name,a.b,a\nx,1,2\n');
    writeFileSync(join(folder, 'sizes.csv'), 'node_name,main_memory.ram_size\na,256gib\n');
    const before = folderContents(folder);
    const refused = await run('add', 'node', ...options);
    expect([refused.status, refused.stdout]).toEqual([status, '']);
    expect(refused.stderr.split('\n')[0]).toBe(message.includes('.csv:') ? message : `error: ${message}`);
    expect(folderContents(folder)).toEqual(before);
  });
});

test.each(['null', '~', '1e3', 'true'])(
  'add quotes the uid %s, which YAML would read as another value',
  async (uid) => {
    const { run, text } = bed();
    expect(await run('add', 'site', uid)).toMatchObject({ status: 0, stderr: '' });
    expect(load(text(`registry-data/sites/${uid}/site.yaml`))).toMatchObject({ uid, name: uid });
  },
);

test('add creates sites and flavors', async () => {
  const { run, text } = bed();
  expect((await run('add', 'site', 'vega')).stdout).toBe(
    'Added vega (2 files).\nRecord it: gridpress record -m "what happened".\n',
  );
  expect((await run('add', 'site', 'cloud', '--class', 'kvm')).stdout).toContain('Added cloud (1 file).');
  await run('add', 'flavor', 'm1', '--site', 'cloud');
  const file = 'registry-data/sites/cloud/flavors/m1.yaml';
  expect(load(text(file))).toEqual({
    type: 'flavor',
    uid: 'm1',
    name: 'm1',
    vcpus: null,
    ram_size: null,
    disk_size: null,
    gpu: { gpu: false },
  });
  const all = ['-m', 'Grow', '--author', 'Ada Brown'];
  expect((await run('add', 'flavor', 'm2', '--site', 'cloud', '--like', 'm1', ...all)).status).toBe(0);
  expect((await run('check', '--strict')).stdout).toBe('No errors: 9 resources, 2 revisions.\n');
  expect((await run('add', 'site', 'vega')).stderr).toContain('site.yaml already exists. [file-there]');
});

test('a misspelt site gets a suggestion', async () => {
  const { run } = bed();
  for (const command of [
    ['add', 'node', '--names', 'a'],
    ['add', 'flavor', 'm1'],
    ['add', 'cluster', 'c1'],
  ])
    expect((await run(...command, '--site', 'lyrra')).stderr).toBe(
      'error: There is no site "lyrra". [unknown-site]\n  Did you mean "lyra"?\n',
    );
});

describe('gridpress retire', () => {
  test('removes a site with everything below it, and nothing else', async () => {
    const { folder, run, text } = bed();
    await run('add', 'site', 'vega');
    await run('add', 'node', '--site', 'vega', '--names', 'vega-[1-3]', '-m', 'Grow', '--author', 'Ada Brown');
    expect((await run('retire', 'sites/vega', '--dry-run')).stdout).toBe(
      'Nothing was removed. Without --dry-run, this command removes vega and everything below it (5 files).\n',
    );
    expect((await run('retire', 'sites/vega')).stdout).toBe(
      'Removed vega and everything below it (5 files).\nRecord it: gridpress record -m "Retire vega"\n',
    );
    expect(existsSync(join(folder, 'registry-data/sites/vega'))).toBe(false);
    expect(text(`registry-data/${NODE}`)).toBe(TEMPLATE);
    expect((await run('record', '-m', 'Close', '--author', 'Ada Brown')).status).toBe(0);
    expect((await run('check', '--strict')).stdout).toBe('No errors: 4 resources, 3 revisions.\n');
  });

  test('removes the nodes that a query or a pattern selects', async () => {
    const { folder, run, json } = bed();
    await run('add', 'node', '--names', 'lyra-[2-7]', '-m', 'Grow', '--author', 'Ada Brown');
    await run('set', 'lyra-[2-3]', 'placement.rack=9');
    expect((await run('retire', 'placement.rack = 9')).stdout).toBe(
      'Removed lyra-2, lyra-3 (2 files).\nRecord it: gridpress record -m "Retire lyra-2, lyra-3"\n',
    );
    expect(await json('retire', 'lyra-[4-7]', 'lyra-5', '-m', 'Shrink', '--author', 'Ada Brown')).toMatchObject({
      names: ['lyra-4', 'lyra-5', 'lyra-6', 'lyra-7'],
      is_written: true,
      recorded: expect.any(String),
    });
    expect(readdirSync(join(folder, NODES))).toEqual([`${NODE_UID}.yaml`]);
  });

  test('removes a site only once if one of its nodes is named, too', async () => {
    const { run } = bed();
    await run('add', 'site', 'vega');
    await run('add', 'node', '--site', 'vega', '--names', 'vega-[1-2]', '-m', 'Grow', '--author', 'Ada Brown');
    expect((await run('retire', 'vega-1', 'sites/vega')).stdout).toContain(
      'Removed vega, vega-1 and everything below them (4 files).\n',
    );
  });

  test('removes a node and prints how to record a successor', async () => {
    const { run, json } = bed();
    const { files } = await json('add', 'node', '--names', 'lyra-2', '-m', 'Grow', '--author', 'Ada Brown');
    const uid = files[0].slice(NODES.length + 1, -'.yaml'.length);
    expect(await run('retire', 'lyra-1', '--successor', 'lyra-2')).toEqual({
      status: 0,
      stderr: '',
      stdout: `Removed ${NODES}/${NODE_UID}.yaml.\nRecord it: gridpress record -m "Retire lyra-1" --successor ${NODE_UID}=${uid}\n`,
    });
    const { changes } = await json('record', '-m', 'Retire', '--author', 'Ada', '--successor', `${NODE_UID}=${uid}`);
    expect(changes).toMatchObject([{ action: 'removed', name: 'lyra-1', successor: uid }]);
  });

  test('prints no command with a name of which a shell could run a part', async () => {
    const { run } = bed();
    await run('set', 'lyra-1', 'node_name=$(date)');
    expect((await run('retire', '$(date)')).stdout).toMatch(/\nRecord it: gridpress record -m "what happened"\n$/);
  });

  test('prints commands that stay unambiguous if two sites have clusters with the same uid', async () => {
    const { folder, run } = bed();
    writeFileSync(join(folder, 'gridpress.yaml'), 'cluster_uid: any\n');
    await run('add', 'site', 'vega', '--cluster', 'main');
    for (const site of ['lyra', 'vega'])
      for (const uid of ['old', 'new']) await run('add', 'cluster', uid, '--site', site);
    await run('record', '-m', 'Clusters', '--author', 'Ada Brown');
    const successorIn = ({ stdout }: { readonly stdout: string }) => / --successor (\S+)\n$/.exec(stdout)?.[1] ?? '';
    const renamed = await run('rename', 'sites/lyra/clusters/old', 'other');
    const retired = await run('retire', 'sites/vega/clusters/old', '--successor', 'sites/vega/clusters/new');
    const successors = [renamed, retired].flatMap((printed) => ['--successor', successorIn(printed)]);
    expect(await run('record', '-m', 'Move', '--author', 'Ada Brown', ...successors)).toMatchObject({ status: 0 });
  });

  test('records the removal if a message is given', async () => {
    const { run, json } = bed();
    await run('add', 'node', '--names', 'lyra-2', '-m', 'Grow', '--author', 'Ada Brown');
    const args = ['retire', 'lyra-1', '--successor', 'lyra-2', '-m', 'Replace', '--author', 'Ada Brown'];
    expect(await json(...args, '--dry-run')).toMatchObject({ is_written: false, would_record: true });
    const said = await json(...args);
    expect(said.recorded).toMatch(/^[0-9a-f]{40}$/);
    expect((await run('check')).stdout).toBe('No errors: 4 resources, 3 revisions.\n');
  });

  test('removes an unrecorded node although the message has nothing to record', async () => {
    const { folder, run, json } = bed();
    const before = folderContents(folder);
    await run('add', 'node', '--names', 'lyra-2');
    const { status, stdout } = await run('retire', 'lyra-2', '-m', 'Undo', '--author', 'Ada Brown');
    expect([status, stdout.split('\n').at(-2)]).toEqual([0, NOTHING]);
    await run('rename', 'sites/lyra', 'vega');
    expect(await json('rename', 'sites/vega', 'lyra', '-m', 'Undo', '--author', 'Ada Brown')).toMatchObject({
      is_written: true,
      recorded: null,
    });
    expect(folderContents(folder)).toEqual(before);
  });

  test.each([
    [['lyra-9'], 'There is no resource "lyra-9". [unknown-resource]'],
    [
      ['lyra-1', '--successor', 'lyra-1'],
      '"lyra-1" cannot be the successor of "lyra-1": the two are not in the same collection. [retire-successor]',
    ],
    [['lyra-1', 'sites/lyra', '--successor', 'lyra-1'], '--successor needs exactly one resource to remove. [usage]'],
    [['node_name IS NULL'], 'No node matches node_name IS NULL. [set-no-nodes]'],
    [['lyra-1', '/'], 'The grid can be neither removed nor renamed. [usage]'],
    [['/'], 'The grid can be neither removed nor renamed. [usage]'],
    [['testgrid'], 'There is no resource "testgrid". [unknown-resource]'],
  ])('rejects %j and removes nothing', async (args, message) => {
    const { folder, run } = bed();
    const before = folderContents(folder);
    const { status, stderr } = await run('retire', ...args);
    expect([status, stderr.split('\n')[0]]).toEqual([2, `error: ${message}`]);
    expect(folderContents(folder)).toEqual(before);
  });
});

test('add creates clusters if sites can have several', async () => {
  const { folder, run, json, text } = bed({ [CONFIGURATION]: 'cluster_uid: any\n' });
  expect((await run('add', 'site', 'vega')).stderr).toBe(
    'error: The name of the cluster of the new site "vega" is missing. [add-site-cluster]\n' +
      '  Set it with --cluster. "gridpress add cluster" adds more clusters. To use one name at every site, set cluster_uid in gridpress.yaml to this name.\n',
  );
  await run('add', 'site', 'vega', '--cluster', 'rack1');
  const all = ['-m', 'Grow', '--author', 'Ada Brown'];
  expect((await run('add', 'cluster', 'rack2', '--site', 'vega', ...all)).status).toBe(0);
  expect(load(text('registry-data/sites/vega/clusters/rack2/cluster.yaml'))).toEqual({ type: 'cluster', uid: 'rack2' });
  expect((await run('add', 'node', '--site', 'vega', '--names', 'a')).stderr).toContain(
    'Name the site with --site and, if it has several clusters, the cluster with --cluster.',
  );
  writeFileSync(join(folder, 'places.csv'), 'node_name,site,cluster\nb,vega,rack1\nc,vega,rack2\n');
  const added: string[] = (await json('add', 'node', '--from', 'places.csv')).files;
  expect(added.map((file) => /sites\/(.*)\/nodes/.exec(file)?.[1])).toEqual([
    'vega/clusters/rack1',
    'vega/clusters/rack2',
  ]);
  expect((await run('add', 'node', '--from', 'places.csv', '--cluster', 'rack1')).stderr).toContain(
    'places.csv:3: error: The table cannot be read: the row is for the cluster rack2, not for rack1. [add-table]',
  );
  await run('retire', 'b', 'c');
  const node = ['add', 'node', '--site', 'vega', '--cluster', 'rack2', '--names', 'a', ...all];
  expect((await run(...node)).status).toBe(0);
  expect((await run('check', '--strict')).stdout).toBe('No errors: 8 resources, 3 revisions.\n');
});

test('add rejects a cluster that the configuration does not allow, and writes nothing', async () => {
  const { folder, run } = bed();
  const before = folderContents(folder);
  const rejected = (site: string, cluster: string) =>
    `error: The bare-metal site "${site}" cannot have the cluster "${cluster}", because every such site has one cluster with the uid "main". [add-cluster-uid]\n` +
    '  Nothing was written. To allow several clusters, or other uids, write "cluster_uid: any" in gridpress.yaml.\n';
  expect(await run('add', 'cluster', 'rack2', '--site', 'lyra')).toMatchObject({
    status: 2,
    stderr: rejected('lyra', 'rack2'),
  });
  expect(await run('add', 'site', 'vega', '--cluster', 'rack1')).toMatchObject({
    status: 2,
    stderr: rejected('vega', 'rack1'),
  });
  expect(folderContents(folder)).toEqual(before);
  expect((await run('add', 'site', 'edge', '--class', 'kvm')).status).toBe(0);
  expect((await run('add', 'cluster', 'rack2', '--site', 'edge')).status).toBe(0);
  expect((await run('record', '-m', 'Grow', '--author', 'Ada Brown')).status).toBe(0);
});

test('names that occur in several clusters are qualified by the cluster', async () => {
  const { run } = bed({ [CONFIGURATION]: 'cluster_uid: any\nnode_uid: name\n' });
  await run('add', 'site', 'vega', '--cluster', 'rack1');
  await run('add', 'site', 'deneb', '--cluster', 'rack1');
  for (const site of ['vega', 'deneb'])
    expect((await run('add', 'node', '--site', site, '--names', 'n1')).status).toBe(0);
  for (const site of ['vega', 'sites/vega'])
    expect((await run('add', 'node', '--site', site, '--names', 'n1')).stderr).toContain('[add-taken]');
  const { stdout } = await run('record', '-m', 'Grow', '--author', 'Ada Brown');
  expect(stdout).toContain('sites/vega\n  added    ');
  expect(stdout).toContain('  added    clusters/rack1/nodes/n1 (hardware)\n');
  expect((await run('lock', 'n1')).stderr).toBe(
    'error: "n1" names 2 nodes: sites/deneb/clusters/rack1/nodes/n1, sites/vega/clusters/rack1/nodes/n1. [ambiguous-node]\n' +
      '  Name one of them by its path.\n',
  );
});

test('changes and nodes are listed in the natural order of names, not of UUIDs', async () => {
  const { folder, run } = bed();
  const uid = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
  writeFileSync(join(folder, 'nodes.csv'), `node_name,uid\nc10,${uid(1)}\nc9,${uid(2)}\nc1,${uid(3)}\n`);
  await run('add', 'node', '--from', 'nodes.csv');
  const { stdout } = await run('diff');
  expect([...stdout.matchAll(/added +(c\d+)/g)].map(([, name]) => name)).toEqual(['c1', 'c9', 'c10']);
  expect((await run('find', "node_name LIKE 'c%'", '--columns', 'node_name', '--sort', 'node_name')).stdout).toBe(
    'node_name\nc1\nc9\nc10\n',
  );
});

describe('gridpress rename', () => {
  test('moves a site with everything below it, keeps the form of the files, and records a successor', async () => {
    const { folder, run, text } = bed({
      [SITE]: '# Our site\ntype: site\nuid: lyra # short\nname: Lyra\nsite_class: baremetal\n',
    });
    const { stdout } = await run('rename', 'lyra', 'vega', '-m', 'New name', '--author', 'Ada Brown');
    expect(stdout).toMatch(/^Renamed \/sites\/lyra to \/sites\/vega \(3 files\)\.\nRecorded [0-9a-f]{40}\.\n$/);
    expect(existsSync(join(folder, 'registry-data/sites/lyra'))).toBe(false);
    expect(text('registry-data/sites/vega/site.yaml')).toBe(
      '# Our site\ntype: site\nuid: vega # short\nname: Lyra\nsite_class: baremetal\n',
    );
    expect(text(`registry-data/${NODE.replace('lyra', 'vega')}`)).toBe(TEMPLATE);
    expect((await run('diff', 'head', 'worktree')).status).toBe(0);
    expect((await run('check', '--strict')).stdout).toBe('No errors: 4 resources, 2 revisions.\n');
  });

  test.each<[string, (run: ReturnType<typeof bed>['run'], folder: string) => Promise<unknown>]>([
    ['rename', (run) => run('rename', 'lyra', 'deneb')],
    ['two renames', async (run) => [await run('rename', 'lyra', 'vega'), await run('rename', 'vega', 'deneb')]],
    [
      'a rename and a new node',
      async (run) => [
        await run('rename', 'lyra', 'deneb'),
        await run('add', 'node', '--site', 'deneb', '--names', 'lyra-9'),
      ],
    ],
    [
      'a moved folder',
      async (_, folder) => {
        renameSync(join(folder, 'registry-data/sites/lyra'), join(folder, 'registry-data/sites/deneb'));
        const site = join(folder, 'registry-data/sites/deneb/site.yaml');
        writeFileSync(site, readFileSync(site, 'utf8').replace('uid: lyra', 'uid: deneb'));
      },
    ],
  ])('record stores the successor of a site after %s', async (_, move) => {
    const { folder, run, json } = bed();
    await move(run, folder);
    const { changes } = await json('record', '-m', 'New name', '--author', 'Ada');
    const removed = changes.filter(({ action }: { action: string }) => action === 'removed');
    expect(removed[0]).toMatchObject({ resource: '/sites/lyra', successor: 'deneb' });
    expect(removed.slice(1).every((each: object) => !('successor' in each))).toBe(true);
    expect((await run('check', '--strict', '--no-cache')).status).toBe(0);
  });

  test('record stores no successor of a site whose nodes are only partly in another one', async () => {
    const uid = '0e670cf2-0513-4fc5-a693-921fdc61f04a';
    const other = `type: node\nuid: ${uid}\nnode_name: lyra-2\n`;
    const { folder, run, json } = bed({ [NODE.replace(NODE_UID, uid)]: other });
    await run('add', 'site', 'vega', '--cluster', 'main');
    const nodes = join(folder, NODES.replace('lyra', 'vega'));
    mkdirSync(nodes, { recursive: true });
    renameSync(join(folder, NODES, `${uid}.yaml`), join(nodes, `${uid}.yaml`));
    await run('retire', 'sites/lyra');
    const { changes } = await json('record', '-m', 'Move', '--author', 'Ada');
    expect(changes).toContainEqual(expect.objectContaining({ action: 'removed', resource: '/sites/lyra' }));
    expect(changes.some((each: object) => 'successor' in each)).toBe(false);
  });

  test('records a renamed resource that no revision has yet', async () => {
    const { run, json } = bed();
    await run('add', 'site', 'vega', '--cluster', 'main');
    const { status, stderr } = await run('rename', 'vega', 'deneb', '-m', 'New site', '--author', 'Ada Brown');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { changes } = await json('diff', 'head', 'worktree');
    expect(changes).toEqual([]);
  });

  test.each([
    [['lyra-1', 'lyra-2'], '"lyra-1" cannot get a new uid. [rename-uuid]'],
    [['lyra', 'a b'], 'The uid "a b" contains characters that need escaping in a URL or a file name. [uid-characters]'],
    [['lyra', 'lyra'], 'sites/lyra already exists. [rename-taken]'],
    [['lyra', 'Lyra'], 'The uids "Lyra" and "lyra" differ only by case. [usage]'],
  ])('rejects %j and writes nothing', async (args, message) => {
    const { folder, run } = bed();
    const before = folderContents(folder);
    expect((await run('rename', ...args)).stderr.split('\n')[0]).toBe(`error: ${message}`);
    expect(folderContents(folder)).toEqual(before);
  });
});

/** Commits a folder to a new repository. Returns a function that runs git there. */
function committed(folder: string) {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=a@b', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'First');
  return git;
}

test('check warns about files that are not in git, also after git commit -a', async () => {
  const { folder, run } = bed();
  const git = committed(folder);
  await run('set', 'lyra-1', 'node_type=gpu', '-m', 'Second', '--author', 'Ada Brown');
  git('commit', '-qam', 'Second');
  const { status, stdout } = await run('check', '--strict');
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /warning: 1 file of the registry is not in git, such as registry-data\/history\/000002-[0-9a-f]{8}\.yaml\. \[registry-untracked\]/,
  );
  await run('add', 'node', '--like', 'lyra-1', '--names', 'lyra-9', '-m', 'Third', '--author', 'Ada Brown');
  git('add', 'registry-data/history');
  expect((await run('check', '--strict')).stdout).toContain(
    '1 file of the registry is not in git, such as registry-data/sites/',
  );
  git('add', 'registry-data');
  expect((await run('check', '--strict')).status).toBe(0);
});

test('a sparse checkout cannot be recorded', async () => {
  const { folder, run } = bed();
  const git = committed(folder);
  git('sparse-checkout', 'set', '--no-cone', '/*', `!/${NODES}`);
  const change = ['set', 'sites/lyra', 'web=https://x.org', '-m', 'Second', '--author', 'Ada Brown'];
  const before = folderContents(folder);
  const { status, stderr } = await run(...change);
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(
      /^error: The sparse checkout of git omits 1 file of the registry, such as registry-data\/sites\/\S+\. \[sparse-checkout\]/,
    ),
  ]);
  expect(folderContents(folder)).toEqual(before);
  git('sparse-checkout', 'disable');
  expect((await run(...change)).status).toBe(0);
  expect((await run('log', '-n', '1')).stdout).toContain('(1 updated: ');
});

test('an edit never writes two resources to one file', async () => {
  const { registry } = bed();
  const source = { file: 'sites/lyra/clusters/main/nodes/n.yaml', kind: 'node', text: 'type: node\nuid: n\n' };
  const edit = () => applyEdits({ registry }, () => ({ sources: [source, source] }));
  expect(await failureOf(edit)).toContain('[file-there]');
  expect(existsSync(join(registry, source.file))).toBe(false);
});
