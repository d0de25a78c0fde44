/**
 * Measures processes: wall time, processor time and peak memory. Two commands alternate, so that other load on the
 * machine affects both.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scratch } from './scratch.ts';

export const GRIDPRESS = fileURLToPath(new URL('../../../lib/cli.js', import.meta.url));

export interface Command {
  /** `node` means the Node.js that runs the benchmark. */
  readonly program: string;
  readonly parameters: readonly string[];
  /** The expected exit status; 0 by default. */
  readonly status?: number;
}

export interface Usage {
  /** Seconds. */
  readonly wall: number;
  /** Seconds of user and system time; undefined if the system does not report them. */
  readonly cpu: number | undefined;
  /** Bytes; undefined for other programs than Node.js. */
  readonly peak: number | undefined;
}

/** Code for measured Node.js processes: on exit, it writes the resource usage to a file. */
const HOOK = `process.on('exit', () =>
  require('node:fs').writeFileSync(process.env.BENCH_USAGE, JSON.stringify(process.resourceUsage())));\n`;

/** Throws if the command fails. */
export async function run({ program, parameters, status = 0 }: Command): Promise<Usage> {
  const folder = mkdtempSync(join(tmpdir(), 'gridpress-usage-'));
  try {
    const isNode = program === 'node';
    const hook = join(folder, 'hook.cjs');
    const report = join(folder, 'usage.json');
    writeFileSync(hook, HOOK);
    const before = processorTimeOfChildren();
    const started = performance.now();
    await completed(
      isNode ? process.execPath : program,
      isNode ? ['--require', hook, ...parameters] : parameters,
      { ...process.env, BENCH_USAGE: report },
      status,
    );
    const wall = (performance.now() - started) / 1000;
    if (isNode) return { wall, ...usageIn(report) };
    const after = processorTimeOfChildren();
    return { wall, cpu: before === undefined || after === undefined ? undefined : after - before, peak: undefined };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function usageIn(report: string): Pick<Usage, 'cpu' | 'peak'> {
  const { userCPUTime, systemCPUTime, maxRSS }: NodeJS.ResourceUsage = JSON.parse(readFileSync(report, 'utf8'));
  return { cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS * 1024 };
}

function completed(
  program: string,
  parameters: readonly string[],
  env: NodeJS.ProcessEnv,
  wanted: number,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const stop = () => child.kill();
    process.once('exit', stop);
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    child.once('error', reject);
    child.once('close', (status) => {
      process.off('exit', stop);
      if (status === wanted) resolve();
      else reject(new Error(`${program} ${parameters.join(' ')} ended with ${status}:\n${said}`));
    });
  });
}

const TICKS_PER_SECOND = 100;
/** Positions in /proc/self/stat of Linux, counted from the state: user and system time of ended children. */
const CHILDREN_FIELDS = [13, 14];

function processorTimeOfChildren(): number | undefined {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return CHILDREN_FIELDS.reduce((sum, field) => sum + Number(fields[field]), 0) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/** A measured command. It may write at `out`, which does not exist yet. */
export type Trial = (out: string) => Command;

export interface Comparison {
  readonly ours: readonly Usage[];
  readonly baseline: readonly Usage[];
}

/** Runs both commands alternately, `pairs` times after one warm-up. */
export async function compare(ours: Trial, baseline: Trial, pairs: number, scratch: Scratch): Promise<Comparison> {
  const measured: { ours: Usage[]; baseline: Usage[] } = { ours: [], baseline: [] };
  for (let i = 0; i <= pairs; i++) {
    const pair = { ours: await runTrial(ours, scratch), baseline: await runTrial(baseline, scratch) };
    if (i === 0) continue;
    measured.ours.push(pair.ours);
    measured.baseline.push(pair.baseline);
  }
  return measured;
}

async function runTrial(trial: Trial, scratch: Scratch): Promise<Usage> {
  const out = scratch.fresh();
  const usage = await run(trial(out));
  scratch.clear(out);
  return usage;
}
