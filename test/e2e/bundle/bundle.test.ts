/** Contents of bundles. Applying a bundle gives the tree that it was made from. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyTree } from '../../../src/cli/verify-place.ts';
import { sha256 } from '../../../src/core/model/digest.ts';
import { manifestSeal, SECTION } from '../../../src/core/tree/manifest/manifest.ts';
import { apply, describeApplied } from '../../../src/features/bundle/apply.ts';
import { type BundleOptions, bundle } from '../../../src/features/bundle/bundle.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { needs } from '../../support/processes/programs.ts';
import { writeGenerated } from '../../support/registries/generated.ts';
import { commit, REGISTRY } from '../../support/registries/revisions.ts';
import { nodeFile, nodeText, type Testbed, writeFirstRevision } from '../../support/registries/testbed.ts';
import { builtTree, carriedTrees, inodeOf, treeState } from '../../support/trees/bundled.ts';
import { manifestOf, serveTree } from '../../support/trees/served.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';

let testbed: Testbed;
/** The trees at the head and at its parent. */
let tree: string;
let older: string;
let before: string;

beforeAll(async () => {
  ({ testbed, tree, older, before } = await carriedTrees());
});

async function bundled(options: Partial<BundleOptions> = {}): Promise<string> {
  const out = join(newFolder(), 'x.bundle');
  await bundle({ registry: testbed.registry, tree, out, showsProgress: false, ...options });
  return out;
}

const applied = (file: string, folder: string, more = {}) =>
  apply({ file, folder, older: false, showsProgress: false, ...more });
const copyOf = (folder: string) => {
  const copy = join(newFolder(), 'mirror');
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
  return copy;
};
const entriesOf = (file: string) => execFileSync('tar', ['-tf', file], { encoding: 'utf8' }).trim().split('\n');
const identityOf = (out: string) => {
  const { revision, serial, digest } = manifestOf(out);
  return { revision, serial, digest };
};

describe('a full bundle', () => {
  test('contains each stored file once, in the order of the manifest', async () => {
    const { documents, files } = manifestOf(tree);
    const own = documents.flatMap((each) => ('alias_of' in each ? [] : [each.file]));
    expect(entriesOf(await bundled())).toEqual([
      ...['bundle.json', '_manifest.json', ...own],
      ...files.map(({ file }) => file),
    ]);
  });

  test('describes the tree in bundle.json', async () => {
    const folder = newFolder();
    execFileSync('tar', ['-xf', await bundled(), '-C', folder]);
    const text = readFileSync(join(folder, 'bundle.json'), 'utf8');
    const manifest = readFileSync(join(tree, '_manifest.json'));
    const head = {
      gridpress_bundle: 1,
      from: null,
      to: { ...identityOf(tree), manifest: sha256(manifest) },
      files: null,
      remove: [],
    };
    const said = JSON.stringify(head).slice(0, -1);
    expect(text).toBe(`${said},"seal":"${sha256(said)}"}\n`);
    expect(readFileSync(join(folder, '_manifest.json'))).toEqual(manifest);
  });

  test.each([
    ['current', []],
    ['legacy', ['nginx']],
  ] as const)('creates the same tree, %s, with files for the hosts %j', async (dialect, hosts) => {
    const out = await builtTree(testbed.registry, { dialect, hosts });
    const mirror = join(newFolder(), 'mirror');
    const result = applied(await bundled({ tree: out }), mirror);
    expect(treeState(mirror)).toEqual(treeState(out));
    expect(result).toMatchObject({ isWritten: true, kept: 0, digest: manifestOf(out).digest });
    // Aliases of the tree are hard links.
    expect(inodeOf(mirror, 'versions/latest.json')).toBe(inodeOf(mirror, `versions/${manifestOf(out).revision}.json`));
    const asked = { place: mirror, timeout: 10, maxRequests: 1, older: false, trust: {}, showsProgress: false };
    expect((await verifyTree(asked)).findings).toEqual([]);
  });

  test('creates a tree that serve accepts', async () => {
    const mirror = join(newFolder(), 'mirror');
    applied(await bundled(), mirror);
    const served = await serveTree(testbed.registry, mirror);
    const { findings, urls } = await served.crawl();
    expect(findings).toEqual([]);
    const original = await serveTree(testbed.registry, tree);
    expect(urls).toEqual((await original.crawl()).urls);
  });
});

