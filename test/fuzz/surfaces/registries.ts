/** Registries with altered, renamed, exchanged or deleted files and links: checked, recorded, and sometimes built. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { failAll } from '../../../src/core/diagnostics/finding.ts';
import { build } from '../../../src/features/build/build.ts';
import { check } from '../../../src/features/check/check.ts';
import { log } from '../../../src/features/revisions/log.ts';
import { record } from '../../../src/features/revisions/record.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';
import type { Random } from '../../support/values/random.ts';
import { alteredBytes } from '../mutate.ts';
import { smallRegistry } from '../small-registry.ts';
import { Broken, type Surface } from '../surface.ts';

const NAMES = [
  'grid.yaml',
  '.hidden',
  'a b.yaml',
  'é.yaml',
  'x\n.yaml',
  '__proto__',
  'index.yaml',
  '..yaml',
  'sites',
  'history',
];

const TARGETS = ['..', '/dev/zero', 'nowhere', 'grid.yaml', './registry-data/grid.yaml', '/etc/hostname', 'site.yaml'];

export function registries(folder: string): Surface {
  const { folder: whole } = smallRegistry(folder);
  const files = filesBelow(whole);
  return {
    name: 'registries',
    run: async (chance, { input, target }) => {
      cpSync(whole, input, { recursive: true });
      for (let left = 1 + chance.below(3); left > 0; left--) alterOne(input, chance.pick(files), chance, files);
      const registry = join(input, 'registry-data');
      if (chance.chance(0.05)) await built(registry, target);
      if (chance.chance(0.1)) log({ registry });
      if (chance.chance(0.1)) record({ registry, message: 'x', author: 'x', dryRun: chance.chance(0.5) }, () => {});
      const { findings } = await check({ registry, fleet: chance.chance(0.3) });
      if (findings.length > 0) failAll(findings);
    },
  };
}

/** A failed build must not change the existing tree. */
async function built(registry: string, target: string): Promise<void> {
  mkdirSync(target);
  const manifest = join(target, '_manifest.json');
  try {
    await build({ registry, out: join(target, 'api'), showsProgress: false, snapshots: 'none' });
  } catch (error) {
    if (existsSync(join(target, 'api')) || existsSync(manifest)) throw new Broken('a build that failed left a tree');
    throw error;
  }
}

function alterOne(folder: string, name: string, chance: Random, files: readonly string[]): void {
  const path = join(folder, name);
  if (!isFile(path)) return;
  const beside = join(dirname(path), chance.pick(NAMES));
  const kind = chance.chance(0.7) ? 'bytes' : chance.pick(['gone', 'renamed', 'another', 'link', 'linked', 'folder']);
  if (kind === 'bytes') writeFileSync(path, alteredBytes(readFileSync(path), chance));
  if (kind === 'another') writeFileSync(path, readIfThere(join(folder, chance.pick(files))));
  if (kind === 'renamed' && !existsSync(beside)) renameSync(path, beside);
  if (kind === 'link' && !existsSync(beside)) symlinkSync(chance.pick(TARGETS), beside);
  if (['gone', 'linked', 'folder'].includes(kind)) rmSync(path);
  if (kind === 'linked') symlinkSync(chance.pick(TARGETS), path);
  if (kind === 'folder') mkdirSync(path);
}

function readIfThere(path: string): Buffer {
  return isFile(path) ? readFileSync(path) : Buffer.alloc(0);
}

/** A link may point to itself. */
function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
