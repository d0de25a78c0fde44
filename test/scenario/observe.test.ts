/** `gridpress observe`: from files with reports to files of nodes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderFindings } from '../../src/core/diagnostics/render.ts';
import type { Json } from '../../src/core/model/json.ts';
import type { Format } from '../../src/core/observe/format.ts';
import { FORMATS } from '../../src/core/observe/formats.ts';
import { text } from '../../src/core/observe/read-values.ts';
import { resourcesOf } from '../../src/features/edit/find-resource.ts';
import { type ObserveOptions, observe } from '../../src/features/observe/observe.ts';
import { loadWorktree } from '../../src/features/sources/load-worktree.ts';
import { CONFIGURATION, NODE, NODE_UID, registryOf } from '../support/registries/registry.ts';
import * as reports from '../support/reports/reports.ts';

const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const TEXT = `# the first node
type: node
uid: ${NODE_UID}
node_name: lyra-c01   # by the door
node_type: compute
placement: {rack: 4, node: 12}
chassis:
  serial: QX7Z001
bios: {version: "2.10.0"}   # before the maintenance
storage_devices:
  - device: nvme0n1   # system
    serial: OLD
    size: 1920383410176
`;

type Contents = Readonly<Record<string, Json | string>>;

function bed(files: Parameters<typeof registryOf>[0] = { [NODE]: TEXT }, formats: readonly Format[] = FORMATS) {
  const made = registryOf(files);
  const folder = join(made.folder, 'reports');
  const run = (contents: Contents, options: Partial<ObserveOptions> = {}) => {
    for (const [file, content] of Object.entries(contents)) {
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    }
    const { registry } = made;
    return observe(
      { registry, places: [folder], urls: [], add: false, accept: false, timeout: 5, ...options },
      formats,
    );
  };
  const findingsOf = ({ findings }: Awaited<ReturnType<typeof run>>) =>
    renderFindings(findings).replaceAll(`${made.folder}/`, '');
  const nodes = () => resourcesOf(['node'], loadWorktree({ registry: made.registry }));
  return { ...made, folder, run, findingsOf, nodes };
}

/** What a report about the node of the bed changes. */
const CHANGED = [
  ['chassis.manufacturer', undefined, 'Dell Inc.'],
  ['bios.version', '2.10.0', '2.14.1'],
  ['storage_devices[nvme0n1].serial', 'OLD', 'Y2A0A00001'],
];

