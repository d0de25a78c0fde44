/** Counts the requests that publish one changed node: at most two more than the number of changed objects. */
import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { GRIDPRESS, run } from './measure.ts';
import { objectStore } from './object-store.ts';
import { makeRegistry } from './registries/registry.ts';
import { aligned } from './report.ts';
import { openScratch } from './scratch.ts';

/** The name for `--only`. */
export const PUBLISH = 'publish';

const ROOM = 2 ** 30;
const MOST_MORE = 2;

/** Counts requests and measures no time, so it has its own table. */
export async function publishRequests(nodes: number): Promise<string> {
  const scratch = openScratch(ROOM);
  const store = await objectStore();
  try {
    console.error(`${PUBLISH}: publishing ${nodes} nodes, changing one, publishing again`);
    const registry = await makeRegistry(scratch.folder, nodes);
    const tree = join(scratch.folder, 'dist');
    await buildAndPublish(registry, tree, store.url);
    store.sinceLast();
    await changeOneNode(registry);
    await buildAndPublish(registry, tree, store.url);
    const { requests, changed } = store.sinceLast();
    return aligned([
      ['what', 'requests', 'objects that changed', 'target', ''],
      [
        `publish after a change of one of ${nodes} nodes`,
        ...[String(requests), String(changed), `${MOST_MORE} more than objects`],
        requests <= changed + MOST_MORE ? 'hit' : 'missed',
      ],
    ]);
  } finally {
    store.close();
    scratch.clearAll();
  }
}

async function buildAndPublish(registry: string, tree: string, endpoint: string): Promise<void> {
  const build = ['build', '--registry', registry, '--out', tree, '--snapshots', 'none'];
  await run({ program: 'node', parameters: [GRIDPRESS, ...build] });
  const to = ['s3://bench/api', '--tree', tree, '--endpoint', endpoint, '--region', 'us-east-1'];
  const purge = ['--purge-file', join(tree, '..', 'purge.txt')];
  process.env['AWS_ACCESS_KEY_ID'] = 'bench';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'bench';
  await run({ program: 'node', parameters: [GRIDPRESS, 'publish', ...to, ...purge] });
}

async function changeOneNode(registry: string): Promise<void> {
  const [site = ''] = readdirSync(join(registry, 'sites')).sort();
  const clusters = join(registry, 'sites', site, 'clusters');
  const [cluster = ''] = readdirSync(clusters).sort();
  const nodes = join(clusters, cluster, 'nodes');
  const [node = ''] = readdirSync(nodes).sort();
  appendFileSync(join(nodes, node), 'note: "Its fan was replaced"\n');
  const said = [
    '-m',
    'Replace a fan',
    '--allow-unknown',
    '--author',
    'Ada Brown',
    '--date',
    '2026-03-02T12:00:00+01:00',
  ];
  await run({ program: 'node', parameters: [GRIDPRESS, 'record', '--registry', registry, ...said] });
}
