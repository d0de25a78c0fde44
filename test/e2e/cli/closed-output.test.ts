/** Commands whose output nobody reads any more: they end quietly, as `gridpress log | head` must. */
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

/** What is told, and how it ends, when the reader of one of its outputs has gone before it begins. */
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

describe('without a reader of its output', () => {
  test.each([
    ['log', 0],
    ['log --json', 0],
    ['show node-1', 0],
    ['hosts --markdown', 0],
    ['help', 0],
    ['build --help', 0],
    ['check', 0],
    ['build --out elsewhere --snapshots none', 0],
    ['diff 2026-01-01 head', 1],
    ['show nothing --json', 2],
  ])('%s ends quietly', async (call, status) => {
    expect(await without('stdout', call)).toEqual({ status, signal: null, said: '' });
  });
});

test('what nobody reads on standard error does not end the command', async () => {
  const { status, said } = await without('stderr', 'show nothing');
  expect({ status, said }).toEqual({ status: 2, said: '' });
});
