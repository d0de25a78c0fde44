/**
 * Measures how CPU time grows with the size of the input. With eight times the input, linear work takes eight times as
 * long, and quadratic work 64 times. A busy machine distorts CPU time least.
 */
import { expect } from 'vitest';

/** More than linear work needs even with garbage collection, and less than quadratic work. */
const MOST = 28;
const TIMES = 8;
/** Shorter times are not significant. */
const LEAST_MS = 15;
const SMALLEST = 2_000;
const LARGEST = 500_000;
const ATTEMPTS = 3;

export type Make<T> = (size: number) => T;

/**
 * Expects work to grow at most linearly with the size of its input, from the first measurable size on. Faster growth is
 * measured again at twice the size, up to three times: garbage collection distorts single sizes, but quadratic work is
 * quadratic at each.
 */
export function expectLinear<T>(work: (input: T) => void, make: Make<T>): void {
  let size = SMALLEST;
  for (; size <= LARGEST && cpuMs(work, make(size)) < LEAST_MS; size *= 2);
  if (size > LARGEST) return;
  const growths: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++, size *= 2) {
    const growth = leastMs(work, make, TIMES * size) / leastMs(work, make, size);
    if (growth < MOST) return;
    growths.push(`${TIMES * size} take ${growth.toFixed(1)} times as long as ${size}`);
  }
  expect.fail(growths.join(', '));
}

/** The minimum of several runs is the time of the work itself. */
function leastMs<T>(work: (input: T) => void, make: Make<T>, size: number): number {
  return Math.min(...Array.from({ length: ATTEMPTS }, () => cpuMs(work, make(size))));
}

/** The CPU time that some work takes, in milliseconds. */
export function cpuMs<T>(work: (input: T) => void, input: T): number {
  const before = process.cpuUsage();
  work(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
