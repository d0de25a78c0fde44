/** Builds with automatic snapshots, version links and index files, over a history of two years. */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../../src/features/build/build.ts';
import type { BuildOptions } from '../../../src/features/build/build-options.ts';
import { apply } from '../../../src/features/bundle/apply.ts';
import { bundle } from '../../../src/features/bundle/bundle.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { type Commit, commit, REGISTRY, writeFiles } from '../../support/registries/revisions.ts';
import { clusterFile, nodeFile, nodeText, siteFile, siteText } from '../../support/registries/testbed.ts';
import { folderContents } from '../../support/trees/folder-contents.ts';
import { manifestOf } from '../../support/trees/served.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';

const MONTHS = 24;
const SMALL = ['explorer: false', 'exports: false'];

let folder: string;
let revisions: Commit[];
/** The number of files without automatic parts. */
let required: number;

beforeAll(async () => {
  folder = newFolder();
  writeFiles(folder, [['gridpress.yaml', 'cluster_uid: main\n']]);
  revisions = [];
  for (let n = 0; n < MONTHS; n++) {
    const first = {
      'grid.yaml': 'type: grid\nuid: testgrid\n',
      [siteFile('lyra')]: siteText('lyra', 'baremetal'),
      [clusterFile('lyra')]: 'type: cluster\nuid: main\n',
      ...Object.fromEntries(Array.from({ length: 10 }, (_, i) => [nodeFile('lyra', i), nodeText(i)])),
    };
    const date = `${2024 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}-15T00:00:00Z`;
    const edits = n === 0 ? first : { [nodeFile('lyra', n % 10)]: nodeText(n % 10, `bios:\n  version: 1.${n}\n`) };
    revisions.push(commit(folder, { parents: revisions.slice(-1), edits, message: `Month ${n}`, date }));
  }
  required = filesBelow((await built('snapshots: none', 'version_links: none', 'index_files: false')).out).length;
});

async function built(...lines: string[]) {
  return await builtWith({}, ...lines);
}

async function builtWith(options: Partial<BuildOptions>, ...lines: string[]) {
  const place = newFolder();
  writeFiles(place, [['gridpress.yaml', ['cluster_uid: main', ...SMALL, ...lines, ''].join('\n')]]);
  const config = join(place, 'gridpress.yaml');
  const out = join(place, 'dist');
  return await build({ registry: join(folder, REGISTRY), config, out, showsProgress: false, ...options });
}

/** The months of the snapshots of a tree, newest first. */
function monthsIn(out: string): string[] {
  const ids = manifestOf(out).documents.flatMap(({ path }) => /^\/snapshots\/([0-9a-f]{40})$/.exec(path)?.[1] ?? []);
  return [...revisions.keys()]
    .filter((n) => ids.includes(revisions[n]?.id ?? ''))
    .map((n) => `${2024 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`)
    .reverse();
}

/** Whether the version link of a revision answers for a node that the revision did not change. */
function hasLinkOf(out: string, n: number): boolean {
  const other = nodeFile('lyra', (n + 1) % 10).replace(/\.yaml$/, '');
  return filesBelow(out).includes(`${other}/versions/${revisions[n]?.id}.json`);
}

test('a small tree contains everything', async () => {
  const automatic = await built();
  const explicit = await built('snapshots: all', 'version_links: 365', 'index_files: true');
  expect(automatic).not.toHaveProperty('omitted');
  const documents = ({ out }: { readonly out: string }) => {
    const { '_manifest.json': _, ...others } = folderContents(out);
    return others;
  };
  expect(documents(automatic)).toEqual(documents(explicit));
});

