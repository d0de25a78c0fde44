/** The condition of `gridpress find --snippet oar`, run by SQLite on the properties that Grid'5000 gives the nodes. */
import { execFileSync } from 'node:child_process';
import { beforeAll, describe, expect, test } from 'vitest';
import { snippet } from '../../../src/core/exports/snippet.ts';
import { reservationByUid } from '../../../src/core/exports/snippet-context.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { CLUSTER, NODE, registryOf } from '../../support/registries/registry.ts';
import { nodeUid } from '../../support/registries/testbed.ts';

interface TestNode {
  readonly ram: number;
  readonly cores?: number;
  readonly gpu?: string;
  readonly gpuMemory?: number;
  readonly eth?: number;
  readonly ib?: number;
  readonly disk?: 'SSD' | 'HDD';
}

/** An invented registry in the form of Grid'5000. `amber` and `basalt` are at lyra, `cobalt` is at vega. */
const CLUSTERS: Readonly<Record<string, readonly TestNode[]>> = {
  'lyra amber': [
    { ram: 256, gpu: 'A100-PCIE-40GB', gpuMemory: 40, disk: 'SSD' },
    { ram: 256, gpu: 'A100-PCIE-40GB', gpuMemory: 40, disk: 'SSD' },
  ],
  'lyra basalt': [{ ram: 128 }, { ram: 512, cores: 64, eth: 100 }, { ram: 512, cores: 64, eth: 100, ib: 200 }],
  'vega cobalt': [
    { ram: 256, gpu: 'GA100 [A100 SXM4 40GB]', gpuMemory: 40, ib: 100 },
    { ram: 1024, gpu: 'Tesla K80', gpuMemory: 12, disk: 'SSD' },
  ],
};

const NODES = Object.entries(CLUSTERS)
  .flatMap(([place, nodes]) => {
    const [site = '', cluster = ''] = place.split(' ');
    return nodes.map((node, i) => ({ site, cluster, name: `${cluster}-${i + 1}`, node }));
  })
  .map((each, n) => ({ ...each, uid: nodeUid(n + 1) }));
const GIB = 2 ** 30;

function bodyOf(
  uid: string,
  name: string,
  { ram, cores = 32, gpu, gpuMemory = 0, eth = 25, ib, disk = 'HDD' }: TestNode,
): object {
  const adapter = { enabled: true, mounted: false, mountable: true, management: false };
  return {
    type: 'node',
    uid,
    node_name: name,
    main_memory: { ram_size: ram * GIB },
    architecture: { nb_cores: cores, nb_procs: 2, nb_threads: 2 * cores, platform_type: 'x86_64' },
    storage_devices: [{ device: 'disk0', interface: 'SCSI', storage: disk }],
    network_adapters: [
      { ...adapter, device: 'eth0', interface: 'Ethernet', rate: eth * 1e9 },
      { ...adapter, device: 'eth1', interface: 'Ethernet', rate: 400e9, mountable: false },
      ...(ib === undefined ? [] : [{ ...adapter, device: 'ib0', interface: 'InfiniBand', rate: ib * 1e9 }]),
    ],
    ...(gpu ? { gpu_devices: { nvidia0: { vendor: 'Nvidia', model: gpu, memory: gpuMemory * GIB } } } : {}),
  };
}

const IB = new Map([
  [100, 'EDR'],
  [200, 'HDR'],
]);

/** The properties that Grid'5000 would give the node. A Tesla K80 is too old to be a GPU for OAR. */
function propertiesOf({ site, cluster, name, node }: (typeof NODES)[number]): readonly (string | number)[] {
  const { ram, cores = 32, gpu = '', gpuMemory = 0, eth = 25, ib = 0, disk = 'HDD' } = node;
  const isGpu = gpu !== '' && gpu !== 'Tesla K80';
  return [
    ...[site, cluster, `${name}.${site}.grid5000.fr`, ram * 1024, cores, isGpu ? gpu : ''],
    ...[isGpu ? gpuMemory * 1024 : 0, eth, IB.get(ib) ?? 'NO', `SCSI/${disk}`],
  ];
}

