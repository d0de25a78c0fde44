/** An overlay file system, as containers use it: a read-only lower layer and an upper layer with all changes. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Needs, unless } from './programs.ts';

export interface Overlay {
  /** The merged folder. */
  readonly folder: string;
  readonly remove: () => void;
}

/** Checks if an overlay can be mounted here: it needs root and a suitable file system for the upper layer. */
export function needsOverlay(): Needs {
  const lower = mkdtempSync(join(tmpdir(), 'gridpress-lower-'));
  const made = overlayOn(lower);
  made?.remove();
  rmSync(lower, { recursive: true });
  return unless(made !== undefined, 'no overlay file system can be mounted');
}

/**
 * Mounts an overlay in which renaming a folder of the lower layer fails, which is the default. Undefined if it cannot
 * be mounted.
 */
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
