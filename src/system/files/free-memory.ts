/**
 * How much garbage the engine lets lie. Left alone it waits until the heap is several times what is in use, and where a lot is
 * in use, most of a process is garbage.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Percent of what is in use. Half of that costs no less memory in a build of 20,000 nodes, and processor time. */
const MOST_GARBAGE = 50;

/** Has garbage collected before it is more than half of what is in use, in all threads from now on. */
export function boundGarbage(): void {
  setFlagsFromString(`--heap-growing-percent=${MOST_GARBAGE}`);
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

/** Gives a function that is told of each long text or buffer that is done with, and has them collected once they are much. */
export function releasing(): (size: number) => void {
  const collect = memoryFreer();
  let released = 0;
  return (size) => {
    released += size;
    if (released < MUCH) return;
    released = 0;
    collect();
  };
}
