/** A registry that declares a kind: all commands and documents support it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import { BASE, GRID } from '../../support/registries/imported.ts';
import { CLUSTER, CONFIGURATION, registryOf, type TestRegistry } from '../../support/registries/registry.ts';
import { buildAndServe, manifestOf, type Served } from '../../support/trees/served.ts';

const ARM = 'sites/lyra/robots/arm.yaml';
const KINDS = 'kinds:\n  - name: robot\n    collection: robots\n    parent: site\n';

let bed: TestRegistry;
let revisions: readonly string[];

beforeAll(() => {
  const files = {
    [CONFIGURATION]: `cluster_uid: main\n${KINDS}  - name: cage\n    collection: cages\n    parent: cluster\n`,
    [ARM]: 'type: robot\nuid: arm\naxes: 6\nserial: R-1\n',
    'sites/lyra/robots/belt.yaml': 'type: robot\nuid: belt\n',
    [CLUSTER.replace('cluster.yaml', 'cages/north.yaml')]: 'type: cage\nuid: north\ndoors: 2\n',
  };
  bed = registryOf(files, newFolder());
  const first = bed.record('Begin').id;
  bed.write({ [ARM]: 'type: robot\nuid: arm\naxes: 7\nserial: R-1\n' });
  const second = bed.record('Give the arm another axis').id;
  bed.write({ [ARM]: 'type: robot\nuid: arm\naxes: 7\nserial: R-2\n', 'sites/lyra/robots/belt.yaml': null });
  revisions = [first, second, bed.record('Replace the arm, and take the belt away').id];
});

async function run(...args: string[]) {
  const { status, stdout, stderr } = await gridpress(args, { cwd: bed.folder });
  return { status, output: (stdout + stderr).replaceAll(`${bed.folder}/`, '') };
}

describe('check and history commands', () => {
  test('check places, identities and file names', async () => {
    const { status, output } = await run('check');
    expect([status, output]).toEqual([0, 'No errors: 6 resources, 3 revisions.\n']);
    const broken = registryOf({
      [CONFIGURATION]: `cluster_uid: main\n${KINDS}`,
      [ARM]: 'type: node\nuid: leg\n',
      'sites/lyra/cages/a.yaml': 'type: cage\nuid: a\n',
    });
    expect(broken.findings()).toContain('"type": expected "robot"');
    expect(broken.findings()).toContain('sites/lyra/cages/a.yaml');
  });

  test('include the kind in log, diff and show', async () => {
    const log = await run('log', 'sites/lyra/robots/arm');
    expect(log.output).toContain('Give the arm another axis');
    const [first = '', second = '', third = ''] = revisions;
    expect((await run('diff', first, second)).output).toContain('axes');
    const replaced = await run('diff', second, third, 'sites/lyra/robots', '--json');
    expect(JSON.parse(replaced.output)).toMatchObject({ counts: { added: 0, updated: 0, removed: 1, replaced: 1 } });
    expect((await run('show', 'belt', '--at', first)).output).toContain('type: robot');
  });
});

describe.each(['current', 'legacy'] as const)('the %s tree', (dialect) => {
  let served: Served;
  beforeAll(async () => {
    served = await buildAndServe(bed.registry, { dialect });
  });

  async function body(url: string) {
    const { status, headers, body: text } = await served.client.get(url);
    return { status, type: headers['content-type'], body: JSON.parse(text) };
  }

  test('contains items, collections and links', async () => {
    const site = await body('/sites/lyra');
    expect(site.body.links.at(-1)).toMatchObject({ rel: 'robots', href: '/sites/lyra/robots' });
    const robots = await body('/sites/lyra/robots');
    expect(robots.body).toMatchObject({ total: 1, items: [{ type: 'robot', uid: 'arm', axes: 7 }] });
    expect(robots.type).toBe(
      dialect === 'current' ? 'application/json' : 'application/vnd.gridpress.collection+json; charset=utf-8',
    );
    expect((await body('/sites/lyra/clusters/main/cages/north')).body.doors).toBe(2);
  });

  test('contains histories, snapshots and tombstones', async () => {
    const [first = '', second = '', third = ''] = revisions;
    const versions = await body('/sites/lyra/robots/arm/versions');
    expect(versions.body.items.map(({ uid }: { uid: string }) => uid)).toEqual([third, second, first]);
    const version = await body(`/sites/lyra/robots/arm/versions/${second}`);
    expect(version.body.changes[0].fields).toEqual([{ at: '/axes', from: 6, to: 7 }]);
    expect((await body(`/snapshots/${first}/sites/lyra/robots`)).body.total).toBe(2);
    const gone = await body('/sites/lyra/robots/belt');
    expect([gone.status, gone.body.detail]).toEqual([410, expect.stringContaining('The robot belt was removed')]);
  });

  test('answers log and show like the registry', async () => {
    const [first = '', second = ''] = revisions;
    const asked = async (...args: string[]) => {
      const { output } = await run(...args, '--json');
      const { resource, body, revisions: listed } = JSON.parse(output);
      return {
        resource,
        body,
        listed: listed?.map(({ id, changes }: { id: string; changes: object }) => [id, changes]),
      };
    };
    for (const args of [
      ['show', 'sites/lyra/robots/arm', '--at', second],
      ['show', '/sites/lyra/robots/belt', '--at', first],
      ['show', 'sites/lyra/robots'],
      ['show', 'sites/lyra/clusters/main/cages/north'],
      ['log', 'sites/lyra/robots/arm'],
      ['log', 'sites/lyra/clusters/main/cages'],
    ])
      expect(await asked(...args, '--from', served.out), args.join(' ')).toEqual(await asked(...args));
    const unknown = await run('show', 'sites/lyra/robots/leg', '--from', served.out);
    expect([unknown.status, unknown.output]).toEqual([2, expect.stringContaining('[unknown-resource]')]);
  });

  test('passes verify and crawl', async () => {
    const verified = await run('verify', served.out);
    expect([verified.status, verified.output]).toEqual([0, expect.stringContaining('is complete and unaltered')]);
    const crawled = await served.crawl({ includesUnlinked: true });
    expect(crawled.findings).toEqual([]);
    const documents = [...manifestOf(served.out).documents].map(({ path }) => path);
    const unasked = documents.filter((path) => path.includes('/robots') && !crawled.urls.has(path));
    expect(unasked).toEqual([]);
  });
});

test('host configurations contain rules for the kind', async () => {
  const out = join(newFolder(), 'dist');
  expect((await run('build', '--host', 'nginx,cloudflare-workers', '--out', out)).status).toBe(0);
  const rules = readFileSync(join(out, '_hosts/nginx/server.conf'), 'utf8');
  expect(rules).toContain('robots');
  expect(rules).toContain('cages');
});

test('import reads kinds from the configuration of the registry', async () => {
  const { folder, commit } = gitRepository();
  commit({ files: { ...BASE, [`${GRID}/sites/lyra/robots/arm.json`]: json({ axes: 6 }) } });
  const place = newFolder();
  writeFileSync(join(place, 'gridpress.yaml'), `cluster_uid: main\nnode_uid: name\n${KINDS}`);
  const registry = join(place, 'registry-data');
  expect((await gridpress(['import', folder, '-o', registry])).status).toBe(0);
  expect(readFileSync(join(registry, ARM), 'utf8')).toBe('type: robot\nuid: arm\naxes: 6\n');
});

describe('a configuration', () => {
  test.each([
    ['{ name: node, collection: robots, parent: site }', '"kind-taken"'],
    ['{ name: robot, collection: versions, parent: site }', '"kind-taken"'],
    ['{ name: robot, collection: nodes, parent: site }', '"kind-taken"'],
    ['{ name: robot, collection: robots, parent: node }', '"schema"'],
    ['{ name: Robot, collection: robots, parent: site }', '"schema"'],
  ])('with %s is rejected', async (kind, code) => {
    const { registry, failure } = registryOf({ [CONFIGURATION]: `cluster_uid: main\nkinds: [${kind}]\n` });
    const { loadSources } = await import('../../../src/features/sources/load-sources.ts');
    expect(await failure(() => loadSources({ registry }))).toContain(code.replaceAll('"', ''));
  });
});
