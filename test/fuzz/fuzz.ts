/**
 * Runs surfaces. Each run has its own seed and can be repeated alone. Every command must end with findings and without
 * other exceptions, within seconds, and write nothing outside of its target.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../src/core/diagnostics/finding.ts';
import { findingRecord, renderFindings } from '../../src/core/diagnostics/render.ts';
import { random } from '../support/values/random.ts';
import { Broken, type Surface } from './surface.ts';

export interface FuzzOptions {
  readonly seed: number;
  /** The number of the first run, and the maximum number of runs. */
  readonly from: number;
  readonly runs: number;
  readonly seconds: number;
}

export interface Fuzzed {
  readonly runs: number;
  /** The number of runs that ended with a finding. */
  readonly refused: number;
  /** The failures, each with the options that repeat it. */
  readonly faults: readonly string[];
}

/** CPU time for inputs of some kilobytes. */
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

/** Similar seeds give very different numbers. */
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

/** Renders the findings, as commands do. */
function toldBy(error: unknown): Outcome {
  if (error instanceof Broken) return { fault: error.message };
  if (!(error instanceof Failure)) return { fault: error instanceof Error ? String(error.stack) : String(error) };
  if (renderFindings(error.findings) === '') return { fault: 'it failed without a finding' };
  JSON.stringify(error.findings.map(findingRecord));
  return 'refused';
}
