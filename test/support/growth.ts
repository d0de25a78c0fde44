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

/**
 * Expects work on what is made in a size to grow no more than linearly, from the first size on that takes a while. What
 * seems to grow faster is asked again from twice the size on: memory that is cleared away distorts a size, but hardly
 * three in a row, and quadratic work is quadratic at each.
 */
export function expectLinear<T>(work: (input: T) => void, make: Make<T>): void {
  let size = SMALLEST;
  for (; size <= LARGEST && processorMs(work, make(size)) < LEAST_MS; size *= 2);
  if (size > LARGEST) return;
  const growths: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++, size *= 2) {
    const growth = leastMs(work, make, TIMES * size) / leastMs(work, make, size);
    if (growth < MOST) return;
    growths.push(`${TIMES * size} take ${growth.toFixed(1)} times as long as ${size}`);
  }
  expect.fail(growths.join(', '));
}

/** The least of several is what the work itself takes. */
function leastMs<T>(work: (input: T) => void, make: Make<T>, size: number): number {
  return Math.min(...Array.from({ length: ATTEMPTS }, () => processorMs(work, make(size))));
}

function processorMs<T>(work: (input: T) => void, input: T): number {
  const before = process.cpuUsage();
  work(input);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
