/** Which process of this machine made something, and whether it still runs. */
import { readFileSync } from 'node:fs';
import { systemCode, unlessRefused } from './system-errors.ts';

/**
 * What this process leaves where it works: its number and, where that can be known, when it started, and in which run of
 * the machine.
 */
export function processMark(): string {
  const { started } = statusOf(process.pid) ?? {};
  return started === undefined ? String(process.pid) : `${process.pid} ${started} ${runOfMachine()}`;
}

/** Whether the process that left a mark still runs: numbers of processes are given to others in time. */
export function isRunning(mark: string): boolean {
  const pid = pidOf(mark);
  if (Number.isNaN(pid) || !exists(pid)) return false;
  const [, started, run] = mark.split(' ');
  // After the machine has started anew, processes begin at the same moments as before.
  if (run !== undefined && run !== runOfMachine()) return false;
  const status = statusOf(pid);
  return !status || (!status.isOver && (started === undefined || started === status.started));
}

/** NaN where it is no mark. */
export function pidOf(mark: string): number {
  const [pid = ''] = mark.split(' ');
  return /^[1-9]\d*$/.test(pid) ? Number(pid) : Number.NaN;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

/** What Linux tells of a process (proc(5), /proc/PID/stat); undefined elsewhere. */
function statusOf(pid: number): { readonly isOver: boolean; readonly started: string | undefined } | undefined {
  const stat = unlessRefused(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === undefined) return undefined;
  // The name of the program may hold anything; the third field follows its last parenthesis, the start is the 22nd.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { isOver: ['Z', 'X'].includes(fields[0] ?? ''), started: fields[19] };
}

let knownRun: string | undefined;

/** What tells this run of the machine from others (random(4), boot_id), shortened. */
function runOfMachine(): string {
  knownRun ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').slice(0, 8);
  return knownRun;
}
