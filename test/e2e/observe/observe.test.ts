/** `gridpress observe` as a command: standard input, exit status, JSON, and Redfish services. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CLI, gridpress } from '../../support/processes/cli.ts';
import { NODE, NODE_UID, registryOf } from '../../support/registries/registry.ts';
import { ironicReport, redfishReport, slurmNode, slurmReport } from '../../support/reports/reports.ts';
import { serviceOf } from '../../support/services/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const TEXT = `type: node\nuid: ${NODE_UID}\nnode_name: lyra-c01\nchassis: {serial: QX7Z001}\nbios: {version: 2.10.0}\n`;

function bed() {
  const { folder, read, record } = registryOf({ [NODE]: TEXT });
  record('First revision');
  mkdirSync(join(folder, 'reports'));
  const write = (file: string, content: unknown) =>
    writeFileSync(join(folder, 'reports', file), JSON.stringify(content));
  const run = (args: string[], env: Readonly<Record<string, string>> = {}) => gridpress(args, { cwd: folder, env });
  return { folder, read, write, run };
}

test('shows the changes as diff does, and writes them', async () => {
  const { write, run, read } = bed();
  write('lyra-c01.json', ironicReport(1));
  const dry = await run(['observe', 'reports', '--from', 'ironic', '--dry-run', '--quiet']);
  expect(dry).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^1 machine: matched 1 by serial\.\n\nsites\/lyra\n {2}updated {2}lyra-c01 /),
  });
  expect(dry.stdout).toMatch(/ {4}bios\.version +"2\.10\.0" -> "2\.14\.1" +firmware\n/);
  expect(dry.stdout).toMatch(/\n\nNothing was written\. Without --dry-run, this command changes 1 file\.\n$/);
  expect(read(NODE)).toBe(TEXT);
  const done = JSON.parse((await run(['observe', 'reports', '--from', 'ironic', '--json'])).stdout);
  expect(done).toMatchObject({
    ok: true,
    machines: 1,
    matched: { serial: 1 },
    is_written: true,
    files: [`registry-data/${NODE}`],
  });
  const { stdout } = await run(['diff', '--class', 'firmware']);
  expect(stdout).toContain('bios.version  "2.10.0" -> "2.14.1"  firmware');
});

test('a machine matches by name only at --site', async () => {
  const { write, run } = bed();
  await run(['add', 'site', 'vega']);
  await run(['add', 'node', '--site', 'lyra', '--names', 'lyra-c02']);
  write('lyra-c02.json', ironicReport(2));
  const matched = async (...args: string[]) =>
    JSON.parse((await run(['observe', 'reports', ...args, '--json'])).stdout);
  for (const site of ['lyra', 'sites/lyra'])
    expect(await matched('--dry-run', '--site', site)).toMatchObject({ matched: { name: 1 } });
  expect(await run(['observe', 'reports', '--site', 'vela'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('There is no site "vela". [unknown-site]'),
  });
  expect(await run(['observe', 'reports', '--site', 'vega', '--cluster', 'mian'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('There is no cluster "mian" at the site "vega". [unknown-cluster]'),
  });
  const added = await matched('--add', '--site', 'vega');
  expect(added).toMatchObject({ matched: { name: 0 }, files: [expect.stringContaining('/sites/vega/')] });
});

test('exits with 1 for a broken report, after it wrote the others', async () => {
  const { write, run, read } = bed();
  write('a.json', { hello: 1 });
  write('lyra-c01.json', ironicReport(1));
  const done = await run(['observe', 'reports']);
  expect([done.status, read(NODE).includes('2.14.1')]).toEqual([1, true]);
});

test('does not state that files have the values of a report without a node', async () => {
  const { write, run } = bed();
  write('lyra-c02.json', ironicReport(2));
  const done = await run(['observe', 'reports']);
  expect([done.status, done.stdout]).toEqual([0, '1 machine: no node matched. Nothing was written.\n']);
});

test('adds a new machine with two reports only once', async () => {
  const { write, run } = bed();
  write('lyra-c02.json', ironicReport(2));
  write('lyra-c02-old.json', ironicReport(2));
  const done = await run(['observe', 'reports', '--add']);
  expect([done.status, done.stdout]).toEqual([1, expect.stringContaining('Added lyra-c02-old (1 file).')]);
  expect(done.stderr).toContain('Two reports match the node "lyra-c02-old".');
});

test('reads at most 64 MB of standard input', () => {
  const { folder } = bed();
  const input = Buffer.alloc(64_000_001, ' ');
  const call = () => execFileSync(process.execPath, [CLI, 'observe', '-'], { cwd: folder, input, stdio: 'pipe' });
  expect(call).toThrow('standard input');
});

test('exits with 2 without reports, and for a folder that does not exist', async () => {
  const { run } = bed();
  expect(await run(['observe'])).toMatchObject({ status: 2, stderr: expect.stringContaining('No report is given.') });
  expect((await run(['observe', 'nowhere'])).status).not.toBe(0);
});

test('a Slurm cluster of 200 nodes gets from nothing to a tree', async () => {
  const folder = temporaryFolder();
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [CLI, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  run('init', '--grid', 'meridian', '--site', 'lyra');
  const nodes = Array.from({ length: 200 }, (_, i) => slurmNode(i + 1, { name: `lyra-c${i + 1}` }));
  const input = JSON.stringify(slurmReport(nodes));
  const observed = execFileSync(process.execPath, [CLI, 'observe', '-', '--from', 'slurm', '--add'], {
    cwd: folder,
    input,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(observed).toContain('Added 200: lyra-c1, lyra-c2, lyra-c3, ..., lyra-c200 (200 files).');
  run('record', '-m', 'First revision', '--author', 'Ada Brown');
  run('build');
  expect(
    run('find', "label.gpu = 'l40s' AND main_memory.ram_size >= 240GiB", '--from', 'dist', '--uids').trim().split('\n'),
  ).toHaveLength(200);
  // A second run finds all nodes, and changes nothing.
  const again = execFileSync(process.execPath, [CLI, 'observe', '-', '--json'], {
    cwd: folder,
    input,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(JSON.parse(again)).toMatchObject({ machines: 200, matched: { name: 200 }, files: [], is_written: false });
});

describe('a Redfish service', () => {
  /** Resources by path, with the collections that lead to them. */
  function resourcesOf(n: number): Map<string, unknown> {
    const resources = new Map<string, unknown>(Object.entries(redfishReport(n)));
    const link = (path: string) => ({ '@odata.id': `/redfish/v1/${path}` });
    const list = (path: string, ...members: string[]) =>
      resources.set(`/redfish/v1/${path}`, { Members: members.map(link) });
    const add = (path: string, fields: object) => resources.set(path, { ...Object(resources.get(path)), ...fields });
    add('/redfish/v1', {
      Systems: link('Systems'),
      Chassis: link('Chassis'),
      Managers: link('Managers/'),
      AccountService: link('Accounts'),
    });
    list('Systems', 'Systems/1');
    list('Chassis', 'Chassis/1', 'Chassis/gone');
    list('Managers', 'Managers/1');
    add('/redfish/v1/Systems/1', { Processors: link('Systems/1/Processors') });
    list('Systems/1/Processors', 'Systems/1/Processors/CPU.1', 'Systems/1/Processors/CPU.2');
    add('/redfish/v1/Chassis/1', {
      '@odata.type': '#Chassis.v1_0_0.Chassis',
      Drives: [link('Chassis/1/Drives/D0'), { '@odata.id': '/redfish/v1/../elsewhere/x' }],
      NetworkAdapters: link('Chassis/1/NetworkAdapters'),
    });
    list('Chassis/1/NetworkAdapters', 'Chassis/1/NetworkAdapters/N1');
    add('/redfish/v1/Chassis/1/NetworkAdapters/N1', {
      NetworkPorts: link('Chassis/1/NetworkAdapters/N1/NetworkPorts'),
    });
    list('Chassis/1/NetworkAdapters/N1/NetworkPorts', 'Chassis/1/NetworkAdapters/N1/NetworkPorts/1');
    return resources;
  }

  const serve = (resources: ReadonlyMap<string, unknown>) =>
    serviceOf((path) => {
      const body = resources.get(path.replace(/\/$/, ''));
      return body === undefined ? { status: 404 } : { body };
    });

  test('is read through its links to hardware', async () => {
    const { run, read } = bed();
    const { origin, asked, headersOf } = await serve(resourcesOf(1));
    const done = await run(['observe', '--url', origin, '--user', 'reader', '--json'], {
      GRIDPRESS_REDFISH_PASSWORD: 'se:cret',
    });
    expect(JSON.parse(done.stdout)).toMatchObject({ ok: true, machines: 1, matched: { serial: 1 } });
    expect(asked[0]).toBe('/redfish/v1/');
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.filter((path) => /Accounts|elsewhere/.test(path))).toEqual([]);
    expect(headersOf(0)['accept-encoding']).toBe('identity');
    expect(headersOf(0).authorization).toBe(`Basic ${Buffer.from('reader:se:cret').toString('base64')}`);
    for (const text of ['version: "2.14.1"', 'bmc_version: "7.00.00.171"', 'rev: "0105"', 'device: NIC.Integrated.1-1'])
      expect(read(NODE)).toContain(text);
  });

  test.each([
    '/redfish/v1/Chassis/1/NetworkAdapters?$skip=1',
    'https://bmc.internal/redfish/v1/Chassis/1/NetworkAdapters?$skip=1',
    '?$skip=1',
  ])('is read to the last page of a collection, behind the link %s', async (next) => {
    const { run, read } = bed();
    const resources = resourcesOf(1);
    const adapters = '/redfish/v1/Chassis/1/NetworkAdapters';
    resources.set(`${adapters}?$skip=1`, resources.get(adapters));
    resources.set(adapters, { Members: [], 'Members@odata.nextLink': next });
    const { origin } = await serve(resources);
    expect((await run(['observe', '--url', origin])).status).toBe(0);
    expect(read(NODE)).toContain('device: NIC.Integrated.1-1');
  });

  test('is read if the links of its root are relative', async () => {
    const { run, read } = bed();
    const resources = resourcesOf(1);
    resources.set('/redfish/v1', { Chassis: { '@odata.id': 'Chassis' }, Systems: { '@odata.id': './Systems' } });
    const { origin } = await serve(resources);
    expect((await run(['observe', '--url', origin])).status).toBe(0);
    expect(read(NODE)).toContain('device: NIC.Integrated.1-1');
  });

  test('is asked at its own host only, whatever host an absolute link names', async () => {
    const { run } = bed();
    const other = await serve(new Map());
    const resources = resourcesOf(1);
    resources.set('/redfish/v1', { Systems: { '@odata.id': `${other.origin}/redfish/v1/Systems` } });
    const { origin, asked } = await serve(resources);
    expect((await run(['observe', '--url', origin])).status).toBe(0);
    expect(other.asked).toEqual([]);
    expect(asked).toContain('/redfish/v1/Systems/1');
  });

  test('that fails is a finding, and the others go on', async () => {
    const { run, read } = bed();
    const { origin } = await serve(resourcesOf(1));
    const locked = await serviceOf(() => ({ status: 401 }));
    const page = await serviceOf(() => ({ body: '<html>' }));
    const endless = await serviceOf((path, _, n) => ({
      body: { Members: [1, 2, 3].map((i) => ({ '@odata.id': `${path.replace(/\/$/, '')}/${n}${i}` })) },
    }));
    const urls = ['http://127.0.0.1:1', locked.origin, page.origin, endless.origin, origin].flatMap((url) => [
      '--url',
      url,
    ]);
    const { status, stdout } = await run(['observe', ...urls, '--json']);
    const { findings, matched } = JSON.parse(stdout);
    expect(findings.map(({ code }: { code: string }) => code)).toEqual([
      'no-answer',
      'redfish-status',
      'observe-json',
      'redfish-too-many',
    ]);
    expect([status, matched.serial, read(NODE).includes('2.14.1')]).not.toContain(0);
  });

  test('gets no password without encryption', async () => {
    const { run } = bed();
    const call = (url: string, env = {}) => run(['observe', '--url', url, '--user', 'reader'], env);
    expect((await call('http://bmc.example.org', { GRIDPRESS_REDFISH_PASSWORD: 'x' })).stderr).toContain(
      'http://bmc.example.org is not encrypted.',
    );
    expect((await call('https://bmc.example.org')).stderr).toContain('GRIDPRESS_REDFISH_PASSWORD is not set.');
  });
});