describe('a known machine', () => {
  test('changes only the values that differ, and keeps comments and the fields of people', async () => {
    const { run, read, record, findings } = bed();
    record('First revision');
    const { changes, matched, files, isWritten } = await run({ 'lyra-c01.json': reports.lshwReport(1) });
    expect({ matched, isWritten, files: files.length }).toEqual({
      matched: { uid: 0, serial: 1, mac: 0, name: 0 },
      isWritten: true,
      files: 1,
    });
    expect(changes[0]?.fields.map(({ field, from, to }) => [field, from, to])).toEqual(expect.arrayContaining(CHANGED));
    expect(changes[0]?.classes).toContain('component');
    expect(read(NODE)).toContain(`# the first node
type: node
uid: ${NODE_UID}
node_name: lyra-c01   # by the door
node_type: compute
placement: {rack: 4, node: 12}
chassis:
  serial: QX7Z001
`);
    expect(read(NODE)).toContain('  - device: nvme0n1   # system\n    serial: Y2A0A00001\n    size: 1920383410176\n');
    record('Observe it');
    expect(findings()).toBe('');
  });

  test('changes nothing in a dry run, nor by a second run', async () => {
    const { run, read } = bed();
    expect(await run({ 'a.json': reports.lshwReport(1) }, { dryRun: true })).toMatchObject({
      isWritten: false,
      machines: 1,
      changes: [expect.anything()],
    });
    expect(read(NODE)).toBe(TEXT);
    await run({});
    const once = read(NODE);
    expect(await run({})).toMatchObject({ isWritten: false, files: [], changes: [] });
    expect(read(NODE)).toBe(once);
  });

  test('keeps its uid only with --accept if another machine takes its place', async () => {
    const { run, read, findingsOf } = bed();
    const report = { 'lyra-c01.json': reports.ironicReport(7) };
    const refused = await run(report);
    expect(findingsOf(refused)).toContain(
      'reports/lyra-c01.json: error: The report matches the node "lyra-c01" by its name, but the serial number of the machine is QX7Z007, and the node has QX7Z001.',
    );
    expect([refused.isWritten, read(NODE)]).toEqual([false, TEXT]);
    const accepted = await run(report, { accept: true });
    expect([accepted.isWritten, accepted.matched.name]).toEqual([true, 1]);
    expect(read(NODE)).toContain(`uid: ${NODE_UID}`);
    expect(read(NODE)).toContain('serial: QX7Z007');
  });

  test('loses its network adapters if a report of Redfish describes the machine that takes its place', async () => {
    const adapters = 'network_adapters: [{device: eno1, mac: "02:5a:10:00:ff:01"}]\n';
    const { run, nodes } = bed({ [NODE]: TEXT + adapters });
    await run({ 'lyra-c01.json': reports.redfishReport(7) }, { accept: true });
    expect(nodes()[0]?.body['network_adapters']).toMatchObject([{ mac: reports.macOf(7) }]);
    expect(nodes()[0]?.body['network_adapters']).toHaveLength(1);
  });

  test('is described by the report with the stronger key, if two reports match', async () => {
    const { run, read, findingsOf } = bed();
    const both = await run(
      { 'a/lyra-c01.json': reports.ironicReport(7), 'b/x.json': reports.ironicReport(1) },
      { accept: true },
    );
    expect(findingsOf(both)).toContain(
      'reports/a/lyra-c01.json: error: Two reports match the node "lyra-c01". The other one is reports/b/x.json.',
    );
    expect(read(NODE)).toContain('serial: QX7Z001');
  });

  test('has another memory size than Slurm is configured to use', async () => {
    const { run, findingsOf } = bed({ [NODE]: `${TEXT}main_memory: {ram_size: 549755813888}\n` });
    const said = findingsOf(await run({ 'slurm.json': reports.slurmReport([reports.slurmNode(1)]) }));
    expect(said).toContain('warning: "lyra-c01" has main_memory.ram_size 512 GiB, and the report says 250 GiB.');
  });
});

