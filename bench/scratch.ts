/** A folder for inputs and outputs: in memory if possible, or else on disk. It is removed when the benchmark ends. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const MEMORY_FOLDER = '/dev/shm';

export interface Scratch {
  readonly folder: string;
  readonly isInMemory: boolean;
  /** A new path in a folder of its own. */
  readonly fresh: () => string;
  /**
   * Deletes a path that `fresh` returned. On disk, `clearAll` deletes it later: ext4 creates files many times more slowly
   * for minutes after many were deleted, which would slow down the next measurement.
   */
  readonly clear: (folder: string) => void;
  readonly clearAll: () => void;
}

/** `room` is the number of bytes that the folder must hold. */
export function openScratch(room: number, isOnDisk = false): Scratch {
  const isInMemory = !isOnDisk && hasRoom(MEMORY_FOLDER, room) && process.availableMemory() > 2 * room;
  const folder = mkdtempSync(join(isInMemory ? MEMORY_FOLDER : tmpdir(), 'gridpress-bench-'));
  const clearAll = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clearAll);
  let count = 0;
  return {
    folder,
    isInMemory,
    fresh: () => {
      const parent = join(folder, `run-${count++}`);
      mkdirSync(parent);
      return join(parent, 'out');
    },
    clear: (path) => {
      if (isInMemory) rmSync(dirname(path), { recursive: true, force: true });
    },
    clearAll: () => {
      process.off('exit', clearAll);
      clearAll();
    },
  };
}

function hasRoom(folder: string, room: number): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > room;
}
