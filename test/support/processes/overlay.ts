/** A folder as containers have them: a layer that nothing changes, below another that holds every change. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Needs, unless } from './programs.ts';

export interface Overlay {
  /** The two layers as one folder. */
  readonly folder: string;
  readonly remove: () => void;
}

/** Whether one can be mounted here: it takes root, and a file system that can be its upper layer. */
export function needsOverlay(): Needs {
  const lower = mkdtempSync(join(tmpdir(), 'gridpress-lower-'));
  const made = overlayOn(lower);
  made?.remove();
  rmSync(lower, { recursive: true });
  return unless(made !== undefined, 'no overlay file system can be mounted');
}

/** Renaming a folder of the lower layer fails in it, as it does by default. Undefined where it cannot be mounted. */
export function overlayOn(lower: string): Overlay | undefined {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'gridpress-overlay-')));
  const [upper, work, folder] = ['upper', 'work', 'merged'].map((name) => join(base, name));
  for (const each of [upper, work, folder]) mkdirSync(String(each));
  const layers = `lowerdir=${lower},upperdir=${upper},workdir=${work},redirect_dir=off`;
  const mount = ['-t', 'overlay', 'overlay', '-o', layers, String(folder)];
  const isMounted = spawnSync('mount', mount, { stdio: 'ignore' }).status === 0;
  const remove = () => {
    if (isMounted) spawnSync('umount', [String(folder)], { stdio: 'ignore' });
    rmSync(base, { recursive: true, force: true });
  };
  if (isMounted) return { folder: String(folder), remove };
  remove();
  return undefined;
}
