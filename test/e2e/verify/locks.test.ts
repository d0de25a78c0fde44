/** Concurrent processes that write to one place, and a place that is switched through a link while it is read. */
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { getOrThrow } from '../../../src/core/platform/lookups.ts';
import { lockFolderOf } from '../../../src/system/files/folder-lock.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { type Writer, writers } from '../../support/processes/writers.ts';
import { writeGenerated } from '../../support/registries/generated.ts';
import { NODE, registryOf, SITE } from '../../support/registries/registry.ts';
import { builtTree } from '../../support/trees/bundled.ts';
import { digestOfWhole } from '../../support/trees/whole-tree.ts';

let all: ReadonlyMap<string, Writer>;
beforeAll(async () => {
  all = await writers();
});

describe('ten concurrent records', () => {
  test.each(['without a lock', 'with the lock of an ended process', 'with a lock without an owner'])(
    'give one revision, %s',
    async (state) => {
      const { folder, registry, write, record } = registryOf();
      record('First');
      write({ [SITE]: 'type: site\nuid: lyra\nname: Other\nsite_class: baremetal\n' });
      const lock = lockFolderOf(join(registry, 'history'));
      if (state !== 'without a lock') mkdirSync(join(lock, 'next'), { recursive: true });
      if (state.includes('ended')) writeFileSync(join(lock, 'owner-99999999'), '');
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

  test('are rejected while an import writes', async () => {
    const { folder, registry, write, record } = registryOf();
    record('First');
    write({ [SITE]: 'type: site\nuid: lyra\nname: Other\nsite_class: baremetal\n' });
    const lock = lockFolderOf(join(registry, 'history'));
    mkdirSync(lock);
    writeFileSync(join(lock, `owner-${process.pid}`), '');
    expect(await gridpress(['record', '-m', 'Second'], { cwd: folder })).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: Another gridpress is writing ${registry}/history (process ${process.pid}). [build-running]\n  Wait until it has finished. If that process is not gridpress, remove ${lock}.\n`,
    });
  });
});

test('ten concurrent edits lose no change', async () => {
  const { folder, read } = registryOf();
  const fields = Array.from({ length: 10 }, (_, i) => `placement.slot${i}`);
  const calls = fields.map((field) =>
    gridpress(['set', 'lyra-1', `${field}=1`, '--allow-unknown', '-m', field, '--author', 'Ada Brown'], {
      cwd: folder,
    }),
  );
  const runs = await Promise.all(calls);
  const written = fields.filter((_, i) => runs[i]?.status === 0);
  expect(written.length).toBeGreaterThan(0);
  expect(
    read(NODE)
      .match(/slot\d/g)
      ?.toSorted(),
  ).toEqual(written.map((field) => field.slice('placement.'.length)));
  for (const { status, stderr } of runs.filter((run) => run.status !== 0)) {
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: Another gridpress is writing .* \[build-running\]\n/);
  }
});

test.each(['build', 'publish', 'publish --link', 'apply', 'import', 'bundle', 'archive'])(
  'ten concurrent runs of %s: at least one succeeds, and the others do not disturb it',
  async (name) => {
    const writer = getOrThrow(all, name);
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
    expect(writer.currentResult(folder)).toBe(writer.currentResult(alone));
    expect(readdirSync(folder)).toEqual(readdirSync(alone));
  },
);

test('a place behind a link is never missing, and a tree stays complete while it is read', async () => {
  const { registry, revisions } = writeGenerated(newFolder(), 3, 3, 'snapshots: none');
  const trees = await Promise.all(revisions.slice(1).map(({ id }) => builtTree(registry, { at: id })));
  const digests = trees.map(digestOfWhole);
  const folder = newFolder();
  const www = join(folder, 'www');
  const publish = async (n: number) => {
    const call = ['publish', 'www', '--tree', trees[n % 2] ?? '', '--older', '--link'];
    expect((await gridpress(call, { cwd: folder })).status).toBe(0);
  };
  // Replaces the folder by a link.
  expect((await gridpress(['publish', 'www', '--tree', trees[1] ?? ''], { cwd: folder })).status).toBe(0);
  writeFileSync(join(www, 'CNAME'), 'api.example.org\n');
  await publish(0);
  expect(lstatSync(www).isSymbolicLink()).toBe(true);
  let isOver = false;
  let reads = 0;
  const reading = (async () => {
    while (!isOver) {
      // The resolved path always contains one complete tree.
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
});
