/** Configurations and lock files with altered bytes and values: checked, and verified against a tree. */
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failAll } from '../../../src/core/diagnostics/finding.ts';
import { build } from '../../../src/features/build/build.ts';
import { planBuild } from '../../../src/features/build/plan-build.ts';
import { check } from '../../../src/features/check/check.ts';
import { lock } from '../../../src/features/lock/take-lock.ts';
import { verifyLock } from '../../../src/features/lock/verify-lock.ts';
import { loadSources } from '../../../src/features/sources/load-sources.ts';
import { publicSources } from '../../../src/features/sources/public-sources.ts';
import { alteredBytes, alteredJson } from '../mutate.ts';
import { smallRegistry } from '../small-registry.ts';
import type { Surface } from '../surface.ts';

const CONFIGURATION = `cluster_uid: main
node_uid: uuid
dialect: current
snapshots: [0123456]
version_links: 30
hosts: [nginx, apache]
base_path: /api/v1
headers:
  strict_transport_security: max-age=63072000; includeSubDomains
fleet:
  silence:
    - {check: difference, field: bios.version, reason: known}
labels:
  gpu:
    - {label: A100, match: ["*A100*"]}
citation:
  title: "A testbed"
`;

export async function settings(folder: string): Promise<Surface> {
  const { registry, node } = smallRegistry(folder);
  const tree = join(folder, 'tree');
  await build({ registry, out: tree, snapshots: 'none', showsProgress: false });
  const { text } = await lock({ nodes: [node], from: tree, timeout: 1, maxRequests: 1 });
  const classes = ['hardware', 'component', 'firmware'] as const;
  return {
    name: 'settings',
    run: async (chance, { input }) => {
      if (chance.chance(0.5)) {
        const given = chance.chance(0.5) ? alteredJson(text, chance) : alteredBytes(Buffer.from(text), chance);
        writeFileSync(input, given);
        const against = chance.chance(0.9) ? tree : undefined;
        await verifyLock({ file: input, against, class: classes, timeout: 1, maxRequests: 5 });
        return;
      }
      cpSync(registry, join(input, 'registry-data'), { recursive: true });
      writeFileSync(join(input, 'gridpress.yaml'), alteredBytes(Buffer.from(CONFIGURATION), chance));
      const place = { registry: join(input, 'registry-data') };
      const { findings } = await check({ ...place, fleet: true });
      if (findings.length > 0) failAll(findings);
      await planBuild(publicSources(loadSources(place), place), {});
    },
  };
}
