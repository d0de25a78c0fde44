import { once } from 'node:events';
import { cpSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../../src/core/model/digest.ts';
import { build } from '../../../src/features/build/build.ts';
import { serve } from '../../../src/features/serve/serve.ts';
import { newFolder } from '../../support/folders.ts';
import { gridpress, startServer } from '../../support/processes/cli.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { nodeUid, type Testbed, writeTestbed } from '../../support/registries/testbed.ts';
import { clientOf, closeAtEnd, onBug } from '../../support/trees/served.ts';

let bed: Testbed;
/** The tree of the head and the tree of its parent. */
let newer: string;
let older: string;

beforeAll(async () => {
  bed = writeTestbed(newFolder());
  newer = join(newFolder(), 'dist');
  older = join(newFolder(), 'dist');
  const common = { registry: bed.registry, snapshots: 'none', showsProgress: false } as const;
  await build({ ...common, out: newer });
  await build({ ...common, out: older, at: bed.revisions.closed.id });
});

/** Copies the head's tree to a folder that a test may damage. */
function copyOf(tree: string): string {
  const copy = join(newFolder(), 'dist');
  cpSync(tree, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

/** The older tree in place, the newer one next to it, and a free path for the older one. */
function swappable() {
  const folder = newFolder();
  const names = { out: join(folder, 'dist'), next: join(folder, 'next'), old: join(folder, 'old') };
  renameSync(copyOf(older), names.out);
  renameSync(copyOf(newer), names.next);
  return names;
}

/** Serves a folder in another process, so that the test can swap trees during requests. */
async function served(folder: string) {
  const server = await startServer(['serve', folder, '--registry', bed.registry]);
  closeAtEnd(server.stop);
  return clientOf(server.port);
}

test('serve says that it reads a large manifest', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, '_manifest.json'), Buffer.alloc(6_000_000, ' '));
  const { stderr } = await gridpress(['serve', folder, '--registry', bed.registry]);
  expect(stderr.split('\n')[0]).toBe('Reading the manifest (6.0 MB)');
  expect((await gridpress(['serve', folder, '--registry', bed.registry, '--json'])).stderr).toBe('');
});

describe('serve rejects a tree', () => {
  const saying = (folder: string) =>
    failureOf(() => serve({ registry: bed.registry, folder, port: 0, host: '127.0.0.1', onBug }));
  const incomplete = (folder: string, reason: string) =>
    `error: The tree at ${folder} is not complete: ${reason}. [tree-incomplete]\n  Rebuild it: gridpress build --force.\n`;

  test('that is missing', async () => {
    const folder = join(newFolder(), 'dist');
    const said = `error: There is no tree at ${folder}. [no-tree]\n  Build one: gridpress build.\n`;
    expect(await saying(folder)).toBe(said);
    mkdirSync(folder);
    expect(await saying(folder)).toBe(said);
    writeFileSync(join(folder, 'index.json'), '{}');
    expect(await saying(folder)).toBe(said);
  });

  test.each(['', '{', '{}', '{"gridpress":2}'])('with an invalid manifest: %s', async (text) => {
    const folder = copyOf(newer);
    writeFileSync(join(folder, '_manifest.json'), text);
    expect(await saying(folder)).toBe(incomplete(folder, '_manifest.json cannot be read'));
  });

  test.each([
    ['a document', 'sites/lyra.json'],
    ['an alias', 'versions/latest.json'],
  ])('without %s', async (_, file) => {
    const folder = copyOf(newer);
    rmSync(join(folder, file));
    expect(await saying(folder)).toBe(incomplete(folder, `${file} is missing`));
  });

  test('with a truncated file', async () => {
    const folder = copyOf(newer);
    truncateSync(join(folder, 'sites.json'), 100);
    expect(await saying(folder)).toBe(incomplete(folder, 'sites.json does not have the size that _manifest.json says'));
  });
});

describe('serve rejects an address', () => {
  const saying = (port: number, host: string) =>
    failureOf(() => serve({ registry: bed.registry, folder: newer, port, host, onBug }));

  test('that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await saying(port, '127.0.0.1')).toBe(
      `error: Port ${port} is already used. [port-taken]\n  Stop the program that uses it, or choose another port with --port.\n`,
    );
    other.close();
  });

  test('of another machine', async () => {
    // TEST-NET-3 (RFC 5737) belongs to no machine.
    expect(await saying(0, '203.0.113.1')).toBe(
      `error: Cannot listen on port 0 of 203.0.113.1: this machine does not have that address. [port-refused]
  Choose another port with --port, or another address with --address.
`,
    );
  });
});

describe('a tree that is swapped while it is served', () => {
  const URLS = ['/', '/sites', '/sites/lyra', `/sites/lyra/clusters/main/nodes/${nodeUid(1)}`, '/versions'];

  test('is served at once', async () => {
    const { out, next, old } = swappable();
    const client = await served(out);
    const version = async (url: string) => JSON.parse((await client.get(url)).body).version;
    const { closed, joined } = bed.revisions;
    expect(await version('/')).toBe(closed.id);
    expect((await client.get(`/versions/${joined.id}`)).status).toBe(404);

    renameSync(out, old);
    renameSync(next, out);
    expect(await version('/')).toBe(joined.id);
    expect((await client.get(`/versions/${joined.id}`)).status).toBe(200);
  });

  test('answers every request completely, from one of the two trees', async () => {
    const { out, next, old } = swappable();
    const client = await served(out);
    const seen = new Set<string>();
    const wrong: string[] = [];
    let isSwapping = true;
    const ask = async (url: string) => {
      while (isSwapping) {
        const { status, headers, body } = await client.get(url);
        const etag = `"${sha256(body).slice(0, 32)}"`;
        if (status !== 200 || headers['etag'] !== etag) wrong.push(`${url}: ${status}, ${headers['etag']}`);
        seen.add(String(JSON.parse(body).version));
      }
    };
    const asking = URLS.map(ask);
    for (let swap = 0; swap < 100; swap++) {
      renameSync(out, old);
      renameSync(next, out);
      renameSync(old, next);
      await client.get('/sites/kit');
    }
    isSwapping = false;
    await Promise.all(asking);
    expect(wrong).toEqual([]);
    expect([...seen].toSorted()).toEqual([bed.revisions.closed.id, bed.revisions.joined.id].toSorted());
  });

  test('gives a 503 problem while it is missing', async () => {
    const folder = copyOf(newer);
    const client = await served(folder);
    renameSync(folder, `${folder}-away`);
    const { status, headers, body } = await client.get('/sites');
    expect(status).toBe(503);
    expect(headers['content-type']).toBe('application/problem+json');
    expect(headers['retry-after']).toBe('1');
    expect(headers['cache-control']).toBe(undefined);
    expect(body).toBe(
      '{"type":"about:blank","title":"Service Unavailable","status":503,"detail":"The tree is being replaced, or one of its files is missing. Try again in a moment."}',
    );
    expect((await client.get('/nowhere')).status).toBe(404);
    renameSync(`${folder}-away`, folder);
    expect((await client.get('/sites')).status).toBe(200);

    rmSync(join(folder, 'sites.json'));
    expect((await client.get('/sites')).status).toBe(503);
    expect((await client.get('/sites/lyra')).status).toBe(200);
  });
});
