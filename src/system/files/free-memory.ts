/**
 * How much garbage the engine lets lie. Left alone it waits until the heap is several times what is in use, and where a lot is
 * in use, most of a process is garbage.
 */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Percent of what is in use. Half of that costs no less memory in a build of 20,000 nodes, and processor time. */
const MOST_GARBAGE = 50;

/** Bytes: of a heap in which more is in use, less is garbage. That costs processor time, which is little of what it took to fill it. */
const LARGE = 1 << 28;
const MOST_GARBAGE_OF_LARGE = 15;

/** Has garbage collected before it is more than so much of what is in use, in all threads from now on. */
export function boundGarbage(percent = MOST_GARBAGE): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/** Gives a function that has all garbage collected: between pieces of work that each take much memory. */
export function memoryFreer(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  return () => {
    if (typeof collect === 'function') collect();
  };
}

/** Bytes. */
const MUCH = 1 << 24;

/** Bytes of a heap in which garbage is not worth looking for. */
const SMALL = 1 << 26;

/** As a part of what is in use: between two pieces of work, no more garbage is left. */
const MOST_BETWEEN = 0.25;

export interface Releasing {
  /** Told of each long text or buffer that is done with: they are collected once they are much. */
  readonly release: (size: number) => void;
  /** Told that a piece of work is done: what the engine let lie meanwhile is collected if it is much. */
  readonly settle: () => void;
}

/** While a piece of work runs on, the engine lets far more lie than it was told. */
export function releasing(): Releasing {
  const collect = memoryFreer();
  let released = 0;
  let least = usedHeap();
  const collectNow = () => {
    collect();
    released = 0;
    least = usedHeap();
  };
  return {
    release: (size) => {
      released += size;
      if (released >= MUCH) collectNow();
    },
    settle: () => {
      const used = usedHeap();
      least = Math.min(least, used);
      if (least > LARGE) boundGarbage(MOST_GARBAGE_OF_LARGE);
      if (used > SMALL && used > least * (1 + MOST_BETWEEN) + MUCH) collectNow();
    },
  };
}

function usedHeap(): number {
  return getHeapStatistics().used_heap_size;
}
