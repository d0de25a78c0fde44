/**
 * A place for inputs and outputs: in memory where there is room, else on disk. It is removed when the benchmark ends,
 * whatever ends it.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const MEMORY_FOLDER = '/dev/shm';

export interface Scratch {
  readonly folder: string;
  readonly isInMemory: boolean;
  /** A path where nothing is yet, alone in a folder of its own. */
  readonly fresh: () => string;
  /**
   * Clears away what is at a fresh path. On disk that waits for `clearAll`: ext4 creates files many times more slowly for minutes
   * after as many have been deleted, and whatever runs next would be measured with that.
   */
  readonly clear: (folder: string) => void;
  readonly clearAll: () => void;
}

/** `room` is how many bytes the folder must hold at the same time. */
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
