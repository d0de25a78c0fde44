/** `gridpress find`: output, sources and exit status. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { CLI, gridpress } from '../../support/processes/cli.ts';
import { NODE, registryOf } from '../../support/registries/registry.ts';
import { nodeFile, nodeUid } from '../../support/registries/testbed.ts';
import { buildAndServe } from '../../support/trees/served.ts';

const GiB = 2 ** 30;

function node(n: number, more: string, ram = 256 * GiB): string {
  return `type: node\nuid: ${nodeUid(n)}\nnode_name: lyra-${n}\nnode_type: compute\nmain_memory:\n  ram_size: ${ram}\n${more}`;
}

const A100 = 'gpu:\n  gpu: true\n  gpu_count: 4\n  gpu_model: "GA100 [A100 PCIe 80GB]"\n';
const P100 = 'gpu:\n  gpu: true\n  gpu_count: 2\n  gpu_model: Tesla P100\n';
const FILES = {
  [NODE]: null,
  [nodeFile('lyra', 1)]: node(1, A100, 512 * GiB),
  [nodeFile('lyra', 2)]: node(2, P100),
  [nodeFile('lyra', 3)]: node(3, 'note: "=cmd()"\n').replace('lyra-3', 'lyra-2'),
};

let folder = '';
let tree = '';
let registry = '';
let url = '';
let first = '';

beforeAll(async () => {
  const made = registryOf(FILES, newFolder());
  ({ folder, registry } = made);
  first = made.record('First').id;
  made.write({ [nodeFile('lyra', 1)]: node(1, `${P100}chassis:\n  serial: S1\n`, 512 * GiB) });
  made.record('Change the GPUs');
  tree = join(newFolder(), 'dist');
  await build({ registry, out: tree, showsProgress: false });
  url = `http://127.0.0.1:${(await buildAndServe(registry)).port}/`;
});

test('groups in JSON separate values that a table rounds to one text', async () => {
  const sizes = [134_929_256_448, 134_931_546_112, 134_931_546_112];
  const nodes = sizes.map((size, i) => [nodeFile('lyra', i + 1), node(i + 1, '"a,b": 1\n', size)] as const);
  const { folder: cwd } = registryOf({ [NODE]: null, ...Object.fromEntries(nodes) }, newFolder());
  const grouped = async (...args: readonly string[]) =>
    (await gridpress(['find', '--group-by', ...args], { cwd })).stdout;
  expect(JSON.parse(await grouped('main_memory.ram_size', '--json')).groups).toEqual([
    { 'main_memory.ram_size': 134_929_256_448, nodes: 1 },
    { 'main_memory.ram_size': 134_931_546_112, nodes: 2 },
  ]);
  expect(JSON.parse(await grouped('"a,b",site', '--json')).groups).toEqual([{ '"a,b"': 1, site: 'lyra', nodes: 3 }]);
});

test('groups of different values that a table cuts to one text stay separate', async () => {
  const [long, lines] = ['x'.repeat(70), (text: string) => text.split('\n').map((line) => line.split(/ {2,}/))];
  const models = [`${long}1`, `${long}2`, `${long}2`];
  const nodes = models.map((model, i) => [nodeFile('lyra', i + 1), node(i + 1, `model: ${model}\n`)] as const);
  const { folder: cwd } = registryOf({ [NODE]: null, ...Object.fromEntries(nodes) }, newFolder());
  const { stdout } = await gridpress(['find', '--group-by', 'model', '--columns', 'site'], { cwd });
  const cut = `${'x'.repeat(59)}…`;
  expect(lines(stdout)).toEqual([['model', 'Nodes', 'site'], [cut, '1', 'lyra'], [cut, '2', 'lyra'], ['']]);
  const sites = await gridpress(['find', '--group-by', 'site', '--columns', 'model'], { cwd });
  expect(lines(sites.stdout)).toEqual([['site', 'Nodes', 'model'], ['lyra', '3', `${cut}; ${cut}`], ['']]);
});

test('a list of fields contains a name', async () => {
  const { status, stderr } = await find('--columns', ',');
  expect([status, stderr]).toEqual([
    2,
    "error: option '--columns <fields>' argument ',' is invalid. It must contain a name.\n(See gridpress find --help)\n",
  ]);
});

const find = (...args: readonly string[]) => gridpress(['find', ...args], { cwd: folder });
const places = () => ({ registry: 'registry-data', tree, url });

describe.each(['registry', 'tree', 'url'] as const)('find in a %s', (kind) => {
  const from = () => ['--from', places()[kind]];

  test('lists nodes by a query', async () => {
    const { status, stdout } = await find("label.gpu = 'P100' AND gpu.gpu_count >= 2", '--uids', ...from());
    expect([status, stdout]).toEqual([0, `${nodeUid(1)}\n${nodeUid(2)}\n`]);
  });

  test('lists nodes at an earlier revision', async () => {
    const { status, stdout } = await find("label.gpu = 'A100'", '--at', first, '--uids', ...from());
    expect([status, stdout]).toEqual([0, `${nodeUid(1)}\n`]);
  });

  test('lists nodes as JSON', async () => {
    const { status, stdout } = await find('main_memory.ram_size > 256GiB', '--json', ...from());
    expect([status, JSON.parse(stdout)]).toMatchObject([
      0,
      {
        ok: true,
        total: 1,
        nodes: 3,
        findings: [],
        items: [{ site: 'lyra', cluster: 'main', uid: nodeUid(1), label: { gpu: 'P100', ram: 512 * GiB } }],
      },
    ]);
  });

  test('counts the nodes of each group, with their hardware', async () => {
    const { status, stdout } = await find('--group-by', 'site,label.gpu', ...from());
    expect([status, stdout.split('\n').map((line) => line.split(/ {2,}/))]).toEqual([
      0,
      [
        ['site', 'label.gpu', 'Nodes', 'Memory', 'GPU'],
        ['lyra', '-', '1', '256 GiB', '-'],
        ['lyra', 'P100', '2', '256 GiB; 512 GiB', '2 × P100'],
        [''],
      ],
    ]);
    const { stdout: json } = await find('--group-by', 'label.gpu', '--json', ...from());
    expect(JSON.parse(json)).toMatchObject({ total: 3, groups: [{ nodes: 1 }, { 'label.gpu': 'P100', nodes: 2 }] });
  });

  test('--sort sorts the groups', async () => {
    const field = 'main_memory.ram_size';
    for (const [sort, expected] of [
      [field, [256 * GiB, 512 * GiB]],
      [`-${field}`, [512 * GiB, 256 * GiB]],
    ] as const) {
      const args = ['--group-by', field, '--sort', sort, ...from()];
      const { groups } = JSON.parse((await find(...args, '--json')).stdout);
      expect(groups.map((group: Record<string, unknown>) => group[field])).toEqual(expected);
      expect((await find(...args)).stdout.match(/^\d+ GiB/gm)).toEqual(expected.map((size) => `${size / GiB} GiB`));
    }
  });

  test('prints tables for documents', async () => {
    const query = ['label.gpu IS NOT NULL', '--columns', 'node_name,main_memory.ram_size', '--sort', 'node_name'];
    const { stdout: markdown } = await find(...query, '--markdown', ...from());
    expect(markdown.split('\n').slice(0, 5)).toEqual([
      '| Name   | main\\_memory.ram\\_size |',
      '| ------ | ---------------------- |',
      '| lyra-1 | 512 GiB                |',
      '| lyra-2 | 256 GiB                |',
      '',
    ]);
    const { stdout: latex } = await find(...query, '--latex', ...from());
    expect(latex).toContain('    lyra-1 & 512~GiB \\\\\n    lyra-2 & 256~GiB \\\\\n');
    const usual = await find('--columns', 'node_name,uid', '--markdown', ...from());
    expect(usual.stdout.match(/lyra-\d/g)).toEqual(['lyra-1', 'lyra-2', 'lyra-2']);
    const { stdout: html } = await find(...query, '--html', ...from());
    expect(html).toContain('<tr><td>lyra-1</td><td>512 GiB</td></tr>');
  });

  test('locks the found nodes', async () => {
    const file = join(newFolder(), 'lock.json');
    const { status, stderr } = await find('gpu.gpu_count = 2', '--lock', file, '--uids', ...from());
    expect([status, stderr.includes(`Locked in ${file}.`)]).toEqual([0, true]);
    const { nodes }: { nodes: readonly { uid: string }[] } = JSON.parse(readFileSync(file, 'utf8'));
    expect(nodes.map(({ uid }) => uid)).toEqual([nodeUid(1), nodeUid(2)]);
    expect((await gridpress(['verify-lock', file, '--against', places()[kind]], { cwd: folder })).status).toBe(0);
  });
});

test('find gives the same result in a tree with a paged table as in complete nodes', async () => {
  const config = join(newFolder(), 'gridpress.yaml');
  writeFileSync(config, 'cluster_uid: main\nsearch:\n  max_nodes: 2\n');
  const out = join(newFolder(), 'dist');
  await build({ registry, config, out, showsProgress: false });
  const asked = (query: string, ...form: readonly string[]) => find(query, '--from', out, ...form);
  // The table omits serials, which are read from the nodes.
  for (const query of ['main_memory.ram_size = 512GiB', 'lyra-1', "chassis.serial = 'S1'"]) {
    const { stdout } = await asked(query, '--json');
    expect({ query, ...JSON.parse(stdout) }).toMatchObject({ query, nodes: 3, items: [{ uid: nodeUid(1) }] });
  }
  expect((await asked("node_name LIKE 'lyra%'", '--sort', '-uid', '--columns', 'node_name')).stdout).toBe(
    'node_name\nlyra-2\nlyra-2\nlyra-1\n',
  );
  expect((await asked("chassis.serial = 'S2'", '--uids')).stderr).toContain('Did you mean S1?');
});

test('an unknown column is rejected even if no node matches', async () => {
  const { status, stderr } = await find("site = 'none'", '--columns', 'nothing');
  expect([status, stderr.includes('No node has a field nothing. [query-field]')]).toEqual([2, true]);
});

test('a table has columns for the fields of the query', async () => {
  expect(await find('gpu.gpu_count = 2', '--sort', '-main_memory.ram_size', '--limit', '1')).toEqual({
    status: 0,
    stdout: `node_name  site  node_type  gpu.gpu_count  main_memory.ram_size  uid
lyra-1     lyra  compute    2              512 GiB               ${nodeUid(1)}
`,
    stderr: '2 of 3 nodes; 1 is shown.\n',
  });
});

test.each([
  [['--columns', 'node_name,note,gpu.gpu_model']],
  [['--columns', 'node_name', '--columns', 'note,gpu.gpu_model']],
])('CSV contains no formulas: %j', async (columns) => {
  const { stdout } = await find('note IS NOT NULL', '--csv', ...columns);
  expect(stdout).toBe("node_name,note,gpu.gpu_model\nlyra-2,'=cmd(),\n");
});

test('an ambiguous name finds all its nodes, with a warning', async () => {
  const { status, stdout, stderr } = await find('lyra-2', '--uids');
  expect([status, stdout, stderr]).toEqual([
    ...[0, `${nodeUid(2)}\n${nodeUid(3)}\n`, '2 of 3 nodes are called lyra-2.\n'],
  ]);
});

test('the name of a label gives the condition on the label', async () => {
  expect((await find('p100')).stderr).toBe(
    "error: No node is called p100. [query-name]\n  Did you mean label.gpu = 'P100'?\n",
  );
});

test('the name of a field or of a label gives a condition', async () => {
  expect((await find('gpu')).stderr).toContain('Did you mean gpu IS NOT NULL or label.gpu IS NOT NULL?');
  expect((await find('gpu.gpu')).stderr).toContain('Did you mean gpu.gpu = TRUE?');
});

test('a query without quotes around it is answered with the quotes', async () => {
  const { status, stderr } = await find('site', '=', 'lyra', '--csv');
  expect([status, stderr.split('\n')[0]]).toEqual([2, 'error: Quote the query: gridpress find "site = lyra"']);
});

test('a word in the place of a moment is answered with the form of dates', async () => {
  const { stderr } = await find('--at', 'yesterday', '--from', tree);
  expect(stderr).toContain('Write a date as 2026-03-31, or choose a revision from that URL');
});

test('an empty result comes with a suggestion', async () => {
  expect(await find("node_type = 'compile'")).toEqual({
    status: 0,
    stdout: '',
    stderr: `query:1:13: warning: No node has the value compile in node_type. [query-value]
> 1 | node_type = 'compile'
    |             ^
  Did you mean compute?
0 of 3 nodes.
`,
  });
});

test.each([
  ["gpu_model = 'x'", 'query:1:1: error: No node has a field gpu_model. [query-field]'],
  [
    'main_memory.ram_size > 2GHz',
    'query:1:24: error: main_memory.ram_size is in B, so it cannot be compared with a value in GHz. [query-unit]',
  ],
  ['gpu.gpu_count = ', 'query:1:17: error: Expected a value, but found the end of the query. [query-expected]'],
  ['lyra-9', 'error: No node is called lyra-9. [query-name]'],
  ['', 'error: The query is empty. [query-empty]'],
])('an invalid query ends with status 2: %s', async (query, line) => {
  const { status, stdout, stderr } = await find(query);
  expect([status, stdout, stderr.split('\n')[0]]).toEqual([2, '', line]);
});

describe('the snippet', () => {
  const lines = async (name: string) => (await find('gpu.gpu_count = 2', '--snippet', name)).stdout;

  test('of openstack reserves each node by its uid, because Blazar has no "or"', async () => {
    const openstack = await lines('openstack');
    for (const n of [1, 2]) expect(openstack).toContain(`resource_properties='["=", "$uid", "${nodeUid(n)}"]'`);
    expect(await lines('python-chi')).toContain(`    (1, ["=", "$uid", "${nodeUid(2)}"]),\n`);
    expect(await lines('execo')).toContain('        "lyra-2.lyra.grid5000.fr",\n');
  });

  test.each(['openstack', 'curl'])('of %s is valid shell code', async (name) => {
    expect(spawnSync('bash', ['-n'], { input: await lines(name) }).status).toBe(0);
  });

  test('of curl requests the nodes', async () => {
    const { stdout } = await find('gpu.gpu_count = 2', '--snippet', 'curl', '--from', url);
    expect(stdout.split('\n')[0]).toBe(`BASE='${url.slice(0, -1)}'`);
    expect(stdout).toContain(`\nsites/lyra/clusters/main/nodes/${nodeUid(1)}\n`);
  });
});

describe.each(['registry', 'tree', 'url'] as const)('nodes of an earlier revision in a %s', (kind) => {
  test('have no code that reads documents, and requests for them come with a warning', async () => {
    const past = ['--at', first, '--from', places()[kind]];
    const curl = await find('gpu.gpu_count = 4', '--snippet', 'curl', ...past);
    expect([curl.status, curl.stdout]).toEqual([2, '']);
    expect(curl.stderr).toContain(
      `error: The code for curl would read the current documents, but the nodes were found as of the earlier revision ${first.slice(0, 8)}. [snippet-earlier]`,
    );
    const oar = await find('gpu.gpu_count = 4', '--snippet', 'oar', ...past);
    expect([oar.status, oar.stderr.includes('[request-earlier]')]).toEqual([0, true]);
    const head = await find('--snippet', 'curl', '--at', 'head', '--from', 'registry-data');
    expect([head.status, head.stderr.includes('past')]).toEqual([0, false]);
  });
});

test('--registry is answered with --from', async () => {
  const { status, stderr } = await find('--registry', 'registry-data');
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining('error: find has no option --registry. Write --from registry-data instead.'),
  ]);
});

describe('--reserve', () => {
  const exclude = () => {
    const file = join(newFolder(), 'broken.txt');
    writeFileSync(file, `${nodeUid(1)}\n\n`);
    return file;
  };

  test('reserves a type whose nodes all match, and the nodes of another type by uid', async () => {
    const all = await find("site = 'lyra'", '--reserve', '2', '--snippet', 'openstack');
    expect(all.stdout).toContain(
      `  --reservation min=2,max=2,resource_type=physical:host,resource_properties='["=", "$node_type", "compute"]' `,
    );
    const some = await find('gpu.gpu_count = 2', '--reserve', 'all', '--snippet', 'openstack');
    expect(some.stdout.match(/min=1,max=1,\S+='\["=", "\$uid", /g)).toHaveLength(2);
    expect(some.stdout).not.toContain('node_type');
  });

  test.each(['registry', 'tree', 'url'] as const)('prints the reservations in a %s as JSON', async (kind) => {
    const from = ['--from', places()[kind], '--exclude', exclude(), '--json'];
    const { stdout } = await find('gpu.gpu_count = 2', '--reserve', '1', '--same-hardware', ...from);
    expect(JSON.parse(stdout)).toMatchObject({
      reserved: 1,
      reservations: [
        {
          ...{ site: 'lyra', count: 1, property: 'uid', value: nodeUid(2) },
          resource_properties: ['=', '$uid', nodeUid(2)],
          reason:
            'only 1 of the 3 nodes of type compute qualifies, so a reservation of the type could give another node',
          nodes: [{ cluster: 'main', uid: nodeUid(2), node_name: 'lyra-2' }],
        },
      ],
    });
  });

  test.each(['registry', 'tree', 'url'] as const)('lists, exports and locks the chosen nodes of a %s', async (kind) => {
    const from = ['--from', places()[kind], '--exclude', exclude(), '--reserve', '1'];
    const lock = join(newFolder(), 'chosen.lock.json');
    const table = await find('gpu.gpu_count = 2', ...from, '--markdown', '--lock', lock);
    expect(table.stdout).toContain('| lyra-2 ');
    expect(table.stdout).not.toContain('lyra-1 ');
    expect(table.stderr).toMatch(/^2 of 3 nodes at \S+ \(\S+\); 1 is chosen\.\nLocked in /);
    const { nodes } = JSON.parse(readFileSync(lock, 'utf8'));
    expect(nodes.map(({ path }: { path: string }) => path.split('/').at(-1))).toEqual([nodeUid(2)]);
    expect((await find('gpu.gpu_count = 2', ...from, '--uids')).stdout).toBe(`${nodeUid(2)}\n`);
    expect((await find('gpu.gpu_count = 2', ...from, '--columns', 'node_name')).stdout).toBe('node_name\nlyra-2\n');
    const json = await find('gpu.gpu_count = 2', ...from, '--json', '--columns', 'node_name');
    expect(JSON.parse(json.stdout)).toMatchObject({
      reserved: 1,
      reservations: [{ count: 1 }],
      items: [{ node_name: 'lyra-2' }],
    });
  });

  test('stops if too few nodes match', async () => {
    const few = await find('gpu.gpu_count = 2', '--reserve', '3');
    expect([few.status, few.stdout]).toEqual([1, '']);
    expect(few.stderr).toContain('error: 3 nodes were requested, but 2 nodes match.');
    const mixed = await find('gpu.gpu_count = 2', '--reserve', '2', '--same-hardware');
    expect(mixed.stderr).toContain('but 2 nodes match, 1 of them with the same hardware.');
    expect(mixed.stderr).toContain('lyra-1 and lyra-2 differ in main_memory.ram_size, chassis. [reserve-profiles]');
    const misspelt = await find("site = 'lyr'", '--reserve', '1');
    expect(misspelt.stderr).toMatch(/warning: No node has the value lyr in site\..*error: 1 node was requested/s);
    const racks = await find('--reserve', '1', '--spread', 'rack');
    expect(racks.stderr).toContain('but 3 nodes match, 0 of them with a known rack.');
  });

  test('reads excluded nodes as lock does: comments, names with a domain, uids in capitals', async () => {
    const text = `# broken\nLYRA-1.lyra.example.org  # disk\n${nodeUid(2).toUpperCase()}\n`;
    const file = join(newFolder(), 'busy.txt');
    writeFileSync(file, text);
    const { stdout } = await find('--reserve', 'all', '--exclude', file, '--uids');
    expect(stdout).toBe(`${nodeUid(3)}\n`);
  });

  test('warns about a start in the past', async () => {
    const args = ['--reserve', '1', '--snippet', 'slurm', '--start'];
    const past = await find(...args, '2020-01-01T08:00Z');
    expect([past.status, past.stdout.includes('salloc')]).toEqual([0, true]);
    expect(past.stderr).toContain(
      'warning: The start 2020-01-01T08:00:00Z is in the past, so the scheduler will refuse the request. [reserve-past]',
    );
    // Otherwise, the minute could end before `find` reads the clock.
    const now = `${new Date(Date.now() + 10_000).toISOString().slice(0, 16)}Z`;
    expect((await find(...args, now)).stderr).not.toContain('reserve-past');
    expect((await find(...args, '2999-01-01T08:00Z')).stderr).not.toContain('reserve-past');
  });

  test('leaves out the nodes of all given files and of standard input', () => {
    const options = ['--reserve', 'all', '--exclude', exclude(), '--exclude', '-', '--uids'];
    const { stdout } = spawnSync(process.execPath, [CLI, 'find', ...options], {
      ...{ cwd: folder, encoding: 'utf8', input: `${nodeUid(3)}\n` },
    });
    expect(stdout).toBe(`${nodeUid(2)}\n`);
  });

  test('takes the first nodes of an order, and requests these', async () => {
    const { stdout } = await find('--sort', '-main_memory.ram_size', '--reserve', '1', '--json');
    expect(JSON.parse(stdout).reservations).toMatchObject([{ property: 'uid', value: nodeUid(1) }]);
    expect((await find('--reserve', '1', '--limit', '1')).stderr).toContain(
      'error: --reserve sets the number of nodes, so it cannot be used with --limit.',
    );
    for (const option of [['--exclude', 'busy.txt'], ['--same-hardware'], ['--spread', 'site']]) {
      const { status, stderr } = await find(...option);
      expect([status, stderr.split('\n')[0]]).toEqual([
        2,
        `error: ${option[0]} needs --reserve. To choose all nodes that match, write --reserve all.`,
      ]);
    }
    expect((await find('--reserve', 'two')).stderr).toContain('It must be "all", or a whole number of at least 1.');
  });

  test('warns if nodes cannot be spread', async () => {
    const same = await find('gpu.gpu_count = 2', '--reserve', '2', '--spread', 'site');
    expect(same.stderr).toContain(
      'warning: All chosen nodes are at one site, because no other site has matching nodes. [reserve-one-place]',
    );
    const equal = await find('--reserve', '1', '--spread', 'site', '--same-hardware');
    expect(equal.stderr).not.toContain('reserve-one-place');
  });

  test('says that nodes of a requested type can be replaced by others', async () => {
    const lock = join(newFolder(), 'chosen.lock.json');
    const note = 'The scheduler can give you other nodes of a requested type.';
    expect((await find('--reserve', '2', '--lock', lock)).stderr).toContain(note);
    expect((await find('gpu.gpu_count = 2', '--reserve', '2', '--lock', lock)).stderr).not.toContain(note);
  });

  test('warns about an unknown host in the file of excluded nodes, and stops if all are unknown', async () => {
    const file = join(newFolder(), 'broken.txt');
    writeFileSync(file, 'lyra-1\nlyra-22\n');
    const { status, stdout, stderr } = await find('--reserve', 'all', '--exclude', file, '--uids');
    expect([status, stdout]).toEqual([0, `${nodeUid(2)}\n${nodeUid(3)}\n`]);
    expect(stderr).toContain(
      'broken.txt:2: warning: No node is called "lyra-22", so the line excludes no node. [reserve-exclude-unknown]\n  Did you mean',
    );
    expect((await find('--exclude', file)).status).toBe(2);
    writeFileSync(file, 'lyra-1\nlyra-22\nlyra-22\nlyra-1\n');
    const repeated = await find('--reserve', 'all', '--exclude', file, '--uids');
    expect(repeated.stderr.match(/reserve-exclude-unknown/g)).toHaveLength(1);
    writeFileSync(file, 'lyra-22\nlyra-23\n');
    const none = await find('--reserve', '1', '--exclude', file);
    expect([none.status, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toContain('broken.txt:2: error: No node is called "lyra-23".');
  });
});

test('--fields lists the fields of all nodes or of the found nodes', async () => {
  expect(await find('gpu.gpu_count = 4', '--fields', '--at', first)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('main_memory.ram_size  number   B     hardware   1      1       512 GiB'),
    stderr: expect.stringMatching(/^\d+ fields of 1 of 3 nodes at /),
  });
  const { stdout } = await find('--fields', '--json');
  const { total, fields } = JSON.parse(stdout);
  expect(total).toBe(3);
  expect(fields.find(({ name }: { name: string }) => name === 'gpu.gpu_count')).toMatchObject({
    types: ['number'],
    class: 'hardware',
    nodes: 2,
    distinct: 1,
    values: [{ value: 2, nodes: 2 }],
  });
  expect((await find('--fields', '--csv')).status).toBe(2);
});

test('CSV and NDJSON of all nodes equal the exports of the tree', async () => {
  for (const [form, file] of [
    ['--csv', 'nodes.csv'],
    ['--ndjson', 'nodes.ndjson'],
  ] as const)
    expect((await find(form)).stdout).toBe(readFileSync(join(tree, 'exports', file), 'utf8'));
});

test('--from with a project is rejected, and the message names the registry', async () => {
  expect(await find('--from', '.')).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'error: "." is neither a base URL nor the folder of a tree or a registry. [no-source]\n  Did you mean "registry-data"?\n',
  });
});

test.each([['find'], ['lock', 'lyra-1'], ['log'], ['diff', 'lyra-1', nodeUid(2)]])(
  '%s --config with a tree is rejected',
  async (...args) => {
    const { status, stdout, stderr } = await gridpress([...args, '--from', tree, '--config', 'other.yaml'], {
      cwd: folder,
    });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^error: --config other.yaml has no effect on .+dist, which was built with its own configuration. \[config-unused\]\n/,
    );
  },
);

test('--lock with a folder is rejected', async () => {
  const { status, stderr } = await find('lyra-1', '--lock', '.');
  expect([status, stderr.split('\n')[0]]).toEqual([2, 'error: . cannot be written: it is a folder. [write-failed]']);
});

test('CSV contains the length of a list, and other outputs report it as an error', async () => {
  const disks = node(1, 'storage_devices:\n  - {device: sda}\n  - {device: sdb}\n');
  const { registry, folder: cwd } = registryOf({ [NODE]: null, [nodeFile('lyra', 1)]: disks }, newFolder());
  const columns = ['--columns', 'storage_devices_count', '--from', registry];
  const { stdout } = await gridpress(['find', '--csv', ...columns], { cwd });
  expect(stdout.split(/\r?\n/)).toEqual(['storage_devices_count', '2', '']);
  const told = `No node has a field storage_devices_count. [query-field]
  This is a column of CSV only. --columns accepts it together with --csv.
`;
  expect((await gridpress(['find', ...columns], { cwd })).stderr).toBe(`error: ${told}`);
});

test('an option with one value cannot be repeated', async () => {
  const { status, stderr } = await find('--reserve', '1', '--reserve', '2');
  expect([status, stderr.split('\n')[0]]).toEqual([
    ...[2, "error: option '--reserve <number>' is given twice, but has one value."],
  ]);
  expect((await find('--columns', 'uid', '--columns', 'node_name', '--limit', '1')).stdout).toContain('uid');
});

test('output options exclude each other', async () => {
  expect((await find('--csv', '--uids')).status).toBe(2);
  expect((await find('--uids', '--columns', 'site')).status).toBe(2);
});

test('groups count all nodes that match, so there is no limit', async () => {
  const { status, stdout, stderr } = await find('--group-by', 'site', '--limit', '1');
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain('error: --group-by counts all nodes that match, so it cannot be used with --limit.');
  const columns = await find('--group-by', 'site', '--columns', 'uid', '--json');
  expect(columns.stdout).toContain('--group-by with --json prints only the groups and their counts');
});

describe('--fields', () => {
  const fieldsOf = async (...args: readonly string[]) => JSON.parse((await find('--fields', '--json', ...args)).stdout);
  const namesOf = async (...args: readonly string[]) =>
    (await fieldsOf(...args)).fields.map(({ name }: { name: string }) => name);

  test('lists the fields below a field, or whose name or description contains a text', async () => {
    const all: string[] = await namesOf();
    expect(await namesOf('--under', 'gpu')).toEqual(all.filter((name) => /^gpu(\.|$)/.test(name)));
    expect(await namesOf('--under', 'gpu.gpu_count')).toEqual(['gpu.gpu_count']);
    expect(await namesOf('--search', 'GPU_COUNT')).toEqual(['gpu.gpu_count']);
    // The text is in the description.
    expect(await namesOf('--search', 'as it is sold')).toContain('label.ram');
    expect(await namesOf('--search', 'xyzzy')).toEqual([]);
  });

  test('limits the fields and the values', async () => {
    const { fields, omitted } = await fieldsOf('--limit', '2', '--values', '1');
    expect([fields.length, omitted.length > 0]).toEqual([2, true]);
    for (const { values = [] } of fields) expect(values.length).toBeLessThanOrEqual(1);
    expect((await find('--fields', '--limit', '2')).stderr).toContain('; 2 are shown.');
    expect((await fieldsOf()).omitted).toBeUndefined();
  });

  test('rejects an unknown field, and its options without it', async () => {
    expect((await find('--fields', '--under', 'gpus')).stderr).toContain('No node has a field gpus.');
    for (const option of ['--under', '--search', '--values']) {
      const { status, stderr } = await find(option, '1');
      expect([status, stderr.split('\n')[0]]).toEqual([2, `error: ${option} needs --fields.`]);
    }
    expect((await find('--fields', '--values', '1')).stderr).toContain('error: --values needs --json.');
  });
});
