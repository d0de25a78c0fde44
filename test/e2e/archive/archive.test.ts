/** Contents of archives, checked with tar, sha256sum and a crawl. Only the revision determines the bytes. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { dialectOf } from '../../../src/core/api/dialect.ts';
import { renderFindings } from '../../../src/core/diagnostics/render.ts';
import { build } from '../../../src/features/build/build.ts';
import { serve } from '../../../src/features/serve/serve.ts';
import { readConfiguration } from '../../../src/features/sources/read-configuration.ts';
import { crawl } from '../../../src/features/verify/crawl.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { needs } from '../../support/processes/programs.ts';
import { writeGenerated } from '../../support/registries/generated.ts';
import { NODE, registryOf } from '../../support/registries/registry.ts';
import { type RevisionName, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { archived, bytesIn, unpacked, verifiedArchive } from '../../support/trees/archived.ts';
import { clientOf, closeAtEnd, manifestOf, onBug } from '../../support/trees/served.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';

let bed: Testbed;
let all: string;

beforeAll(async () => {
  bed = writeTestbed(newFolder());
  all = (await archived(bed.registry, { all: true })).out;
});

const nameOf = (id: string) => `gridpress-testgrid-${id}`;
const tarOf = (name: RevisionName) => join(all, `${nameOf(bed.revisions[name].id)}.tar`);
const builtAt = async (registry: string, at?: string) => {
  const out = join(newFolder(), 'dist');
  return await build({
    registry,
    out,
    at,
    snapshots: 'none',
    versionLinks: 'none',
    precompressed: false,
    showsProgress: false,
  });
};
/** The files of a tree with their bytes, without the manifest. */
const documentsIn = (tree: string) =>
  filesBelow(tree)
    .filter((file) => file !== '_manifest.json')
    .map((file) => [file, readFileSync(join(tree, file), 'utf8')]);

