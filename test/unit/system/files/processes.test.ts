import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { isRunning, pidOf, processIdentity } from '../../../../src/system/files/folder-lock.ts';

test('a process recognizes its own mark', () => {
  expect(pidOf(processIdentity())).toBe(process.pid);
  expect(isRunning(processIdentity())).toBe(true);
});

test('a pid alone is a valid mark', () => {
  expect(isRunning(String(process.pid))).toBe(true);
});

test.each(['', 'x', '0', '-1', '1.5', '99999999', '12x'])('the mark %j names no process', (mark) => {
  expect(isRunning(mark)).toBe(false);
});

test.skipIf(!existsSync('/proc/self/stat'))(
  'a reused pid does not match the mark of the old process (needs /proc)',
  () => {
    expect(isRunning(`${process.pid} 1`)).toBe(false);
  },
);

test.skipIf(!existsSync('/proc/self/stat'))(
  'an ended child that was not waited for counts as ended (needs /proc)',
  async () => {
    // The shell executes a program that never waits for its child. The child ends only after that, because the shell
    // itself might wait for it.
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
