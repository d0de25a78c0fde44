/**
 * In which order commands write, sync, rename and remove: whatever a power cut takes of what is not on the disk yet, the
 * old file or tree is there, or the new one. With `sync` and without, as on systems that have no such call.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundle } from '../../src/features/bundle/bundle.ts';
import { isWorkName } from '../../src/system/files/folder-lock.ts';
import { builtTree } from '../support/bundled.ts';
import { gridpress } from '../support/cli.ts';
import { newFolder } from '../support/folders.ts';
import { type Generated, writeGenerated } from '../support/generated.ts';
import { gitRepository, json } from '../support/git-repository.ts';
import { BASE, imported, SITE_BODY, SITE_FILE } from '../support/imported.ts';
import { registryOf, SITE } from '../support/registry.ts';

const PRELOAD = join(import.meta.dirname, '..', 'support', 'record-changes.mjs');

type Change = readonly [what: string, path: string, to: string, inode: number];

async function changesOf(args: readonly string[], cwd: string, PATH?: string): Promise<readonly Change[]> {
  const file = join(newFolder(), 'changes');
  const env = { CHANGES_RECORDED_IN: file, NODE_OPTIONS: `--import ${PRELOAD}` };
  const run = await gridpress(args, { cwd, env: PATH === undefined ? env : { ...env, PATH } });
  expect(run).toMatchObject({ status: 0, stderr: '' });
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  return lines.map((line): Change => JSON.parse(line));
}

const isIn = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);
const isAtWork = (path: string) => path.split('/').some(isWorkName);

/** What is wrong with an order: what gets its name before it is on the disk, and what goes before that name is there. */
function wrongIn(changes: readonly Change[]): string[] {
  const waiting = new Map<string, number>();
  const unsure = new Set<string>();
  const wrong: string[] = [];
  for (const [what, path, to, inode] of changes) {
    if (what === 'write') waiting.set(path, inode);
    else if (what === 'link') waiting.set(dirname(path), Number.NaN);
    else if (what === 'sync') {
      for (const [each, other] of waiting) if (each === path || other === inode) waiting.delete(each);
      unsure.delete(path);
    } else if (what === 'sync-all') waiting.clear();
    else if (what === 'rename' && isAtWork(path) && !isAtWork(to)) {
      const early = [...waiting.keys()].filter((each) => isIn(each, path));
      wrong.push(...early.map((each) => `${each} is not on the disk when ${to} gets its name`));
      unsure.add(dirname(to));
    } else if (what === 'remove' && isIn(path, join(dirname(path).replace(/\/old(\/.*)?$/, ''), 'old'))) {
      wrong.push(
        ...[...unsure].map((folder) => `${path} goes before the names in ${folder} are on the disk`),
      );
    }
  }
  return [...wrong, ...[...unsure].map((folder) => `the names in ${folder} never reach the disk`)];
}

let generated: Generated;
let trees: readonly string[];
beforeAll(async () => {
  generated = writeGenerated(newFolder(), 3, 3, 'snapshots: none');
  const ids = generated.revisions.slice(1).map(({ id }) => id);
  trees = await Promise.all(ids.map((at) => builtTree(generated.registry, { at })));
});

const [older, newer] = [() => trees[0] ?? '', () => trees[1] ?? ''];

/** What a command is called with, in a folder that holds what it replaces. */
const CALLS: Readonly<Record<string, (folder: string) => Promise<readonly string[]> | readonly string[]>> = {
  build: async (folder) => {
    const build = ['build', '--registry', generated.registry, '--out', 'dist'];
    await gridpress([...build, '--at', generated.revisions[1]?.id ?? ''], { cwd: folder });
    return build;
  },
  publish: async (folder) => {
    await gridpress(['publish', 'www', '--tree', older()], { cwd: folder });
    return ['publish', 'www', '--tree', newer()];
  },
  'publish --link': async (folder) => {
    await gridpress(['publish', 'www', '--tree', older(), '--link'], { cwd: folder });
    return ['publish', 'www', '--tree', newer()];
  },
  apply: async (folder) => {
    await gridpress(['publish', 'www', '--tree', older()], { cwd: folder });
    const out = join(newFolder(), 'x.bundle');
    await bundle({ registry: generated.registry, tree: newer(), out, showsProgress: false });
    return ['apply', out, 'www'];
  },
  bundle: () => ['bundle', '--registry', generated.registry, '--tree', newer(), '-o', 'x.bundle'],
  archive: () => ['archive', '--registry', generated.registry, '-o', 'archives'],
  lock: () => ['lock', '00000000-0000-4000-8000-000000000000', '--from', newer(), '-o', 'x.lock.json'],
  record: (folder) => {
    const { write, record } = registryOf({}, folder);
    record('First');
    write({ [SITE]: 'type: site\nuid: lyra\nname: Other\nsite_class: baremetal\n' });
    return ['record', '-m', 'Second', '--author', 'Ada Brown'];
  },
  import: async (folder) => {
    const repository = gitRepository();
    repository.commit({ files: BASE });
    await imported(repository.folder, {}, join(folder, 'registry-data'));
    repository.commit({ files: { [SITE_FILE]: json({ ...SITE_BODY, name: 'Other' }) } });
    return ['import', repository.folder, '-o', 'registry-data'];
  },
  schemas: () => ['schemas', 'schemas'],
};

describe('what is not on the disk yet is not needed yet, in', () => {
  test.each(Object.keys(CALLS))('%s', async (name) => {
    const folder = newFolder();
    const args = (await CALLS[name]?.(folder)) ?? [];
    const changes = await changesOf(args, folder);
    expect(changes.filter(([what]) => what.startsWith('sync')).length).toBeGreaterThan(0);
    expect(wrongIn(changes)).toEqual([]);
  });

  test('publish, where nothing syncs a whole file system', async () => {
    const folder = newFolder();
    const changes = await changesOf((await CALLS['publish']?.(folder)) ?? [], folder, newFolder());
    expect(changes.filter(([what]) => what === 'sync-all')).toEqual([]);
    expect(wrongIn(changes)).toEqual([]);
  });

  test('a build that need not last waits for nothing', async () => {
    const folder = newFolder();
    const changes = await changesOf([...((await CALLS['build']?.(folder)) ?? []), '--no-fsync'], folder);
    expect(wrongIn(changes)).not.toEqual([]);
    expect(changes.filter(([what]) => what === 'sync-all')).toEqual([]);
  });
});

describe('what a power cut has left of a tree', () => {
  test.each([
    ['nothing', () => ''],
    ['its beginning', (text: string) => text.slice(0, 200)],
    ['zeros', (text: string) => '\0'.repeat(text.length)],
  ])('is replaced where the manifest is %s', async (_, left) => {
    const folder = newFolder();
    const args = (await CALLS['publish']?.(folder)) ?? [];
    const manifest = join(folder, 'www', '_manifest.json');
    writeFileSync(join(folder, 'www', 'CNAME'), 'api.example.org\n');
    writeFileSync(manifest, left(readFileSync(manifest, 'utf8')));
    expect(await gridpress(args, { cwd: folder })).toMatchObject({ status: 0, stderr: '' });
    expect(readFileSync(manifest)).toEqual(readFileSync(join(newer(), '_manifest.json')));
    expect(readFileSync(join(folder, 'www', 'CNAME'), 'utf8')).toBe('api.example.org\n');
    rmSync(join(folder, 'www', 'CNAME'));
    expect((await gridpress(['verify', 'www'], { cwd: folder })).status).toBe(0);
  });
});
