import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { isRunning, pidOf, processMark } from '../../../../src/system/files/folder-lock.ts';

test('a process knows its own mark', () => {
  expect(pidOf(processMark())).toBe(process.pid);
  expect(isRunning(processMark())).toBe(true);
});

test('a number alone is a mark too', () => {
  expect(isRunning(String(process.pid))).toBe(true);
});

test.each(['', 'x', '0', '-1', '1.5', '99999999', '12x'])('%j is nobody', (mark) => {
  expect(isRunning(mark)).toBe(false);
});

test.skipIf(!existsSync('/proc/self/stat'))(
  'a number that was given to another process is not the one before (needs /proc)',
  () => {
    expect(isRunning(`${process.pid} 1`)).toBe(false);
  },
);

test.skipIf(!existsSync('/proc/self/stat'))(
  'a process that has ended, and that nobody has asked for, is over (needs /proc)',
  async () => {
    // The shell becomes a program that never asks for the child that it started. The child ends only after that: a shell
    // that still is one might ask for it.
    const parent = spawn('sh', ['-c', 'cat <&3 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    const [said] = await once(parent.stdio[1] as Readable, 'data');
    const pid = String(said).trim();
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
    expect(isRunning(pid)).toBe(true);
    (parent.stdio[3] as Writable).end();
    await expect.poll(() => isRunning(pid)).toBe(false);
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    parent.kill('SIGKILL');
    await once(parent, 'exit');
  },
);
