/**
 * Ten queries of a real registry: `find` must equal a simple loop over the bodies that git itself returns.
 * GRIDPRESS_REAL_REGISTRY names a git bundle.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { pathOfField } from '../../src/core/model/fields/field-name.ts';
import type { Json } from '../../src/core/model/json.ts';
import { newFolder } from '../support/folders.ts';
import { gridpress } from '../support/processes/cli.ts';
import { GIT_ENVIRONMENT } from '../support/registries/git-repository.ts';
import { type Choice, cards, chosen, openCatalogue } from '../support/services/web-catalogue.ts';
import { type Served, serveTree } from '../support/trees/served.ts';
import { countedFields } from '../support/values/counted-fields.ts';
import { readGitTrees } from './git-trees.ts';

const bundle = process.env['GRIDPRESS_REAL_REGISTRY'];
const GiB = 2 ** 30;

/** The fields of a body that the queries need. */
interface Node {
  readonly uid: string;
  readonly node_type?: string;
  readonly gpu?: { readonly gpu?: boolean; readonly gpu_model?: string; readonly gpu_count?: number } | null;
  readonly main_memory: { readonly ram_size?: number };
  readonly architecture: { readonly platform_type?: string; readonly smp_size?: number };
  readonly processor: { readonly clock_speed?: number | null; readonly vendor?: string };
  readonly storage_devices: readonly { readonly size?: number; readonly media_type?: string | null }[];
  readonly network_adapters: readonly { readonly rate?: number | null; readonly enabled?: boolean | string }[];
  readonly placement?: { readonly rack?: string | number | null } | null;
  readonly infiniband?: boolean | string | null;
}

type Check = (node: Node, site: string) => boolean;

