/** Trees for tests of bundles, published folders and pruning. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from '../../../src/features/build/build.ts';
import type { PlanOptions, SettingOptions } from '../../../src/features/build/build-options.ts';
import { newFolder } from '../folders.ts';
import { type Testbed, writeTestbed } from '../registries/testbed.ts';
import { filesBelow } from './whole-tree.ts';

/** Builds a tree in a new folder. */
export async function builtTree(
  registry: string,
  options: SettingOptions & PlanOptions & { readonly sign?: string } = {},
): Promise<string> {
  const out = join(newFolder(), 'dist');
  await build({ ...options, registry, out, showsProgress: false });
  return out;
}

export interface CarriedTrees {
  readonly testbed: Testbed;
  readonly tree: string;
  /** The tree of the revision `before`. */
  readonly older: string;
  readonly before: string;
}

/** The trees of a head and of its parent. */
export async function carriedTrees(): Promise<CarriedTrees> {
  const testbed = writeTestbed(newFolder());
  const before = testbed.revisions.closed.id;
  const tree = await builtTree(testbed.registry);
  return { testbed, tree, older: await builtTree(testbed.registry, { at: before }), before };
}

/** Every file with its bytes and its time, without the manifest's time. */
export function treeState(folder: string): ReadonlyMap<string, string> {
  return new Map(
    filesBelow(folder).map((file) => {
      const time = file === '_manifest.json' ? '' : statSync(join(folder, file)).mtimeMs;
      return [file, `${time} ${readFileSync(join(folder, file), 'latin1')}`];
    }),
  );
}

export const inodeOf = (folder: string, file: string) => statSync(join(folder, file)).ino;
