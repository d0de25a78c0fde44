/**
 * A real registry with a long history: after import and replay, every commit must match git. Runs if
 * GRIDPRESS_REAL_REGISTRY names a git bundle. The expected numbers belong to that registry.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resourceHistories } from '../../src/core/history/resource-history.ts';
import { resourcesIn } from '../../src/core/model/state.ts';
import { storedObject } from '../../src/core/registry/registry.ts';
import { planTree } from '../../src/core/tree/plan/plan-tree.ts';
import { withSettings } from '../../src/features/build/build-options.ts';
import { publicationOf } from '../../src/features/build/publication-of.ts';
import { checkFindings, loadSources, type Sources } from '../../src/features/sources/load-sources.ts';
import { publicSources } from '../../src/features/sources/public-sources.ts';
import { gridpress } from '../support/processes/cli.ts';
import { GIT_ENVIRONMENT } from '../support/registries/git-repository.ts';
import { folderContents } from '../support/trees/folder-contents.ts';
import { type GitTrees, readGitTrees, sorted } from './git-trees.ts';
import { pastFleets, withoutOwnColumns } from './past-fleets.ts';

const BUNDLE = process.env['GRIDPRESS_REAL_REGISTRY'];
const NAME =
  BUNDLE === undefined ? 'a real registry (GRIDPRESS_REAL_REGISTRY names no bundle of one)' : 'a real registry';
const MINUTE = 60_000;

/** The output of an import. */
interface Imported {
  readonly added: number;
  readonly revisions: number;
  readonly resources: number;
  readonly findings: readonly { readonly code: string }[];
}

interface Scene {
  readonly folder: string;
  readonly result: Imported;
  readonly sources: Sources;
  readonly trees: GitTrees;
}

async function importInto(out: string, options: { ref?: string; firstParent?: boolean } = {}): Promise<Imported> {
  const { ref = 'HEAD', firstParent = false } = options;
  const more = firstParent ? ['--first-parent'] : [];
  const { stdout } = await gridpress(['import', BUNDLE ?? '', '-o', out, '--ref', ref, ...more, '--json']);
  return JSON.parse(stdout);
}

