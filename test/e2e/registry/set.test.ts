/** `gridpress set`, `edit`, `path` and `add node --update`: they change existing files and keep their form. */
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { NODE, registryOf } from '../../support/registries/registry.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';

const NODES = 'registry-data/sites/lyra/clusters/main/nodes';
const UID = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`;
const FILE = (digit: number) => `${NODES}/${UID(digit)}.yaml`;
const nodeText = (digit: number, type: string) => `# Bought in ${2020 + digit}.
type: node
uid: ${UID(digit)}
node_name:   lyra-${digit}
node_type: ${type}   # see the contract
chassis: {serial: "000${digit}"}
main_memory:
    ram_size: 274877906944
`;

function bed() {
  const files = [1, 2, 3].map((digit) => [
    `sites/lyra/clusters/main/nodes/${UID(digit)}.yaml`,
    nodeText(digit, digit === 3 ? 'storage' : 'compute'),
  ]);
  const { folder, record } = registryOf({ [NODE]: null, ...Object.fromEntries(files) });
  record('First revision');
  const run = (...args: string[]) => gridpress(args, { cwd: folder });
  const text = (digit: number) => readFileSync(join(folder, FILE(digit)), 'utf8');
  return { folder, run, text };
}

const AUTHOR = ['--author', 'Ada Brown'];
const NOTHING = 'Nothing to record: the registry matches its history.';

describe('gridpress set', () => {
  test('lists folders as often for many nodes as for one', async () => {
    const preload = join(import.meta.dirname, '..', '..', 'support', 'processes', 'count-readdir.mjs');
    const listings = async (...names: string[]) => {
      const { folder } = bed();
      const counted = join(folder, 'counted');
      const env = { NODE_OPTIONS: `--import ${preload}`, LISTINGS_COUNTED_IN: counted };
      await gridpress(['set', ...names, 'placement.rack=4'], { cwd: folder, env });
      return readFileSync(counted, 'utf8');
    };
    expect(await listings('lyra-1', 'lyra-2', 'lyra-3')).toBe(await listings('lyra-1'));
  });

  test('sets fields of all nodes that a query finds, and changes nothing else in their files', async () => {
    const { run, text } = bed();
    const words = ["node_type = 'compute'", 'main_memory.ram_size=512GiB', 'placement.rack=4'];
    const dry = await run('set', ...words, '--dry-run');
    expect(dry.stdout).toBe(`sites/lyra
  updated  lyra-1 nodes/${UID(1)} (hardware, placement)
    main_memory.ram_size  274877906944 -> 549755813888  hardware
    placement             nothing -> {"rack":4}  placement
  updated  lyra-2 nodes/${UID(2)} (hardware, placement)
    main_memory.ram_size  274877906944 -> 549755813888  hardware
    placement             nothing -> {"rack":4}  placement

