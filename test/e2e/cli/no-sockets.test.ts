/** Commands open no connection, listen on no port and resolve no name unless an argument requires it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { gitRepository } from '../../support/registries/git-repository.ts';
import { BASE } from '../../support/registries/imported.ts';
import { NODE, registryOf } from '../../support/registries/registry.ts';

const PRELOAD = join(import.meta.dirname, '..', '..', 'support', 'processes', 'record-sockets.mjs');

async function socketsOf(args: readonly string[], cwd: string): Promise<readonly string[]> {
  const file = join(newFolder(), 'sockets');
  const env = { SOCKETS_RECORDED_IN: file, NODE_OPTIONS: `--import ${PRELOAD}` };
  const { status, stderr } = await gridpress(args, { cwd, env });
  const isAsked = args.some((arg) => arg.startsWith('http:'));
  expect(status, stderr).toBe(isAsked ? 2 : 0);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

test('a command with a URL connects only to that URL', async () => {
  const args = ['verify', 'http://127.0.0.1:1/', '--timeout', '1'];
  expect(new Set(await socketsOf(args, newFolder()))).toEqual(new Set(['connect "127.0.0.1"']));
});

test('all other commands open no socket', async () => {
  const given = registryOf({}, newFolder());
  given.record('First');
  given.write({ [NODE]: `${given.read(NODE)}note: x\n` });
  const cwd = given.folder;
  const repository = gitRepository();
  repository.commit({ files: BASE });
  const calls = [
    ['record', '-m', 'Second', '--author', 'Ada Brown'],
    ['check', '--fleet'],
    ['log'],
    ['diff', 'head', 'worktree'],
    ['show', 'lyra-1'],
    ['add', 'node', '--names', 'lyra-{2..3}', '--like', 'lyra-1'],
    ['retire', 'lyra-3', '-m', 'Third', '--author', 'Ada Brown'],
    ['find', '--uids'],
    ['find', '--fields'],
    ['find', '--snippet', 'curl'],
    ['build'],
    ['verify'],
    ['lock', 'lyra-1', '-o', 'x.lock.json'],
    ['verify-lock', 'x.lock.json'],
    ['find', '--from', 'dist', "node_name = 'lyra-1'"],
    ['publish', 'www'],
    ['prune', 'www', '--dry-run'],
    ['bundle', '-o', 'x.bundle'],
    ['apply', 'x.bundle', 'mirror'],
    ['archive', '-o', 'archives'],
    ['schemas', 'schemas'],
    ['import', repository.folder, '-o', 'imported/registry-data'],
    ['init', 'project', '--grid', 'meridian'],
    ['hosts'],
    ['completion', 'bash'],
    ['--version'],
    ['--help'],
  ];
  for (const args of calls) expect([args[0], await socketsOf(args, cwd)]).toEqual([args[0], []]);
});