describe('the archive of a revision', () => {
  test('is one folder in name order, with the time of the revision and no owner', () => {
    const { id } = bed.revisions.joined;
    const listed = execFileSync('tar', ['--utc', '--full-time', '-tvf', tarOf('joined')], { encoding: 'utf8' });
    const rows = listed
      .trimEnd()
      .split('\n')
      .map((line) => /^(\S+) (\S+) +\d+ (\S+ \S+) (\S+)/.exec(line)?.slice(1) ?? []);
    expect(new Set(rows.map(([mode, owner, time]) => `${mode?.slice(1)} ${owner} ${time}`))).toEqual(
      new Set(['rw-r--r-- 0/0 2026-01-12 08:00:00']),
    );
    const names = rows.map(([, , , name]) => name ?? '');
    expect(names).toEqual([...names].sort());
    expect(names.filter((name) => !name.startsWith(`${nameOf(id)}/data/tree/`))).toEqual(
      [
        'bag-info.txt',
        'bagit.txt',
        'data/.zenodo.json',
        'data/CITATION.cff',
        'data/CITE.txt',
        'data/datacite.json',
        'data/ro-crate-metadata.json',
        ...filesBelow(join(unpacked(tarOf('joined')), 'data', 'sources')).map((file) => `data/sources/${file}`),
        'manifest-sha256.txt',
        'tagmanifest-sha256.txt',
      ].map((file) => `${nameOf(id)}/${file}`),
    );
  });

  test.each(['first', 'merged', 'flavorless', 'joined'] as const)(
    'of %s contains the tree of a build at that revision, and registry files that rebuild it',
    async (name) => {
      const { id } = bed.revisions[name];
      const folder = unpacked(tarOf(name));
      const tree = join(folder, 'data', 'tree');
      const there = await builtAt(bed.registry, id);
      expect(documentsIn(tree)).toEqual(documentsIn(there.out));
      expect(manifestOf(tree).digest).toBe(there.digest);

      const again = await builtAt(join(folder, 'data', 'sources', 'registry-data'));
      expect(readFileSync(join(again.out, '_manifest.json'))).toEqual(readFileSync(join(tree, '_manifest.json')));
      expect(documentsIn(again.out)).toEqual(documentsIn(tree));
    },
  );

  const { isMissing, because } = needs('sha256sum');
  test.skipIf(isMissing)(`passes tar and sha256sum alone${because}`, () => {
    for (const file of [tarOf('joined'), `${tarOf('joined')}.gz`]) {
      const folder = unpacked(file);
      for (const manifest of ['manifest-sha256.txt', 'tagmanifest-sha256.txt']) {
        const said = execFileSync('sha256sum', ['-c', manifest], { cwd: folder, encoding: 'utf8' });
        const files = readFileSync(join(folder, manifest), 'utf8').trimEnd().split('\n');
        expect(said.trimEnd().split('\n')).toEqual(files.map((line) => `${line.slice(66)}: OK`));
      }
      const listed = readFileSync(join(folder, 'manifest-sha256.txt'), 'utf8').trimEnd().split('\n');
      expect(listed.map((line) => line.slice(66))).toEqual(
        filesBelow(folder).filter((file) => file.startsWith('data/')),
      );
    }
  });

  test('describes itself in bag-info.txt, without time or place of creation', () => {
    const folder = unpacked(tarOf('joined'));
    const payload = filesBelow(join(folder, 'data'));
    const size = payload.reduce((sum, file) => sum + statSync(join(folder, 'data', file)).size, 0);
    expect(
      readFileSync(join(folder, 'bag-info.txt'), 'utf8'),
    ).toBe(`External-Description: Registry of the testbed testgrid
External-Identifier: ${bed.revisions.joined.id}
Bag-Group-Identifier: testgrid
Bagging-Date: 2026-01-12
Payload-Oxum: ${size}.${payload.length}
Bag-Software-Agent: gridpress 0.1.0
`);
    expect(readFileSync(join(folder, 'bagit.txt'), 'utf8')).toBe(
      'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n',
    );
    expect(
      readFileSync(join(folder, 'data', 'CITE.txt'), 'utf8'),
    ).toBe(`The maintainers of testgrid: Registry of the testbed testgrid.
Revision ${bed.revisions.joined.id}, 2026-01-12T08:00:00Z.
Digest of the API tree: sha256:${manifestOf(join(folder, 'data', 'tree')).digest}
`);
  });

  test('can be served after unpacking, and every link in it answers', async () => {
    const tree = join(unpacked(`${tarOf('joined')}.gz`), 'data', 'tree');
    const serving = await serve({ registry: bed.registry, folder: tree, port: 0, host: '127.0.0.1', onBug });
    closeAtEnd(serving.close);
    const client = clientOf(serving.port);
    const dialect = dialectOf(readConfiguration({ registry: bed.registry }));
    const report = await crawl({ fetch: (url) => client.get(url), dialect, includesUnlinked: true });
    expect(renderFindings(report.findings)).toBe('');
    const { counts } = manifestOf(tree);
    expect(report.asked).toBeGreaterThan(counts.documents / 2);
  });

  test('passes verify, for all revisions', async () => {
    const index = JSON.parse(readFileSync(join(all, 'archives.json'), 'utf8'));
    expect(index.archives.map(({ serial }: { serial: number }) => serial)).toEqual(
      index.archives.map(({ serial }: { serial: number }) => serial).toSorted((a: number, b: number) => b - a),
    );
    expect(readdirSync(all).sort()).toEqual(
      [
        'archives.json',
        ...Object.values(bed.revisions).flatMap(({ id }) => [`${nameOf(id)}.tar`, `${nameOf(id)}.tar.gz`]),
      ].sort(),
    );
    for (const { revision, digest, tar, gzip } of index.archives) {
      for (const { file } of [tar, gzip]) {
        const verified = await verifiedArchive(join(all, file));
        expect([file, renderFindings(verified.findings)]).toEqual([file, '']);
        expect([verified.revision, verified.digest]).toEqual([revision, digest]);
      }
    }
  });

  test('uses hard links where names are short enough', async () => {
    // The folder name and the path of a grid document together have fewer than 100 bytes.
    const listed = execFileSync('tar', ['-tvf', tarOf('joined')], { encoding: 'utf8' });
    const root = `${nameOf(bed.revisions.joined.id)}/data/tree`;
    expect(listed).toContain(`${root}/sites/index.json link to ${root}/sites.json\n`);
    const folder = unpacked(tarOf('joined'));
    const inode = (file: string) => statSync(join(folder, 'data/tree', file)).ino;
    expect(inode('sites/index.json')).toBe(inode('sites.json'));
  });

  test('stays the same when more revisions are recorded', async () => {
    const given = registryOf({
      [NODE]: '# A note.\ntype: node\nnode_name: lyra-1\nuid: 7c9e6679-7425-40de-944b-e07fc1f90ae7\n',
    });
    const { id } = given.record('First');
    const before = await archived(given.registry, { revisions: [id] });
    const head = await archived(given.registry);
    for (let n = 0; n < 10; n++) {
      given.write({ [NODE]: `type: node\nuid: 7c9e6679-7425-40de-944b-e07fc1f90ae7\nnode_name: other-${n}\n` });
      given.record(`Change ${n}`);
    }
    const after = await archived(given.registry, { revisions: [id] });
    expect(bytesIn(after.out)).toEqual(bytesIn(before.out));
    expect(bytesIn(head.out)).toEqual(bytesIn(before.out));
  });

  test('is compressed in gzip members of one MiB of tar each', async () => {
    const { registry } = writeGenerated(newFolder(), 500, 3);
    const out = newFolder();
    expect(await gridpress(['archive', '--registry', registry, '-o', out])).toMatchObject({ status: 0, stderr: '' });
    const [tar = ''] = readdirSync(out).filter((file) => file.endsWith('.tar'));
    const bytes = readFileSync(join(out, tar));
    expect(bytes.length).toBeGreaterThan(8 << 20);
    const members: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += 1 << 20)
      members.push(gzipSync(bytes.subarray(at, at + (1 << 20)), { level: 3, mem: 6, mtime: 0 }));
    const compressed = readFileSync(join(out, `${tar}.gz`));
    expect(compressed.equals(Buffer.concat(members))).toBe(true);
    // RFC 1952: deflate, no flags, no time, medium level, Unix.
    expect([...compressed.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
    expect(execFileSync('gzip', ['-dc', join(out, `${tar}.gz`)], { maxBuffer: 1 << 28 }).equals(bytes)).toBe(true);
    expect(readdirSync(out).sort()).toEqual([tar, `${tar}.gz`, 'archives.json'].sort());
  });

  test('contains the configured citation, dialect and hosts', async () => {
    const folder = newFolder();
    const { registry } = writeGenerated(
      folder,
      2,
      1,
      'dialect: legacy',
      'hosts: [nginx]',
      'citation:',
      '  title: The Meridian registry',
      '  authors:',
      '    - {family_names: Brown, given_names: Ada, orcid: "https://orcid.org/0000-0002-1825-0097"}',
      '    - {name: Meridian}',
      '  license: CC-BY-4.0',
      '  doi: 10.5281/zenodo.1234567',
    );
    const { archives, out } = await archived(registry);
    const bag = unpacked(join(out, archives[0]?.tar.file ?? ''));
    const tree = join(bag, 'data', 'tree');
    expect(manifestOf(tree)).toMatchObject({ dialect: 'legacy', hosts: ['nginx'] });
    const there = await builtAt(registry);
    expect(documentsIn(tree)).toEqual(documentsIn(there.out));
    const documents = (folder: string) =>
      manifestOf(folder).documents.map((entry) => ('alias' in entry ? entry : { ...entry, variant_digests: [] }));
    const usual = join(newFolder(), 'dist');
    await build({ registry, out: usual, snapshots: 'none', versionLinks: 'none', showsProgress: false });
    expect(filesBelow(usual).some((file) => file.endsWith('.json.br'))).toBe(true);
    expect(documents(tree)).toEqual(documents(usual));
    expect(manifestOf(tree).digest).not.toBe(manifestOf(usual).digest);
    expect(readFileSync(join(bag, 'data', 'CITE.txt'), 'utf8')).toBe(`Ada Brown, Meridian: The Meridian registry.
Revision ${archives[0]?.revision}, 2026-01-01T00:00:00Z.
https://doi.org/10.5281/zenodo.1234567
Digest of the API tree: sha256:${there.digest}
`);
    const sources = join(bag, 'data', 'sources', 'registry-data');
    const again = join(newFolder(), 'again');
    const rebuild = ['--out', again, '--snapshots', 'none', '--version-links', 'none', '--no-precompressed'];
    expect(await gridpress(['build', '--registry', sources, ...rebuild])).toMatchObject({ status: 0, stderr: '' });
    expect(manifestOf(again).digest).toBe(manifestOf(tree).digest);
    expect(renderFindings((await verifiedArchive(join(out, archives[0]?.gzip.file ?? ''))).findings)).toBe('');
  });

  test('is rebuilt by the command in the documentation if the configuration sets a history start', async () => {
    const { registry } = writeGenerated(newFolder(), 2, 3, 'history: {since: 2100-01-01}');
    const { archives, out } = await archived(registry);
    const bag = unpacked(join(out, archives[0]?.tar.file ?? ''));
    const page = readFileSync(new URL('../../../docs/archive.md', import.meta.url), 'utf8');
    const [, command = ''] = /^gridpress (build --registry data\/.*)$/m.exec(page) ?? [];
    const [, since = ''] = /sets `history\.since`, add\s+`([^`]+)`/.exec(page) ?? [];
    expect(await gridpress(`${command} ${since}`.trim().split(' '), { cwd: bag })).toMatchObject({ status: 0 });
    expect(manifestOf(join(bag, 'rebuilt')).digest).toBe(manifestOf(join(bag, 'data', 'tree')).digest);
  });
});

describe('verify of a modified or foreign archive', () => {
  const said = async (tar: string, older = false) => {
    const { findings } = await verifiedArchive(tar, older);
    return findings.map((found) => `${found.place?.file}: ${renderFindings([found])}`);
  };

  test('names a file of the bag that its manifest does not list', async () => {
    const folder = unpacked(tarOf('joined'));
    writeFileSync(join(folder, 'data', 'more.txt'), 'more');
    const root = nameOf(bed.revisions.joined.id);
    const tar = join(newFolder(), 'x.tar');
    const form = ['--format=ustar', '-b1', '--owner=0', '--group=0', '--numeric-owner', '--mode=0644', '--sort=name'];
    const files = filesBelow(folder).map((file) => `${root}/${file}`);
    const time = '--mtime=2026-01-12T08:00:00Z';
    execFileSync('tar', [...form, time, '--hard-dereference', '-C', join(folder, '..'), '-cf', tar, ...files]);
    const told = await said(tar);
    expect(told.map((line) => line.split('\n')[0])).toEqual([
      expect.stringContaining(`${root}/bag-info.txt: `),
      `${root}/data/more.txt: ${root}/data/more.txt: error: The manifest of the bag does not list this file. [archive-unlisted]`,
    ]);
  });

  test('reports a different compression program', async () => {
    const folder = newFolder();
    const name = `${nameOf(bed.revisions.joined.id)}.tar`;
    cpSync(tarOf('joined'), join(folder, name));
    execFileSync('gzip', [name], { cwd: folder });
    const [told, ...others] = await said(join(folder, `${name}.gz`));
    expect(others).toEqual([]);
    expect(told).toContain(
      'The compressed file is damaged: the tar file in it is intact, but gridpress compresses it to different bytes.',
    );
  });

  test('compares the archive with the index next to it', async () => {
    const folder = newFolder();
    cpSync(all, folder, { recursive: true });
    const [one, other] = [bed.revisions.joined, bed.revisions.described].map(({ id }) => `${nameOf(id)}.tar`);
    renameSync(join(folder, one ?? ''), join(folder, other ?? ''));
    const told = await said(join(folder, other ?? ''));
    expect(told.length).toBe(1);
    expect(told[0]).toContain(', but archives.json in its folder states ');
  });
});
