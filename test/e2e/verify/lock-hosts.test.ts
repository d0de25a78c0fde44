/** `lock` with files of hosts: the nodes that a job, a manifest, a lease or a list names, from every kind of place. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { lock } from '../../../src/features/lock/take-lock.ts';
import { newFolder } from '../../support/folders.ts';
import { CLI, gridpress } from '../../support/processes/cli.ts';
import { NODE, NODE_UID, registryOf } from '../../support/registries/registry.ts';
import { buildAndServe } from '../../support/trees/served.ts';

const folder = newFolder();
let places: Readonly<Record<string, string>>;
let uids: readonly string[];

const run = (...args: readonly string[]) => gridpress(args, { cwd: folder });
const write = (file: string, value: unknown) =>
  writeFileSync(join(folder, file), typeof value === 'string' ? value : JSON.stringify(value, null, 1));

interface Named {
  readonly uid: string;
  readonly node_name: string;
}

const lockedIn = (text: string): readonly Named[] => JSON.parse(text).nodes;

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../../registry-data'), join(folder, 'registry-data'), { recursive: true });
  writeFileSync(join(folder, 'gridpress.yaml'), 'cluster_uid: main\n');
  const { port, out } = await buildAndServe(join(folder, 'registry-data'));
  places = { registry: 'registry-data', tree: out, url: `http://127.0.0.1:${port}/` };
  const { stdout } = await run('lock', 'lyra-c01', 'lyra-g02');
  uids = lockedIn(stdout).map(({ uid }) => uid);
  const [first, second] = uids;
  write('job.json', { 421: { assigned_network_address: ['lyra-c01.example.org', 'lyra-g02.example.org'] } });
  const urn = (name: string) => `urn:publicid:IDN+lyra.example.org+node+${name}`;
  write(
    'manifest.xml',
    `<rspec><node component_id="${urn('lyra-c01')}"/><node component_id="${urn('lyra-g02')}"/></rspec>`,
  );
  write('lease.json', { id: 'lease-1', reservations: '' });
  const reservations = [{ id: 'r-1', lease_id: 'lease-1' }];
  write(
    'allocations.json',
    ['18', '21'].map((resource_id) => ({ resource_id, reservations })),
  );
  write('hosts.json', [
    { id: '18', hypervisor_hostname: first },
    { id: '21', hypervisor_hostname: second },
  ]);
  write('nodes', 'lyra-c01\nlyra-c01\nLYRA-G02.lyra.example.org # the GPUs\n');
});

test('the file is not searched for each skipped host', async () => {
  const names = ['lyra-c01', ...Array.from({ length: 1000 }, (_, i) => `other-${i}`)];
  let searches = 0;
  const place = () => {
    searches++;
    return { file: 'job.json' };
  };
  const hosts = names.map((name) => ({ name, file: 'job.json', place }));
  const from = join(folder, 'registry-data');
  const { skipped } = await lock({ nodes: [], hosts, skipUnknown: true, from, timeout: 1, maxRequests: 1 });
  expect(skipped).toHaveLength(1000);
  expect(searches).toBe(0);
});

describe.each(['registry', 'tree', 'url'])('from a %s', (kind) => {
  test.each([
    ['a job', ['--from-oar', 'job.json']],
    ['a manifest', ['--from-manifest', 'manifest.xml']],
    ['a lease', ['--from-lease', 'lease.json', '--from-lease', 'allocations.json', '--from-lease', 'hosts.json']],
    ['a list', ['--hosts', 'nodes']],
    ['two files and a name', ['lyra-g02', '--hosts', 'nodes', '--from-oar', 'job.json']],
  ])('%s gives the same lock file as the names of its nodes', async (_, options) => {
    const from = ['--from', places[kind] ?? ''];
    const { status, stdout, stderr } = await run('lock', ...options, ...from);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toBe((await run('lock', 'lyra-c01', 'lyra-g02', ...from)).stdout);
    expect(lockedIn(stdout).map(({ uid }) => uid)).toEqual(uids);
  });

  test('a host list of Slurm is expanded', async () => {
    write('slurm', 'lyra-c[01-03,05],lyra-g0[2], lyra-c01\nlyra-c0[1-2]\n');
    const { status, stdout, stderr } = await run('lock', '--hosts', 'slurm', '--from', places[kind] ?? '');
    expect([status, stderr]).toEqual([0, '']);
    expect(
      lockedIn(stdout)
        .map(({ node_name }) => node_name)
        .sort(),
    ).toEqual(['lyra-c01', 'lyra-c02', 'lyra-c03', 'lyra-c05', 'lyra-g02']);
  });

  test('unknown hosts are findings, and nothing is written', async () => {
    write('wrong', 'lyra-c01\nlyra-c77.lyra.example.org\nlyra-c01.aquila.example.org\nlyra-c77.lyra.example.org\n');
    const path = `sites/lyra/clusters/main/nodes/${uids[1]}`;
    const { status, stderr } = await run(
      'lock',
      '--hosts',
      'wrong',
      '-o',
      'wrong.lock.json',
      '--from',
      places[kind] ?? '',
    );
    expect([status, stderr]).toEqual([
      2,
      'error: 2 of 3 hosts in the files match no node, so nothing was locked. [hosts-not-locked]\n' +
        '  To lock only the other hosts, add --skip-unknown.\n\n' +
        'wrong:2: error: There is no node "lyra-c77.lyra.example.org". [unknown-node]\n' +
        '  Did you mean "lyra-c07" or "lyra-c01" or "lyra-c02"?\n\n' +
        'wrong:3: error: There is no node "lyra-c01.aquila.example.org". [unknown-node]\n' +
        `  The domain names a site. Another site has a node with this name: ${path}.\n`,
    ]);
    expect(existsSync(join(folder, 'wrong.lock.json'))).toBe(false);
  });

  test('--skip-unknown locks the other hosts, and lists the skipped hosts', async () => {
    write('mixed', 'lyra-c01\nvm-1\nlyra-g02\nfrontend.example.org\nvm-1\n');
    const args = ['lock', '--hosts', 'mixed', '--skip-unknown', '--from', places[kind] ?? ''];
    const { status, stdout, stderr } = await run(...args);
    expect([status, stderr]).toEqual([
      0,
      'mixed: warning: Skipped 2 hosts without a node: "vm-1", "frontend.example.org". [hosts-skipped]\n' +
        '  The lock file does not contain these hosts.\n',
    ]);
    expect(lockedIn(stdout).map(({ uid }) => uid)).toEqual(uids);
    const json = JSON.parse((await run(...args, '--json')).stdout);
    expect(json).toMatchObject({ ok: true, skipped: ['vm-1', 'frontend.example.org'] });
  });
});

test('--skip-unknown fails if no host is a node', async () => {
  write('strangers', 'vm-1\nvm-2\n');
  const { status, stderr } = await run('lock', '--hosts', 'strangers', '--skip-unknown', '-o', 'none.lock.json');
  expect([status, stderr.split('\n').slice(0, 2)]).toEqual([
    2,
    [
      'error: 2 of 2 hosts in the files match no node, so nothing was locked. [hosts-not-locked]',
      '  Correct the names, or name the registry of these hosts with --from.',
    ],
  ]);
  expect(existsSync(join(folder, 'none.lock.json'))).toBe(false);
  expect((await run('lock', 'lyra-c01', '--hosts', 'strangers', '--skip-unknown')).status).toBe(0);
});

test('--skip-unknown needs a file of hosts', async () => {
  const { status, stderr } = await run('lock', 'lyra-c01', '--skip-unknown');
  expect([status, stderr]).toEqual([2, expect.stringContaining('--skip-unknown needs --hosts, --from-oar')]);
});

describe.each([
  [
    'a job of oarstat',
    '--from-oar',
    { 421: { startTime: 1772323200, stopTime: 1772409600, assigned_network_address: ['lyra-x.example.org'] } },
  ],
  [
    'a job of the API',
    '--from-oar',
    { uid: 421, started_at: 1772323200, stopped_at: 1772409600, assigned_nodes: ['lyra-x.example.org'] },
  ],
  [
    'a manifest',
    '--from-manifest',
    '<rspec generated="2026-03-01T08:00:00Z" expires="2026-03-02T08:00:00Z"><node component_id="lyra-x"/></rspec>',
  ],
  [
    'a lease',
    '--from-lease',
    {
      lease: { id: 'l', start_date: '2026-03-01 08:00:00', end_date: '2026-03-02 08:00:00', reservations: [] },
      allocations: [{ resource_id: '1', hypervisor_hostname: 'lyra-x', reservations: [{ lease_id: 'l' }] }],
    },
  ],
])('%s', (_, option, value) => {
  test('in the past with an unknown host has the remedy --at', async () => {
    write('past', value);
    const { status, stderr } = await run('lock', option, 'past');
    expect([status, stderr.split('\n')[1]]).toEqual([
      2,
      '  The files have the date 2026-03-01. If nodes were renamed or removed since then, add --at 2026-03-01.',
    ]);
    expect((await run('lock', option, 'past', '--at', '2026-03-01')).stderr).not.toContain('add --at');
  });

  test('that ended before the newest revision is locked with a warning', async () => {
    const known = JSON.stringify(value).replaceAll('lyra-x', 'lyra-c01').replaceAll('.example.org', '');
    const text = typeof value === 'string' ? JSON.parse(known) : known;
    write('ended', text);
    const { status, stderr } = await run('lock', option, 'ended');
    expect([status, stderr]).toEqual([
      0,
      'ended: warning: The hosts were in use until 2026-03-02, but the lock file contains the nodes as of 2026-05-06. [hosts-earlier]\n' +
        '  The nodes can have changed in the meantime. To lock them as of the first day, add --at 2026-03-01.\n',
    ]);
    expect((await run('lock', option, 'ended', '--at', '2026-03-01')).stderr).toBe('');
    write('ended', text.replace('2026-03-02', '2026-05-06').replace('1772409600', '0'));
    expect((await run('lock', option, 'ended')).stderr).toBe('');
  });
});

test('unknown hosts of a range are one finding', async () => {
  write('range', 'lyra-c01\nlyra-c[01-03,77-99], lyra-x[1-2]\nlyra-c76\n');
  const { status, stderr } = await run('lock', '--hosts', 'range');
  const names = Array.from({ length: 20 }, (_, i) => `"lyra-c${77 + i}"`).join(', ');
  expect([status, stderr]).toEqual([
    2,
    'error: 26 of 29 hosts in the files match no node, so nothing was locked. [hosts-not-locked]\n' +
      '  To lock only the other hosts, add --skip-unknown.\n\n' +
      `range:2: error: There are no nodes ${names} and 5 more. [unknown-hosts]\n` +
      '  Name each host by its path, its uid, its node_name or its host name.\n\n' +
      'range:3: error: There is no node "lyra-c76". [unknown-node]\n' +
      '  Did you mean "lyra-c06" or "lyra-c01" or "lyra-c02"?\n',
  ]);
});

test('a host with the domain of another testbed is locked with a warning', async () => {
  const uid = '7c9e6679-7425-40de-944b-e07fc1f90ae9';
  const { folder: cwd, record } = registryOf({
    'sites/vega/site.yaml': 'type: site\nuid: vega\nname: Vega\nsite_class: baremetal\n',
    'sites/vega/clusters/main/cluster.yaml': 'type: cluster\nuid: main\n',
    [`sites/vega/clusters/main/nodes/${uid}.yaml`]: `type: node\nuid: ${uid}\nnode_name: liqid04\n`,
  });
  record('First');
  const job = (...names: readonly string[]) =>
    writeFileSync(join(cwd, 'job.json'), JSON.stringify({ assigned_nodes: names }));
  job('liqid04.lyon.grid5000.fr', 'lyra-1.lyra.example.org');
  const { status, stderr } = await gridpress(['lock', '--from-oar', 'job.json', '-o', 'a.lock.json'], { cwd });
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining(
      ' warning: The domain "lyon.grid5000.fr" names no site of the registry, but "liqid04" is locked as a node of "vega". [host-domain]\n',
    ),
  ]);
  job('liqid04.vega.example.org', 'lyra-1.lyra.example.org');
  const expected = await gridpress(['lock', '--from-oar', 'job.json', '-o', 'b.lock.json'], { cwd });
  expect(expected).toMatchObject({ status: 0, stderr: '' });
});

test('a message contains only the beginning of a long name', async () => {
  write('long.xml', `<rspec><node component_id="urn:publicid:IDN+${'a'.repeat(100_000)}"/></rspec>`);
  const { status, stderr } = await run('lock', '--from-manifest', 'long.xml');
  expect(status).toBe(2);
  expect(stderr).toMatch(/There is no node "urn:publicid:IDN\+a+…"\./);
  expect(stderr.length).toBeLessThan(700);
});

test('a job without hosts is a warning, and the others are locked', async () => {
  write('jobs.json', { 421: { assigned_network_address: ['lyra-c01'] }, 422: { assigned_network_address: [] } });
  const { status, stdout, stderr } = await run('lock', '--from-oar', 'jobs.json');
  expect([status, lockedIn(stdout).length]).toEqual([0, 1]);
  expect(stderr).toContain(
    'jobs.json: warning: The files contain no hosts of the job "422". Its hosts are not locked.',
  );
});

test('a host of a site without nodes matches no node of another site', async () => {
  const bed = registryOf({
    [NODE]: `type: node\nuid: ${NODE_UID}\nnode_name: c01\n`,
    'sites/deneb/site.yaml': 'type: site\nuid: deneb\nname: Deneb\nsite_class: baremetal\n',
    'sites/deneb/clusters/main/cluster.yaml': 'type: cluster\nuid: main\n',
  });
  bed.record('First');
  const at = (...args: readonly string[]) => gridpress(args, { cwd: bed.folder });
  expect((await at('build')).status).toBe(0);
  writeFileSync(join(bed.folder, 'nodes'), 'c01.deneb.example.org\n');
  for (const from of ['registry-data', 'dist'])
    expect((await at('lock', '--hosts', 'nodes', '--from', from)).stderr).toContain(
      'nodes:1: error: There is no node "c01.deneb.example.org". [unknown-node]',
    );
});

test('a host that fits two nodes is a finding', async () => {
  const uid = '7c9e6679-7425-40de-944b-e07fc1f90ae8';
  const nodes = 'sites/lyra/clusters/main/nodes';
  const { folder: cwd, record } = registryOf({
    [`${nodes}/${uid}.yaml`]: `type: node\nuid: ${uid}\nnode_name: lyra-1\n`,
  });
  record('First');
  writeFileSync(join(cwd, 'job.json'), '{"assigned_nodes": [\n "lyra-1.example.org"]}');
  const { status, stdout, stderr } = await gridpress(['lock', '--from-oar', 'job.json'], { cwd });
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toBe(
    'error: 1 of 1 host in the files matches several nodes, so nothing was locked. [hosts-not-locked]\n' +
      '  Name the nodes by their paths or uids.\n\n' +
      `job.json:2:2: error: "lyra-1.example.org" names 2 nodes: ${nodes}/${NODE_UID}, ${nodes}/${uid}. [ambiguous-node]\n` +
      '  1 | {"assigned_nodes": [\n> 2 |  "lyra-1.example.org"]}\n    |  ^\n' +
      '  Name one of them by its path or its uid.\n',
  );
  writeFileSync(join(cwd, 'hosts'), `${nodes}/${uid}\n${NODE_UID}\n`);
  const { stdout: text } = await gridpress(['lock', '--hosts', 'hosts'], { cwd });
  expect(lockedIn(text).map((node) => node.uid)).toEqual([NODE_UID, uid]);
  const both = ['lock', uid, '--hosts', 'hosts', '--from-oar', 'job.json'];
  expect((await gridpress(both, { cwd })).stderr).toMatch(
    /^error: 1 of 3 hosts in the files matches several nodes, so nothing was locked\..*\n {2}To lock only the other hosts, add --skip-unknown\.\n/,
  );
  const skipping = await gridpress([...both, '--skip-unknown', '--json'], { cwd });
  expect(JSON.parse(skipping.stdout)).toMatchObject({
    ok: true,
    lock: { nodes: [{ uid: NODE_UID }, { uid }] },
    skipped: ['lyra-1.example.org'],
    findings: [
      {
        code: 'hosts-skipped',
        file: 'job.json',
        message: 'Skipped 1 host that matches several nodes: "lyra-1.example.org".',
        fix: 'The lock file does not contain this host. To lock such a host, name its node as well, by its path or its uid.',
      },
    ],
  });
});

test('a node of a manifest without a machine can be skipped', async () => {
  write('guests.xml', '<rspec>\n<node client_id="lyra-c01"/>\n<node component_id="lyra-c01"/>\n</rspec>');
  const args = ['lock', '--from-manifest', 'guests.xml'];
  const { status, stderr } = await run(...args);
  expect([status, stderr]).toEqual([
    2,
    'error: 1 of 2 hosts in the files matches no node, so nothing was locked. [hosts-not-locked]\n' +
      '  To lock only the other hosts, add --skip-unknown.\n\n' +
      'guests.xml:2:1: error: The node "lyra-c01" has no component_id. [rspec-unbound]\n' +
      '  1 | <rspec>\n> 2 | <node client_id="lyra-c01"/>\n    | ^\n' +
      '  3 | <node component_id="lyra-c01"/>\n  4 | </rspec>\n' +
      '  The manifest does not name its machine. Download the manifest again when the experiment runs.\n',
  ]);
  const skipping = await run(...args, '--skip-unknown');
  expect([skipping.status, skipping.stderr]).toEqual([
    0,
    'guests.xml: warning: Skipped 1 node without a component_id: "lyra-c01". [hosts-skipped]\n' +
      '  The lock file does not contain this host.\n',
  ]);
  expect(lockedIn(skipping.stdout).map(({ node_name }) => node_name)).toEqual(['lyra-c01']);
});

test('standard input is read, and limited', () => {
  const call = (input: string | Buffer) =>
    execFileSync(process.execPath, [CLI, 'lock', '--hosts', '-'], {
      cwd: folder,
      input,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  expect(lockedIn(call('lyra-c01\nlyra-g02\n')).map(({ uid }) => uid)).toEqual(uids);
  expect(() => call('lyra-c01\nlyra-x\n')).toThrow('standard input:2: error: There is no node "lyra-x".');
  expect(() => call(Buffer.alloc(16_000_001, ' '))).toThrow('standard input cannot be read');
});

test('standard input that another program made non-blocking is read when its data arrive', async () => {
  // Node.js sets O_NONBLOCK for its standard input. The killed process cannot reset this flag.
  const nonBlocking = `process.stdin.resume(); setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100)`;
  const script = `"$0" -e "$3"; echo ready >&2; exec "$0" "$1" lock --hosts -`;
  const child = spawn('bash', ['-c', script, process.execPath, CLI, '', nonBlocking], { cwd: folder });
  let stdout = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  await once(child.stderr, 'data');
  await setTimeout(3000);
  child.stdin.end('lyra-c01\nlyra-g02\n');
  await once(child, 'close');
  expect(lockedIn(stdout).map(({ uid }) => uid)).toEqual(uids);
});

test.each([
  ['no end', 'c[01-'],
  ['an end before its start', 'c[07-03]'],
  ['letters', 'c[a-c]'],
  ['too many hosts', 'c[1-400][1-400]'],
  ['one range with too many hosts', 'c[1-999999999]'],
])('a host list with %s is an error with its line', async (_, list) => {
  write('list', `lyra-c01\n${list}\n`);
  const { status, stderr } = await run('lock', '--hosts', 'list');
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining(
      `list:2: error: The host list "${list}" cannot be read, or the lists have more than 100,000 hosts.`,
    ),
  ]);
});

test.each([
  ['XML', '<rspec type="manifest"/>', 'The file is XML, not', 'gridpress lock --from-manifest other'],
  ['an OAR job', '{"421": {"assigned_nodes": ["a"]}}', 'The file is JSON of an OAR job, not', 'lock --from-oar other'],
  ['a lease', '{"reservations": ""}', 'The file is JSON of a lease, of', 'lock --from-lease other'],
  ['a lock file', '{"gridpress_lock": 1}', 'The file is a lock file, not', 'gridpress verify-lock other'],
  ['other JSON', '[1, 2]', 'The file is JSON, not', 'Write one host name or uid per line.'],
  ['a binary file', '\u0089PNG\r\n\u0000', 'The file is not a text file.', 'Write one host name or uid per line.'],
])('%s in the place of a list of hosts is one error', async (_, text, problem, remedy) => {
  write('other', text);
  const { status, stderr } = await run('lock', '--hosts', 'other');
  expect([status, stderr.trimEnd().split('\n')]).toEqual([
    2,
    [expect.stringContaining(`other: error: ${problem}`), expect.stringContaining(remedy)],
  ]);
});

test.each([
  ['--from-oar', 'Save the job with "oarstat -fj JOB -J"'],
  ['--from-manifest', 'Download the manifest of the running experiment.'],
  ['--from-lease', 'Save the output of "openstack reservation lease show LEASE -f json".'],
])('%s with a binary file is an error that names the source of the right file', async (option, remedy) => {
  write('binary', '\u0089PNG\r\n\u0000');
  const { status, stderr } = await run('lock', option, 'binary');
  expect([status, stderr.trimEnd().split('\n')]).toEqual([
    2,
    ['binary: error: The file is not a text file. [hosts-not-text]', expect.stringContaining(remedy)],
  ]);
});

test('the bound of host lists is that of the whole file', async () => {
  write('lists', 'c[1-60000]\n'.repeat(2));
  const { status, stderr } = await run('lock', '--hosts', 'lists');
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining('lists:2: error: The host list "c[1-60000]" cannot be'),
  ]);
});

test('files of hosts need no other names, but something must be named', async () => {
  expect(await run('lock')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('Name nodes, or a file with --hosts, --from-oar, --from-manifest or --from-lease.'),
  });
  expect(await run('lock', '--hosts', 'nowhere')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('nowhere'),
  });
});

test('errors in files set the exit status, and are in the JSON', async () => {
  const { status, stdout } = await run('lock', '--from-lease', 'lease.json', '--json');
  expect([status, JSON.parse(stdout)]).toMatchObject([
    2,
    { ok: false, findings: [{ code: 'nodes-none', severity: 'error', file: 'lease.json' }] },
  ]);
});
