/** Commands with a closed output end quietly, for `gridpress log | head`. */
import { once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { startGridpress } from '../../support/processes/cli.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';

let folder: string;

beforeAll(() => {
  folder = newFolder();
  writeTestbed(folder);
});

/** Closes one output before the command starts; returns the other output and the exit. */
async function without(output: 'stdout' | 'stderr', call: string) {
  const child = startGridpress(call.split(' '), { cwd: folder });
  child[output]?.destroy();
  let said = '';
  (output === 'stdout' ? child.stderr : child.stdout)?.on('data', (text) => {
    said += text;
  });
  const [status, signal] = await once(child, 'close');
  return { status, signal, said };
}

describe('a command whose standard output is closed', () => {
  test.each([
    ['log', 0],
    ['log --json', 0],
    ['show node-1', 0],
    ['hosts --markdown', 0],
    ['help', 0],
    ['--version', 0],
    ['build --help', 0],
    ['check', 0],
    ['build --out elsewhere --snapshots none', 0],
    ['diff 2026-01-01 head', 1],
    ['show nothing --json', 2],
  ])('ends quietly: %s', async (call, status) => {
    expect(await without('stdout', call)).toEqual({ status, signal: null, said: '' });
  });
});

test('a closed standard error does not end a command', async () => {
  const { status, said } = await without('stderr', 'show nothing');
  expect({ status, said }).toEqual({ status: 2, said: '' });
});
