/** `log`, `show` and `diff` of a tree and of a service have the same answers as those of the registry. */
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '../../../src/core/diagnostics/finding.ts';
import { lastSegment } from '../../../src/core/model/resource-path.ts';
import { build } from '../../../src/features/build/build.ts';
import {
  publishedDiff,
  publishedLog,
  publishedResourceDiff,
  publishedShow,
} from '../../../src/features/find/published-history.ts';
import { diff } from '../../../src/features/revisions/diff.ts';
import { log } from '../../../src/features/revisions/log.ts';
import { resourceDiff } from '../../../src/features/revisions/resource-diff.ts';
import { show } from '../../../src/features/revisions/show.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import {
  BASE,
  CLUSTER as GIT_CLUSTER,
  NODE as GIT_NODE,
  imported,
  NODE_BODY,
  NODE_FILE,
} from '../../support/registries/imported.ts';
import { NODE as BASE_NODE, registryOf } from '../../support/registries/registry.ts';
import { nodeFile, nodeUid, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { buildAndServe } from '../../support/trees/served.ts';

const NODES = 'sites/lyra/clusters/main/nodes';
const NODE = `${NODES}/${nodeUid(1)}`;
const LINE = [
  ...['first', 'grown', 'shrunk', 'replaced', 'merged', 'readded'],
  ...['flavorless', 'flavored', 'closed', 'described', 'joined'],
] as const;

let bed: Testbed;
/** A tree with links of all versions, a service, and a tree without version links. */
let places: readonly string[];

beforeAll(async () => {
  bed = writeTestbed(newFolder());
  const { out, port } = await buildAndServe(bed.registry, { versionLinks: 'all' });
  const { out: few } = await buildAndServe(bed.registry, { versionLinks: 'none', snapshots: 'none' });
  places = [out, `http://127.0.0.1:${port}/`, few];
});

const at = (place: string) => ({ place, timeout: 30, maxRequests: 10_000, registry: bed.registry });
const idOf = (name: (typeof LINE)[number]) => bed.revisions[name].id;

/** The service has only dates in UTC, and lists no removals in logs. */
function withoutDates(result: object): unknown {
  return JSON.parse(JSON.stringify(result, (key, value) => (['date', 'event'].includes(key) ? undefined : value)));
}

describe.each([0, 1, 2])('place %i', (number) => {
  test.each(['', 'sites', 'sites/lyra', 'sites/vega', NODES, NODE, 'node-1'])('log of %j', async (resource) => {
    const options = { registry: bed.registry, resource };
    const published = await publishedLog({ ...options, ...at(places[number] ?? '') });
    expect(withoutDates(published)).toEqual(withoutDates(log(options)));
  });

  test('log filters by date, class, author and number', async () => {
    const options = {
      registry: bed.registry,
      since: '2026-01-03',
      until: '2026-01-09',
      classes: ['hardware'] as const,
    };
    const published = await publishedLog({ ...options, ...at(places[number] ?? ''), limit: 2 });
    expect(withoutDates(published)).toEqual(withoutDates(log({ ...options, limit: 2 })));
    expect(published.total).toBeGreaterThan(2);
  });

  test('show of a resource at every revision', async () => {
    const place = places[number] ?? '';
    for (const name of LINE) {
      const options = { registry: bed.registry, resource: NODE, at: idOf(name) };
      const published = await publishedShow({ ...options, ...at(place) });
      expect(withoutDates(published)).toEqual(withoutDates(show(options)));
    }
  });

  test('diff between all revisions, whole and of a site', async () => {
    const place = places[number] ?? '';
    for (const from of ['first', 'replaced', 'joined'] as const) {
      for (const to of LINE) {
        for (const resource of [undefined, 'sites/lyra']) {
          const options = { registry: bed.registry, from: idOf(from), to: idOf(to), resource };
          const published = await publishedDiff({ ...options, ...at(place) });
          expect(withoutDates(published), `${from} ${to}`).toEqual(withoutDates(await diff(options)));
        }
      }
    }
  });

  test('diff of two nodes, and of a node at two dates', async () => {
    for (const [from, to] of [
      ['node-1', 'node-2'],
      ['node-1@2026-01-02', 'node-1'],
    ] as const) {
      const options = { registry: bed.registry, from, to };
      const published = await publishedResourceDiff({ ...options, ...at(places[number] ?? '') });
      expect(withoutDates(published)).toEqual(withoutDates(await resourceDiff(options)));
    }
  });
});

test('diff requests one version of an added resource, and none of its earlier versions', async () => {
  const limits = { ...at(places[1] ?? ''), maxRequests: 30 };
  const { counts } = await publishedDiff({ ...limits, from: idOf('first'), to: idOf('joined') });
  expect(counts).toMatchObject({ added: 2, updated: 3 });
});

test('the command line asks a URL', async () => {
  const from = ['--from', places[1] ?? ''];
  const run = async (...args: string[]) => (await gridpress([...args, ...from], { cwd: newFolder() })).stdout;
  expect(await run('log', '-n', '1')).toContain('2026-01-12T08:00:00Z Join, without the note');
  expect(await run('show', 'node-1', '--at', '2026-01-02')).toContain('node_name: node-1');
  expect(await run('diff', '2026-01-05', '--class', 'hardware', '--summary')).toContain('1 added');
  const { status, stderr } = await gridpress(['diff', ...from], { cwd: newFolder() });
  expect([status, stderr]).toEqual([2, expect.stringContaining('[moments-needed]')]);
  expect(await run('diff', '2026-01-05', '2026-01-05')).toContain('no changes');
});

test('if the base URL is a snapshot, the head is the revision of the snapshot', async () => {
  const id = idOf('grown');
  const place = at(`${places[1]}snapshots/${id}/`);
  for (const resource of ['node-1', NODES, '']) {
    const published = await publishedShow({ ...place, resource });
    expect(withoutDates(published)).toEqual(withoutDates(show({ registry: bed.registry, resource, at: id })));
  }
  const whole = { from: idOf('first'), to: 'head' };
  const changes = await diff({ registry: bed.registry, ...whole, to: id });
  expect(withoutDates(await publishedDiff({ ...place, ...whole }))).toEqual(withoutDates(changes));
  const named = { from: 'node-1@2026-01-01', to: 'node-1' };
  const fields = await resourceDiff({ registry: bed.registry, ...named, at: id });
  expect(withoutDates(await publishedResourceDiff({ ...place, ...named }))).toEqual(withoutDates(fields));
});

test('changes of a branch that the merge did not take over are found', async () => {
  const repository = gitRepository();
  const first = repository.commit({ files: BASE });
  const removal = repository.commit({ branch: 'removed', parents: [first], files: { [NODE_FILE]: null } });
  const removed = repository.commit({ branch: 'removed', parents: [removal], files: { LICENSE: 'A text' } });
  const change = { [NODE_FILE]: json({ ...NODE_BODY, cores: 16 }) };
  const update = repository.commit({ branch: 'changed', parents: [first], files: change });
  const changed = repository.commit({ branch: 'changed', parents: [update], files: { LICENSE: 'A text' } });
  const main = repository.commit({ files: { README: 'A note' } });
  repository.commit({ parents: [main, removed, changed] });
  const { registry } = await imported(repository.folder);
  const out = join(newFolder(), 'dist');
  await build({ registry, out, snapshots: 'none', versionLinks: 'none', showsProgress: false });
  const place = { place: out, timeout: 30, maxRequests: 1000, registry };
  await expect(publishedShow({ ...place, resource: GIT_NODE, at: removed })).rejects.toThrow(Failure);
  const { body } = await publishedShow({ ...place, resource: GIT_NODE, at: changed });
  expect(body).toMatchObject({ cores: 16 });
  for (const [from, to] of [
    [main, removed],
    [removed, changed],
    [changed, first],
  ] as const) {
    const published = await publishedDiff({ ...place, from, to });
    expect(withoutDates(published)).toEqual(withoutDates(await diff({ registry, from, to })));
  }
});

describe('a limited history', () => {
  test('show and diff find resources that did not change since its start', async () => {
    const out = join(newFolder(), 'dist');
    const few = { snapshots: 'none', versionLinks: 'none', showsProgress: false } as const;
    await build({ registry: bed.registry, out, since: '2026-01-06', ...few });
    const kept = ['readded', 'flavorless', 'flavored', 'closed', 'described', 'joined'] as const;
    for (const name of kept) {
      for (const resource of ['', 'sites/lyra', NODE, 'node-1']) {
        const asked = { registry: bed.registry, resource, at: idOf(name) };
        const published = await publishedShow({ ...asked, ...at(out) });
        expect(withoutDates(published), `${resource} ${name}`).toEqual(withoutDates(show(asked)));
      }
      const asked = { registry: bed.registry, from: idOf(name), to: 'head' };
      expect(withoutDates(await publishedDiff({ ...asked, ...at(out) }))).toEqual(withoutDates(await diff(asked)));
    }
  });

  describe('with several starts', () => {
    const [OTHER, ADDED] = [`${GIT_CLUSTER}/nodes/n2`, `${GIT_CLUSTER}/nodes/n3`];
    const fileOf = (path: string) => NODE_FILE.replace('n1', lastSegment(path));
    const textOf = (path: string) => json({ ...NODE_BODY, uid: lastSegment(path) });
    const day = (number: number) => `${Date.UTC(2026, 0, number) / 1000} +0000`;

    /** Two branches begin before the start of the history. */
    async function branches() {
      const repository = gitRepository();
      const first = repository.commit({ date: day(1), files: { ...BASE, [fileOf(OTHER)]: textOf(OTHER) } });
      const change = { [NODE_FILE]: json({ ...NODE_BODY, cores: 16 }), [fileOf(ADDED)]: textOf(ADDED) };
      const changed = repository.commit({ date: day(2), branch: 'side', parents: [first], files: change });
      const noted = repository.commit({ date: day(2), files: { README: 'A note' } });
      const begun = repository.commit({
        date: day(3),
        branch: 'side',
        parents: [changed],
        files: { LICENSE: 'A text' },
      });
      const side = repository.commit({ date: day(5), branch: 'side', parents: [begun], files: { LICENSE: 'A title' } });
      const main = repository.commit({ date: day(5), parents: [noted], files: { README: 'Another note' } });
      const merge = repository.commit({ date: day(6), parents: [main, side], files: change });
      const { registry } = await imported(repository.folder);
      const builtTree = async (snapshots: 'all' | 'none') => {
        const out = join(newFolder(), 'dist');
        await build({ registry, out, since: '2026-01-04', snapshots, versionLinks: 'none', showsProgress: false });
        return { place: out, timeout: 30, maxRequests: 1000, registry };
      };
      return { registry, side, main, merge, builtTree };
    }

    test('a node with one older version exists only on the lines of its starts', async () => {
      const { registry, side, main, merge, builtTree } = await branches();
      const place = await builtTree('none');
      for (const [resource, moment] of [
        [OTHER, main],
        [OTHER, side],
        [ADDED, side],
        [ADDED, merge],
        [GIT_NODE, merge],
      ] as const) {
        const asked = { registry, resource, at: moment };
        expect(withoutDates(await publishedShow({ ...asked, ...place }))).toEqual(withoutDates(show(asked)));
      }
      const absent = () => publishedShow({ ...place, resource: ADDED, at: main });
      expect(await failureOf(absent)).toContain('[resource-not-at]');
    });

    test('a snapshot shows which of several older versions is on the line', async () => {
      const { registry, side, main, builtTree } = await branches();
      const [place, few] = [await builtTree('all'), await builtTree('none')];
      for (const [resource, moment] of [
        [GIT_NODE, main],
        [GIT_NODE, side],
        ['sites/lyra', main],
      ] as const) {
        const asked = { registry, resource, at: moment };
        expect(withoutDates(await publishedShow({ ...asked, ...place }))).toEqual(withoutDates(show(asked)));
        expect(await failureOf(() => publishedShow({ ...asked, ...few }))).toContain('[no-version-at]');
      }
    });

    test('revisions of lines with different starts cannot be compared', async () => {
      const { side, main, builtTree } = await branches();
      const place = await builtTree('all');
      expect(await failureOf(() => publishedDiff({ ...place, from: main, to: side }))).toContain(
        `The comparison of revisions ${main.slice(0, 8)} and ${side.slice(0, 8)} needs older revisions, which the tree omits. [older-revisions]`,
      );
    });
  });
});

describe('names that moved between nodes', () => {
  const file = (n: number) => nodeFile('lyra', n);
  const body = (n: number, name: string) => `type: node\nuid: ${nodeUid(n)}\nnode_name: ${name}\n`;
  let registry: string;
  let out: string;
  let ids: readonly string[];

  beforeAll(async () => {
    const files = { [BASE_NODE]: null, [file(1)]: body(1, 'a'), [file(2)]: body(2, 'b'), [file(3)]: body(3, 'c') };
    const made = registryOf(files, newFolder());
    const first = made.record('First').id;
    made.write({ [file(1)]: body(1, 'b'), [file(2)]: body(2, 'a') });
    const swapped = made.record('Swap the names').id;
    made.write({ [file(3)]: body(3, 'b') });
    const doubled = made.record('Use a name twice').id;
    made.write({ [file(3)]: null, [file(1)]: body(1, 'c') });
    ids = [first, swapped, doubled, made.record('Remove a node, and reuse its name').id];
    registry = made.registry;
    out = join(newFolder(), 'dist');
    await build({ registry, out, snapshots: 'none', showsProgress: false });
  });

  const answerOf = async (run: () => unknown) => {
    try {
      return withoutDates(Object(await run()));
    } catch (error) {
      return error instanceof Failure ? error.findings.map(({ code, args }) => ({ code, args })) : error;
    }
  };

  test.each(['a', 'b', 'c', nodeUid(3)])('%s is the same node in a tree and in the registry', async (resource) => {
    const place = { place: out, timeout: 30, maxRequests: 10_000, registry };
    for (const moment of ids) {
      const asked = { registry, resource, at: moment };
      expect(await answerOf(() => publishedShow({ ...asked, ...place }))).toEqual(await answerOf(() => show(asked)));
      const compared = { registry, from: `${resource}@${moment}`, to: nodeUid(2) };
      expect(await answerOf(() => publishedResourceDiff({ ...compared, ...place }))).toEqual(
        await answerOf(() => resourceDiff(compared)),
      );
    }
  });

  test('a service without a table over time does not guess', async () => {
    const old = join(newFolder(), 'dist');
    cpSync(out, old, { recursive: true });
    rmSync(join(old, 'nodes/history.json'));
    rmSync(join(old, 'nodes/history'), { recursive: true });
    const asked = { place: old, timeout: 30, maxRequests: 10_000, registry, at: ids[0] };
    expect(await failureOf(() => publishedShow({ ...asked, resource: 'a' }))).toContain(
      `The node that is called "a" now was called "b" at revision ${ids[0]?.slice(0, 8)}.`,
    );
    expect(await publishedShow({ ...asked, resource: nodeUid(2) })).toMatchObject({ body: { node_name: 'b' } });
  });
});

test('unknown resources and revisions are rejected', async () => {
  const place = at(places[0] ?? '');
  expect(await failureOf(() => publishedShow({ ...place, resource: 'nod-1' }))).toContain('Did you mean "node-1"');
  expect(await failureOf(() => publishedShow({ ...place, resource: 'sites/nowhere' }))).toContain('[unknown-resource]');
  expect(await failureOf(() => publishedDiff({ ...place, from: 'ffffffff', to: 'head' }))).toContain(
    '[unlisted-revision]',
  );
});

test('a service whose table over time has an invalid uid is rejected', async () => {
  const odd = join(newFolder(), 'dist');
  cpSync(places[0] ?? '', odd, { recursive: true });
  const file = join(odd, 'nodes/history.json');
  const table = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  const clusters = table.clusters.map((each: object) => ({ ...each, cluster: '' }));
  writeFileSync(file, JSON.stringify({ ...table, clusters }));
  expect(await failureOf(() => publishedShow({ ...at(odd), resource: 'node-1' }))).toContain(
    'lacks a valid path of node-1. [site-shape]',
  );
});

test('a service whose changes have links to other servers is rejected', async () => {
  const odd = join(newFolder(), 'dist');
  cpSync(places[0] ?? '', odd, { recursive: true });
  const file = join(odd, 'versions', `${idOf('grown')}.json`);
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  writeFileSync(file, text.replaceAll('"href":"/', '"href":"http://127.0.0.1:1/'));
  const call = () => publishedDiff({ ...at(odd), from: idOf('first'), to: idOf('grown') });
  expect(await failureOf(call)).toContain('lacks changes. [site-shape]');
});

test('a service whose revisions are their own ancestors is rejected', async () => {
  const odd = join(newFolder(), 'dist');
  cpSync(places[0] ?? '', odd, { recursive: true });
  const file = join(odd, 'nodes/history.json');
  const table = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  const revisions = table.revisions.map((each: object, n: number) => (n === 0 ? { ...each, parent: 1 } : each));
  writeFileSync(file, JSON.stringify({ ...table, revisions }));
  const rejected = 'lacks an order in which each version follows its predecessor. [site-shape]';
  expect(await failureOf(() => publishedShow({ ...at(odd), resource: 'node-1' }))).toContain(rejected);
  expect(await failureOf(() => publishedLog({ ...at(odd), resource: 'node-1' }))).toContain(rejected);
});

describe('a service with a missing or incomplete document gives no wrong answer:', () => {
  let odd: string;
  beforeEach(() => {
    odd = join(newFolder(), 'dist');
    cpSync(places[0] ?? '', odd, { recursive: true });
  });
  const write = (file: string, body: object) => {
    rmSync(join(odd, file));
    writeFileSync(join(odd, file), JSON.stringify(body));
  };

  test('log without the list of versions', async () => {
    rmSync(join(odd, `${NODE}/versions.json`));
    expect(await failureOf(() => publishedLog({ ...at(odd), resource: 'node-1' }))).toContain('[site-dead-link]');
  });

  test('diff without the body of a version', async () => {
    const compared = { ...at(odd), from: idOf('shrunk'), to: idOf('replaced') };
    const { changes } = await publishedDiff(compared);
    expect(changes).toMatchObject([{ action: 'replaced' }]);
    for (const { resource } of changes)
      write(`${resource}/versions/${idOf('replaced')}.json`, { error: 'Too many requests' });
    expect(await failureOf(() => publishedDiff(compared))).toContain('lacks resource. [site-shape]');
  });

  test('show without the items of a collection', async () => {
    write(`${NODES}.json`, { error: 'Too many requests' });
    expect(await failureOf(() => publishedShow({ ...at(odd), resource: NODES }))).toContain(
      'lacks items. [site-shape]',
    );
  });
});
