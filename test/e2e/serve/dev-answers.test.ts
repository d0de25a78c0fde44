/** After any edits, `dev` answers like `serve` with a newly built tree of the same registry. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { endpointOf, rawFormOf } from '../../../src/core/api/endpoints.ts';
import { build } from '../../../src/features/build/build.ts';
import { record } from '../../../src/features/revisions/record.ts';
import { previewTree } from '../../../src/features/serve/preview-tree.ts';
import { serveTrees } from '../../../src/features/serve/serve.ts';
import type { ServedTree } from '../../../src/features/serve/served-tree.ts';
import { sourceCache } from '../../../src/features/sources/source-cache.ts';
import { newFolder } from '../../support/folders.ts';
import { failureOf } from '../../support/processes/failure.ts';
import { AUTHOR } from '../../support/registries/revisions.ts';
import {
  clusterFile,
  nodeFile,
  nodeText,
  siteFile,
  siteText,
  type Testbed,
  writeTestbed,
} from '../../support/registries/testbed.ts';
import type { Ask, Client } from '../../support/services/http.ts';
import { clientOf, closeAtEnd, onBug, serveTree } from '../../support/trees/served.ts';
import { type Random, random } from '../../support/values/random.ts';

const CONFIGURATIONS = [
  '',
  'dialect: legacy\nvendor: testbed\n',
  'base_path: /api\nprefixed_links: true\nexplorer:\n  redirect_browsers: true\n',
  'history:\n  since: 2026-01-05\n',
  'hosts: [nginx]\nheaders:\n  strict_transport_security: max-age=60\nsearch:\n  max_nodes: 1\n',
];

/** Variations of a request for any document. */
const WAYS: readonly (readonly [end: string, ask: Ask])[] = [
  ...['/', '.json', '/index.json', '?pretty', '?version=0123456789012345678901234567890123456789'].map(
    (end) => [end, {}] as const,
  ),
  ...['HEAD', 'OPTIONS', 'POST'].map((method) => ['', { method }] as const),
  ...[
    { range: 'bytes=0-9' },
    { range: 'bytes=-7' },
    { range: 'bytes=99999999-' },
    { 'accept-encoding': 'br' },
    { accept: 'application/json' },
    { 'if-none-match': '*' },
    { 'if-modified-since': 'Sat, 01 Jan 2050 00:00:00 GMT' },
    { 'if-match': '"another"' },
    { 'x-rack-prettyjson': 'yes' },
    { 'sec-fetch-dest': 'document' },
  ].map((headers) => ['', { headers }] as const),
];

// Nine builds and thousands of requests take half a minute of CPU time.
test('dev answers like serve after any edits', async () => {
  const bed = writeTestbed(newFolder());
  const chosen = random(3);
  const cache = sourceCache();
  const options = { registry: bed.registry, snapshots: 'none', showsProgress: false } as const;
  const preview = await previewServer(previewTree({ ...options, sourceCache: cache }).tree);
  const counts = { broken: 0, compared: 0 };
  for (let step = 1; step <= 9; step++) {
    // Recording fails if nothing changed or the registry has errors.
    await failureOf(() => edit(bed, chosen, step));
    const out = join(newFolder(), 'dist');
    const wrong = await failureOf(() => build({ ...options, out, isPreview: true, fsync: false }));
    let tree: ServedTree | undefined;
    expect(
      await failureOf(() => {
        ({ tree } = previewTree({ ...options, sourceCache: cache }));
      }),
    ).toBe(wrong);
    if (!tree) {
      counts.broken++;
      mend(bed);
      continue;
    }
    preview.show(tree);
    counts.compared += await compare(preview.client, await serveTree(bed.registry, out), chosen);
  }
  expect(counts.broken).toBe(2);
  expect(counts.compared).toBeGreaterThan(4000);
});

/** Starts a server for the tree that it was given last. */
async function previewServer(first: ServedTree) {
  let shown = first;
  const trees = { current: () => shown, isCurrent: () => true, reload: () => {} };
  const { port, close } = await serveTrees({ trees, port: 0, host: '127.0.0.1', onBug });
  closeAtEnd(close);
  const show = (tree: ServedTree) => {
    shown = tree;
  };
  return { client: clientOf(port), show };
}