Nothing was written. Without --dry-run, this command changes 2 files.
`);
    expect(text(1)).toBe(nodeText(1, 'compute'));
    const { stdout } = await run('set', ...words, '-m', 'More memory', ...AUTHOR);
    expect(stdout).toMatch(/\nWrote 2 changed files\.\nRecorded [0-9a-f]{40}\.\n$/);
    for (const digit of [1, 2])
      expect(text(digit)).toBe(
        `${nodeText(digit, 'compute').replace('274877906944', '549755813888')}placement:\n  rack: 4\n`,
      );
    expect(text(3)).toBe(nodeText(3, 'storage'));
    expect((await run('check')).stdout).toBe('No errors: 6 resources, 2 revisions.\n');
  });

  test('a command that was killed before it recorded its files records them when it runs again', async () => {
    const { run } = bed();
    const words = ['lyra-1', 'placement.rack=4'];
    await run('set', ...words);
    const again = await run('set', ...words, '-m', 'Rack 4', ...AUTHOR);
    expect(again.stdout).toMatch(/^The files already had these values. Recorded [0-9a-f]{40}\.\n$/);
    expect((await run('set', ...words, '-m', 'Rack 4', ...AUTHOR)).stdout).toContain('Nothing changes');
    expect((await run('check')).stdout).toBe('No errors: 6 resources, 2 revisions.\n');
  });

  test('takes names, ranges of names, and paths; an empty value removes a field', async () => {
    const { run, text } = bed();
    expect((await run('set', 'lyra-[2-3]', 'chassis.serial=')).stdout).toContain('Wrote 2 changed files.');
    expect(text(2)).toBe(nodeText(2, 'compute').replace(/^chassis.*\n/m, ''));
    expect((await run('set', 'sites/lyra', 'latitude=48.5')).stdout).toContain('latitude  nothing -> 48.5');
    expect((await run('set', 'lyra-[2-3]', 'chassis.serial=')).stdout).toBe(
      'Nothing changes: the files already have these values.\n',
    );
  });

  test('an empty value does not become the text of a required field', async () => {
    const { folder, run } = bed();
    const before = folderContents(folder);
    expect(await run('set', 'sites/lyra', 'name=')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('"name" of lyra: missing; expected a string. [set-value]'),
    });
    expect(folderContents(folder)).toEqual(before);
  });

  test('removes the items of a list that have these positions before the command', async () => {
    const { run, text } = bed();
    await run('set', 'lyra-1', ...[0, 1, 2, 3].map((at) => `storage_devices.${at}.device=sd${at}`));
    expect((await run('set', 'lyra-1', 'storage_devices.=')).stdout).toContain('Nothing changes');
    await run('set', 'lyra-1', 'storage_devices.0=', 'storage_devices.1=', 'storage_devices.3.serial=S3');
    expect(text(1)).toBe(
      `${nodeText(1, 'compute')}storage_devices:\n  - device: sd2\n  - device: sd3\n    serial: S3\n`,
    );
  });

  test('several nodes can lose their names, because each then has its uid as name', async () => {
    const { run, text } = bed();
    expect((await run('set', 'lyra-1', 'lyra-2', 'node_name=')).stdout).toContain('Wrote 2 changed files.\n');
    expect(text(1)).not.toContain('node_name');
    expect((await run('set', 'lyra-3', `node_name=${UID(1)}`)).stderr).toContain('[add-taken]');
  });

  test.each([
    [['lyra-1'], 2, "error: missing required argument 'words'"],
    [['lyra-1', 'lyra-2'], 2, 'error: The new values for lyra-1, lyra-2 are missing. [set-nothing]'],
    [
      ['lyra-[1-2]', 'node_name=new'],
      1,
      'error: The node "new" already exists at the site "lyra", or its uid is already used. [add-taken]',
    ],
    [
      ['lyra-1', 'node_name=lyra-2'],
      1,
      'error: The node "lyra-2" already exists at the site "lyra", or its uid is already used. [add-taken]',
    ],
    [['lyra-1', 'bios.version=1', 'bios.version=2'], 2, 'error: The field "bios.version" has two values. [usage]'],
    [['lyra-1', 'my field=1'], 2, 'error: "my field=1" does not have the form FIELD=VALUE. [set-value-form]'],
    [['lyra-1', 'x=1', 'y'], 2, 'error: "y" does not have the form FIELD=VALUE. [set-value-form]'],
    [
      ['lyra-1', 'uid=4'],
      2,
      'error: The field "uid" cannot be set, because it determines the file of the resource. [set-identity]',
    ],
    [
      ['lyra-1', 'main_memory.ram_size=25Gbps'],
      1,
      'error: "main_memory.ram_size" of lyra-1: expected a number, found "25Gbps". [set-value]',
    ],
    [["node_type = 'gpu'", 'x=1'], 2, "error: No node matches node_type = 'gpu'. [set-no-nodes]"],
    [['lyra-9', 'x=1'], 2, 'error: There is no resource "lyra-9". [unknown-resource]'],
  ])('rejects %j and writes nothing', async (args, status, message) => {
    const { folder, run } = bed();
    const before = folderContents(folder);
    const refused = await run('set', ...args);
    expect([
      refused.status,
      refused.stderr
        .split('\n')
        .filter((line) => line.startsWith('error'))
        .at(-1),
    ]).toEqual([status, message]);
    expect(folderContents(folder)).toEqual(before);
  });

  test('writes nothing if the revision would have no author', async () => {
    const { folder, text } = bed();
    const env = { GIT_AUTHOR_NAME: '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    const { status, stderr } = await gridpress(['set', 'lyra-1', 'x=1', '--allow-unknown', '-m', 'x'], {
      cwd: folder,
      env,
    });
    expect([status, stderr]).toEqual([2, expect.stringContaining('[no-author]')]);
    expect(text(1)).toBe(nodeText(1, 'compute'));
  });

  test('rejects a file whose aliases would change more values', async () => {
    const { folder, run } = bed();
    writeFileSync(join(folder, FILE(1)), `${nodeText(1, '&type compute')}label: *type\n`);
    expect((await run('set', 'lyra-1', 'node_type=gpu')).stderr).toContain('[edit-by-hand]');
  });
});

describe('gridpress add node --update', () => {
  const update = async (table: string) => {
    const { folder, run, text } = bed();
    writeFileSync(join(folder, 'more.csv'), table);
    return { ...(await run('add', 'node', '--from', 'more.csv', '--update')), text };
  };

  test.each([
    ['the name', `node_name;placement.rack;main_memory.ram_size\nlyra-1;7;256GiB\nlyra-3;;1TiB\n`],
    ['the uid', `uid,placement.rack,main_memory.ram_size\n${UID(1)},7,\n${UID(3)},,1TiB\n`],
    ['the serial number', `chassis.serial,placement.rack,main_memory.ram_size\n0001,7,\n0003,,1TiB\n`],
  ])('finds nodes by %s, and keeps the form of their files', async (_, table) => {
    const { stdout, text } = await update(table);
    expect(stdout).toContain('Wrote 2 changed files.\n');
    expect(text(1)).toBe(`${nodeText(1, 'compute')}placement:\n  rack: 7\n`);
    expect(text(3)).toBe(nodeText(3, 'storage').replace('274877906944', '1099511627776'));
  });

  test('takes the table that find --csv prints, and sets only its changed cells', async () => {
    const { folder, run, text } = bed();
    const item = { device: 'sda', size: 480000000000 };
    const odd = { motd: '=1+1', note: '0010', list: [['a'], ['b', 'c']], off: null, 'a.b': { c: [true, { d: 1 }] } };
    const fields = { storage_devices: [item, { ...item, device: 'sdb', rev: '1.10' }], own: odd };
    writeFileSync(join(folder, FILE(2)), `${text(2)}${stringify(fields)}`);
    await run('record', '-m', 'Disks', '--author', 'Ada Brown', '--allow-unknown');
    const { stdout: table } = await run('find', '--csv');
    expect(table).toContain('label.disk');
    const before = folderContents(join(folder, 'registry-data'));
    const add = async (csv: string) => {
      writeFileSync(join(folder, 'more.csv'), csv);
      return await run('add', 'node', '--from', 'more.csv', '--update');
    };
    expect((await add(table)).stdout).toBe('Nothing changes: the files already have these values.\n');
    expect(folderContents(join(folder, 'registry-data'))).toEqual(before);
    expect((await add(table.replaceAll('"[""sda"",""sdb""]"', '"[""sda""]"'))).stderr).toContain(
      '"storage_devices.device" of lyra-2: there is no place for it. [set-value]',
    );
    const lengths = await add('node_name,storage_devices_count\nlyra-2,3\n');
    expect(lengths.stderr).toContain(
      'more.csv:2: error: The table cannot be read: the column "storage_devices_count" is computed from other fields; change these fields. [add-table]',
    );
    await add(table.replaceAll('0010', '0011'));
    expect(text(2)).toContain('note: "0011"');
  });

  test('asks for the own fields of new nodes only', async () => {
    const { folder, run } = bed();
    const outputOf = async (table: string) => {
      writeFileSync(join(folder, 'more.csv'), table);
      return (await run('add', 'node', '--from', 'more.csv', '--update', '--like', 'lyra-1', '--dry-run')).stdout;
    };
    expect(await outputOf('node_name,placement.rack\nlyra-1,7\n')).not.toContain('Fill in');
    expect(await outputOf('node_name,placement.rack\nlyra-9,7\n')).toContain('Fill in for each: chassis.serial');
  });

  test('changes no node of another site than --site', async () => {
    const { folder, run, text } = bed();
    await run('add', 'site', 'vega');
    writeFileSync(join(folder, 'more.csv'), 'node_name,placement.rack\nlyra-1,7\n');
    const add = ['add', 'node', '--from', 'more.csv', '--update'];
    expect((await run(...add, '--site', 'vega')).stdout).toContain('Added lyra-1 (1 file).\n');
    expect(text(1)).toBe(nodeText(1, 'compute'));
    for (const site of ['lyra', 'sites/lyra'])
      expect((await run(...add, '--site', site, '--dry-run')).stdout).toContain('this command changes 1 file.\n');
    const { stdout } = await run(...add, '--site', 'lyra');
    expect(stdout).toContain('Wrote 1 changed file.\n');
    expect(text(1)).toContain('rack: 7');
    expect((await run(...add, '--cluster', 'two')).stderr).toContain('[add-where]');
  });

  test('rejects a row for another site than --site', async () => {
    const { folder, run, text } = bed();
    await run('add', 'site', 'vega');
    writeFileSync(join(folder, 'more.csv'), 'node_name,site,placement.rack\nlyra-1,lyra,7\n');
    const add = ['add', 'node', '--from', 'more.csv', '--update'];
    for (const others of [[], ['--update']]) {
      const { status, stderr } = await run('add', 'node', '--from', 'more.csv', ...others, '--site', 'vega');
      expect([status, stderr.split('\n')[0]]).toEqual([
        1,
        'more.csv:2: error: The table cannot be read: the row is for the site lyra, not for vega. [add-table]',
      ]);
    }
    expect(text(1)).toBe(nodeText(1, 'compute'));
    expect((await run(...add, '--site', 'sites/lyra')).stdout).toContain('Wrote 1 changed file.\n');
  });

  test('rejects a row that names another site than the one of its node', async () => {
    const { folder, run } = bed();
    await run('add', 'site', 'vega');
    const before = folderContents(join(folder, 'registry-data'));
    writeFileSync(join(folder, 'more.csv'), `site,uid,storage_devices\nvega,${UID(1)},[]\n`);
    const { status, stderr } = await run('add', 'node', '--from', 'more.csv', '--update');
    expect([status, stderr.split('\n')[0]]).toEqual([
      1,
      'more.csv:2: error: The table cannot be read: lyra-1 is in the cluster main of the site lyra, and a table cannot move it. [add-table]',
    ]);
    expect(folderContents(join(folder, 'registry-data'))).toEqual(before);
  });

  test('adds the nodes that do not exist', async () => {
    const { stdout } = await update('node_name,placement.rack\nlyra-1,7\nlyra-4,8\n');
    expect(stdout).toMatch(/\nAdded lyra-4 \(1 file\)\.\nWrote 1 changed file\.\n/);
  });

  test.each(['FALSE', 'False'])('takes the boolean %s, which spreadsheets or Python write', async (written) => {
    const { folder, run, text } = bed();
    await run('set', 'lyra-1', 'own.flag=true', 'own.word=x', '--allow-unknown');
    writeFileSync(join(folder, 'more.csv'), `node_name,own.flag,own.word\nlyra-1,${written},${written}\n`);
    await run('add', 'node', '--from', 'more.csv', '--update');
    expect(text(1)).toContain(`\nown:\n  flag: false\n  word: "${written}"\n`);
  });

  test('sets items of lists in order, and not in the order of columns, which pandas can sort by name', async () => {
    const { folder, run, text } = bed();
    const sizes = Array.from({ length: 12 }, (_, i) => [`storage_devices.${i}.size`, i + 1] as const);
    const sorted = sizes.toSorted(([a], [b]) => (a < b ? -1 : 1));
    const row = (cells: readonly (string | number)[]) => `${cells.join(',')}\n`;
    const table = row([...sorted.map(([field]) => field), 'name']) + row([...sorted.map(([, size]) => size), 'lyra-1']);
    writeFileSync(join(folder, 'disks.csv'), table);
    expect(await run('add', 'node', '--from', 'disks.csv', '--update')).toMatchObject({ status: 0, stderr: '' });
    expect(load(text(1))).toMatchObject({ storage_devices: sizes.map(([, size]) => ({ size })) });
    const words = ['network_adapters.1.rate=25Gbps', 'network_adapters.0.rate=1Gbps'];
    expect(await run('set', 'lyra-2', ...words)).toMatchObject({ status: 0, stderr: '' });
    expect(load(text(2))).toMatchObject({ network_adapters: [{ rate: 1e9 }, { rate: 25e9 }] });
  });

  test('takes numbers in the forms that registry files accept, in fields that contain numbers', async () => {
    const { run, text } = bed();
    for (const [written, number] of [
      ['2.50', 2.5],
      ['+2', 2],
      ['1e3', 1000],
      ['010', 10],
    ] as const) {
      expect(await run('set', 'lyra-1', `processor.clock_speed=${written}`)).toMatchObject({ status: 0, stderr: '' });
      expect(load(text(1))).toMatchObject({ processor: { clock_speed: number } });
    }
  });

  test('takes whole numbers with a decimal point, which pandas writes, in fields that contain numbers', async () => {
    const { folder, run, text } = bed();
    const columns = 'node_name,main_memory.ram_size,gpu.gpu_count,bios.version';
    writeFileSync(join(folder, 'more.csv'), `${columns}\nlyra-1,274877906944.0,4.0,2.0\n`);
    expect(await run('add', 'node', '--from', 'more.csv', '--update')).toMatchObject({ status: 0, stderr: '' });
    expect(load(text(1))).toMatchObject({
      main_memory: { ram_size: 274_877_906_944 },
      gpu: { gpu_count: 4 },
      bios: { version: '2.0' },
    });
    for (const size of ['9007199254740993.0', '1e400', 'x.0', '1.0.0'])
      expect((await run('set', 'lyra-1', `main_memory.ram_size=${size}`)).stderr).toContain(
        `expected a number, found "${size}"`,
      );
  });

  test.each(['yes', 'on', '0'])('rejects %s for a field that is true or false', async (written) => {
    const { folder, run, text } = bed();
    await run('set', 'lyra-1', 'own.flag=true', '--allow-unknown');
    const before = text(1);
    writeFileSync(join(folder, 'more.csv'), `node_name,own.flag\nlyra-1,${written}\n`);
    for (const words of [
      ['set', 'lyra-1', `own.flag=${written}`],
      ['add', 'node', '--from', 'more.csv', '--update'],
    ])
      expect(await run(...words)).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(`own.flag" of lyra-1: expected true or false, found "${written}".`),
      });
    expect(text(1)).toBe(before);
  });

  test('takes a table of find --csv, and changes nothing that the table does not change', async () => {
    const { folder, run, text } = bed();
    const words = ['note=-5 %', "also='x", 'pad= a ', 'tags.0=a', 'tags.1=b', 'chassis.serial=@7'];
    await run('set', 'lyra-1', ...words, '--allow-unknown');
    const before = text(1);
    const columns = ['node_name', 'note', 'also', 'pad', 'tags', 'chassis.serial'];
    const { stdout } = await run('find', 'lyra-1', '--csv', '--columns', columns.join(','));
    expect(stdout).toContain(`lyra-1,'-5 %,'x," a ",`);
    // Spreadsheet programs put no spaces in quotes.
    for (const table of [stdout, stdout.replace('" a "', ' a ')]) {
      writeFileSync(join(folder, 'found.csv'), table);
      expect((await run('add', 'node', '--from', 'found.csv', '--update')).stdout).toBe(
        'Nothing changes: the files already have these values.\n',
      );
    }
    expect(text(1)).toBe(before);
    expect((await run('set', 'lyra-1', 'tags=c')).stderr).toContain('"tags" of lyra-1: it is a list or a mapping.');
  });

  test('ignores labels and lengths that pandas wrote with a decimal point', async () => {
    const { folder, run, text } = bed();
    await run('set', 'lyra-1', 'storage_devices.0.device=sda', 'storage_devices.0.size=480000000000');
    const before = text(1);
    const { stdout } = await run('find', 'lyra-1', '--csv');
    expect(stdout).toContain(',storage_devices_count,');
    const table = stdout.replace(/,(480000000000|1)(?=,)/g, ',$1.0');
    expect(table.match(/\.0,/g)).toHaveLength(2);
    writeFileSync(join(folder, 'found.csv'), table);
    expect(await run('add', 'node', '--from', 'found.csv', '--update')).toMatchObject({
      stdout: 'Nothing changes: the files already have these values.\n',
      stderr: '',
    });
    expect(text(1)).toBe(before);
  });

  test('reads the line for Excel that names the separator', async () => {
    const { stdout, text } = await update('\ufeffsep=;\r\nnode_name;placement.rack\r\nlyra-1;7\r\n');
    expect(stdout).toContain('Wrote 1 changed file.\n');
    expect(text(1)).toBe(`${nodeText(1, 'compute')}placement:\n  rack: 7\n`);
    expect((await update('sep=;\nnode_name;\nlyra-1;7\n')).stderr).toContain('more.csv:2: error: The table');
  });

  test('ignores an unchanged text "true" that a spreadsheet wrote as TRUE', async () => {
    const { folder, run, text } = bed();
    writeFileSync(join(folder, FILE(1)), `${text(1)}admin_note: "true"\n`);
    writeFileSync(join(folder, 'found.csv'), 'node_name,admin_note\nlyra-1,TRUE\n');
    expect((await run('add', 'node', '--from', 'found.csv', '--update')).stdout).toBe(
      'Nothing changes: the files already have these values.\n',
    );
  });

  test('sets a field "name" that is not the name of the node', async () => {
    const { folder, run, text } = bed();
    await run('set', 'lyra-1', 'name=Alpha', '--allow-unknown');
    for (const [table, after] of [
      [`name,node_name,uid\nAlpha,lyra-1,${UID(1)}\n`, 'name: Alpha'],
      [`node_name,name\nlyra-1,Beta\n`, 'name: Beta'],
      [`name,placement.rack\nlyra-1,7\n`, 'name: Beta\nplacement:\n  rack: 7'],
    ] as const) {
      writeFileSync(join(folder, 'found.csv'), table);
      await run('add', 'node', '--from', 'found.csv', '--update');
      expect(text(1)).toBe(`${nodeText(1, 'compute')}${after}\n`);
    }
  });

  test('renames nodes found by their uid, but not to the name of another node', async () => {
    const swapped = await update(`uid,node_name\n${UID(1)},lyra-2\n${UID(2)},lyra-1\n`);
    expect(swapped.stdout).toContain('Wrote 2 changed files.\n');
    expect(swapped.text(1)).toBe(nodeText(1, 'compute').replace('lyra-1', 'lyra-2'));
    for (const row of [
      `${UID(1)},lyra-2`,
      `${UID(1)},lyra-4\n${UID(3)},lyra-4`,
      `${UID(1)},lyra-4\n${UID(4)},lyra-4`,
    ]) {
      const { status, stderr, text } = await update(`uid,node_name\n${row}\n`);
      expect([status, stderr]).toEqual([1, expect.stringContaining('[add-taken]')]);
      expect(text(1)).toBe(nodeText(1, 'compute'));
    }
  });

  test('rejects two rows about one node, and a new node without a name', async () => {
    expect((await update('node_name,x\nlyra-1,7\nlyra-1,8\n')).stderr).toContain(
      'more.csv:3: error: The table cannot be read: another row is about lyra-1 too.',
    );
    expect((await update('chassis.serial,x\n0009,7\n')).stderr).toContain('the new node has no name.');
  });
});