describe('a new machine', () => {
  test.each(['ubuntu', 'computer'])('is named after its file if its host name is only %s', async (id) => {
    const { run } = bed();
    const reportOf = (n: number) => reports.lshwReport(n, undefined, { id });
    const { names } = await run({ 'lyra-c02.json': reportOf(2), 'lyra-c03.json': reportOf(3) }, { add: true });
    expect(names).toEqual(['lyra-c02', 'lyra-c03']);
  });

  test('becomes a node only with --add', async () => {
    const { run, findingsOf, nodes } = bed();
    const report = { 'lyra-c02.json': reports.ironicReport(2) };
    const left = await run(report);
    expect(findingsOf(left)).toContain('reports/lyra-c02.json: warning: No node matches the machine "lyra-c02".');
    expect([left.isWritten, nodes().length]).toEqual([false, 1]);
    const { names, added } = await run(report, { add: true });
    expect(names).toEqual(['lyra-c02']);
    expect(added).toMatchObject([{ name: 'lyra-c02', action: 'added' }]);
    expect(nodes().find(({ name }) => name === 'lyra-c02')?.body).toMatchObject({
      type: 'node',
      uid: expect.stringMatching(UID),
      node_name: 'lyra-c02',
      chassis: { serial: 'QX7Z002' },
    });
  });

  test('has the uid that its file is named after', async () => {
    const { run, nodes } = bed({});
    const uid = '5f2c1d7e-3b7a-4c55-9a5e-6f7c0d1e2f30';
    await run({ [`${uid}.json`]: reports.ironicReport(2) }, { add: true });
    expect(nodes().map(({ subject }) => subject.path)).toContain(`sites/lyra/clusters/main/nodes/${uid}`);
  });

  test('needs a uid that no other new machine has', async () => {
    const { run, findingsOf, nodes } = bed({});
    const uid = '5f2c1d7e-3b7a-4c55-9a5e-6f7c0d1e2f30';
    const observed = await run(
      {
        [`a/${uid}.json`]: reports.ironicReport(2, { hostname: 'lyra-c02' }),
        [`b/${uid}.json`]: reports.ironicReport(3, { hostname: 'lyra-c03' }),
      },
      { add: true },
    );
    expect(findingsOf(observed)).toContain(
      `reports/b/${uid}.json: error: The file of the report is named after the uid "${uid}", which another node or new machine already has. [observe-uid-taken]`,
    );
    expect(observed.names).toEqual(['lyra-c02']);
    const [added] = nodes().filter(({ subject }) => subject.path.endsWith(uid));
    expect(added?.body).toMatchObject({ chassis: { serial: 'QX7Z002' } });
  });

  test('has its name as uid if node_uid is name', async () => {
    const { run, nodes } = bed({ [CONFIGURATION]: 'cluster_uid: main\nnode_uid: name\n' });
    await run(
      { 's.json': reports.slurmReport([reports.slurmNode(2), reports.slurmNode(3, { name: 'a b' })]) },
      { add: true },
    );
    expect(nodes().map(({ subject }) => subject.path)).toContain('sites/lyra/clusters/main/nodes/lyra-c02');
  });

  test('needs a name that no other node has', async () => {
    const { run, findingsOf, nodes } = bed({});
    const twice = [
      reports.lshwReport(2),
      reports.lshwReport(2, [], { serial: 'OTHER' }),
      reports.lshwReport(3, [], { id: 'localhost' }),
    ];
    const said = findingsOf(await run({ 'all.json': twice }, { add: true }));
    expect(said).toContain('Another new machine is called "lyra-c02" too, or the name is already used.');
    expect(said).toContain('error: The new machine has no name.');
    expect(nodes().map(({ name }) => name)).toEqual(expect.arrayContaining(['lyra-c02']));
  });

  test('needs a site, if several have clusters', async () => {
    const { run, failure } = bed({
      'sites/vega/site.yaml': 'type: site\nuid: vega\nname: V\nsite_class: baremetal\n',
      'sites/vega/clusters/main/cluster.yaml': 'type: cluster\nuid: main\n',
    });
    const report = { 'lyra-c02.json': reports.ironicReport(2) };
    expect(await failure(() => run(report, { add: true }))).toContain('Cannot determine the cluster of the new nodes.');
    expect((await run(report, { add: true, site: 'vega' })).files[0]).toContain('sites/vega/clusters/main/nodes/');
  });
});

