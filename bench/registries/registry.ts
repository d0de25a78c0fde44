/** Creates a registry of many nodes with one revision. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../src/core/model/json.ts';
import { encodeYaml } from '../../src/core/registry/yaml/write-yaml.ts';
import { GRIDPRESS, run } from '../measure.ts';
import { CLUSTER_UID, cluster, grid, node, site } from './hardware.ts';
import { randomFrom } from './random.ts';

const LARGEST_CLUSTER = 1_000;
const FEWEST_SITES = 5;

/** Writes `gridpress.yaml` and `registry-data` into a folder and returns the registry's path. */
export async function makeRegistry(folder: string, nodes: number): Promise<string> {
  const registry = join(folder, 'registry-data');
  const write = (file: string, body: JsonObject) => {
    const path = join(registry, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, encodeYaml(body));
  };
  const random = randomFrom(nodes);
  const sites = Math.max(FEWEST_SITES, Math.ceil(nodes / LARGEST_CLUSTER));
  write('grid.yaml', grid('testgrid'));
  for (let s = 0; s < sites; s++) {
    const uid = `site-${String(s).padStart(3, '0')}`;
    const clusterFolder = `sites/${uid}/clusters/${CLUSTER_UID}`;
    write(`sites/${uid}/site.yaml`, site(uid));
    write(`${clusterFolder}/cluster.yaml`, cluster());
    for (let n = s; n < nodes; n += sites) {
      const uuid = random.uuid();
      write(`${clusterFolder}/nodes/${uuid}.yaml`, node(uuid, random, n));
    }
  }
  writeFileSync(join(folder, 'gridpress.yaml'), `cluster_uid: ${CLUSTER_UID}\nmax_files: 2000000\n`);
  const said = ['-m', 'Begin', '--author', 'Ada Brown', '--date', '2026-03-01T12:00:00+01:00'];
  await run({ program: 'node', parameters: [GRIDPRESS, 'record', '--registry', registry, ...said] });
  return registry;
}
