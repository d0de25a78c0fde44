/** The rsync recipe of docs/publish.md, step by step. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { fileOfUrl } from '../../../src/core/tree/layout.ts';
import { pruneFolder } from '../../../src/features/publish/prune-folder.ts';
import { newFolder } from '../../support/folders.ts';
import { needs } from '../../support/processes/programs.ts';
import { type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { builtTree, treeState } from '../../support/trees/bundled.ts';
import { manifestOf } from '../../support/trees/served.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'publish.md'), 'utf8');
const STEPS = PAGE.split('\n').filter((line) => line.startsWith('rsync '));

let testbed: Testbed;
beforeAll(() => {
  testbed = writeTestbed(newFolder());
});

/** Runs a line of the page between two folders. */
function run(step: string | undefined, from: string, to: string): void {
  expect(step).toMatch(/ dist\/ server:\/srv\/api$/);
  const line = step?.replace('server:/srv/api', '"$TO"').replace(' dist/', ' "$FROM"/') ?? '';
  execFileSync('bash', ['-c', line], { env: { ...process.env, FROM: from, TO: to } });
}

/** Returns the targets of all links in a folder. */
function linksIn(folder: string): string[] {
  return filesBelow(folder)
    .filter((file) => file.endsWith('.json') && !file.startsWith('_') && !file.startsWith('40'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/"href":"([^"]*)"/g)])
    .map(([, href = '']) => href);
}
const deadLinks = (folder: string) =>
  [...new Set(linksIn(folder))].filter((href) => !existsSync(join(folder, fileOfUrl(href))));

const { isMissing, because } = needs('rsync');
test.skipIf(isMissing).each([{ hosts: [] }, { hosts: ['nginx'] }])(
  `the recipe never leaves a dead link, with %j${because}`,
  async ({ hosts }) => {
    expect(STEPS).toHaveLength(4);
    const before = await builtTree(testbed.registry, { at: testbed.revisions.flavored.id, hosts });
    const after = await builtTree(testbed.registry, { hosts });
    const folder = join(newFolder(), 'www');
    cpSync(before, folder, { recursive: true, preserveTimestamps: true });
    mkdirSync(join(folder, '.well-known'), { recursive: true });
    writeFileSync(join(folder, '.well-known', 'security.txt'), 'Contact: x\n');
    const same = (file: string) => readFileSync(join(folder, file)).equals(readFileSync(join(before, file)));
    const mutable = manifestOf(before)
      .documents.filter((each) => each.cache === 'mutable')
      .map(({ file }) => file);

    run(STEPS[0], after, folder);
    expect(mutable.filter((file) => !same(file))).toEqual([]);
    const immutable = manifestOf(after).documents.filter((each) => each.cache === 'immutable');
    expect(
      immutable.filter(({ file }) => !readFileSync(join(folder, file)).equals(readFileSync(join(after, file)))),
    ).toEqual([]);
    expect([same('_manifest.json'), same('index.json'), deadLinks(folder)]).toEqual([true, true, []]);

    run(STEPS[1], after, folder);
    expect([same('_manifest.json'), same('index.json'), same('sites.json'), deadLinks(folder)]).toEqual([
      true,
      true,
      false,
      [],
    ]);

    run(STEPS[2], after, folder);
    expect([same('_manifest.json'), same('index.json'), deadLinks(folder)]).toEqual([false, false, []]);
    const pruned = join(newFolder(), 'www');
    cpSync(folder, pruned, { recursive: true, preserveTimestamps: true });

    run(STEPS[3], after, folder);
    const kept = join('.well-known', 'security.txt');
    expect(filesBelow(folder)).toEqual([kept, ...filesBelow(after)].sort());
    pruneFolder({ destination: pruned, maxDeletes: 10_000, dryRun: false, showsProgress: false });
    for (const each of [pruned, folder]) rmSync(join(each, '.well-known'), { recursive: true });
    expect(treeState(pruned)).toEqual(treeState(folder));
  },
);