const COLUMNS =
  'site TEXT, cluster TEXT, network_address TEXT, memnode INT, core_count INT, gpu_model TEXT, gpu_mem INT, eth_rate INT, ib TEXT, disktype TEXT';

let cwd = '';

beforeAll(() => {
  const files = NODES.flatMap(({ site, cluster, uid, name, node }) => [
    [`sites/${site}/site.yaml`, JSON.stringify({ type: 'site', uid: site, name: site })] as const,
    [`sites/${site}/clusters/${cluster}/cluster.yaml`, JSON.stringify({ type: 'cluster', uid: cluster })] as const,
    [`sites/${site}/clusters/${cluster}/nodes/${uid}.yaml`, JSON.stringify(bodyOf(uid, name, node))] as const,
  ]);
  const made = registryOf({ [CLUSTER]: null, [NODE]: null, ...Object.fromEntries(files) }, newFolder());
  made.record('First');
  cwd = made.folder;
});

/** Runs the snippet with a shell function in the place of `oarsub`. Returns the nodes that each condition selects. */
async function reserved(...args: readonly string[]) {
  const { status, stdout, stderr } = await gridpress(['find', '--snippet', 'oar', ...args], { cwd });
  expect(status, stderr).toBe(0);
  const printed = execFileSync('bash', ['-c', `oarsub() { printf '%s\\n' "$2" "$4"; }\n${stdout}`], {
    encoding: 'utf8',
  });
  const lines = printed.trimEnd().split('\n');
  const sites = [...stdout.matchAll(/^# at (.+)$/gm)].map(([, site]) => site ?? '');
  const jobs = sites.map((site, i) => ({
    site,
    count: Number(/^host=(\d+)/.exec(lines[2 * i] ?? '')?.[1]),
    condition: lines[2 * i + 1] ?? '',
  }));
  const nodes = jobs.flatMap(({ site, count, condition }) => {
    const selected = selectedBySqlite(site, condition);
    expect(selected, condition).toHaveLength(count);
    return selected;
  });
  return { conditions: jobs.map(({ condition }) => condition), nodes: nodes.sort(), stdout };
}

function selectedBySqlite(site: string, condition: string): string[] {
  const rows = NODES.map(propertiesOf);
  const code = [
    'import json, sqlite3, sys',
    'given = json.load(sys.stdin)',
    'db = sqlite3.connect(":memory:")',
    'db.execute(f"CREATE TABLE resources ({given[\'columns\']})")',
    'db.executemany("INSERT INTO resources VALUES (?,?,?,?,?,?,?,?,?,?)", given["rows"])',
    'sql = f"SELECT network_address FROM resources WHERE site = ? AND ({given[\'condition\']})"',
    'print(json.dumps([name.split(".")[0] for name, in db.execute(sql, [given["site"]])]))',
  ].join('\n');
  const input = JSON.stringify({ columns: COLUMNS, rows, site, condition });
  return JSON.parse(execFileSync('python3', ['-c', code], { input, encoding: 'utf8' }));
}

describe('the condition of an OAR job', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['all nodes of clusters', ["site = 'lyra'"], ["cluster IN ('amber', 'basalt')"]],
    ['one of two clusters', ["cluster = 'amber'"], ["cluster IN ('amber')"]],
    [
      'memory in MiB and cores',
      ["main_memory.ram_size >= 200GiB AND architecture.nb_cores < 64 AND site = 'lyra'"],
      ["cluster IN ('amber')"],
    ],
    ['memory in MiB', ["main_memory.ram_size >= 512GiB AND site = 'lyra'"], ['memnode >= 524288']],
    ['a size in quotes', ["main_memory.ram_size = '128 GiB'"], ['memnode = 131072']],
    ['a range', ['main_memory.ram_size BETWEEN 500GiB AND 600GiB'], ['memnode BETWEEN 512000 AND 614400']],
    ['a list of numbers', ['architecture.nb_cores IN (64, 128)'], ['core_count IN (64, 128)']],
    ['a label', ["label.gpu = 'A100' AND site = 'vega'"], ["gpu_model = 'GA100 [A100 SXM4 40GB]'"]],
    ['the model in a map', ["gpu_devices.nvidia0.model LIKE '%SXM4%'"], ["gpu_model = 'GA100 [A100 SXM4 40GB]'"]],
    ['the memory of GPUs', ["gpu_devices.nvidia0.memory >= 16GiB AND site = 'vega'"], ['gpu_mem >= 16384']],
    ['InfiniBand', ["network_adapters.interface = 'InfiniBand'"], ["ib = 'HDR'", "ib = 'EDR'"]],
    ['the kind of the first disk', ["storage_devices.storage = 'SSD' AND site = 'vega'"], ["disktype = 'SCSI/SSD'"]],
    [
      'conditions joined with OR, AND and NOT',
      [
        "(main_memory.ram_size > 1000GiB OR architecture.nb_cores = 64) AND NOT network_adapters.interface = 'InfiniBand'",
      ],
      ['HDR', 'EDR'].map((ib) => `(memnode > 1024000 OR core_count = 64) AND NOT (ib = '${ib}')`),
    ],
    [
      // The adapter with 400 Gbit/s is not mountable, so `eth_rate` ignores it.
      'a rate that OAR computes in another way',
      ['network_adapters.rate > 300Gbps AND main_memory.ram_size = 128GiB'],
      ["network_address IN ('basalt-1.lyra.grid5000.fr')"],
    ],
    ['a GPU that is too old for OAR', ["label.gpu = 'K80'"], ["network_address IN ('cobalt-2.vega.grid5000.fr')"]],
    [
      'a field without a property',
      ["node_name LIKE 'basalt-_' AND main_memory.ram_size = 128GiB"],
      ["network_address IN ('basalt-1.lyra.grid5000.fr')"],
    ],
    [
      'fewer nodes than the query finds',
      ['main_memory.ram_size = 512GiB', '--limit', '1'],
      ["network_address IN ('basalt-2.lyra.grid5000.fr')"],
    ],
    [
      'some nodes of a cluster, and all of another',
      ["node_name IN ('basalt-1', 'amber-1', 'amber-2')"],
      ["cluster IN ('amber') OR network_address IN ('basalt-1.lyra.grid5000.fr')"],
    ],
    ['all nodes', [], ["cluster IN ('amber', 'basalt')", "cluster IN ('cobalt')"]],
    ['a name', ['cobalt-2'], ["network_address IN ('cobalt-2.vega.grid5000.fr')"]],
    ['chosen nodes', ['--reserve', '2', "label.gpu = 'A100'"], ["cluster IN ('amber')"]],
  ])('%s', async (_, args, conditions) => {
    const { conditions: written, nodes } = await reserved(...args);
    expect(written).toEqual(conditions);
    const uids = await gridpress(['find', '--uids', ...args], { cwd });
    const found = new Set(uids.stdout.trimEnd().split('\n'));
    expect(nodes).toEqual(NODES.filter(({ uid }) => found.has(uid)).map(({ name }) => name));
  });

  test('a comment explains the condition', async () => {
    expect((await reserved("cluster = 'amber'")).stdout.split('\n')).toContain(
      '# Clusters or properties replace host names where they select exactly the chosen nodes.',
    );
  });
});

test('the explorer, which knows only the sizes of clusters, names whole clusters and other hosts', () => {
  const nodes = NODES.filter(({ name }) => /^amber|^basalt-1/.test(name));
  const clusters = [
    { site: 'lyra', cluster: 'amber', nodes: 2 },
    { site: 'lyra', cluster: 'basalt', nodes: 3 },
    // A cluster of another site with the same name and another size.
    { site: 'vega', cluster: 'basalt', nodes: 1 },
  ];
  const text = snippet('oar', nodes.map(reservationByUid), new Map(), undefined, {}, { clusters }).join('\n');
  expect(text).toContain(`-p "cluster IN ('amber') OR network_address IN ('basalt-1.lyra.grid5000.fr')"`);
  expect(snippet('oar', nodes.map(reservationByUid), new Map(), undefined).join('\n')).not.toContain('cluster IN');
});
