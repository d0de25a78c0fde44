/** Manifests, bundles and archives with altered bytes: verified, and bundles applied to a tree. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyTree } from '../../../src/cli/verify-place.ts';
import { failAll } from '../../../src/core/diagnostics/finding.ts';
import { archive } from '../../../src/features/archive/archive.ts';
import { build } from '../../../src/features/build/build.ts';
import { apply } from '../../../src/features/bundle/apply.ts';
import { bundle } from '../../../src/features/bundle/bundle.ts';
import { alteredBytes } from '../mutate.ts';
import { smallRegistry } from '../small-registry.ts';
import { Broken, type Surface } from '../surface.ts';

const MANIFEST = '_manifest.json';

export async function carried(folder: string): Promise<Surface> {
  const { registry, first } = smallRegistry(folder);
  const options = { registry, snapshots: 'none', indexFiles: false, showsProgress: false } as const;
  const [tree, older, archives] = ['tree', 'older', 'archives'].map((name) => join(folder, name));
  if (!tree || !older || !archives) throw new Error('there are three');
  await build({ ...options, out: tree });
  await build({ ...options, out: older, at: first });
  await bundle({ registry, tree, out: join(folder, 'whole.bundle'), showsProgress: false });
  await bundle({ registry, tree, since: older, out: join(folder, 'news.bundle'), showsProgress: false });
  mkdirSync(archives);
  await archive({ registry, revisions: [first], all: false, out: archives, showsProgress: false });
  const bundles = ['whole.bundle', 'news.bundle'].map((name) => join(folder, name));
  const packed = readdirSync(archives)
    .filter((name) => name.includes('.tar'))
    .map((name) => join(archives, name));
  const verified = async (place: string) => {
    const more = { timeout: 1, maxRequests: 1, older: true, trust: { minSerial: 1 }, showsProgress: false };
    const { findings } = await verifyTree({ place, ...more });
    if (findings.length > 0) failAll(findings);
    throw new Broken('it was altered, and nothing was found');
  };
  return {
    name: 'carried',
    run: async (chance, { input, target }) => {
      mkdirSync(input);
      mkdirSync(target);
      if (chance.chance(0.2)) {
        cpSync(older, join(input, 'tree'), { recursive: true, preserveTimestamps: true });
        const path = join(input, 'tree', MANIFEST);
        const whole = readFileSync(path);
        const altered = alteredBytes(whole, chance);
        writeFileSync(path, altered);
        if (!altered.equals(whole)) await verified(join(input, 'tree'));
        return;
      }
      const isBundle = chance.chance(0.6);
      const source = chance.pick(isBundle ? bundles : packed);
      const whole = readFileSync(source);
      const altered = alteredBytes(whole, chance);
      if (altered.equals(whole)) return;
      const file = join(input, source.endsWith('.gz') ? 'x.tar.gz' : 'x.tar');
      writeFileSync(file, altered);
      if (!isBundle || chance.chance(0.5)) return verified(file);
      const place = join(target, 'api');
      cpSync(older, place, { recursive: true, preserveTimestamps: true });
      const before = readFileSync(join(place, MANIFEST));
      try {
        apply({ file, folder: place, older: false, showsProgress: false });
      } catch (error) {
        if (!readFileSync(join(place, MANIFEST)).equals(before)) throw new Broken('what was refused changed the tree');
        throw error;
      }
      throw new Broken('an altered bundle was applied');
    },
  };
}