test('bundle --registry with a folder that is no registry is rejected', async () => {
  const out = join(newFolder(), 'mirror.bundle');
  const { status, stdout, stderr } = await gridpress(['bundle', '--tree', tree, '--registry', 'nowhere', '-o', out]);
  expect([status, stdout, existsSync(out)]).toEqual([2, '', false]);
  expect(stderr).toMatch(/^error: .*nowhere.* \[no-registry\]\n/);
});

describe('an update bundle', () => {
  test('contains the files that the older tree lacks, and creates the same new tree', async () => {
    const file = await bundled({ since: before });
    const [old, now] = [older, tree].map((out) => {
      const digests = manifestOf(out).documents.flatMap((each) =>
        'sha256' in each ? [[each.file, each.sha256] as const] : [],
      );
      return new Map([
        ...digests,
        ...manifestOf(out).files.map(({ file: name, sha256: digest }) => [name, digest] as const),
      ]);
    });
    const brought = [...(now ?? [])].flatMap(([name, digest]) => (old?.get(name) === digest ? [] : [name]));
    expect(entriesOf(file)).toEqual(['bundle.json', '_manifest.json', ...brought]);
    expect(brought).toContain('sites.json');
    expect(brought).not.toContain(`versions/${before}.json`);

    const mirror = copyOf(older);
    const kept = inodeOf(mirror, `versions/${before}.json`);
    const result = applied(file, mirror);
    expect(treeState(mirror)).toEqual(treeState(tree));
    expect([result.written, result.kept]).toEqual([brought.length, (now?.size ?? 0) - brought.length]);
    expect(inodeOf(mirror, `versions/${before}.json`)).toBe(kept);
    expect((await serveTree(testbed.registry, mirror)).manifest.digest).toBe(manifestOf(tree).digest);
  });

  test('is the same since a tree, its manifest or the bundle of that tree', async () => {
    const expected = readFileSync(await bundled({ since: before }));
    const last = await bundled({ tree: older });
    for (const since of [older, join(older, '_manifest.json'), last])
      expect(readFileSync(await bundled({ since })).equals(expected)).toBe(true);
  });

  test.each(['first', 'side', 'closed'] as const)(
    'since %s applies to a tree with the same history start',
    async (name) => {
      const { id } = testbed.revisions[name];
      const since = '2026-01-06';
      const out = await builtTree(testbed.registry, { since });
      const mirror = await builtTree(testbed.registry, { since, at: id });
      applied(await bundled({ tree: out, since: id }), mirror);
      expect(treeState(mirror)).toEqual(treeState(out));
    },
  );

  test('since a revision before the history start applies if only the new snapshot fits in the budget', async () => {
    const folder = newFolder();
    const settings = ['cluster_uid: main', 'index_files: false', 'file_budget: 9', 'history: { since: 2100-01-01 }'];
    const nodes = [1, 2, 3, 4].map((n) => nodeText(n));
    const first = writeFirstRevision(folder, settings.join('\n'), nodes);
    const edits = { [nodeFile('lyra', 2)]: null, [nodeFile('lyra', 3)]: null, [nodeFile('lyra', 4)]: null };
    commit(folder, { parents: [first], edits, message: 'Remove nodes', date: '2026-02-01T00:00:00Z' });
    const registry = join(folder, REGISTRY);
    const [newer, mirror] = [await builtTree(registry), await builtTree(registry, { at: first.id })];
    expect([newer, mirror].map((out) => existsSync(join(out, 'snapshots')))).toEqual([true, false]);
    applied(await bundled({ registry, tree: newer, since: first.id }), mirror);
    expect(treeState(mirror)).toEqual(treeState(newer));
  });

  test('since a revision applies to its tree if gridpress.yaml lists a newer snapshot', async () => {
    const { registry, revisions } = writeGenerated(newFolder(), 2, 3);
    const [first = '', , last = ''] = revisions.map(({ id }) => id);
    writeFileSync(join(registry, '../gridpress.yaml'), `cluster_uid: main\nsnapshots: [${first}, ${last}]\n`);
    const [newer, mirror] = [await builtTree(registry), await builtTree(registry, { at: first })];
    applied(await bundled({ registry, tree: newer, since: first }), mirror);
    expect(treeState(mirror)).toEqual(treeState(newer));
  });

  test('lists outdated files and deletes them', async () => {
    // An older revision has fewer snapshots and versions.
    const file = await bundled({ tree: older, since: tree });
    const folder = newFolder();
    execFileSync('tar', ['-xf', file, '-C', folder, 'bundle.json']);
    const [there, comes] = [tree, older].map((out) => [
      ...manifestOf(out).documents.map((each) => each.file),
      ...manifestOf(out).files.map((each) => each.file),
    ]);
    const gone = (there ?? []).filter((name) => !comes?.includes(name)).sort();
    const { from, to, remove } = JSON.parse(readFileSync(join(folder, 'bundle.json'), 'utf8'));
    expect({ from, remove }).toEqual({ from: identityOf(tree), remove: gone });
    expect(to).toMatchObject(identityOf(older));
    const mirror = copyOf(tree);
    const result = applied(file, mirror, { older: true });
    expect(treeState(mirror)).toEqual(treeState(older));
    expect(result.removed).toBe(gone.length);
    expect(describeApplied(result)).toMatch(new RegExp(`, ${gone.length} removed\\.\\n$`));
  });

  test('applies to a plain copy without hard links and file times', async () => {
    const mirror = join(newFolder(), 'mirror');
    execFileSync('cp', ['-r', older, mirror]);
    applied(await bundled({ since: before }), mirror);
    expect(treeState(mirror)).toEqual(treeState(tree));
  });

  test('does not repair files that it does not contain', async () => {
    const mirror = copyOf(older);
    const file = `versions/${before}.json`;
    rmSync(join(mirror, file));
    writeFileSync(join(mirror, file), '{}');
    const state = treeState(mirror);
    expect(await gridpress(['apply', await bundled({ since: before }), mirror])).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: Neither the tree to install nor the existing tree has ${file} with the right contents. Nothing was changed. [install-lacks]\n  Build the tree again, or apply a bundle that was made without --since.\n`,
    });
    expect(treeState(mirror)).toEqual(state);
    applied(await bundled(), mirror);
    expect(treeState(mirror)).toEqual(treeState(tree));
  });
});

describe('apply', () => {
  test('reports an identical tree, and repairs a damaged one', async () => {
    const file = await bundled({ since: before });
    const mirror = copyOf(older);
    applied(file, mirror);
    const { revision } = manifestOf(tree);
    expect(await gridpress(['apply', file, mirror])).toEqual({
      status: 0,
      stderr: '',
      stdout: `${mirror} already contains revision ${revision.slice(0, 8)}: nothing to do.\n`,
    });
    rmSync(join(mirror, 'sites.json'));
    rmSync(join(mirror, 'sites', 'index.json'), { force: true });
    expect(applied(file, mirror)).toMatchObject({ isWritten: true, written: 1 });
    expect(treeState(mirror)).toEqual(treeState(tree));
  });

  test('keeps foreign files', async () => {
    const mirror = copyOf(older);
    mkdirSync(join(mirror, '.well-known'), { recursive: true });
    writeFileSync(join(mirror, '.well-known', 'security.txt'), 'Contact: x\n');
    writeFileSync(join(mirror, 'CNAME'), 'api.example.org\n');
    applied(await bundled(), mirror);
    expect(readFileSync(join(mirror, '.well-known', 'security.txt'), 'utf8')).toBe('Contact: x\n');
    expect(readFileSync(join(mirror, 'CNAME'), 'utf8')).toBe('api.example.org\n');
    expect(readdirSync(join(mirror, '..'))).toEqual(['mirror']);
  });

  test('rejects a bundle for another tree', async () => {
    const file = await bundled({ since: before });
    const forDigest = manifestOf(older).digest;
    const first = testbed.revisions.first.id;
    const other = await builtTree(testbed.registry, { at: first });
    const state = treeState(other);
    expect(await gridpress(['apply', file, other])).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: The bundle updates the tree of revision ${before.slice(0, 8)} with the digest ${forDigest}, but ${other} contains revision ${first.slice(0, 8)} with the digest ${manifestOf(other).digest}. Nothing was changed. [bundle-does-not-fit]
  Make a bundle for the existing tree with "gridpress bundle --since" and its _manifest.json, or make one without --since.
`,
    });
    expect(treeState(other)).toEqual(state);
    const empty = join(newFolder(), 'empty');
    expect((await gridpress(['apply', file, empty])).stderr).toBe(
      `error: The bundle updates the tree of revision ${before.slice(0, 8)} with the digest ${forDigest}, but ${empty} contains no tree. Nothing was changed. [bundle-does-not-fit]
  First apply a bundle made without --since.
`,
    );
    expect(existsSync(empty)).toBe(false);
  });

  test('rejects an older tree without --older', async () => {
    const mirror = copyOf(tree);
    const file = await bundled({ tree: older });
    const [there, comes] = [manifestOf(tree).serial, manifestOf(older).serial];
    expect(await gridpress(['apply', file, mirror])).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: ${mirror} contains a newer tree: it has the serial ${there}, and the tree to install has ${comes}. Nothing was changed. [install-older]\n  To install the older tree, use --older.\n`,
    });
    expect(treeState(mirror)).toEqual(treeState(tree));
    expect((await gridpress(['apply', file, mirror, '--older'])).status).toBe(0);
    expect(treeState(mirror)).toEqual(treeState(older));
  });

  test('rejects a folder of another program', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'thesis.tex'), 'x');
    expect(await gridpress(['apply', await bundled(), folder])).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: ${folder} was not written by gridpress: it is not empty and has no _manifest.json of gridpress. [output-not-ours]\n  Name another folder, or empty this one yourself.\n`,
    });
    expect(readdirSync(folder)).toEqual(['thesis.tex']);
  });

  test('leaves the old tree complete on a full disk', async () => {
    const mirror = copyOf(older);
    const file = await bundled();
    const { status, stderr } = await gridpress(['apply', file, mirror], { largestFile: 1 });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: .* cannot be written: the file would be too large\. \[write-failed\]\n/);
    expect(treeState(mirror)).toEqual(treeState(older));
    expect(readdirSync(join(mirror, '..'))).toEqual(['mirror']);
  });
});