describe('a smaller budget', () => {
  test.each([0, 1, 100, 200, 400, 800])('of %i files is never exceeded', async (budget) => {
    const { out, omitted } = await built(`file_budget: ${budget}`);
    expect(filesBelow(out).length - required).toBeLessThanOrEqual(budget);
    const months = monthsIn(out);
    expect([omitted?.snapshots?.since, omitted?.snapshots?.built]).toEqual([months.at(-1), months.length]);
    // Snapshots are the newest months without gaps.
    expect(months).toEqual(
      [...revisions.keys()]
        .reverse()
        .slice(0, months.length)
        .map((n) => `${2024 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`),
    );
  });

  test('first keeps index files, then the longest span of version links, then snapshots', async () => {
    const files = async (...lines: string[]) => filesBelow((await built(...lines)).out).length;
    const indexed = await files('snapshots: none', 'version_links: none', 'index_files: true');
    const linked = await files('snapshots: none', 'version_links: 180', 'index_files: true');
    const budget = (total: number) => built(`file_budget: ${total - required}`);
    const none = { since: undefined, built: 0, of: MONTHS };
    expect((await budget(indexed - 1)).omitted).toMatchObject({ index_files: true });
    expect((await budget(indexed)).omitted).toEqual({ version_links: { days: 0 }, snapshots: none });
    const half = await budget(linked);
    expect(half.omitted).toEqual({ version_links: { days: 180 }, snapshots: none });
    // The head is of December. The revision of July replaced that of June less than 180 days before.
    expect([12, 16, 17, 18].map((n) => hasLinkOf(half.out, n))).toEqual([false, false, true, true]);
  });

  test('gives the same tree again, and prints what it omits before it writes', async () => {
    const [one, other] = [await built('file_budget: 800'), await built('file_budget: 800')];
    expect(one.digest).toBe(other.digest);
    const place = newFolder();
    const config = join(place, 'gridpress.yaml');
    writeFiles(place, [['gridpress.yaml', ['cluster_uid: main', ...SMALL, 'file_budget: 800', ''].join('\n')]]);
    const args = ['build', '--registry', join(folder, REGISTRY), '--config', config];
    const { stderr } = await gridpress(args, { cwd: place });
    expect(stderr).toMatch(
      /^To fit in file_budget and the limits of the hosts: version links of \d+ days; no snapshots\.\n$|^To fit in file_budget and the limits of the hosts: snapshots since 20\d\d-\d\d \(\d+ of 24\)\.\n$/,
    );
    const { omitted } = JSON.parse((await gridpress([...args, '--force', '--json'], { cwd: place })).stdout);
    expect(omitted).toEqual(JSON.parse(JSON.stringify(one.omitted)));
  });

  test('is also kept in the tree of an older revision, for which a bundle is made', async () => {
    const place = newFolder();
    writeFiles(place, [['gridpress.yaml', ['cluster_uid: main', ...SMALL, 'file_budget: 600', ''].join('\n')]]);
    const options = { registry: join(folder, REGISTRY), config: join(place, 'gridpress.yaml'), showsProgress: false };
    const [tree, mirror, file] = [join(place, 'tree'), join(place, 'mirror'), join(place, 'x.bundle')];
    const since = revisions.at(-2)?.id ?? '';
    const { digest, snapshots } = await build({ ...options, out: tree });
    expect(snapshots).toBeGreaterThan(0);
    expect(snapshots).toBeLessThan(MONTHS);
    await build({ ...options, out: mirror, at: since });
    await bundle({ ...options, tree, since, out: file });
    expect(apply({ file, folder: mirror, older: false, showsProgress: false }).digest).toBe(digest);
  });

  test('does not change explicit settings', async () => {
    const lines = ['file_budget: 0', 'snapshots: all', 'version_links: 365', 'index_files: true'];
    const { omitted, snapshots } = await built(...lines);
    expect([omitted, snapshots]).toEqual([undefined, MONTHS]);
  });
});

test('max_files and the limit of a host are kept, too', async () => {
  const { out, omitted } = await built(`max_files: ${required + 300}`);
  expect(filesBelow(out).length).toBeLessThanOrEqual(required + 300);
  expect(omitted).toBeDefined();
  expect(await failureOf(() => built(`max_files: ${required - 1}`))).toMatch(
    / and options: timemaps: false\. Or raise max_files\.\n$/,
  );
});

test('the limit of a host on bytes is kept', async () => {
  // 100 MB: the whole tree would have more.
  const long = 'x'.repeat(400_000);
  const place = newFolder();
  const lines = ['cluster_uid: main', 'hosts: [vercel]', ...SMALL, 'search: {left_out: [note]}', ''];
  writeFiles(place, [['gridpress.yaml', lines.join('\n')]]);
  const made: Commit[] = [];
  for (let n = 0; n < 8; n++) {
    const edits = {
      'grid.yaml': 'type: grid\nuid: testgrid\n',
      [siteFile('lyra')]: siteText('lyra', 'baremetal'),
      [clusterFile('lyra')]: 'type: cluster\nuid: main\n',
      ...Object.fromEntries([0, 1, 2, 3].map((i) => [nodeFile('lyra', i), nodeText(i, `note: ${long}\n`)])),
      [nodeFile('lyra', 9)]: nodeText(9, `bios:\n  version: 1.${n}\n`),
    };
    const date = `2025-0${n + 1}-15T00:00:00Z`;
    made.push(commit(place, { parents: made.slice(-1), edits, message: `Month ${n}`, date }));
  }
  const options = { registry: join(place, REGISTRY), out: join(place, 'dist'), showsProgress: false };
  const everything = await failureOf(() => build({ ...options, snapshots: 'all', versionLinks: 365 }));
  expect(everything).toMatch(
    /^error: Vercel accepts at most 100,000,000 bytes in total .+ and options: snapshots: auto/s,
  );
  const { omitted, snapshots } = await build(options);
  expect(omitted?.snapshots?.built).toBe(snapshots);
});