test('path prints the files of nodes and other resources', async () => {
  const { run } = bed();
  expect((await run('path', 'lyra-1', 'sites/lyra')).stdout).toBe(`${FILE(1)}\nregistry-data/sites/lyra/site.yaml\n`);
  expect((await run('path', "node_type = 'compute'")).stdout).toBe(`${FILE(1)}\n${FILE(2)}\n`);
});

test('the path / is the grid, which can be neither removed nor renamed', async () => {
  const { folder, run } = bed();
  const file = 'registry-data/grid.yaml';
  const text = () => readFileSync(join(folder, file), 'utf8');
  expect((await run('path', '/')).stdout).toBe(`${file}\n`);
  expect((await run('set', '/', 'title=Ours', '--allow-unknown')).stdout).toContain('title  nothing -> "Ours"');
  const before = text();
  expect(before).toContain('\ntitle: Ours\n');
  for (const words of [
    ['retire', '/'],
    ['rename', '/', 'other'],
  ]) {
    const { status, stderr } = await run(...words);
    expect([status, stderr.split('\n')[0]]).toEqual([2, 'error: The grid can be neither removed nor renamed. [usage]']);
  }
  const editor = join(folder, 'editor.sh');
  writeFileSync(editor, 'sed -i "s/Ours/Yours/" "$1"\n');
  const env = { VISUAL: '', EDITOR: `sh ${editor}` };
  expect((await gridpress(['edit', '/'], { cwd: folder, env })).stdout).toContain('title  "Ours" -> "Yours"');
  expect(text()).toBe(before.replace('Ours', 'Yours'));
});

