/** Runs the web catalog of a testbed, an external client, on a tree: it lists all nodes and counts them correctly. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { find } from '../../../src/features/find/find.ts';
import { newFolder } from '../../support/folders.ts';
import { NODE, registryOf } from '../../support/registries/registry.ts';
import { nodeFile, nodeUid } from '../../support/registries/testbed.ts';
import { type Choice, cards, chosen, openCatalogue } from '../../support/services/web-catalogue.ts';
import { buildAndServe } from '../../support/trees/served.ts';

const SAMPLE = join(import.meta.dirname, '../../../registry-data');

const CHOICES: readonly (readonly [Choice, query: string])[] = [
  [{ hasGpu: true }, 'gpu.gpu = true'],
  [{ hasGpu: false }, 'gpu.gpu IS NULL OR NOT gpu.gpu = true'],
  [
    { platform: 'x86_64', leastRam: 256 * 2 ** 30 },
    "architecture.platform_type = 'x86_64' AND main_memory.ram_size >= 256GiB",
  ],
  [{ sites: ['lyra', 'aquila'], infiniband: true }, "site IN ('lyra', 'aquila') AND infiniband = true"],
  [{ text: 'lyra-g' }, "CASEI(node_name) LIKE '%lyra-g%'"],
  [{ text: 'compute' }, "CASEI(node_type) LIKE '%compute%'"],
];

test('the catalog lists all nodes, and its filters count the same nodes as queries', async () => {
  const { port, out } = await buildAndServe(SAMPLE, { snapshots: 'none' });
  const { sites, nodes, total, flavors } = await openCatalogue(`http://127.0.0.1:${port}`);
  expect(flavors.map((each) => each.replace('volans::m1.', ''))).toEqual([
    ...['large', 'medium', 'small', 'tiny', 'xlarge', 'xxlarge'],
  ]);
  expect([nodes.length, total, new Set(nodes.map(({ uid }) => uid)).size]).toEqual([60, 60, 60]);
  expect(nodes.filter(({ site_id: site }) => !sites.includes(site))).toEqual([]);
  for (const [choice, query] of CHOICES) {
    const found = await find({ from: out, query, timeout: 30, maxRequests: 1000 }, [], async ({ rows }) => rows.length);
    expect([query, chosen(nodes, choice).length]).toEqual([query, found]);
  }
  // The catalog shows all nodes, even with parameters that ask the service to filter.
  const asked = await openCatalogue(`http://127.0.0.1:${port}`, { gpu: true, infiniband: true, min_ram: 2 ** 40 });
  const counts = cards(asked.nodes);
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(60);
});

test('the catalog accepts nodes without a type and with null values', async () => {
  const given = { type: 'node', gpu: null, node_name: null };
  const files = [{}, { node_type: null }, { node_type: 'storage', storage_devices: [{ device: 'nvme0n1' }] }].map(
    (more, n) => [nodeFile('lyra', n), JSON.stringify({ ...given, uid: nodeUid(n), ...more })] as const,
  );
  const { registry, record } = registryOf({ [NODE]: null, ...Object.fromEntries(files) }, newFolder());
  record('First');
  const { port } = await buildAndServe(registry);
  const { nodes } = await openCatalogue(`http://127.0.0.1:${port}`);
  expect([...cards(nodes)]).toEqual([
    ['lyra::storage', 1],
    ['lyra::unknown', 2],
  ]);
  expect(chosen(nodes, { nvme: true }).map(({ uid }) => uid)).toEqual([nodeUid(2)]);
  expect(chosen(nodes, { text: 'gpu', hasGpu: false })).toEqual([]);
});