describe('reports', () => {
  test('in every format describe the same machine', async () => {
    const { run, nodes } = bed({ [NODE]: TEXT.replace('OLD', 'Y2A0A00001') });
    const all: Contents = {
      'ironic.json': reports.ironicReport(1),
      'redfish.json': reports.redfishReport(1),
      'slurm.json': reports.slurmReport([reports.slurmNode(1)]),
      'lshw.json': reports.lshwReport(1),
      'g5k.yaml': JSON.stringify({ 'lyra-c01': reports.g5kNode(1) }).replace('{', '{ '),
      'ansible.json': reports.ansibleReport(1),
    };
    for (const [file, report] of Object.entries(all)) {
      const folder = file.split('.')[0] ?? '';
      const { machines, findings } = await run({ [`${folder}/${file}`]: report }, { accept: false });
      expect([file, machines > 0, findings.filter(({ code }) => !/substitute|twice/.test(code))]).toEqual([
        file,
        true,
        [],
      ]);
    }
    expect(nodes()[0]?.body['network_adapters']).toHaveLength(2);
    expect(nodes()[0]?.body['storage_devices']).toHaveLength(1);
  });

  test('of Ansible can be printed, with hosts that failed', async () => {
    const { run, findingsOf } = bed();
    const printed = `lyra-c01 | SUCCESS => ${JSON.stringify(reports.ansibleReport(1), null, 4)}\nlyra-c02 | UNREACHABLE! => {\n    "changed": false\n}\n`;
    const done = await run({ 'facts.txt': printed });
    expect(done).toMatchObject({ machines: 1, matched: { serial: 1 } });
    expect(findingsOf(done)).toContain(
      'reports/facts.txt: error: The report has no facts of "lyra-c02": UNREACHABLE!.',
    );
  });

  test('of Redfish can be the folders of mockups', async () => {
    const { run } = bed();
    const files = Object.entries(reports.redfishReport(1)).map(
      ([path, body]) => [`bmc-1${path}/index.json`, body] as const,
    );
    expect(await run(Object.fromEntries(files))).toMatchObject({ machines: 1, matched: { serial: 1 } });
  });

  test('of several systems are not about the node that the file is named after', async () => {
    const { run, read, findingsOf } = bed();
    const system = (SerialNumber: string) => ({ '@odata.type': '#ComputerSystem.v1_0_0.ComputerSystem', SerialNumber });
    const report = { '/redfish/v1/Systems/1': system('S1'), '/redfish/v1/Systems/2': system('S2') };
    const done = await run({ 'lyra-c01.json': report, [`${NODE_UID}.json`]: report }, { accept: true });
    expect(findingsOf(done)).toContain('warning: No node matches the machine "S1".');
    expect([done.isWritten, read(NODE)]).toEqual([false, TEXT]);
  });

  test('in hidden files are left out', async () => {
    const { run } = bed();
    expect(await run({ '.git/config': 'x', 'lyra-c01.json': reports.lshwReport(1) })).toMatchObject({
      machines: 1,
      findings: [],
    });
  });

  test('that are broken are findings, and the others go on', async () => {
    const { run, findingsOf, read } = bed();
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const done = await run({
      'a-broken.json': '{"inventory": ',
      'b-deep.json': deep,
      'c-other.json': { hello: 'world' },
      'd-type.json': reports.ironicReport(2, { disks: [{ size: {} }] }),
      'e-slurm.json': reports.slurmReport([reports.slurmNode(2), reports.slurmNode(3, { cores: true })]),
      'f-text.yaml': 'a: [1\n',
      'g-latin.json': '{"\u00e9": 1}',
      'h-empty.json': '',
      'i-page.json': '<html>',
      'lyra-c01.json': reports.ironicReport(1),
    });
    expect(done.matched.serial).toBe(1);
    expect(read(NODE)).toContain('2.14.1');
    const said = findingsOf(done);
    for (const line of [
      'reports/a-broken.json: error: The report is empty, is not JSON, or has values that are nested too deeply.',
      'reports/b-deep.json: error: The report is empty, is not JSON, or has values that are nested too deeply.',
      'reports/h-empty.json: error: The report is empty, is not JSON, or has values that are nested too deeply.',
      'reports/i-page.json: error: The report is empty, is not JSON, or has values that are nested too deeply.',
      'reports/c-other.json: error: The report has no known format.',
      'reports/d-type.json: error: "part.size": expected a number, found a mapping.',
      'reports/e-slurm.json: error: "cores" of machine "lyra-c03": expected a number, found true.',
      'reports/f-text.yaml:2:1: error: Invalid YAML',
      'reports/g-latin.json: error: The report has no known format.',
    ])
      expect(said).toContain(line);
  });

  test('of another format than --from are findings', async () => {
    const { run, findingsOf } = bed();
    expect(findingsOf(await run({ 'a.json': reports.lshwReport(1) }, { from: 'ironic' }))).toBe(
      'reports/a.json: error: The report is not in the format "ironic". [observe-format]\n  Did you mean "lshw"?\n',
    );
  });

  test('with prototype names change no objects', async () => {
    const { run, read } = bed();
    const hostile =
      '{"class": "system", "id": "x", "serial": "QX7Z001", "children": [], "__proto__": {"vendor": "evil"}, "constructor": 1}';
    await run({ 'a.json': hostile });
    expect(read(NODE)).not.toContain('evil');
    expect(Object.hasOwn(Object.prototype, 'vendor')).toBe(false);
  });

  test('of a format that a row adds are read too', async () => {
    const added: Format = {
      name: 'table',
      recognises: (report) => typeof report === 'object' && report !== null && 'asset' in report,
      machines: (report) => [report],
      serials: [text('asset')],
      names: [],
      node: { 'bios.version': text('bios') },
    };
    const { run, read } = bed({ [NODE]: TEXT }, [...FORMATS, added]);
    expect(await run({ 'a.yaml': 'asset: QX7Z001\nbios: "9.9"\n' }, { from: 'table' })).toMatchObject({
      matched: { serial: 1 },
    });
    expect(read(NODE)).toBe(TEXT.replace('2.10.0', '9.9'));
  });
});

