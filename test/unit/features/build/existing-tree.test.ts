import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { itemAt } from '../../../../src/core/platform/lookups.ts';
import { build } from '../../../../src/features/build/build.ts';
import type { BuildOptions } from '../../../../src/features/build/build-options.ts';
import { type Commit, checkout, commit } from '../../../support/registries/revisions.ts';
import { nodeFile, nodeText, siteFile, siteText, writeTestbed } from '../../../support/registries/testbed.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { type Random, random } from '../../../support/values/random.ts';

type Choices = Partial<BuildOptions>;

/** Omits documents that take long to render and do not depend on the history. */
const SMALL = 'cluster_uid: main\nexplorer: false\nexports: false\nbadges: nodes\n';
/** The history start is a merge. */
const SINCE = 'history:\n  since: 2026-01-05\n';

function builder(folder: string, bound = '') {
  const project = join(folder, 'project');
  mkdirSync(project);
  const { registry, revisions } = writeTestbed(project);
  writeFileSync(join(project, 'gridpress.yaml'), SMALL + bound);
  const options = { registry, config: undefined, showsProgress: false, fsync: false };
  return {
    project,
    registry,
    revisions: Object.values(revisions),
    built: async (name: string, choices: Choices = {}) => {
      const out = join(folder, name);
      await build({ ...options, ...choices, out });
      return out;
    },
  };
}

/** Every file of a tree with its bytes and its time. */
function filesOf(tree: string): Map<string, string> {
  const names = readdirSync(tree, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => lstatSync(join(tree, name)).isFile());
  return new Map(
    files.map((name) => {
      const path = join(tree, name);
      // The manifest has the time at which it was written.
      const time = name === '_manifest.json' ? '' : lstatSync(path).mtimeMs;
      return [name, `${time} ${readFileSync(path, 'latin1')}`];
    }),
  );
}

describe('a build over an existing tree', () => {
  test.each([
    [1, ''],
    [2, ''],
    [3, SINCE],
  ])('equals a new build after any changes (seed %i, %j)', async (seed, bound) => {
    const folder = temporaryFolder();
    const place = builder(folder, bound);
    const chosen = random(seed);
    let choices: Choices = {};
    for (let step = 0; step < 6; step++) {
      choices = nextChoices(choices, chosen);
      checkout(place.project, chosen.pick(place.revisions.slice(3)));
      if (chosen.chance(0.2)) writeFileSync(join(place.project, 'gridpress.yaml'), configuration(chosen, bound));
      const isPreview = chosen.chance(0.4);
      if (isPreview) editOnce(place.registry, chosen);
      const asked = { ...choices, isPreview };
      const [standing, fresh] = [await place.built('standing', asked), await place.built(`${step}`, asked)];
      expect(filesOf(standing)).toEqual(filesOf(fresh));
      rmSync(fresh, { recursive: true });
    }
  });

  const VERSION = (id: string) => `sites/lyra/versions/${id}.json`;

  test('links unchanged files, except with --force', async () => {
    const place = builder(temporaryFolder());
    const [first, last] = [itemAt(place.revisions, 0), itemAt(place.revisions, -1 + place.revisions.length)];
    const tree = await place.built('tree');
    const node = nodeFile('lyra', 2).replace('.yaml', '');
    const names = [
      VERSION(first.id),
      `snapshots/${first.id}/sites/lyra.json`,
      `${node}/badge.svg`,
      `${node}/versions/timemap.link`,
    ];
    const inodes = () => names.map((name) => lstatSync(join(tree, name)).ino);
    const before = inodes();
    recordOneMore(place.project, last);
    await place.built('tree');
    expect(inodes()).toEqual(before);
    await place.built('tree', { force: true });
    expect(inodes().some((inode) => before.includes(inode))).toBe(false);
  });

  test('rewrites a file that was altered without a change of size and time', async () => {
    const place = builder(temporaryFolder());
    const [first, last] = [itemAt(place.revisions, 0), itemAt(place.revisions, -1 + place.revisions.length)];
    const tree = await place.built('tree');
    alterInPlace(join(tree, VERSION(first.id)));
    recordOneMore(place.project, last);
    expect(filesOf(await place.built('tree'))).toEqual(filesOf(await place.built('fresh')));
  });

  test('rewrites missing and touched files', async () => {
    const place = builder(temporaryFolder());
    const [first, last] = [itemAt(place.revisions, 0), itemAt(place.revisions, -1 + place.revisions.length)];
    const tree = await place.built('tree');
    const [version, item] = [VERSION(first.id), `snapshots/${first.id}/sites/lyra.json`];
    rmSync(join(tree, version));
    utimesSync(join(tree, item), 1, 1);
    recordOneMore(place.project, last);
    expect(filesOf(await place.built('tree'))).toEqual(filesOf(await place.built('fresh')));
  });
});

function recordOneMore(project: string, parent: Commit): void {
  commit(project, {
    parents: [parent],
    edits: { [nodeFile('lyra', 1)]: nodeText(1, 'note: moved\n') },
    message: 'Move node-1',
    date: '2026-02-01T00:00:00Z',
  });
}

/** Writes other bytes of the same length with the same time. */
function alterInPlace(path: string): void {
  const { atime, mtime } = lstatSync(path);
  writeFileSync(path, readFileSync(path, 'utf8').replace('lyra', 'LYRA'));
  utimesSync(path, atime, mtime);
}

function nextChoices(before: Choices, chosen: Random): Choices {
  return {
    ...before,
    ...(chosen.chance(0.2) ? { dialect: chosen.pick(['current', 'legacy'] as const) } : {}),
    ...(chosen.chance(0.2) ? { snapshots: chosen.pick(['all', 'none'] as const) } : {}),
    ...(chosen.chance(0.2) ? { maxAge: chosen.pick([0, 300]) } : {}),
    ...(chosen.chance(0.2) ? { precompressed: false, hosts: chosen.pick([[], ['nginx'], ['netlify']]) } : {}),
  };
}

function configuration(chosen: Random, bound: string): string {
  const lines = ['base_path: /testbed', 'prefixed_links: true\nbase_path: /here', 'vendor: testbed', ''];
  return `${SMALL}${bound}${chosen.pick(lines)}\n`;
}

/** Makes one unrecorded change: edits, removes or adds a node, or adds a site. */
function editOnce(registry: string, chosen: Random): void {
  const node = join(registry, nodeFile('lyra', chosen.pick([1, 2])));
  const edit = chosen.below(4);
  if (edit === 0) writeFileSync(join(registry, nodeFile('lyra', 1)), nodeText(1, 'note: new\n'));
  if (edit === 1) rmSync(join(registry, nodeFile('lyra', 2)), { force: true });
  if (edit === 2) writeFileSync(node, nodeText(Number(node.at(-6)), 'note: other\n'));
  if (edit === 3) {
    mkdirSync(join(registry, 'sites/dune'), { recursive: true });
    writeFileSync(join(registry, siteFile('dune')), siteText('dune', 'edge'));
  }
}
