/** A row of the benchmark, and the commands that several rows have. */
import { join } from 'node:path';
import { type Command, GRIDPRESS, run, type Trial } from './measure.ts';
import type { Scratch } from './scratch.ts';

export interface Row {
  readonly name: string;
  readonly what: string;
  readonly baseline: string;
  /** The most that the ratio of the wall times may be; infinite where only memory or seconds are bounded. */
  readonly target: number;
  /** The most memory, in bytes. */
  readonly memory?: number;
  /** The most seconds. */
  readonly seconds?: number;
  readonly pairs: number;
  /** The bytes that inputs and outputs need at the same time. */
  readonly room: number;
  /** Whether it is about the disk; all else is measured in memory where there is room. */
  readonly isOnDisk?: boolean;
  readonly prepare: (scratch: Scratch) => Promise<Trials>;
}

export interface Trials {
  readonly ours: Trial;
  readonly baseline: Trial;
}

export const MiB = 2 ** 20;
export const GiB = 2 ** 30;

export function program(name: string, ...parameters: string[]): Command {
  return { program: name, parameters };
}

export function importing(repository: string): Trial {
  return (out) => program('node', GRIDPRESS, 'import', repository, '--out', join(out, 'registry-data'));
}

export async function imported(repository: string, scratch: Scratch): Promise<string> {
  const out = scratch.fresh();
  await run(importing(repository)(out));
  return join(out, 'registry-data');
}