describe('--dry-run with --message', () => {
  const future = ['--date', '2999-01-01T00:00:00Z', '-m', 'Later', ...AUTHOR];

  test.each([
    ['an unknown field of another file', 'color: red\n', [], 1, '[field-unknown]'],
    ['a head that is later than the clock', 'admin_note: x\n', future, 2, '[record-clock]'],
  ])('fails as the command does: %s', async (_, line, earlier, status, code) => {
    const { folder, run, text } = bed();
    writeFileSync(join(folder, FILE(3)), `${text(3)}${line}`);
    if (earlier.length > 0) await run('record', ...earlier);
    const before = folderContents(join(folder, 'registry-data'));
    for (const words of [
      ['set', 'lyra-1', 'placement.rack=4'],
      ['retire', 'lyra-1'],
      ['rename', 'sites/lyra', 'deneb'],
      ['add', 'node', '--names', 'lyra-4'],
    ]) {
      const dry = await run(...words, '-m', 'Change', ...AUTHOR, '--dry-run');
      expect(dry).toMatchObject({ status, stdout: '', stderr: expect.stringContaining(code) });
      expect(dry.stderr).toContain('All files are as they were before. [edit-undone]');
      expect(await run(...words, '-m', 'Change', ...AUTHOR)).toMatchObject({ status });
      expect(folderContents(join(folder, 'registry-data'))).toEqual(before);
    }
  });

  test('says that the command records all unrecorded changes', async () => {
    const { folder, run, text } = bed();
    const outputOf = async (...words: string[]) => (await run(...words, '-m', 'Change', ...AUTHOR, '--dry-run')).stdout;
    expect(await outputOf('set', 'lyra-1', 'node_type=compute')).toBe(
      'Nothing changes: the files already have these values.\n',
    );
    writeFileSync(join(folder, FILE(3)), `${text(3)}admin_note: x\n`);
    expect(await outputOf('set', 'lyra-1', 'node_type=compute')).toBe(
      'Nothing changes: the files already have these values. Without --dry-run, this command records all unrecorded changes.\n',
    );
    expect(await outputOf('retire', 'lyra-1', 'lyra-2')).toBe(
      'Nothing was removed. Without --dry-run, this command removes lyra-1, lyra-2 (2 files), and records all unrecorded changes.\n',
    );
  });
});

