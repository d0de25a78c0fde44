/**
 * Running surfaces: each run has its own seed, so that any of them can be run again alone, and is held to what holds of all
 * commands: findings and no other exception, in seconds, and nothing written outside.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../src/core/diagnostics/failure.ts';
import { findingRecord, renderFindings } from '../../src/core/diagnostics/render.ts';
import { random } from '../support/values/random.ts';
import { Broken, type Surface } from './surface.ts';

export interface FuzzOptions {
  readonly seed: number;
  /** The first run, and how many there are at the most. */
  readonly from: number;
  readonly runs: number;
  readonly seconds: number;
}

export interface Fuzzed {
  readonly runs: number;
  /** How often runs ended with a finding. */
  readonly refused: number;
  /** What went wrong, with the run that does it again. */
  readonly faults: readonly string[];
}

/** Of processor time, for inputs of some kilobytes. */
const LONGEST_MS = 10_000;
const MOST_FAULTS = 10;
const UNTOUCHED = 'untouched';

export async function fuzz(surface: Surface, options: FuzzOptions, base: string): Promise<Fuzzed> {
  const { seed, from, runs, seconds } = options;
  const end = performance.now() + seconds * 1000;
  const faults: string[] = [];
  let refused = 0;
  let run = from;
  for (; run < from + runs && performance.now() < end && faults.length < MOST_FAULTS; run++) {
    const folder = mkdtempSync(join(base, 'run-'));
    const outcome = await once(surface, seedOf(seed, run), folder);
    if (outcome === 'refused') refused++;
    else if (outcome !== 'done')
      faults.push(`npm run fuzz -- --surface ${surface.name} --seed ${seed} --from ${run} --runs 1\n${outcome.fault}`);
    rmSync(folder, { recursive: true, force: true });
  }
  return { runs: run - from, refused, faults };
}

/** Seeds that are near each other give numbers that are far apart. */
function seedOf(seed: number, run: number): number {
  return Math.imul(seed, 0x9e3779b1) + Math.imul(run, 0x85ebca6b);
}

type Outcome = 'done' | 'refused' | { readonly fault: string };

async function once(surface: Surface, seed: number, folder: string): Promise<Outcome> {
  const place = { input: join(folder, 'input'), target: join(folder, 'target') };
  mkdirSync(join(folder, UNTOUCHED));
  writeFileSync(join(folder, UNTOUCHED, 'file'), UNTOUCHED);
  const before = process.cpuUsage();
  let outcome: Outcome = 'done';
  try {
    await surface.run(random(seed), place);
  } catch (error) {
    outcome = toldBy(error);
  }
  const { user, system } = process.cpuUsage(before);
  const ms = Math.round((user + system) / 1000);
  if (ms > LONGEST_MS) return { fault: `it took ${ms} ms` };
  const strays = readdirSync(folder).filter((name) => !['input', 'target', UNTOUCHED].includes(name));
  if (strays.length > 0) return { fault: `it left ${strays.join(', ')}` };
  const isUntouched =
    readdirSync(join(folder, UNTOUCHED)).join() === 'file' &&
    readFileSync(join(folder, UNTOUCHED, 'file'), 'utf8') === UNTOUCHED;
  return isUntouched ? outcome : { fault: 'it wrote outside' };
}

/** Findings are told as commands tell them. */
function toldBy(error: unknown): Outcome {
  if (error instanceof Broken) return { fault: error.message };
  if (!(error instanceof Failure)) return { fault: error instanceof Error ? String(error.stack) : String(error) };
  if (renderFindings(error.findings) === '') return { fault: 'it failed without a finding' };
  JSON.stringify(error.findings.map(findingRecord));
  return 'refused';
}
