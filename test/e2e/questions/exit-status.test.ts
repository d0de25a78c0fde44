/** The table "Exit status" of docs/experimenters.md: the same mistake has the same exit status in every command. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';

const folder = newFolder();

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../../registry-data'), join(folder, 'registry-data'), { recursive: true });
  writeFileSync(join(folder, 'gridpress.yaml'), 'cluster_uid: main\n');
  writeFileSync(join(folder, 'other'), '[1, 2]');
  expect((await gridpress(['lock', 'lyra-g01', '-o', 'a.lock.json'], { cwd: folder })).status).toBe(0);
  const lock = JSON.parse(readFileSync(join(folder, 'a.lock.json'), 'utf8'));
  writeFileSync(join(folder, 'invalid.lock.json'), JSON.stringify({ ...lock, note: 'x' }));
});

const MISTAKES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'an unknown field': [
    ['find', 'xyzzy = 1'],
    ['find', '--sort', 'xyzzy'],
    ['find', '--columns', 'xyzzy'],
  ],
  'an unknown node': [
    ['find', 'xyzzy'],
    ['lock', 'xyzzy'],
    ['diff', 'lyra-g01', 'xyzzy'],
    ['diff', 'head', 'head', 'xyzzy'],
    ['log', 'xyzzy'],
    ['show', 'xyzzy'],
  ],
  'an invalid query': [
    ['find', 'site ='],
    ['find', 'site =', '--reserve', '1'],
  ],
  'an unknown revision': [
    ['find', '--at', 'ffff0000'],
    ['lock', 'lyra-g01', '--at', 'ffff0000'],
    ['diff', 'ffff0000', 'head'],
    ['show', 'lyra-g01', '--at', 'ffff0000'],
  ],
  'a date before the history': [
    ['find', '--at', '1990-01-01'],
    ['lock', 'lyra-g01', '--at', '1990-01-01'],
    ['diff', '1990-01-01', 'head'],
    ['show', 'lyra-g01', '--at', '1990-01-01'],
  ],
  'a date that does not exist': [
    ['find', '--at', '2026-13-01'],
    ['lock', 'lyra-g01', '--at', '2026-13-01'],
    ['diff', '2026-13-01', 'head'],
    ['log', '--since', '2026-13-01'],
    ['show', 'lyra-g01', '--at', '2026-13-01'],
  ],
  'a file that cannot be read': [
    ['find', '--reserve', '1', '--exclude', 'none'],
    ['lock', '--hosts', 'none'],
    ['lock', '--from-oar', 'none'],
    ['verify-lock', 'none'],
    ['describe-lock', 'none'],
  ],
  'a file of another format': [
    ['find', '--reserve', '1', '--exclude', 'other'],
    ['lock', '--hosts', 'other'],
    ['lock', '--from-oar', 'other'],
    ['lock', '--from-manifest', 'other'],
    ['lock', '--from-lease', 'other'],
    ['verify-lock', 'other'],
    ['describe-lock', 'other'],
  ],
  'an invalid lock file': [
    ['verify-lock', 'invalid.lock.json'],
    ['describe-lock', 'invalid.lock.json'],
  ],
  'an unknown place': [
    ['find', '--from', 'none'],
    ['lock', 'lyra-g01', '--from', 'none'],
    ['verify-lock', 'a.lock.json', '--against', 'none'],
    ['diff', '2025-03-01', '--from', 'none'],
    ['log', '--from', 'none'],
    ['show', 'lyra-g01', '--from', 'none'],
  ],
};

describe.each(Object.entries(MISTAKES))('%s has the exit status 2', (_, commands) => {
  test.each(commands.map((args) => [args.join(' '), args] as const))('gridpress %s', async (_, args) => {
    const { status, stdout, stderr } = await gridpress(args, { cwd: folder });
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining('error: ')]);
  });
});

test.each([
  ['differences', ['diff', 'lyra-g02', 'lyra-g03']],
  ['no node for a lock file', ['find', "site = 'xyzzy'", '--lock', 'none.lock.json']],
  ['too few nodes to reserve', ['find', '--reserve', '5000']],
])('%s: the exit status is 1', async (_, args) => {
  expect((await gridpress(args, { cwd: folder })).status).toBe(1);
});

test.each([
  ['no matching node', ['find', "site = 'xyzzy'"]],
  ['no revision', ['log', '--until', '1990-01-01']],
  ['unchanged nodes', ['verify-lock', 'a.lock.json']],
])('%s: the exit status is 0', async (_, args) => {
  expect((await gridpress(args, { cwd: folder })).status).toBe(0);
});
