/** The amount of output with `--quiet`, with `--verbose` and by default. */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress, startServer } from '../../support/processes/cli.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';

let folder: string;
beforeAll(() => {
  folder = newFolder();
  writeTestbed(folder);
});

const run = (...args: string[]) => gridpress(args, { cwd: folder });

test('--quiet omits progress but prints requested results', async () => {
  expect(await run('build', '--quiet')).toEqual({ status: 0, stdout: '', stderr: '' });
  expect(await run('-q', 'publish', 'www')).toEqual({ status: 0, stdout: '', stderr: '' });
  expect((await run('build')).stdout).toContain('Up to date');
  expect((await run('--quiet', 'log')).stdout).toContain('First revision');
  const tried = await run('--quiet', 'publish', 'www', '--dry-run');
  expect([tried.status, tried.stdout]).toEqual([0, (await run('publish', 'www', '--dry-run')).stdout]);
});

test('--quiet still prints errors', async () => {
  const { status, stderr } = await run('--quiet', 'verify', 'nothing');
  expect([status, stderr.split('\n')[0]]).toEqual([2, 'error: There is no tree at nothing. [no-tree]']);
});

test('--verbose prints each phase with its time', async () => {
  const { status, stderr } = await run('build', '--force', '--verbose');
  expect(status).toBe(0);
  expect(stderr).toMatch(/^Writing [\d,]+: \d+\.\d s$/m);
});

test('serve --open opens the explorer in the browser', async () => {
  const bin = join(newFolder(), 'bin');
  mkdirSync(bin);
  const asked = join(bin, 'asked');
  writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\necho "$1" > '${asked}'\n`);
  chmodSync(join(bin, 'xdg-open'), 0o755);
  await run('build');
  const server = await startServer(['serve', '--open'], {
    cwd: folder,
    env: { PATH: `${bin}:${process.env['PATH']}` },
  });
  try {
    await vi.waitFor(() => {
      expect(readFileSync(asked, 'utf8')).toBe(`http://127.0.0.1:${server.port}/explorer/\n`);
    });
  } finally {
    await server.stop();
  }
});