type Built = Awaited<ReturnType<typeof serveTree>>;

/** Sends all requests to both servers; returns the number of compared responses. */
async function compare(preview: Client, { client, manifest }: Built, chosen: Random): Promise<number> {
  const paths = manifest.documents.map(({ path }) => path);
  const gone = manifest.files.flatMap(({ file }) => (file.startsWith('_gone/') ? [file.slice(5, -5)] : []));
  const others = [...gone, '/nothing', '/sites/', '/404', '/api-docs', '/explorer', '/%', '//sites', '/api/sites'];
  const plain = [...paths, '/_manifest.json', ...others].map((path) => [path, {}] as const);
  const ofEachEndpoint = new Map(paths.map((path) => [endpointOf(path)?.template ?? rawFormOf(path), path]));
  const otherwise = [...ofEachEndpoint.values(), ...gone].flatMap((path) =>
    [1, 2, 3].map(() => {
      const [end, ask] = chosen.pick(WAYS);
      return [path + end, ask] as const;
    }),
  );
  const asked = [...plain, ...otherwise];
  const answers = (from: Client) => Promise.all(asked.map(([url, ask]) => answerOf(from, url, ask)));
  const [shown, served] = await Promise.all([answers(preview), answers(client)]);
  expect(shown.map((each, i) => [asked[i], each])).toEqual(served.map((each, i) => [asked[i], each]));
  return asked.length;
}

/** Everything in a response that is equal for both servers: not its date, and not the age of the manifest. */
async function answerOf(client: Client, url: string, ask: Ask) {
  const { status, headers, bytes } = await client.get(url, ask);
  const { date, 'last-modified': modified, ...rest } = headers;
  return { status, ...rest, ...(url === '/_manifest.json' ? {} : { modified }), body: bytes.toString('latin1') };
}

/** Repairs the files that an edit broke. */
function mend({ registry }: Testbed): void {
  for (const n of [1, 2, 3]) writeFileSync(join(registry, nodeFile('lyra', n)), nodeText(n));
  rmSync(join(registry, 'sites/lyra/notes.yaml'), { force: true });
  writeFileSync(join(registry, 'grid.yaml'), 'type: grid\nuid: testgrid\n');
}

/** A random edit of the registry. Every fourth one breaks it; every third one also changes the configuration. */
function edit({ registry, folder }: Testbed, chosen: Random, step: number): void {
  const file = (name: string) => join(registry, name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
  };
  const n = 1 + chosen.below(3);
  if (step % 3 === 0)
    writeFileSync(join(folder, 'gridpress.yaml'), `cluster_uid: main\n${chosen.pick(CONFIGURATIONS)}`);
  const breaks = [
    () => write(nodeFile('lyra', n), nodeText(n, 'bios: [\n')),
    () => write('sites/lyra/notes.yaml', 'is: nothing\n'),
    () => rmSync(file('grid.yaml')),
  ];
  const changes = [
    () => write(nodeFile('lyra', n), nodeText(n, `bios:\n  version: "${step}"\n`)),
    () => write(nodeFile('lyra', n), `${nodeText(n)}# A note that says nothing\n`),
    () => rmSync(file(nodeFile('lyra', n)), { force: true }),
    () => write(siteFile('lyra'), siteText('lyra', 'baremetal').replace('47.5', `${step}.5`)),
    () => {
      write(siteFile('vega'), siteText('vega', 'baremetal'));
      write(clusterFile('vega'), 'type: cluster\nuid: main\n');
      write(nodeFile('vega', 4 + n), nodeText(4 + n));
    },
    () => rmSync(file('sites/vega'), { recursive: true, force: true }),
    () => record({ registry, message: `Step ${step}`, author: AUTHOR, date: '2026-02-01T00:00:00Z' }),
  ];
  chosen.pick(step % 4 === 2 ? breaks : changes)();
}
