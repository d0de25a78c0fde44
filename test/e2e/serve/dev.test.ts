import fs, {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PLAIN } from '../../../src/core/diagnostics/palette.ts';
import { record } from '../../../src/features/revisions/record.ts';
import { dev } from '../../../src/features/serve/dev.ts';
import type { Serving } from '../../../src/features/serve/serve.ts';
import { lockFolderOf } from '../../../src/system/files/folder-lock.ts';
import { newFolder } from '../../support/folders.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { AUTHOR, REGISTRY } from '../../support/registries/revisions.ts';
import {
  nodeFile,
  nodeText,
  nodeUid,
  siteFile,
  siteText,
  writeFirstRevision,
} from '../../support/registries/testbed.ts';
import { type Client, httpClient } from '../../support/services/http.ts';
import { manifestOf, onBug } from '../../support/trees/served.ts';

const NODE = `/sites/lyra/clusters/main/nodes/${nodeUid(1)}`;

/** Collects the messages of dev, to await them one by one. */
function newListener() {
  const texts: string[] = [];
  let wake = () => {};
  const next = async () => {
    while (texts.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return texts.shift() ?? '';
  };
  const say = (text: string) => {
    texts.push(text);
    wake();
  };
  return { say, next, pending: () => texts.length };
}

let folder: string;
let registry: string;
let said: ReturnType<typeof newListener>;
let serving: Serving | undefined;
let client: Client | undefined;

beforeEach(() => {
  folder = newFolder();
  registry = join(folder, REGISTRY);
  said = newListener();
  writeFirstRevision(folder, 'cluster_uid: main\nsnapshots: none\nversion_links: none\n');
});

afterEach(async () => {
  client?.close();
  await serving?.close();
  serving = undefined;
});

async function start(more: { readonly out?: string } = {}): Promise<void> {
  serving = await dev(
    { ...more, registry, port: 0, host: '127.0.0.1', showsProgress: false, onBug },
    { print: said.say, palette: PLAIN },
  );
  client = httpClient(serving.port);
}

async function get(url: string) {
  const answer = await client?.get(url);
  return answer?.status === 200 ? JSON.parse(answer.body) : answer?.status;
}

/** The message about the shown revision; `pending` describes unrecorded changes. */
async function shown(pending?: string): Promise<string> {
  const { version } = await get('/');
  const recorded = pending === undefined ? '.\n' : ` with unrecorded changes:\n${pending}`;
  return `Shown: revision ${version.slice(0, 8)}${recorded}`;
}

describe('gridpress dev', () => {
  test('serves the current registry and writes nothing', async () => {
    await start();
    expect(await said.next()).toBe(await shown());
    expect((await get(NODE)).node_name).toBe('node-1');
    expect(said.pending()).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['gridpress.yaml', REGISTRY]);
  });

  test('shows an edited file as if the edit were recorded', async () => {
    await start();
    await said.next();
    const before = (await get('/')).version;
    writeFileSync(join(registry, nodeFile('lyra', 1)), nodeText(1, 'bios:\n  version: "1.10"\n'));
    expect(await said.next()).toBe(
      await shown(`sites/lyra
  updated  node-1 nodes/${nodeUid(1)} (firmware)
    bios  nothing -> {"version":"1.10"}  firmware
`),
    );
    expect((await get(NODE)).bios).toEqual({ version: '1.10' });
    const { items } = await get('/versions');
    expect(items.map(({ uid, message }: Record<string, string>) => [uid, message])).toEqual([
      [(await get('/')).version, 'Unrecorded changes'],
      [before, 'First revision'],
    ]);
  });

  test('shows added, removed and recorded resources', async () => {
    await start();
    await said.next();
    writeFileSync(join(registry, nodeFile('lyra', 2)), nodeText(2));
    expect(await said.next()).toBe(
      await shown(`sites/lyra
  added    node-2 nodes/${nodeUid(2)} (hardware)
`),
    );

    const { id } = record({ registry, message: 'Add node-2', author: AUTHOR, date: '2026-01-02T00:00:00Z' });
    expect(await said.next()).toBe(await shown());
    expect((await get('/')).version).toBe(id);

    rmSync(join(registry, nodeFile('lyra', 2)));
    expect(await said.next()).toBe(
      await shown(`sites/lyra
  removed  node-2 nodes/${nodeUid(2)} (hardware)
`),
    );
    expect(await get(`/sites/lyra/clusters/main/nodes/${nodeUid(2)}`)).toBe(410);
  });

  test('reports errors in a file, and keeps serving the last valid state', async () => {
    await start();
    await said.next();
    const file = join(registry, siteFile('lyra'));
    writeFileSync(file, siteText('lyra', 'baremetal').replace('47.5', 'north'));
    expect(await said.next()).toBe(
      `${file}:5:11: error: "latitude": expected a number, found "north". [schema]
  3 | name: LYRA
  4 | description: The site lyra
> 5 | latitude: north
    |           ^
  6 | longitude: 8.25
  7 | site_class: baremetal
  Correct the value. The schema of the file describes it.

The last good state is still served.
`,
    );
    expect((await get('/sites/lyra')).latitude).toBe(47.5);

    writeFileSync(file, siteText('lyra', 'baremetal').replace('47.5', '48.5'));
    expect(await said.next()).toBe(
      await shown(`sites/lyra
  updated  LYRA sites/lyra (placement)
    latitude  47.5 -> 48.5  placement
`),
    );
    expect((await get('/sites/lyra')).latitude).toBe(48.5);
  });

  test('reports that a file is repaired', async () => {
    await start();
    await said.next();
    rmSync(join(registry, 'grid.yaml'));
    expect(await said.next()).toBe(
      `${registry}/grid.yaml: error: The file that describes the grid is missing. [file-missing]
  Create the file. "gridpress init --example" creates an example.

The last good state is still served.
`,
    );
    writeFileSync(join(registry, 'grid.yaml'), 'type: grid\nuid: testgrid\n');
    expect(await said.next()).toBe(await shown());
  });

  test('applies the last of two changes in quick succession', async () => {
    await start();
    const file = join(registry, siteFile('lyra'));
    for (let pause = 38; pause <= 56; pause += 2) {
      writeFileSync(file, siteText('lyra', 'baremetal').replace('47.5', '1.5'));
      await setTimeout(pause);
      writeFileSync(file, siteText('lyra', 'baremetal').replace('47.5', `${pause}`));
      await expect.poll(async () => (await get('/sites/lyra')).latitude, { timeout: 2000 }).toBe(pause);
      await setTimeout(100);
    }
  });

  test('applies a change if the backup file of the editor disappears while dev reads the registry', async () => {
    await start();
    await said.next();
    const file = join(registry, siteFile('lyra'));
    const { readdirSync: list } = fs;
    fs.readdirSync = new Proxy(list, {
      apply: (target, self, args) => {
        const entries = Reflect.apply(target, self, args);
        if (args[0] === dirname(file)) rmSync(`${file}~`, { force: true });
        return entries;
      },
    });
    syncBuiltinESMExports();
    try {
      renameSync(file, `${file}~`);
      writeFileSync(file, siteText('lyra', 'baremetal').replace('47.5', '48.5'));
      expect(await said.next()).toContain('latitude  47.5 -> 48.5');
    } finally {
      fs.readdirSync = list;
      syncBuiltinESMExports();
    }
  });

  test('survives a symbolic link to itself', async () => {
    await start();
    await said.next();
    const link = join(registry, 'sites', 'loop.yaml');
    symlinkSync('loop.yaml', link);
    // The link itself causes no event, because it has no target.
    await setTimeout(100);
    writeFileSync(join(registry, siteFile('lyra')), siteText('lyra', 'baremetal').replace('47.5', '48.5'));
    expect(await said.next()).toContain('[link-broken]');
    rmSync(link);
    writeFileSync(join(registry, siteFile('lyra')), siteText('lyra', 'baremetal').replace('47.5', '49.5'));
    await expect.poll(async () => (await get('/sites/lyra')).latitude).toBe(49.5);
  });

  test('reports links to folders without following them', async () => {
    await start();
    await said.next();
    const links = ['a', 'b', 'c'].map((name) => join(registry, 'sites', 'lyra', name));
    for (const link of links) symlinkSync('..', link);
    expect(await said.next()).toContain('[symlink-to-folder]');
    for (const link of links) rmSync(link);
    await expect.poll(() => said.pending()).toBeGreaterThan(0);
    writeFileSync(join(registry, siteFile('lyra')), siteText('lyra', 'baremetal').replace('47.5', '48.5'));
    await expect.poll(async () => (await get('/sites/lyra')).latitude).toBe(48.5);
  });

  test('applies changes of a configuration that is a symbolic link', async () => {
    const file = join(folder, 'gridpress.yaml');
    const target = join(newFolder(), 'other.yaml');
    renameSync(file, target);
    symlinkSync(target, file);
    await start();
    await said.next();
    appendFileSync(target, 'exports: false\n');
    await expect.poll(() => get('/exports/nodes.csv'), { timeout: 5000 }).toBe(404);
  });

  test('applies changes of the configuration', async () => {
    await start();
    await said.next();
    expect((await client?.get('/'))?.headers['content-type']).toBe('application/json');
    const more = 'dialect: legacy\nvendor: testbed\nheaders:\n  strict_transport_security: max-age=60\n';
    appendFileSync(join(folder, 'gridpress.yaml'), more);
    await said.next();
    expect((await client?.get('/'))?.headers).toMatchObject({
      'content-type': 'application/vnd.testbed.item+json; charset=utf-8',
      'strict-transport-security': 'max-age=60',
    });
  });

  test('watches a configuration that was deleted and restored', async () => {
    await start();
    await said.next();
    const file = join(folder, 'gridpress.yaml');
    rmSync(file);
    expect(await said.next()).toContain('There is no configuration');
    writeFileSync(file, 'cluster_uid: main\nsnapshots: none\nversion_links: none\n');
    expect(await said.next()).toBe(await shown());
    writeFileSync(file, 'cluster_uid: [main]\n');
    expect(await said.next()).toContain('"cluster_uid"');
  });

  test('watches a folder that was moved away and back', async () => {
    await start();
    await said.next();
    const away = join(newFolder(), 'away');
    renameSync(folder, away);
    expect(await said.next()).toContain('The last good state is still served.');
    renameSync(away, folder);
    // The message may be repeated while the folder is missing.
    while ((await said.next()) !== (await shown())) {}
    writeFileSync(join(registry, nodeFile('lyra', 2)), nodeText(2));
    expect(await said.next()).toContain('node-2');
  });

  test('restores a registry that a killed import set aside', async () => {
    await start();
    await said.next();
    const lock = lockFolderOf(registry);
    mkdirSync(lock);
    renameSync(registry, join(lock, 'old'));
    await vi.waitFor(() => expect(existsSync(registry)).toBe(true), { timeout: 10_000 });
    writeFileSync(join(registry, nodeFile('lyra', 2)), nodeText(2));
    expect(await said.next()).toContain('node-2');
  });

  test('follows a symbolic link that is switched to another registry', async () => {
    const [one, other] = ['one', 'other'].map((name) => join(folder, name));
    renameSync(registry, one ?? '');
    cpSync(one ?? '', other ?? '', { recursive: true });
    writeFileSync(join(other ?? '', nodeFile('lyra', 2)), nodeText(2));
    symlinkSync('one', registry);
    await start();
    await said.next();
    symlinkSync('other', join(folder, 'next'));
    renameSync(join(folder, 'next'), registry);
    expect(await said.next()).toContain('node-2');
    writeFileSync(join(registry, nodeFile('lyra', 3)), nodeText(3));
    expect(await said.next()).toContain('node-3');
  });

  test('writes the tree to --out after the last edit', async () => {
    const out = join(folder, 'preview');
    await start({ out });
    await said.next();
    writeFileSync(join(registry, nodeFile('lyra', 1)), nodeText(1, 'bios:\n  version: "1.10"\n'));
    await said.next();
    expect(await said.next()).toMatch(`Built ${out} at revision ${(await get('/')).version.slice(0, 8)}: `);
    expect(manifestOf(out)).toMatchObject({ provisional: true });
    expect(readFileSync(join(out, `${NODE}.json`), 'utf8')).toBe((await client?.get(NODE))?.body);
  });

  test('does not start with an invalid registry', async () => {
    writeFileSync(join(registry, 'grid.yaml'), 'type: grid\n');
    expect(await failureOf(start)).toBe(
      `${registry}/grid.yaml:1:1: error: "uid": missing; expected a string. [schema]
> 1 | type: grid
    | ^
  Add the field.
`,
    );
  });
});