describe.skipIf(BUNDLE === undefined)(NAME, () => {
  let scene: Scene;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gridpress-test-')));

  beforeAll(async () => {
    const clone = join(folder, 'clone.git');
    execFileSync('git', ['clone', '--quiet', '--bare', BUNDLE ?? '', clone], { env: GIT_ENVIRONMENT });
    const registry = join(folder, 'registry-data');
    const result = await importInto(registry);
    scene = { folder, result, sources: loadSources({ registry }), trees: readGitTrees(clone) };
  }, 5 * MINUTE);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The text for each handle of each store. */
  const texts = new WeakMap<Sources, Map<number, string>>();
  /** The bodies after a revision as canonical text, by resource path. */
  const replayed = (sources: Sources, id: string): Map<string, string> => {
    const { history, store } = sources;
    const known = texts.get(sources) ?? new Map<number, string>();
    texts.set(sources, known);
    const state = history.states[history.indexOf.get(id) ?? -1] ?? null;
    return new Map(
      [...resourcesIn(state)].map(
        ([
          path,
          {
            body: { handle },
          },
        ]) => {
          const text = known.get(handle) ?? sorted(storedObject(store, handle));
          known.set(handle, text);
          return [path, text];
        },
      ),
    );
  };

  test('is imported with a warning for each of its seven irregularities', () => {
    const { result, sources } = scene;
    expect(checkFindings(sources)).toEqual([]);
    const codes = result.findings.map(({ code }) => code);
    expect(codes).toEqual([
      'import-identity',
      'import-identity',
      'import-type',
      'import-type',
      'import-type',
      'import-type',
      'import-broken-file',
    ]);
    expect([result.added, result.revisions, result.resources]).toEqual([222, 222, 515]);
  });

  test('has the commits of git log with their parents', () => {
    const { sources, trees } = scene;
    expect(trees.commits.length).toBe(222);
    const parents = new Map(sources.history.revisions.map((revision) => [revision.id, revision.parents]));
    expect(parents).toEqual(new Map(trees.commits.map((commit) => [commit.id, commit.parents])));
  });

  test('has the resources of git at every commit', () => {
    const { sources, trees } = scene;
    for (const { id } of trees.commits) {
      const expected = trees.bodiesAt(id);
      expect([id, replayed(sources, id)]).toEqual([id, expected]);
      // Every file is present, because files that cannot be read were valid earlier.
      expect(expected.size).toBe(trees.filesAt(id).size);
    }
    expect(trees.bodiesAt(trees.commits.at(-1)?.id ?? '').size).toBe(515);
  });

  test('lists as touched exactly the files that were reformatted', () => {
    const { sources, trees } = scene;
    const touched: string[] = [];
    for (const { id, parents } of trees.commits) {
      const [before, after] = [parents[0] ?? '', id].map((commit) => ({
        files: trees.filesAt(commit),
        bodies: trees.bodiesAt(commit),
      }));
      for (const [path, { blob }] of after?.files ?? []) {
        const held = before?.files.get(path);
        const isSame = before?.bodies.get(path) === after?.bodies.get(path);
        if (held && held.blob !== blob && isSame) touched.push(`${id} ${path}`);
      }
    }
    const listed = sources.history.changes.flatMap((changes, index) =>
      changes
        .filter(({ action }) => action === 'touched')
        .map(({ path }) => `${sources.history.revisions[index]?.id} ${path}`),
    );
    expect(listed.sort()).toEqual(touched.sort());
    // Two changes of white space, two of key order or number format, and the one broken file.
    expect(touched.length).toBe(5);
  });

  test('has the histories of git log for every site and a sample of nodes', () => {
    const { sources, trees } = scene;
    const histories = resourceHistories(sources.history);
    const ever = [...new Set(trees.commits.flatMap(({ id }) => [...trees.filesAt(id).keys()]))].sort();
    const sites = ever.filter((path) => path.split('/').length === 2);
    const nodes = ever.filter((path) => path.includes('/nodes/'));
    expect([sites.length, nodes.length]).toEqual([11, 1591]);
    const sampled = Array.from({ length: 50 }, (_, i) => nodes[Math.floor((i * nodes.length) / 50)] ?? '');
    const idsOf = (path: string) =>
      histories.of(path).revisions.map((index) => sources.history.revisions[index]?.id ?? '');
    for (const path of sites) {
      expect([path, idsOf(path)]).toEqual([path, trees.log(`${trees.gridFolder}/${path}`)]);
    }
    for (const path of sampled) {
      expect([path, idsOf(path)]).toEqual([path, trees.log(`${trees.gridFolder}/${path}.json`)]);
    }
  });

  test('gives the same result when it is imported in two steps', async () => {
    const { trees, sources } = scene;
    const registry = join(folder, 'twice', 'registry-data');
    const ref = trees.commits[Math.floor(trees.commits.length / 2)]?.id ?? '';
    const first = await importInto(registry, { ref });
    const second = await importInto(registry);
    expect([first.added + second.added, first.findings.length + second.findings.length]).toEqual([222, 7]);
    // The headers contain the digest of the state. The order of fields in a change may differ.
    const headers = ({ history }: Sources) => new Map(history.revisions.map((header) => [header.id, header]));
    expect(headers(loadSources({ registry }))).toEqual(headers(sources));
    const resources = (of: string) =>
      Object.entries(folderContents(of)).filter(([file]) => !file.startsWith('history/'));
    expect(resources(registry)).toEqual(resources(join(folder, 'registry-data')));
  });

  test('has along first parents the resources of git', async () => {
    const { trees } = scene;
    const registry = join(folder, 'first-parents', 'registry-data');
    await importInto(registry, { firstParent: true });
    const line: string[] = [];
    const parentOf = new Map(trees.commits.map(({ id, parents }) => [id, parents[0]]));
    for (let id = trees.commits.at(-1)?.id; id !== undefined; id = parentOf.get(id)) line.unshift(id);
    const sources = loadSources({ registry });
    expect(sources.history.revisions.map(({ id }) => id)).toEqual(line);
    expect(line.length).toBe(184);
    for (const id of line) expect([id, replayed(sources, id)]).toEqual([id, trees.bodiesAt(id)]);
  });

  describe('its tree', () => {
    /** Returns some documents of the tree at a revision as text. */
    const published = (at: string | undefined, ...urls: string[]): string[] => {
      const plan = planTree(
        publicationOf(
          withSettings(publicSources(scene.sources, { registry: scene.folder }), { snapshots: 'none' }),
          at,
        ),
      );
      const bodies = new Map<string, string>();
      for (const unit of plan.documents) {
        for (const { url, body } of unit.list()) if (urls.includes(url)) bodies.set(url, body());
      }
      return urls.map((url) => bodies.get(url) ?? '{}');
    };

    test('has one cluster at an early revision', () => {
      const [clusters = '', nodes = ''] = published(
        '547815582085deb7b703d76a51e082c53aa9d9b4',
        ...['/sites/tacc/clusters', '/sites/tacc/clusters/alamo/nodes'],
      );
      expect(JSON.parse(clusters)).toMatchObject({ total: 1, items: [{ uid: 'alamo' }] });
      expect(JSON.parse(nodes)).toMatchObject({ total: 45 });
    });

    test('has six sites at a later revision', () => {
      const [root = '', sites = ''] = published('aaa09ab330838062ed66ee8a3841e90fe9495039', '/', '/sites');
      expect(Buffer.byteLength(root)).toBe(250);
      expect(JSON.parse(sites)).toMatchObject({ total: 6 });
    });

    test('has a table over time that matches git at every commit, except for omitted fields', () => {
      const [text = ''] = published(undefined, '/nodes/history');
      const document = JSON.parse(text);
      const fleetAt = pastFleets(document);
      const known = new Map<string, string>();
      const shared = (body: string) => {
        const found = known.get(body) ?? withoutOwnColumns(body, document.left_out);
        known.set(body, found);
        return found;
      };
      for (const [index, { uid }] of document.revisions.entries()) {
        const nodes = [...scene.trees.bodiesAt(uid)].filter(([path]) => path.includes('/nodes/'));
        const expected = new Map(nodes.map(([path, body]) => [path, shared(body)]));
        expect([uid, fleetAt(index)]).toEqual([uid, expected]);
      }
      expect(document.revisions.length).toBe(222);
      expect(document.uids.length).toBe(1591);
    });

    test('has the histories at the head', () => {
      const [versions = '', ofSite = ''] = published(undefined, '/versions', '/sites/tacc/versions');
      expect(JSON.parse(versions)).toMatchObject({ total: 222 });
      expect(JSON.parse(ofSite)).toMatchObject({ total: 116 });
    });
  });
});
