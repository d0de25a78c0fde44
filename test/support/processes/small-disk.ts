/** A small file system in memory, to test full disks. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmdirSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Needs, unless } from './programs.ts';

function mount(folder: string, kilobytes: number): boolean {
  const options = ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder];
  return spawnSync('mount', options, { stdio: 'ignore' }).status === 0;
}

function unmount(folder: string): void {
  spawnSync('umount', [folder], { stdio: 'ignore' });
}

/** Checks if a file system can be mounted here: it needs root, and a container that permits it. */
export function needsSmallDisk(): Needs {
  return unless(canMount(), 'no file system can be mounted');
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'gridpress-mount-'));
  try {
    if (!mount(folder, 64)) return false;
    unmount(folder);
    return true;
  } finally {
    rmdirSync(folder);
  }
}

/** Creates a folder on a small disk, which exists until the end of the test. */
export function smallDisk(kilobytes: number): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gridpress-disk-')));
  if (!mount(folder, kilobytes)) throw new Error(`nothing can be mounted at ${folder}`);
  onTestFinished(() => {
    unmount(folder);
    rmdirSync(folder);
  });
  return folder;
}

/** The file that fills the disk. */
export const FILLER = 'filler';

/** Fills a disk up to this number of free blocks. */
export function fillUp(disk: string, free: number): void {
  const { bfree, bsize } = statfsSync(disk);
  if (free >= bfree) throw new Error(`the disk at ${disk} is too small for what is to be written there`);
  writeFileSync(join(disk, FILLER), 'x'.repeat((bfree - free) * bsize));
}
