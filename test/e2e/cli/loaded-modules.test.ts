/** Commands load only the modules they need, because loading modules takes most of the time of a short command. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../support/folders.ts';
import { gridpress } from '../../support/processes/cli.ts';
import { registryOf } from '../../support/registries/registry.ts';

/** Returns the paths of all modules that a command loads. */
async function loadedBy(args: readonly string[], cwd: string): Promise<readonly string[]> {
  const folder = newFolder();
  await gridpress(args, { cwd, env: { NODE_V8_COVERAGE: folder } });
  return readdirSync(folder).flatMap((name) => {
    const { result }: { result: readonly { url: string }[] } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return result.map(({ url }) => url);
  });
}

const WORDS = '/core/diagnostics/messages/';
const WHOLE_MANIFESTS = '/core/tree/manifest/read-manifest.js';
/** Modules that read-only commands do not need. */
const IDLE = ['/core/api/endpoints.js', '/system/trees/staging.js', '/system/client/'];

test.each([
  ['log'],
  ['show', 'lyra-1'],
  ['lock', 'lyra-1'],
  ['find', "node_name = 'lyra-1'"],
  ['diff', 'head', 'head'],
])('%s loads no messages and no manifest reader if there are no findings', async (...args) => {
  const given = registryOf({}, newFolder());
  given.record('First');
  const loaded = await loadedBy(args, given.folder);
  expect(loaded.some((url) => url.endsWith('/core/diagnostics/finding.js'))).toBe(true);
  expect(loaded.filter((url) => url.includes(WORDS) || url.includes(WHOLE_MANIFESTS))).toEqual([]);
});

test('find loads no API descriptions', async () => {
  const given = registryOf({}, newFolder());
  given.record('First');
  const loaded = await loadedBy(['find', "node_name = 'lyra-1'"], given.folder);
  expect(loaded.filter((url) => url.includes('/core/api/schemas/'))).toEqual([]);
});

test('find loads no history modules for the current state', async () => {
  const given = registryOf({}, newFolder());
  given.record('First');
  const question = ['find', "node_name = 'lyra-1'"];
  const isOfHistory = (url: string) => url.includes('/core/history/');
  expect((await loadedBy(question, given.folder)).filter(isOfHistory)).toEqual([]);
  const ofThePast = await loadedBy([...question, '--at', 'head'], given.folder);
  expect(ofThePast.filter(isOfHistory)).not.toEqual([]);
});

test.each([['log'], ['show', 'lyra-1'], ['lock', 'lyra-1']])(
  '%s loads no endpoints, no staging and no clients',
  async (...args) => {
    const given = registryOf({}, newFolder());
    given.record('First');
    const loaded = await loadedBy(args, given.folder);
    expect(loaded.filter((url) => IDLE.some((idle) => url.includes(idle)))).toEqual([]);
  },
);

test('check loads no hosts, tables, queries or messages if there are no findings', async () => {
  const given = registryOf({}, newFolder());
  given.record('First');
  const spared = ['/core/hosts/', '/core/table/', '/core/query/', WORDS];
  const sparedBy = async () =>
    (await loadedBy(['check'], given.folder)).filter((url) => spared.some((name) => url.includes(name)));
  expect(await sparedBy()).toEqual([]);
  const configuration = join(given.folder, 'gridpress.yaml');
  appendFileSync(configuration, 'hosts: [nowhere]\nsearch: { collections: [nothing] }\n');
  const loaded = await sparedBy();
  for (const name of spared) expect(loaded.some((url) => url.includes(name))).toBe(true);
});

test('a first build loads no hosts, signatures, previews or readers of existing trees', async () => {
  const given = registryOf({}, newFolder());
  given.record('First');
  const loaded = await loadedBy(['build'], given.folder);
  expect(loaded.some((url) => url.endsWith('/features/build/write-tree.js'))).toBe(true);
  const spared = [
    ...['/core/hosts/all.js', '/trees/signed-tree.js', '/revisions/preview.js'],
    ...['/trees/damaged-tree.js', '/build/writer-thread.js'],
  ];
  expect(loaded.filter((url) => spared.some((name) => url.endsWith(name)))).toEqual([]);
});

test('a build without changes loads no registry reader and no tree writer', async () => {
  const given = registryOf({}, newFolder());
  given.record('First');
  await gridpress(['build'], { cwd: given.folder });
  const loaded = await loadedBy(['build'], given.folder);
  expect(loaded.some((url) => url.endsWith('/features/build/build.js'))).toBe(true);
  const spared = ['/core/tree/plan/', '/core/history/', '/core/registry/yaml/', '/features/build/new-tree.js'];
  expect(loaded.filter((url) => spared.some((name) => url.includes(name)))).toEqual([]);
});

test('a failing command loads the messages', async () => {
  const given = registryOf({}, newFolder());
  given.record('First');
  const loaded = await loadedBy(['show', 'nowhere'], given.folder);
  expect(loaded.some((url) => url.includes(WORDS))).toBe(true);
});
