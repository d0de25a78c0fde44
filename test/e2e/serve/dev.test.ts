import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { documentSchemas } from '../../../src/core/api/schemas/document-schemas.ts';
import { PLAIN } from '../../../src/core/diagnostics/palette.ts';
import { record } from '../../../src/features/revisions/record.ts';
import { dev } from '../../../src/features/serve/dev.ts';
import type { Serving } from '../../../src/features/serve/server.ts';
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
import { onBug } from '../../support/trees/served.ts';

const NODE = `/sites/lyra/clusters/main/nodes/${nodeUid(1)}`;

/** What dev says, to be awaited text by text. */
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
let out: string;
let said: ReturnType<typeof newListener>;
let serving: Serving | undefined;
let client: Client | undefined;

beforeEach(() => {
  folder = newFolder();
  registry = join(folder, REGISTRY);
  out = join(folder, 'dist');
  said = newListener();
  writeFirstRevision(folder, 'cluster_uid: main\nsnapshots: none\nversion_links: none\n');
});

afterEach(async () => {
  client?.close();
  await serving?.close();
  serving = undefined;
});

async function start(): Promise<void> {
  serving = await dev(
    { registry, out, port: 0, host: '127.0.0.1', showsProgress: false, onBug },
    { print: said.say, palette: PLAIN },
  );
  client = httpClient(serving.port);
}

async function get(url: string) {
  const answer = await client?.get(url);
  return answer?.status === 200 ? JSON.parse(answer.body) : answer?.status;
}

/**
 * What a tree has besides the nodes of all sites together: a page of them, what is found, the table, the facets, the history and the
 * groups; the page is `/nodes` too, and each node answers at its name. Then six exports, and what describes the API: links, OpenAPI, a page, its style,
 * the catalogue, and schemas; the explorer's page, its two scripts, style, icon and three of data; all that is below the grid, the site and the cluster; and a badge of each node.
 */
function contents(documents: number, aliases: number, nodes = 1): string {
  return `${documents + 6 + 6 + 5 + 8 + 3 + documentSchemas('current').size + nodes} documents, ${aliases + 1 + nodes} aliases`;
}

/** What is said of a tree that has just been built. */
async function built(contents: string, how = 'Built'): Promise<string> {
  const { version } = await get('/');
  return `${how} ${out} at revision ${version.slice(0, 8)}: ${contents}, 0 snapshots.\n`;
}

describe('gridpress dev', () => {
  test('builds and serves', async () => {
    await start();
    // Seven resources and collections, each with a history and one version in it, and the snapshots; seven `latest`. The
    // four items have two TimeMaps each; the grid and the site a page of changes, which is their changes, and two feeds.
    expect(await said.next()).toBe(await built(contents(36, 9)));
    expect((await get(NODE)).node_name).toBe('node-1');
    expect(said.pending()).toBe(0);
  });

  test('builds again when a source changes, as if the change were recorded', async () => {
    await start();
    await said.next();
    const before = (await get('/')).version;
    writeFileSync(join(registry, nodeFile('lyra', 1)), nodeText(1, 'bios:\n  version: "1.10"\n'));
    const text = await said.next();
    // Each of the seven has one version more.
    expect(text).toBe(
      `${await built(contents(43, 9))}not recorded yet:
sites/lyra
  updated  node-1 nodes/${nodeUid(1)} (firmware)
    bios  nothing -> {"version":"1.10"}  firmware
`,
    );
    expect((await get(NODE)).bios).toEqual({ version: '1.10' });
    const { items } = await get('/versions');
    expect(items.map(({ uid, message }: Record<string, string>) => [uid, message])).toEqual([
      [(await get('/')).version, 'Unrecorded changes'],
      [before, 'First revision'],
    ]);
  });

  test('takes up what is added, removed and recorded', async () => {
    await start();
    await said.next();
    writeFileSync(join(registry, nodeFile('lyra', 2)), nodeText(2));
    // The node, its history and its version; one version more of the six above it. Its `latest`, and node-1 at the head.
    expect(await said.next()).toBe(
      `${await built(contents(47, 11, 2))}not recorded yet:
sites/lyra
  added    node-2 nodes/${nodeUid(2)} (hardware)
`,
    );

    const { id } = record({ registry, message: 'Add node-2', author: AUTHOR, date: '2026-01-02T00:00:00Z' });
    expect(await said.next()).toBe(await built(contents(47, 11, 2)));
    expect((await get('/')).version).toBe(id);

    rmSync(join(registry, nodeFile('lyra', 2)));
    // The node is gone; its history has a version more, as have those of the six above. No `latest` more or less.
    expect(await said.next()).toBe(
      `${await built(contents(53, 11))}not recorded yet:
sites/lyra
  removed  node-2 nodes/${nodeUid(2)} (hardware)
`,
    );
    expect(await get(`/sites/lyra/clusters/main/nodes/${nodeUid(2)}`)).toBe(410);
  });

  test('shows what is wrong with a source, and goes on serving the last good tree', async () => {
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
  Correct the value, or see the schema of the file.

The last good tree is still served.
`,
    );
    expect((await get('/sites/lyra')).latitude).toBe(47.5);

    writeFileSync(file, siteText('lyra', 'baremetal').replace('47.5', '48.5'));
    // A version more of the root, the sites and lyra; the four below lyra have theirs under the head's name too.
    expect(await said.next()).toBe(
      `${await built(contents(39, 13))}not recorded yet:
sites/lyra
  updated  LYRA sites/lyra (placement)
    latitude  47.5 -> 48.5  placement
`,
    );
    expect((await get('/sites/lyra')).latitude).toBe(48.5);
  });

  test('says so when a source is mended to what it had been', async () => {
    await start();
    await said.next();
    rmSync(join(registry, 'grid.yaml'));
    expect(await said.next()).toBe(
      `${registry}/grid.yaml: error: The file is missing: it holds the grid. [file-missing]
  Create it; "gridpress init --example" shows what it looks like.

The last good tree is still served.
`,
    );
    writeFileSync(join(registry, 'grid.yaml'), 'type: grid\nuid: testgrid\n');
    expect(await said.next()).toBe(await built(contents(36, 9), 'Up to date:'));
  });

  test('takes up a change of the configuration', async () => {
    await start();
    await said.next();
    expect((await client?.get('/'))?.headers['content-type']).toBe('application/json');
    appendFileSync(join(folder, 'gridpress.yaml'), 'dialect: legacy\nvendor: testbed\n');
    await said.next();
    expect((await client?.get('/'))?.headers['content-type']).toBe(
      'application/vnd.testbed.item+json; charset=utf-8',
    );
  });

  test('does not begin with a registry that is not in order', async () => {
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