describe('bundle', () => {
  test('reports the written bundle', async () => {
    const folder = newFolder();
    const file = join(folder, 'deep', 'news.bundle');
    const args = ['bundle', '--registry', testbed.registry, '--tree', tree, '--since', before, '-o', file, '--json'];
    const { status, stdout } = await gridpress(args);
    const brought = entriesOf(file).length - 2;
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      file,
      from: identityOf(older),
      files: brought,
      removed: 0,
      findings: [],
      to: { ...identityOf(tree), manifest: sha256(readFileSync(join(tree, '_manifest.json'))) },
      bytes: readFileSync(file).length,
    });
    expect(readdirSync(join(folder, 'deep'))).toEqual(['news.bundle']);
  });

  const { isMissing, because } = needs('mkfifo');
  test.skipIf(isMissing)(`writes into a pipe or a device instead of replacing it${because}`, async () => {
    const [pipe, copy] = [join(newFolder(), 'pipe'), join(newFolder(), 'copy')];
    execFileSync('mkfifo', [pipe]);
    const reader = once(spawn('sh', ['-c', 'cat "$0" > "$1"', pipe, copy]), 'close');
    await bundled({ out: pipe });
    await reader;
    expect(lstatSync(pipe).isFIFO()).toBe(true);
    expect(readFileSync(copy)).toEqual(readFileSync(await bundled()));
    expect(readdirSync(dirname(pipe))).toEqual(['pipe']);
  });

  test('rejects a tree that differs from its manifest, and leaves no file', async () => {
    const broken = copyOf(tree);
    rmSync(join(broken, 'sites.json'));
    writeFileSync(join(broken, 'sites.json'), '{}');
    const folder = newFolder();
    const { status, stderr } = await gridpress(['bundle', '--tree', broken, '-o', join(folder, 'x.bundle')]);
    const [computed, stated] = [join(broken, 'sites.json'), join(tree, 'sites.json')].map((path) =>
      sha256(readFileSync(path)),
    );
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `sites.json: error: The file has the digest ${computed} instead of ${stated}. [verify-differs]\n  Restore the file from a copy, or rebuild the tree with --force.\n`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('since a revision applies to a tree without compressed files', async () => {
    const { registry, revisions } = writeGenerated(newFolder(), 2, 2, 'snapshots: none', 'hosts: [nginx]');
    const [first] = revisions;
    const pressed = { precompressed: false };
    const [newer, mirror] = [
      await builtTree(registry, pressed),
      await builtTree(registry, { ...pressed, at: first?.id }),
    ];
    const file = await bundled({ registry, tree: newer, since: first?.id });
    applied(file, mirror);
    expect(treeState(mirror)).toEqual(treeState(newer));
  });

  test('rejects an output inside its tree or another tree, and changes nothing', async () => {
    const [own, other] = [copyOf(tree), copyOf(older)];
    const states = [treeState(own), treeState(other)];
    for (const [place, folder, into] of [
      ['b', 'is a tree', own],
      ['b', 'is a tree', other],
      ['sites/new/b', `is inside the tree ${other}`, other],
    ] as const) {
      const told = await gridpress(['bundle', '--tree', own, '-o', join(into, place)]);
      expect(told).toEqual({
        status: 2,
        stdout: '',
        stderr: `error: ${dirname(join(into, place))} ${folder}. A tree may contain only files that its manifest lists. Nothing was written. [output-in-tree]\n  Name a place outside the tree.\n`,
      });
    }
    expect([treeState(own), treeState(other)]).toEqual(states);
    expect(existsSync(join(other, 'sites/new'))).toBe(false);
  });

  test('updates a tree that differs only in its Cache-Control headers', async () => {
    const changed = copyOf(tree);
    const text = readFileSync(join(changed, '_manifest.json'), 'utf8');
    const body = text.slice(0, text.lastIndexOf(SECTION.seal)).replace('max-age=60', 'max-age=300');
    writeFileSync(join(changed, '_manifest.json'), body + manifestSeal(sha256(body)));
    const file = await bundled({ tree: changed, since: tree });
    expect(entriesOf(file)).toEqual(['bundle.json', '_manifest.json']);
    const folder = copyOf(tree);
    expect(applied(file, folder)).toMatchObject({ isWritten: true, removed: 0 });
    expect(treeState(folder)).toEqual(treeState(changed));
  });

  test('is the same since a revision and since its date', async () => {
    const [byId, byDate] = [await bundled({ since: before }), await bundled({ since: '2026-01-09' })];
    expect(readFileSync(byDate).equals(readFileSync(byId))).toBe(true);
  });

  test('rejects a --since that is not an older tree', async () => {
    const id = manifestOf(tree).revision;
    const args = ['bundle', '--registry', testbed.registry, '--tree', tree, '-o', join(newFolder(), 'x'), '--since'];
    expect((await gridpress([...args, id])).stderr).toBe(
      `error: Nothing has changed since revision ${id.slice(0, 8)}, which is the revision of the tree itself. [bundle-since-itself]\n  Name an older revision with --since, or first build the tree of a newer one.\n`,
    );
    expect((await gridpress([...args, 'abcdef12'])).stderr).toBe(
      'error: There is no revision "abcdef12". [unknown-revision]\n  Write a date as 2026-03-31, or name a revision: "gridpress log" lists them.\n',
    );
    const hosts = await builtTree(testbed.registry, { hosts: ['nginx'] });
    expect(filesBelow(hosts)).toContain('_pretty/sites.json');
    expect((await gridpress([...args.slice(0, 4), hosts, ...args.slice(5), before])).status).toBe(0);
  });
});