const QUESTIONS: readonly (readonly [query: string, check: Check])[] = [
  [
    "gpu.gpu_model LIKE '%A100%' AND main_memory.ram_size >= 256GiB AND site IN ('tacc', 'uc')",
    ({ gpu, main_memory }, site) =>
      /A100/.test(gpu?.gpu_model ?? '') && Number(main_memory.ram_size) >= 256 * GiB && /^(tacc|uc)$/.test(site),
  ],
  ["label.gpu = 'A100'", ({ gpu }) => /\[A100/.test(gpu?.gpu_model ?? '')],
  ['label.ram = 192GiB', ({ main_memory: { ram_size: size = 0 } }) => size > 190e9 && size < 207e9],
  ['gpu.gpu_model IS NULL', ({ gpu }) => (gpu?.gpu_model ?? null) === null],
  ['NOT gpu.gpu_count = 4', ({ gpu }) => typeof gpu?.gpu_count === 'number' && gpu.gpu_count !== 4],
  [
    'storage_devices.size > 1TB AND network_adapters.rate >= 25Gbps',
    ({ storage_devices: disks, network_adapters: adapters }) =>
      disks.some(({ size }) => Number(size) > 1e12) && adapters.some(({ rate }) => Number(rate) >= 25e9),
  ],
  [
    'processor.clock_speed BETWEEN 2.3GHz AND 2.6GHz',
    ({ processor: { clock_speed: speed } }) => Number(speed ?? 0) >= 2.3e9 && Number(speed) <= 2.6e9,
  ],
  ["architecture.platform_type <> 'x86_64'", ({ architecture }) => architecture.platform_type !== 'x86_64'],
  [
    'placement.rack = 2 OR infiniband = true',
    ({ placement, infiniband }) => String(placement?.rack ?? '') === '2' || String(infiniband) === 'true',
  ],
  [
    "node_type LIKE 'gpu_%' AND (storage_devices.media_type = 'SSD' OR gpu.gpu_count >= 4)",
    ({ node_type: type = '', storage_devices: disks, gpu }) =>
      /^gpu./.test(type) && (disks.some(({ media_type: media }) => media === 'SSD') || Number(gpu?.gpu_count) >= 4),
  ],
];

/** Filters of the web catalog, each with an equivalent loop. */
const CHOICES: readonly (readonly [choice: Choice, check: Check])[] = [
  [{ hasGpu: true }, ({ gpu }) => gpu?.gpu === true],
  [{ infiniband: true }, ({ infiniband }) => Boolean(infiniband)],
  [{ platform: 'aarch64' }, ({ architecture }) => architecture.platform_type === 'aarch64'],
  [
    { leastRam: 256 * GiB, sites: ['tacc', 'uc'] },
    ({ main_memory }, site) => Number(main_memory.ram_size) >= 256 * GiB && /^(tacc|uc)$/.test(site),
  ],
  [{ racks: ['2'] }, ({ placement }) => String(placement?.rack ?? '') === '2'],
];

describe.skipIf(bundle === undefined)('find in a real registry', () => {
  const folder = newFolder();
  const registry = join(folder, 'registry-data');
  const nodes: { readonly node: Node; readonly body: Json; readonly site: string }[] = [];

  beforeAll(async () => {
    const clone = join(folder, 'clone.git');
    execFileSync('git', ['clone', '--quiet', '--bare', bundle ?? '', clone], { env: GIT_ENVIRONMENT });
    const { commits, bodiesAt } = readGitTrees(clone);
    for (const [path, text] of bodiesAt(commits.at(-1)?.id ?? '')) {
      if (path.includes('/nodes/'))
        nodes.push({ node: JSON.parse(text), body: JSON.parse(text), site: path.split('/')[1] ?? '' });
    }
    const { status } = await gridpress(['import', bundle ?? '', '-o', registry, '--json']);
    expect([status, nodes.length > 0]).toEqual([0, true]);
  });

  test.each(QUESTIONS)('finds %s', async (query, check) => {
    const expected = nodes.flatMap(({ node, site }) => (check(node, site) ? [node.uid] : [])).sort();
    const { status, stdout } = await gridpress(['find', query, '--from', registry, '--uids']);
    expect([status, stdout.split('\n').filter(Boolean).sort()]).toEqual([0, expected]);
    expect(expected.length).toBeGreaterThan(0);
  });

  /** Blazar compares values as text. A type stands for all its nodes at the site, and only if all of them match. */
  test.each([
    ...QUESTIONS,
    ['main_memory.ram_size >= 256GiB', ({ main_memory }) => Number(main_memory.ram_size) >= 256 * GiB],
  ] satisfies typeof QUESTIONS)('reserves exactly %s, with as few reservations as possible', async (query, check) => {
    const keyOf = ({ node, site }: { node: Node; site: string }) => `${site} ${node.node_type ?? `uid ${node.uid}`}`;
    const matching = nodes.filter(({ node, site }) => check(node, site));
    const others = new Set(nodes.filter(({ node, site }) => !check(node, site)).map(keyOf));
    const expected = matching.map((each) =>
      others.has(keyOf(each)) ? `${each.site} uid ${each.node.uid}` : keyOf(each),
    );
    const { status, stdout } = await gridpress(['find', query, '--from', registry, '--reserve', 'all', '--json']);
    const reservations: readonly { site: string; count: number; property: string; value: string }[] =
      JSON.parse(stdout).reservations;
    const reserved = reservations.flatMap(({ site, count, property, value }) =>
      Array.from({ length: count }, () => `${site} ${property === 'uid' ? 'uid ' : ''}${value}`),
    );
    expect([status, reserved.sort()]).toEqual([0, expected.sort()]);
    expect(reservations.length).toBe(new Set(expected).size);
  });

  describe('and in its tree', () => {
    let served: Served;
    beforeAll(async () => {
      const out = join(folder, 'dist');
      const args = ['build', '--registry', registry, '--out', out, '--snapshots', 'none'];
      const { status } = await gridpress(args);
      expect(status).toBe(0);
      served = await serveTree(registry, out);
    });

    test('the web catalog lists all nodes, and counts them correctly', async () => {
      const catalogue = await openCatalogue(`http://127.0.0.1:${served.port}`);
      const uids = (of: readonly { readonly uid: string }[]) => of.map(({ uid }) => uid).sort();
      expect([catalogue.total, uids(catalogue.nodes)]).toEqual([nodes.length, uids(nodes.map(({ node }) => node))]);
      const counted = [...cards(catalogue.nodes)].sort();
      const types = nodes.map(({ node, site }) => `${site}::${node.node_type}`);
      expect(counted).toEqual(
        [...new Set(types)].sort().map((type) => [type, types.filter((each) => each === type).length]),
      );
      for (const [choice, check] of CHOICES)
        expect(uids(chosen(catalogue.nodes, choice))).toEqual(
          uids(nodes.filter(({ node, site }) => check(node, site)).map(({ node }) => node)),
        );
    });

    test('facets equal a simple count over all bodies', () => {
      const { fields } = JSON.parse(readFileSync(join(served.out, 'nodes/facets.json'), 'utf8'));
      const counted = countedFields(nodes.map(({ body }) => body));
      for (const { name, nodes: having, types, distinct, values } of fields) {
        if (/^(?:site|cluster|label\..*)$/.test(name)) continue;
        const field = counted.get(JSON.stringify(pathOfField(name)));
        expect([name, having, types, distinct]).toEqual([name, field?.nodes, field?.types, field?.values.size]);
        for (const { value, nodes: of } of values ?? [])
          expect([name, value, of]).toEqual([name, value, field?.values.get(JSON.stringify(value))]);
      }
      const told = new Set(fields.map(({ name }: { name: string }) => JSON.stringify(pathOfField(name))));
      expect([...counted.keys()].filter((way) => !told.has(way))).toEqual([]);
    });
  });
});