describe('gridpress edit', () => {
  const editWith = async (script: string, ...args: string[]) => {
    const { folder } = bed();
    const editor = join(folder, 'editor');
    writeFileSync(editor, `#!/bin/sh\n${script}\n`);
    chmodSync(editor, 0o755);
    return await gridpress(['edit', 'lyra-2', ...args], {
      cwd: folder,
      env: { VISUAL: '', EDITOR: `${editor} --wait` },
    });
  };

  test('opens the file, shows what changed, and records it', async () => {
    const { stdout } = await editWith(
      `[ "$1" = --wait ] && sed -i s/compute/gpu/ "$2"`,
      '-m',
      'Correct a type',
      ...AUTHOR,
    );
    expect(stdout).toContain('    node_type  "compute" -> "gpu"');
    expect(stdout).toMatch(/Recorded [0-9a-f]{40}\.\n$/);
  });

  test('prints the line of an error', async () => {
    const { status, stderr } = await editWith(`sed -i 's/ram_size: .*/ram_size: big/' "$2"`);
    expect(status).toBe(1);
    expect(stderr).toContain(
      `${FILE(2)}:8:15: error: "main_memory.ram_size": expected a number, found "big". [schema]`,
    );
  });

  test('restores recorded values although the message has nothing to record', async () => {
    const { folder, run, text } = bed();
    const before = text(2);
    await run('set', 'lyra-2', 'node_type=gpu');
    const set = await run('set', 'lyra-2', 'node_type=compute', '-m', 'Undo', ...AUTHOR);
    expect([set.status, set.stdout.split('\n').at(-2)]).toEqual([0, NOTHING]);
    writeFileSync(join(folder, FILE(2)), `${before}a: [`);
    const env = { VISUAL: '', EDITOR: "sed -i '/^a: /d'" };
    const edit = await gridpress(['edit', 'lyra-2', '-m', 'Undo', ...AUTHOR], { cwd: folder, env });
    expect([edit.status, edit.stdout]).toEqual([0, 'Nothing changes: the files already have these values.\n']);
    await run('set', 'lyra-2', 'node_type=gpu');
    const again = { VISUAL: '', EDITOR: 'sed -i s/gpu/compute/' };
    const undo = await gridpress(['edit', 'lyra-2', '-m', 'Undo', ...AUTHOR], { cwd: folder, env: again });
    expect([undo.status, undo.stdout.split('\n').at(-2)]).toEqual([0, NOTHING]);
    expect(text(2)).toBe(before);
  });

  test('opens a file again that an earlier edit left invalid', async () => {
    const { folder } = bed();
    const edit = (name: string, editor: string) =>
      gridpress(['edit', name], { cwd: folder, env: { VISUAL: '', EDITOR: editor } });
    expect((await edit('lyra-2', 'echo "a: [" >>')).stderr).toContain(`${FILE(2)}:`);
    const other = await edit('lyra-1', 'sed -i s/compute/gpu/');
    expect([other.status, other.stderr]).toEqual([1, expect.stringContaining(`${FILE(2)}:`)]);
    expect((await edit('lyra-9', 'touch opened;')).stderr).toContain('[yaml-syntax]');
    expect(existsSync(join(folder, 'opened'))).toBe(false);
    const { status, stdout } = await edit('lyra-2', "sed -i -e '/^a: /d' -e s/compute/gpu/");
    expect([status, stdout]).toEqual([0, expect.stringContaining('    node_type  "compute" -> "gpu"')]);
  });

  test('opens invalid files that no revision contains, and no file of a retired node', async () => {
    const { folder, registry, record } = registryOf();
    record('First revision');
    const run = (...args: string[]) => gridpress(args, { cwd: folder });
    const edit = (name: string, editor: string) =>
      gridpress(['edit', name], { cwd: folder, env: { VISUAL: '', EDITOR: editor } });
    await run('retire', 'lyra-1');
    await run('rename', 'sites/lyra', 'vega');
    await run('add', 'node', '--names', 'vega-{1..2}');
    expect((await edit('vega-1', 'echo "a: [" >>')).stderr).toContain('[yaml-syntax]');
    expect((await edit('lyra-1', 'touch opened;')).stderr).toContain('There is no resource "lyra-1"');
    expect((await edit('sites/lyra', 'touch opened;')).stderr).toContain('There is no resource "sites/lyra"');
    expect(existsSync(join(folder, 'opened'))).toBe(false);
    for (const name of ['vega-2', 'sites/vega']) expect((await edit(name, 'echo "a: [" >>')).status).toBe(1);
    const correct = async (name: string) => (await edit(name, "sed -i '/^a: /d'")).status;
    expect([await correct('sites/vega'), await correct('vega-1'), await correct('vega-2')]).toEqual([1, 1, 0]);
    expect(existsSync(join(registry, 'sites/lyra'))).toBe(false);
  });

  test('starts no editor without a terminal if no variable names one', async () => {
    const { folder } = bed();
    const vi = join(folder, 'vi');
    writeFileSync(vi, '#!/bin/sh\necho changed >> "$1"\n');
    chmodSync(vi, 0o755);
    const env = { VISUAL: '', EDITOR: '', PATH: `${folder}:${process.env['PATH']}` };
    expect(await gridpress(['edit', 'lyra-2'], { cwd: folder, env })).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: VISUAL and EDITOR name no editor, and vi needs a terminal. ${FILE(2)} was not opened. [editor-missing]
  Set EDITOR, or change the fields with "gridpress set".
`,
    });
  });

  test('says that the change stays if it cannot be recorded', async () => {
    const held = 'mkdir registry-data/.history.gridpress && touch registry-data/.history.gridpress/owner-1-1-0-1-other';
    const { status, stderr } = await editWith(`sed -i s/compute/gpu/ "$2"; ${held}`, '-m', 'Correct', ...AUTHOR);
    expect(status).toBe(2);
    expect(stderr).toContain('[build-running]');
    expect(
      stderr,
    ).toContain(`error: ${FILE(2)} contains your change, but the change is not recorded. [edit-not-recorded]
  Correct the problems above, and record the change: gridpress record -m MESSAGE.
`);
  });

  test('records the change of an earlier command that could not record it', async () => {
    const { folder, run } = bed();
    const edit = (editor: string) =>
      gridpress(['edit', 'lyra-2', '-m', 'Correct', ...AUTHOR], { cwd: folder, env: { VISUAL: '', EDITOR: editor } });
    const held = join(folder, 'registry-data/.history.gridpress');
    const failed = await edit(`mkdir ${held} && touch ${held}/owner-1-1-0-1-other && sed -i s/compute/gpu/`);
    expect(failed.stderr).toContain('[edit-not-recorded]');
    rmSync(held, { recursive: true });
    expect((await edit('true')).stdout).toMatch(/^The files already had these values. Recorded [0-9a-f]{40}\.\n$/);
    expect((await edit('true')).stdout).toContain('Nothing changes');
    expect((await run('check')).stdout).toBe('No errors: 6 resources, 2 revisions.\n');
  });

  test('opens no editor if a revision would have no author', async () => {
    const { folder } = bed();
    const env = { VISUAL: '', EDITOR: 'touch opened;', HOME: newFolder(), XDG_CONFIG_HOME: '', GIT_AUTHOR_NAME: '' };
    const { status, stderr } = await gridpress(['edit', 'lyra-2', '-m', 'Correct'], { cwd: folder, env });
    expect(status).toBe(2);
    expect(stderr).toContain('[no-author]');
    expect(existsSync(join(folder, 'opened'))).toBe(false);
  });

  test('reports a file that the editor deleted', async () => {
    const { status, stderr } = await editWith('rm "$2"', '-m', 'Delete', ...AUTHOR);
    expect([status, stderr]).toEqual([
      2,
      `error: The editor deleted ${FILE(2)}. Nothing was recorded. [edit-deleted]
  Restore the file. To remove the resource, use "gridpress retire ${FILE(2).slice('registry-data/'.length, -'.yaml'.length)}".
`,
    ]);
  });

  test('reports an editor that fails', async () => {
    const { status, stderr } = await editWith('exit 3');
    expect([status, stderr]).toEqual([2, expect.stringContaining('--wait" failed. [editor-failed]')]);
  });
});
