/**
 * Servers, power distribution units, network equipment and environments, from an imported git repository to lock files.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { gitRepository, json } from '../../support/registries/git-repository.ts';
import { BASE, GRID, SITE } from '../../support/registries/imported.ts';
import { CONFIGURATION, registryOf } from '../../support/registries/registry.ts';
import { buildAndServe, manifestOf, type Served } from '../../support/trees/served.ts';

const SWITCH = { type: 'network_equipment', uid: 'sw-1', kind: 'switch', model: 'S5248', linecards: [{ rate: 1e10 }] };
const ROUTER = { type: 'network_equipment', uid: 'gw', kind: 'router' };
const SERVER = { type: 'server', uid: 'front', kind: 'physical', network_adapters: { default: { ip: '10.0.0.1' } } };
const PDU = { type: 'pdu', uid: 'pdu-1', vendor: 'Raritan', model: 'PX3' };
const IMAGE = { type: 'environment', uid: 'debian', description: 'What nodes boot', file: { path: '/i.tgz' } };

/** Each resource by its path. */
const EQUIPMENT = {
  'network_equipments/gw': ROUTER,
  'environments/debian': IMAGE,
  [`${SITE}/environments/debian`]: IMAGE,
  [`${SITE}/network_equipments/sw-1`]: SWITCH,
  [`${SITE}/pdus/pdu-1`]: PDU,
  [`${SITE}/servers/front`]: SERVER,
};

let cwd: string;
let imported: string;
let recorded: string;

async function run(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await gridpress(args, { cwd });
  return `${status} ${stdout}${stderr}`;
}

beforeAll(async () => {
  cwd = newFolder();
  const { folder, commit } = gitRepository(newFolder());
  imported = commit({
    files: {
      ...BASE,
      [`${GRID}/network_equipments/gw.json`]: json(ROUTER),
      [`${GRID}/environments/debian.json`]: json(IMAGE),
      [`${GRID}/${SITE}/environments/debian/debian.json`]: json(IMAGE),
      [`${GRID}/${SITE}/network_equipments/sw-1/sw-1.json`]: json(SWITCH),
      [`${GRID}/${SITE}/pdus.json`]: json({ [PDU.uid]: PDU }),
      [`${GRID}/${SITE}/servers/front/front.json`]: json(SERVER),
    },
  });
  expect(await run('import', folder, '-o', 'registry-data')).toMatch(/^0 /);
  expect(await run('lock', 'n1', '-o', 'n1.lock.json')).toMatch(/^0 /);
  const file = join(cwd, 'registry-data', SITE, 'pdus/pdu-1.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('PX3', 'PX4'));
  const printed = await gridpress(['record', '-m', 'Replace the unit', '--author', 'Ada Brown', '--json'], { cwd });
  recorded = JSON.parse(printed.stdout).id;
});

test('the registry passes check, and a lock of a node verifies', async () => {
  expect(await run('check')).toBe('0 No errors: 10 resources, 2 revisions.\n');
  expect(await run('log', `${SITE}/pdus/pdu-1`)).toContain('Replace the unit');
  expect(await run('verify-lock', 'n1.lock.json')).toMatch(/^0 /);
});

test('collections without members exist if the configuration names them', async () => {
  const folder = newFolder();
  const { registry, write, record } = registryOf({}, folder);
  record('First');
  const empty = ['network_equipments', 'pdus', 'servers'];
  const files = ['network_equipments.json', ...empty.map((name) => `sites/lyra/${name}.json`)];
  const built = async () => {
    expect((await gridpress(['build', '--registry', registry], { cwd: folder })).status).toBe(0);
    expect((await gridpress(['verify', 'dist'], { cwd: folder })).status).toBe(0);
    return files.map((file) => existsSync(join(folder, 'dist', file)));
  };
  expect(await built()).toEqual([false, false, false, false]);
  write({ [CONFIGURATION]: `cluster_uid: main\nempty_collections: [${empty}]\n` });
  expect(await built()).toEqual([true, true, true, true]);
  const { items, total } = JSON.parse(readFileSync(join(folder, 'dist/sites/lyra/pdus.json'), 'utf8'));
  expect({ items, total }).toEqual({ items: [], total: 0 });
});

describe.each(['current', 'legacy'] as const)('the %s tree', (dialect) => {
  let served: Served;
  beforeAll(async () => {
    served = await buildAndServe(join(cwd, 'registry-data'), { dialect });
  });

  async function answer(url: string) {
    const { status, headers, body } = await served.client.get(url);
    return { status, type: headers['content-type'], body: JSON.parse(body) };
  }

  test.each(Object.entries(EQUIPMENT))(
    'answers for %s, its collection, its history and its snapshot',
    async (path, first) => {
      const now = path.endsWith('pdu-1') ? { ...first, model: 'PX4' } : first;
      const item = await answer(`/${path}`);
      expect(item.body).toMatchObject(now);
      const vendor = (form: string) => `application/vnd.gridpress.${form}+json; charset=utf-8`;
      expect(item.type).toBe(dialect === 'legacy' ? vendor('item') : 'application/json');
      const collection = await answer(`/${path.slice(0, path.lastIndexOf('/'))}`);
      expect(collection.body).toMatchObject({ total: 1, items: [now] });
      expect(collection.type).toBe(dialect === 'legacy' ? vendor('collection') : 'application/json');
      const versions = (await answer(`/${path}/versions`)).body.items.map(({ uid }: { uid: string }) => uid);
      expect(versions).toEqual(path.endsWith('pdu-1') ? [recorded, imported] : [imported]);
      expect((await answer(`/snapshots/${imported}/${path}`)).body).toMatchObject(first);
    },
  );

  test('links to them from the site and the grid', async () => {
    const hrefs = async (url: string) => (await answer(url)).body.links.map(({ href }: { href: string }) => href);
    expect(await hrefs(`/${SITE}`)).toEqual(
      expect.arrayContaining(
        ['servers', 'pdus', 'network_equipments', 'environments'].map((name) => `/${SITE}/${name}`),
      ),
    );
    expect(await hrefs('/')).toEqual(expect.arrayContaining(['/network_equipments', '/environments']));
  });

  test('passes verify, and a crawl requests every document', async () => {
    expect(await run('verify', served.out)).toMatch(/^0 .*is complete and unaltered/s);
    const crawled = await served.crawl({ includesUnlinked: true });
    expect(crawled.findings).toEqual([]);
    const paths = manifestOf(served.out).documents.map(({ path }) => path);
    const asked = paths.filter((path) => Object.keys(EQUIPMENT).some((each) => path.includes(each)));
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((path) => !crawled.urls.has(path))).toEqual([]);
  });
});
