/**
 * How work grows with its input, told by processor time, which a busy machine falsifies least: work that is linear takes
 * eight times as long for eight times as much, work that is quadratic 64 times.
 */
import { expect } from 'vitest';

/** More than linear work takes even when memory is cleared away meanwhile, less than quadratic work. */
const MOST = 28;
const TIMES = 8;
/** What is too short to be told from chance. */
const LEAST_MS = 15;
const SMALLEST = 2_000;
const LARGEST = 500_000;
const ATTEMPTS = 3;

export type Make<T> = (size: number) => T;

/** Expects work on what is made in a size to grow no more than linearly, from the first size on that takes a while. */
export function expectLinear<T>(work: (input: T) => void, make: Make<T>): void {
  let size = SMALLEST;
  for (; size <= LARGEST && processorMs(work, make(size)) < LEAST_MS; size *= 2);
  if (size > LARGEST) return;
  // The least of several is what the work itself takes.
  const least = (of: number, times: number) =>
    Math.min(...Array.from({ length: times }, () => processorMs(work, make(of))));
  const less = least(size, ATTEMPTS);
  let more = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && more > MOST * less; attempt++)
    more = Math.min(more, least(TIMES * size, 1));
  const growth = more / less;
  expect(growth, `${TIMES * size} take ${growth.toFixed(1)} times as long as ${size}`).toBeLessThan(MOST);
}

function processorMs<T>(work: (input: T) => void, input: T): number {
  const before = process.cpuUsage();
  work(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
