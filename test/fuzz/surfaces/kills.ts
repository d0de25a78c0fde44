/** Kills commands at a change of the file system or at any time. The old or the new result must be complete. */
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { newFolder } from '../../support/folders.ts';
import { gridpress, startGridpress } from '../../support/processes/cli.ts';
import { type Writer, writers } from '../../support/processes/writers.ts';
import type { Random } from '../../support/values/random.ts';
import { Broken, type Surface } from '../surface.ts';

const PRELOAD = join(import.meta.dirname, '..', '..', 'support', 'processes', 'kill-at-change.mjs');

/** The result of an undisturbed run. */
interface Scene {
  readonly folder: string;
  readonly before: string;
  readonly after: string;
  readonly names: readonly string[];
  readonly changes: number;
  /** The duration in milliseconds. */
  readonly length: number;
}

const killing = (env: Readonly<Record<string, string>>) => ({
  ...env,
  EVERY_CALL: 'yes',
  NODE_OPTIONS: `--import ${PRELOAD}`,
});

const copied = (from: string, to: string) =>
  cpSync(from, to, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });

export async function kills(): Promise<Surface> {
  // Excludes locks, which contain a path relative to their own folder.
  const all = [...(await writers()).values()].filter(({ name }) => name !== 'lock');
  const scenes = new Map<Writer, Scene>();
  return {
    name: 'kills',
    run: async (chance, { target }) => {
      const writer = chance.pick(all);
      const scene = scenes.get(writer) ?? (await sceneOf(writer));
      scenes.set(writer, scene);
      copied(scene.folder, target);
      await killed(writer, scene, target, chance);
      const standing = writer.currentResult(target);
      if (![scene.before, scene.after].includes(standing))
        throw new Broken(`${writer.name} left neither the old nor the new one`);
      await writer.run(target);
      if (writer.currentResult(target) !== scene.after) throw new Broken(`${writer.name} does not go on`);
      if (readdirSync(target).join() !== scene.names.join())
        throw new Broken(`${writer.name} left ${readdirSync(target).join(', ')}`);
    },
  };
}

async function sceneOf(writer: Writer): Promise<Scene> {
  const [folder, ended] = [newFolder(), newFolder()];
  await writer.prepare(folder);
  copied(folder, ended);
  const counted = join(newFolder(), 'changes');
  const began = performance.now();
  const { status, stderr } = await gridpress(writer.args, {
    cwd: ended,
    env: killing({ CHANGES_COUNTED_IN: counted }),
  });
  if (status !== 0) throw new Error(stderr);
  return {
    folder,
    before: writer.currentResult(folder),
    after: writer.currentResult(ended),
    names: readdirSync(ended),
    changes: Number(readFileSync(counted, 'utf8')),
    length: performance.now() - began,
  };
}

async function killed(writer: Writer, scene: Scene, folder: string, chance: Random): Promise<void> {
  if (chance.chance(0.7)) {
    const env = killing({ KILL_AT: String(1 + chance.below(scene.changes)) });
    await gridpress(writer.args, { cwd: folder, env });
    return;
  }
  const child = startGridpress(writer.args, { cwd: folder });
  const ended = once(child, 'exit');
  await Promise.race([ended, setTimeout(chance.below(scene.length), undefined, { ref: false })]);
  child.kill('SIGKILL');
  await ended;
}