test('names of PCI devices come from the file that --pci-ids names', async () => {
  const { run, folder, nodes, findingsOf } = bed({});
  const report = { 'x/lyra-c02.json': reports.ironicReport(2) };
  const place = { add: true, dryRun: true, places: [join(folder, 'x')] };
  expect(findingsOf(await run(report, place))).toContain(
    'warning: For 1 machine (lyra-c02), models are PCI ids, such as 0x16d7.',
  );
  const ids =
    '10de  NVIDIA Corporation\n\t26b9  AD102GL [L40S]\n14e4  Broadcom Inc. and subsidiaries\n\t16d7  BCM57414 NetXtreme-E\n';
  expect(
    findingsOf(await run({ ...report, 'pci.ids': ids }, { ...place, dryRun: false, pciIds: join(folder, 'pci.ids') })),
  ).toBe('');
  expect(nodes().find(({ name }) => name === 'lyra-c02')?.body).toMatchObject({
    gpu: { gpu_model: 'AD102GL [L40S]' },
    network_adapters: [{ vendor: 'Broadcom', model: 'BCM57414 NetXtreme-E' }],
  });
});

test('ten machines in a registry of forty: four repaired, one swapped', async () => {
  const uid = (n: number) => `5f2c1d7e-3b7a-4c55-9a5e-${String(n).padStart(12, '0')}`;
  const node = (n: number) => `type: node
uid: ${uid(n)}
node_name: ${reports.nameOf(n)}
chassis: {serial: ${reports.serialOf(n)}}
storage_devices:
  - {device: nvme0n1, serial: ${n >= 21 && n <= 24 ? `OLD${n}` : reports.diskSerialOf(n)}, size: 1920383410176}
network_adapters:
  - {device: eno1np0, mac: "${reports.macOf(n)}"}
`;
  const numbers = Array.from({ length: 40 }, (_, i) => i + 1);
  const { run, nodes, findingsOf } = bed({
    [NODE]: null,
    ...Object.fromEntries(numbers.map((n) => [`sites/lyra/clusters/main/nodes/${uid(n)}.yaml`, node(n)])),
  });
  // The machine 99 takes the place of 30.
  const machine = (n: number) => (n % 2 === 0 ? reports.redfishReport(n) : reports.ironicReport(n));
  const contents = Object.fromEntries(
    [21, 22, 23, 24, 25, 26, 27, 28, 29].map((n) => [`${reports.nameOf(n)}.json`, machine(n)]),
  );
  const first = await run({ ...contents, 'lyra-c30.json': machine(99) });
  expect(findingsOf(first)).toContain(
    'reports/lyra-c30.json: error: The report matches the node "lyra-c30" by its name',
  );
  expect(first.matched).toEqual({ uid: 0, serial: 9, mac: 0, name: 0 });
  const repaired = first.changes.filter(({ fields }) =>
    fields.some(({ field, from }) => field.endsWith('.serial') && from !== undefined),
  );
  expect(repaired.map(({ name }) => name)).toEqual(['lyra-c21', 'lyra-c22', 'lyra-c23', 'lyra-c24']);
  const second = await run({}, { accept: true });
  expect(second.changes.map(({ name }) => name)).toEqual(['lyra-c30']);
  expect(nodes().map(({ subject }) => subject.path.split('/').at(-1))).toEqual(numbers.map(uid));
});
