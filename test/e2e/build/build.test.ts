import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LONGEST_SHIFT } from '../../../src/core/api/publication.ts';
import { PLAIN } from '../../../src/core/diagnostics/palette.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { build } from '../../../src/features/build/build.ts';
import type { BuildOptions } from '../../../src/features/build/build-options.ts';
import { newFolder } from '../../support/folders.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { checkout, REGISTRY, writeFiles } from '../../support/registries/revisions.ts';
import { nodeUid, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { manifestOf } from '../../support/trees/served.ts';
import { digestOfWhole, filesBelow, statesOf } from '../../support/trees/whole-tree.ts';

let bed: Testbed;
let out: string;

beforeAll(() => {
  bed = writeTestbed(newFolder());
});

beforeEach(() => {
  out = join(newFolder(), 'dist');
});

const press = (options: Partial<BuildOptions> = {}) =>
  build({ registry: bed.registry, out, showsProgress: false, ...options });

/** Writes a configuration file and returns it as a build option. */
function configured(...lines: string[]): { readonly config: string } {
  const folder = newFolder();
  writeFiles(folder, [['gridpress.yaml', ['cluster_uid: main', ...lines, ''].join('\n')]]);
  return { config: join(folder, 'gridpress.yaml') };
}

const LATEST_OF_KIT = 'sites/kit/versions/latest.json';

/** The index file of a document. */
const indexOf = (file: string) => file.replace(/\.json$/, '/index.json');

describe('a tree', () => {
  test('equals its manifest', async () => {
    const { digest, documents, aliases, snapshots } = await press();
    expect(digestOfWhole(out)).toBe(digest);
    const manifest = manifestOf(out);
    const counted = manifest.documents.filter((document) => 'alias_of' in document).length;
    expect({ documents, aliases }).toEqual({ documents: manifest.documents.length - counted, aliases: counted });
    expect(snapshots).toBe(Object.keys(bed.revisions).length);
    expect(manifest.revision).toBe(bed.revisions.joined.id);
    expect(readdirSync(join(out, '..'))).toEqual(['dist']);
  });

  test('contains no other files', async () => {
    await press();
    const named = manifestOf(out).documents.flatMap(({ file }) =>
      file === 'index.json' || !file.endsWith('.json') ? [file] : [file, indexOf(file)],
    );
    const gone = [
      ...['sites/cirrus/flavors/large', 'sites/dune', 'sites/vega', 'sites/vega/clusters/main'],
      `sites/vega/clusters/main/nodes/${nodeUid(4)}`,
    ].map((path) => `_gone/${path}.json`);
    const others = ['404.json', '405.json', '_manifest.json', ...gone];
    expect(filesBelow(out)).toEqual([...named, ...others].toSorted());
  });

  test('has no index files with `index_files: false`', async () => {
    await press(configured('index_files: false'));
    const indexes = filesBelow(out).filter((file) => file.endsWith('index.json'));
    expect(indexes).toEqual(['index.json']);
  });

  test('has the times of its revisions, each later than those of its parents', async () => {
    await press();
    for (const document of manifestOf(out).documents) {
      if ('alias_of' in document) continue;
      expect({ file: document.file, time: statSync(join(out, document.file)).mtimeMs }).toEqual({
        file: document.file,
        time: document.modified * 1000,
      });
    }
    const { first, side, pruned, replaced, joined } = bed.revisions;
    const millisecondsOf = (file: string) => statSync(join(out, file)).mtimeMs;
    // All times are earlier by the same shift, which depends on the settings.
    const shift = Date.parse('2026-01-01T07:00:00Z') - millisecondsOf(`versions/${first.id}.json`);
    expect(shift).toBeGreaterThanOrEqual(0);
    expect(shift).toBeLessThan(LONGEST_SHIFT * 1000);
    const timeOf = (file: string) => new Date(millisecondsOf(file) + shift).toISOString();
    expect(timeOf(`versions/${side.id}.json`)).toBe('2026-01-04T08:00:00.000Z');
    // Recorded in the same second as its parent.
    expect(timeOf(`versions/${pruned.id}.json`)).toBe('2026-01-04T08:00:02.000Z');
    expect(timeOf(`versions/${replaced.id}.json`)).toBe('2026-01-03T20:00:00.000Z');
    expect(timeOf(`snapshots/${side.id}/sites.json`)).toBe('2026-01-04T08:00:00.000Z');
    for (const file of ['index.json', 'sites/lyra.json', 'versions.json', '404.json']) {
      expect({ file, time: timeOf(file) }).toEqual({ file, time: '2026-01-12T08:00:00.000Z' });
    }
    expect(timeOf(`versions/${joined.id}.json`)).toBe('2026-01-12T08:00:00.000Z');
  });

  const at = (file: string) => join(out, file);
  test.each<[string, string, () => void]>([
    ['a document with another length', 'index.json', () => writeFileSync(at('index.json'), 'broken')],
    ['a document with another time', 'sites.json', () => utimesSync(at('sites.json'), 1, 1)],
    ['a missing document', 'sites/kit.json', () => rmSync(at('sites/kit.json'))],
    [
      'a file in the place of a folder',
      'sites/kit/deep.json',
      () => {
        rmSync(at('sites/kit'), { recursive: true });
        writeFileSync(at('sites/kit'), 'no folder');
      },
    ],
    ['a missing alias', LATEST_OF_KIT, () => rmSync(at(LATEST_OF_KIT))],
    ['a missing error document', '404.json', () => rmSync(at('404.json'))],
    [
      'an altered manifest',
      '_manifest.json',
      () =>
        writeFileSync(
          at('_manifest.json'),
          readFileSync(at('_manifest.json'), 'utf8').replace('"cache":"mutable"', '"cache":"immutable"'),
        ),
    ],
  ])('is repaired if it has %s', async (_, file, damage) => {
    const { digest } = await press();
    const before = statesOf(out);
    damage();
    const mended = await press();
    expect(mended).toMatchObject({ isWritten: true, digest });
    expect(renderFindings(mended.findings, PLAIN)).toBe(
      `${at(file)}: warning: The file was missing or altered, so gridpress rebuilt the tree. [build-damaged]
  No action is needed. If nobody altered the file on purpose, find out which program writes there.
`,
    );
    expect(filesBelow(out)).toEqual([...before.keys()].sort());
    expect(digestOfWhole(out)).toBe(digest);
    expect(await press()).toMatchObject({ isWritten: false, findings: [] });
  });

  test('is rewritten and repaired with --force', async () => {
    await press();
    const before = statSync(join(out, 'sites.json')).ino;
    const { size, mtime } = statSync(join(out, 'index.json'));
    writeFileSync(join(out, 'index.json'), '-'.repeat(size));
    utimesSync(join(out, 'index.json'), mtime, mtime);
    expect((await press()).isWritten).toBe(false);
    expect((await press({ force: true })).isWritten).toBe(true);
    expect(JSON.parse(readFileSync(join(out, 'index.json'), 'utf8')).type).toBe('grid');
    expect(statSync(join(out, 'sites.json')).ino).not.toBe(before);
  });

  test('stores each document once, under all its names', async () => {
    await press();
    const inode = (file: string) => statSync(join(out, file)).ino;
    const files = new Map(manifestOf(out).documents.map(({ path, file }) => [path, file]));
    for (const document of manifestOf(out).documents) {
      const { file } = document;
      if (file !== 'index.json' && file.endsWith('.json')) expect(inode(indexOf(file))).toBe(inode(file));
      if ('alias_of' in document) expect(inode(files.get(document.alias_of) ?? '')).toBe(inode(file));
    }
    // The document, its index file, the only version of kit, the latest one, the version at the head, and 13 snapshots.
    expect(statSync(join(out, `sites/kit/versions/${bed.revisions.first.id}.json`)).nlink).toBe(2 * (1 + 1 + 13));
  });
});

describe('a build', () => {
  test('writes nothing when nothing changed', async () => {
    // Only a build that writes says that it publishes all fields.
    const { publishesAll: _, ...first } = await press();
    const before = statesOf(out);
    const above = statSync(join(out, '..')).mtimeMs;
    const again = await press();
    expect(again).toEqual({ ...first, isWritten: false });
    expect(statesOf(out)).toEqual(before);
    expect(statSync(join(out, '..')).mtimeMs).toBe(above);
  });

  test('writes a new tree when an option, the configuration or a registry file changed', async () => {
    await press();
    expect((await press({ dialect: 'legacy' })).isWritten).toBe(true);
    expect((await press({ dialect: 'legacy' })).isWritten).toBe(false);
    expect((await press({ snapshots: 'none' })).isWritten).toBe(true);
    expect((await press({ at: bed.revisions.closed.id })).isWritten).toBe(true);
    const configuration = configured('dialect: legacy');
    expect((await press(configuration)).isWritten).toBe(true);
    writeFileSync(configuration.config, 'cluster_uid: main\nvendor: other\ndialect: legacy\n');
    expect((await press(configuration)).isWritten).toBe(true);
    expect(digestOfWhole(out)).toBe(manifestOf(out).digest);
  });

  test('reuses unchanging files of the last tree', async () => {
    await press({ at: bed.revisions.closed.id });
    const before = statesOf(out);
    await press();
    const inodeOf = (state: string | undefined) => state?.split(' ')[0];
    const { closed, first } = bed.revisions;
    const now = statesOf(out);
    for (const file of [`versions/${closed.id}.json`, `snapshots/${first.id}/sites/lyra.json`]) {
      expect(inodeOf(now.get(file))).toBe(inodeOf(before.get(file)));
    }
    expect(inodeOf(now.get('index.json'))).not.toBe(inodeOf(before.get('index.json')));
    expect(digestOfWhole(out)).toBe((await press({ out: join(newFolder(), 'dist') })).digest);
  });

  test('at a revision gives the same tree as a build when that revision was the head', async () => {
    const then = newFolder();
    writeFiles(then, [['gridpress.yaml', 'cluster_uid: main\n']]);
    for (const [name, revision] of Object.entries(bed.revisions)) {
      checkout(then, revision);
      const original = await build({
        registry: join(then, REGISTRY),
        out: join(newFolder(), 'dist'),
        showsProgress: false,
      });
      const again = await press({ at: revision.id.slice(0, 10) });
      expect({ name, revision: again.revision, digest: again.digest }).toEqual({
        name,
        revision: revision.id,
        digest: original.digest,
      });
    }
  });

  test('at a date builds the newest revision up to this date', async () => {
    const { first, merged } = bed.revisions;
    expect((await press({ at: '2026-01-01' })).revision).toBe(first.id);
    expect((await press({ at: '2026-01-05T08:00:00Z' })).revision).toBe(merged.id);
  });

  test('writes the requested snapshots, newest first', async () => {
    const { first, merged, joined } = bed.revisions;
    const listed = () => {
      const { total, items } = JSON.parse(readFileSync(join(out, 'snapshots.json'), 'utf8'));
      return { total, uids: items.map(({ uid }: { uid: string }) => uid) };
    };
    await press({ snapshots: [merged.id.slice(0, 8), joined.id, first.id] });
    expect(listed()).toEqual({ total: 3, uids: [joined.id, merged.id, first.id] });
    expect(
      readdirSync(join(out, 'snapshots'))
        .filter((name) => !name.endsWith('.json'))
        .toSorted(),
    ).toEqual([first.id, merged.id, joined.id].toSorted());
    await press({ snapshots: 'none' });
    expect(listed()).toEqual({ total: 0, uids: [] });
    await press(configured(`snapshots: [${first.id}]`));
    expect(listed()).toEqual({ total: 1, uids: [first.id] });
    expect(await failureOf(() => press({ snapshots: ['00000000'] }))).toBe(
      'error: There is no revision "00000000". [unknown-revision]\n  Write a date as 2026-03-31, or name a revision: "gridpress log" lists them.\n',
    );
    expect(listed()).toEqual({ total: 1, uids: [first.id] });
  });

  test('at an older revision omits the listed snapshots of newer revisions', async () => {
    const { first, merged, joined } = bed.revisions;
    const listed = configured(`snapshots: [${joined.id.slice(0, 8)}, ${first.id}]`);
    const { digest, snapshots } = await press({ ...listed, at: merged.id });
    expect(snapshots).toBe(1);
    expect((await press({ snapshots: [first.id], at: merged.id })).digest).toBe(digest);
  });

  test('stops before writing if the tree would exceed max_files, and names settings that fit', async () => {
    const folder = join(newFolder(), 'dist');
    await press({ out: folder });
    const all = filesBelow(folder).length;
    const most = Math.floor(all / 2);
    const refused = await failureOf(() =>
      press(configured('snapshots: all', 'version_links: all', `max_files: ${most}`)),
    );
    expect(refused).toMatch(
      /^error: The tree would have \S+ files, but max_files is \S+\. Nothing was written\. \[max-files\]\n/,
    );
    const [, causes = ''] = /Files: (.+?)\. The tree/.exec(refused) ?? [];
    const counts = causes.split(', ').map((cause) => Number.parseInt(cause.replaceAll(',', ''), 10));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(
      Number(/have (\S+) files/.exec(refused)?.[1]?.replaceAll(',', '')),
    );
    const [, lines = ''] = / and options: (.+)\. Or raise max_files\.\n$/.exec(refused) ?? [];
    expect(lines).toMatch(/^snapshots: auto(; version_links: auto)?/);
    expect(readdirSync(join(out, '..'))).toEqual([]);
    expect((await press(configured(...lines.split('; '), `max_files: ${most}`))).isWritten).toBe(true);
    expect(filesBelow(out).length).toBeLessThanOrEqual(most);
  });
});

test('the file count includes every variant for the hosts, and raw documents have only compressed variants', async () => {
  const options = { hosts: ['nginx'], snapshots: 'none', versionLinks: 'all' } as const;
  await press(options);
  const files = filesBelow(out);
  const raw = files.filter((file) => /(timemap\.link|feed\.atom)$/.test(file));
  expect(raw).not.toEqual([]);
  expect(files.filter((file) => /(timemap\.link|feed\.atom)./.test(file)).toSorted()).toEqual(
    raw.flatMap((file) => [`${file}.br`, `${file}.gz`]).toSorted(),
  );
  const most = (limit: number) => press({ ...configured(`max_files: ${limit}`), ...options });
  const said = `error: The tree would have ${files.length.toLocaleString('en-US')} files,`;
  expect((await failureOf(() => most(files.length - 1))).startsWith(said)).toBe(true);
  expect((await most(files.length)).isWritten).toBe(true);
});

describe('an output', () => {
  test('may be an empty folder or a symbolic link to one', async () => {
    mkdirSync(out);
    expect((await press({ snapshots: 'none' })).isWritten).toBe(true);
    const link = join(out, '..', 'link');
    const target = join(newFolder(), 'target');
    mkdirSync(target);
    symlinkSync(target, link);
    const { digest } = await press({ snapshots: 'none', out: link });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(digestOfWhole(target)).toBe(digest);
    expect((await press({ snapshots: 'all', out: link })).isWritten).toBe(true);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  test('must not be a file', async () => {
    writeFileSync(out, 'mine');
    expect(await failureOf(press)).toBe(
      `error: ${out} is a file, not a folder. [output-is-file]\n  Name another folder.\n`,
    );
    expect(readFileSync(out, 'utf8')).toBe('mine');
    const below = join(out, 'dist');
    expect(await failureOf(() => press({ out: below }))).toBe(
      `error: ${below} cannot be written: a part of the path is not a folder. [output-not-writable]
  Check its permissions, or name another folder.
`,
    );
  });

  test.each(['mine', '{}', '{"gridpress":2}'])('must not contain foreign files: %s', async (manifest) => {
    mkdirSync(out);
    const files = ['notes.txt', ...(manifest === 'mine' ? [] : ['_manifest.json'])];
    for (const file of files) writeFileSync(join(out, file), manifest);
    expect(await failureOf(press)).toBe(
      `error: ${out} was not written by gridpress: it is not empty and has no _manifest.json of gridpress. [output-not-ours]
  Name another folder, or empty this one yourself.
`,
    );
    expect(filesBelow(out)).toEqual(files.toSorted());
  });

  test('must not be inside the registry, nor the registry inside it', async () => {
    const own = writeTestbed(newFolder());
    const inside = join(own.registry, 'dist');
    for (const folder of [inside, own.registry, own.folder]) {
      expect(await failureOf(() => press({ registry: own.registry, out: folder }))).toBe(
        `error: The output ${folder} and the registry ${own.registry} overlap. [output-in-registry]
  Name a folder outside the registry.
`,
      );
    }
    const link = join(newFolder(), 'link');
    symlinkSync(own.registry, link);
    expect(await failureOf(() => press({ registry: own.registry, out: join(link, 'dist') }))).toBe(
      `error: The output ${join(link, 'dist')} and the registry ${own.registry} overlap. [output-in-registry]
  Name a folder outside the registry.
`,
    );
    expect(readdirSync(own.registry).toSorted()).toEqual(['grid.yaml', 'history', 'sites']);
    expect(readdirSync(own.folder).toSorted()).toEqual(['gridpress.yaml', 'registry-data']);
  });

  test('must be writable', async () => {
    expect(await failureOf(() => press({ out: '/proc/gridpress/dist' }))).toMatch(
      /^error: \/proc.* cannot be written: .*\. \[output-not-writable\]\n {2}Check its permissions, or name another folder\.\n$/,
    );
  });

  test('keeps the last tree when the registry has errors', async () => {
    const own = writeTestbed(newFolder());
    const { digest } = await press({ registry: own.registry });
    writeFileSync(join(own.registry, `sites/lyra/clusters/main/nodes/${nodeUid(9)}.yaml`), 'type: [');
    expect(await failureOf(() => press({ registry: own.registry }))).toContain('[yaml-syntax]');
    expect(digestOfWhole(out)).toBe(digest);
    expect(readdirSync(join(out, '..'))).toEqual(['dist']);
  });
});
