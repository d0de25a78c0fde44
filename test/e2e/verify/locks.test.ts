/** Many processes that write at one place at once, and a place that is switched by a link while it is read. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { mustGet } from '../../../src/core/platform/certain.ts';
import { lockFolderOf } from '../../../src/system/files/folder-lock.ts';
import { newFolder } from '../../support/folders.ts';
import { MINUTES } from '../../support/limits.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { type Writer, writers } from '../../support/processes/writers.ts';
import { writeGenerated } from '../../support/registries/generated.ts';
import { registryOf, SITE } from '../../support/registries/registry.ts';
import { builtTree } from '../../support/trees/bundled.ts';
import { digestOfWhole } from '../../support/trees/whole-tree.ts';

let all: ReadonlyMap<string, Writer>;
beforeAll(async () => {
  all = await writers();
}, 2 * MINUTES);

describe('ten records at once', () => {
  test.each(['with no lock', 'with the lock of a process that is over', 'with a lock that is of nobody'])(
    'give one revision, %s',
    async (state) => {
      const { folder, registry, write, record } = registryOf();
      record('First');
      write({ [SITE]: 'type: site\nuid: lyra\nname: Other\nsite_class: baremetal\n' });
      const lock = lockFolderOf(join(registry, 'history'));
      if (state !== 'with no lock') mkdirSync(join(lock, 'next'), { recursive: true });
      if (state.includes('over')) writeFileSync(join(lock, 'owner-99999999'), '');
      const call = ['record', '-m', 'Second', '--author', 'Ada Brown'];
      const runs = await Promise.all(Array.from({ length: 10 }, () => gridpress(call, { cwd: folder })));
      expect(runs.filter(({ status }) => status === 0)).toHaveLength(1);
      for (const { status, stderr } of runs.filter((run) => run.status !== 0)) {
        expect(status).toBe(2);
        expect(stderr).toMatch(/^error: (Another gridpress is writing |There is nothing to record)/);
      }
      expect(readdirSync(join(registry, 'history'))).toHaveLength(2);
      expect(existsSync(lock)).toBe(false);
      expect((await gridpress(['check'], { cwd: folder })).status).toBe(0);
    },
  );

  test('are refused while an import writes there', async () => {
    const { folder, registry, write, record } = registryOf();
    record('First');
    write({ [SITE]: 'type: site\nuid: lyra\nname: Other\nsite_class: baremetal\n' });
    const lock = lockFolderOf(join(registry, 'history'));
    mkdirSync(lock);
    writeFileSync(join(lock, `owner-${process.pid}`), '');
    expect(await gridpress(['record', '-m', 'Second'], { cwd: folder })).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: Another gridpress is writing ${registry}/history: the process ${process.pid}. [build-running]\n  Wait until it is done. If that process is none of gridpress, remove ${lock}.\n`,
    });
  });
});

test.each(['build', 'publish', 'publish --link', 'apply', 'import', 'bundle', 'archive'])(
  '%s, ten at once: one at least goes through, and no other disturbs it',
  async (name) => {
    const writer = mustGet(all, name);
    const [folder, alone] = [newFolder(), newFolder()];
    for (const each of [folder, alone]) await writer.prepare(each);
    await writer.run(alone);
    const calls = Array.from({ length: 10 }, () => gridpress(writer.args, { cwd: folder }));
    const runs = await Promise.all(calls);
    expect(runs.filter(({ status }) => status === 0).length).toBeGreaterThan(0);
    for (const { status, stderr } of runs.filter((run) => run.status !== 0)) {
      expect(status).toBe(2);
      expect(stderr).toMatch(/^error: Another gridpress is writing .* \[build-running\]\n/);
    }
    expect(writer.standing(folder)).toBe(writer.standing(alone));
    expect(readdirSync(folder)).toEqual(readdirSync(alone));
  },
  10 * MINUTES,
);

test('a place that is a link is never missing, and a tree that is being read stays whole', async () => {
  const { registry, revisions } = writeGenerated(newFolder(), 3, 3, 'snapshots: none');
  const trees = await Promise.all(revisions.slice(1).map(({ id }) => builtTree(registry, { at: id })));
  const digests = trees.map(digestOfWhole);
  const folder = newFolder();
  const www = join(folder, 'www');
  const publish = async (n: number) => {
    const call = ['publish', 'www', '--tree', trees[n % 2] ?? '', '--older', '--link'];
    expect((await gridpress(call, { cwd: folder })).status).toBe(0);
  };
  // What is a folder becomes a link.
  expect((await gridpress(['publish', 'www', '--tree', trees[1] ?? ''], { cwd: folder })).status).toBe(0);
  writeFileSync(join(www, 'CNAME'), 'api.example.org\n');
  await publish(0);
  expect(lstatSync(www).isSymbolicLink()).toBe(true);
  let isOver = false;
  let reads = 0;
  const reading = (async () => {
    while (!isOver) {
      // Once resolved, all that is read is of one tree.
      expect(digests).toContain(digestOfWhole(realpathSync(www)));
      expect(readFileSync(join(www, 'index.json'), 'utf8')).toMatch(/^\{"type":"grid"/);
      reads++;
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  for (let n = 1; n <= 5; n++) await publish(n);
  isOver = true;
  await reading;
  expect(reads).toBeGreaterThan(10);
  expect(digestOfWhole(www)).toBe(digests[1]);
  expect(readFileSync(join(www, 'CNAME'), 'utf8')).toBe('api.example.org\n');
  expect(readdirSync(folder).sort()).toEqual(['.www.gridpress-trees', 'www']);
}, 120_000);
