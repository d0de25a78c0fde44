/** Rows of the benchmark, and the commands that they share. */
import { join } from 'node:path';
import { type Command, GRIDPRESS, run, type Trial } from './measure.ts';
import type { Scratch } from './scratch.ts';

export interface Row {
  readonly name: string;
  readonly what: string;
  readonly baseline: string;
  /**
   * The highest accepted ratio of CPU times, or of wall times if the row measures the disk. It is infinite if only
   * memory or seconds are limited.
   */
  readonly target: number;
  /** The highest accepted memory use, in bytes. */
  readonly memory?: number;
  /** The longest accepted time, in seconds of the same kind. */
  readonly seconds?: number;
  readonly pairs: number;
  /** The bytes that inputs and outputs need at the same time. */
  readonly room: number;
  /** Whether the row measures the disk. Other rows run in memory if possible. */
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
