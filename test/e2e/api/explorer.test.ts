/** The explorer's files in the tree: sizes, content without scripts, and content security policy. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { EXPLORER_PATHS } from '../../../src/core/api/explorer/explorer-paths.ts';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { ALL_SCRIPTS, FILE_BUDGETS } from '../../support/page-budgets.ts';
import { NODE, registryOf, SITE } from '../../support/registries/registry.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';

let tree: string;
let registry: string;

beforeAll(async () => {
  registry = writeTestbed(newFolder()).registry;
  tree = join(newFolder(), 'dist');
  await build({ registry, snapshots: 'none', showsProgress: false, out: tree });
});

function textAt(path: string): string {
  return readFileSync(join(tree, path), 'utf8');
}

test.each(FILE_BUDGETS)('$file is at most $most bytes ($size)', ({ file, size, most, reason }) => {
  const text = textAt(EXPLORER_PATHS[file]);
  const length = size === 'gzip' ? gzipSync(text).length : Buffer.byteLength(text);
  expect(length, `${reason} See test/support/page-budgets.ts.`).toBeLessThanOrEqual(most);
});

test('all scripts together are in their budget', () => {
  const { script, more, exports } = EXPLORER_PATHS;
  const sizes = [script, more, exports].map((path) => gzipSync(textAt(path)).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(ALL_SCRIPTS);
});

test('the policy allows only files of the same folder', () => {
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(textAt(EXPLORER_PATHS.page)) ?? [];
  expect(policy).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'",
  );
});

test('the page without scripts lists the sites, and links to them and to files for people', () => {
  const page = textAt(EXPLORER_PATHS.page);
  const [, text = ''] = /<noscript>(.*)<\/noscript>/s.exec(page) ?? [];
  const links = [...text.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href);
  for (const path of ['nodes/table.json', 'exports/hardware.htm', 'exports/nodes.csv'])
    expect(links).toContain(`../${path}`);
  for (const href of links) expect(existsSync(join(tree, 'explorer', href)), href).toBe(true);
  const [, dataset = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page) ?? [];
  expect(JSON.parse(dataset)).toMatchObject({ '@type': 'Dataset', isAccessibleForFree: true });
});

// https://signposting.org/FAIR/: levels 1 and 2 have the same links, once relative to the page and once with its URL.
test('the page and the linkset lead to the parts of the dataset, and back', async () => {
  const folder = newFolder();
  const config = join(folder, 'gridpress.yaml');
  const citation = { license: 'CC-BY-4.0', authors: [{ name: 'Operators', website: 'https://example.org/' }] };
  const sunset = { date: '2027-06-30', link: 'https://example.org/next?a=1&b=2' };
  const url = 'https://api.example.org/v1';
  writeFileSync(config, JSON.stringify({ cluster_uid: 'main', base_url: url, base_path: '/v1', citation, sunset }));
  const out = join(folder, 'dist');
  await build({ registry, config, snapshots: 'none', showsProgress: false, out });
  const page = readFileSync(join(out, EXPLORER_PATHS.page), 'utf8');
  const elements = Array.from(
    page.matchAll(/<link rel="([^"]*)"(?: type="([^"]*)")? href="([^"]*)">/g),
    ([, rel, type, href = '']) => ({ rel, type, href }),
  ).filter(({ rel }) => rel !== 'icon' && rel !== 'stylesheet');
  const linkset = JSON.parse(readFileSync(join(out, EXPLORER_PATHS.linkset), 'utf8')).linkset;
  const [{ anchor, ...landing }, ...others] = linkset;
  expect(anchor).toBe(`${url}${EXPLORER_PATHS.page}`);
  const flat = Object.entries<{ href: string; type?: string }[]>(landing).flatMap(([rel, targets]) =>
    targets.map(({ href, type }) => ({ rel, type, href: href.replace(url, '..') })),
  );
  expect(flat).toEqual(elements.map((each) => (each.rel === 'cite-as' ? { ...each, href: '..' } : each)));
  expect(new Set(elements.map(({ rel }) => rel))).toEqual(
    new Set(['cite-as', 'type', 'author', 'license', 'describedby', 'linkset', 'item']),
  );
  for (const { href } of elements)
    if (href.startsWith('..')) expect(existsSync(join(out, 'explorer', href)), href).toBe(true);
  expect(others.map((each: { anchor: string }) => each.anchor.replace(url, '..')).sort()).toEqual(
    elements.flatMap(({ rel, href }) => (rel === 'item' || rel === 'describedby' ? [href] : [])).sort(),
  );
  const dataset = JSON.parse(readFileSync(join(out, EXPLORER_PATHS.dataset), 'utf8'));
  expect(dataset).toMatchObject({
    '@id': anchor,
    license: 'https://spdx.org/licenses/CC-BY-4.0',
    creator: [{ '@type': 'Organization', name: 'Operators' }],
  });
  for (const field of ['name', 'description', 'publisher', 'datePublished', 'temporalCoverage', 'spatialCoverage'])
    expect(dataset, field).toHaveProperty(field);
  expect(page).toContain('This service ends on 2027-06-30. <a href="https://example.org/next?a=1&amp;b=2">');
});

test('the offline copies equal the documents', () => {
  const { data, history, past } = EXPLORER_PATHS;
  const files = [
    [data, '/', 'index.json'],
    [data, '/sites', 'sites.json'],
    [data, '/nodes/table', 'nodes/table.json'],
    [data, '/nodes/facets', 'nodes/facets.json'],
    [history, '/nodes/history', 'nodes/history.json'],
    [past, '/versions', 'versions.json'],
    [past, '/changes', 'changes.json'],
    [past, '/changes/pages/1', 'changes/pages/1.json'],
    [past, '/sites/lyra/clusters/main/nodes', 'sites/lyra/clusters/main/nodes.json'],
  ] as const;
  for (const [script, path, file] of files) expect(copiesIn(script)[path], path).toEqual(JSON.parse(textAt(file)));
});

function copiesIn(script: string): Record<string, unknown> {
  const [, body = ''] = /gridpress\.part\("\w+",\(\)=>\((.*)\)\);\n$/s.exec(textAt(script)) ?? [];
  return JSON.parse(body);
}

test('the offline data contains fields of any name and never executes as code', async () => {
  const given = registryOf({}, newFolder());
  const odd = '"__proto__": {node_name: odd, "__proto__": 1}\n\'a"__proto__":\': "</script>"\n';
  given.write({ [NODE]: given.read(NODE) + odd, [SITE]: given.read(SITE) + odd });
  given.record('First');
  const out = join(newFolder(), 'dist');
  await build({ registry: given.registry, showsProgress: false, out });
  let said: Readonly<Record<string, unknown>> = {};
  const part = (_: string, make: () => Readonly<Record<string, unknown>>) => {
    said = make();
  };
  runInNewContext(readFileSync(join(out, EXPLORER_PATHS.data), 'utf8'), { gridpress: { part } });
  for (const path of ['/sites', '/nodes/table', '/nodes/facets'])
    expect(JSON.stringify(said[path])).toBe(readFileSync(join(out, `${path}.json`), 'utf8'));
});

test('links of the configuration are in the page, without markup from their titles', async () => {
  const out = join(newFolder(), 'dist');
  const config = join(newFolder(), 'gridpress.yaml');
  const link = `{title: 'A "manual" <b>', url: 'https://example.org/a?b=1&c=2'}`;
  writeFileSync(config, `cluster_uid: main\nsnapshots: none\nexplorer: {links: [${link}]}\n`);
  await build({ registry, config, showsProgress: false, out });
  const page = readFileSync(join(out, EXPLORER_PATHS.page), 'utf8');
  expect(page).toContain(
    '<link rel="related" href="https://example.org/a?b=1&amp;c=2" title="A &quot;manual&quot; &lt;b&gt;">',
  );
});

test('the logo of the configuration is the icon of the page', async () => {
  const out = join(newFolder(), 'dist');
  const config = join(newFolder(), 'gridpress.yaml');
  const icon = () => readFileSync(join(out, EXPLORER_PATHS.icon), 'utf8');
  const buildWith = async (settings: string) => {
    writeFileSync(config, `cluster_uid: main\nsnapshots: none\n${settings}`);
    await build({ registry, config, showsProgress: false, out });
  };
  await buildWith('');
  expect(icon()).toContain('<path');
  const logo = (content: string) =>
    `explorer:\n  logo: |\n    <svg xmlns="http://www.w3.org/2000/svg">${content}</svg>\n`;
  await buildWith(logo('<circle r="8"/>'));
  expect(icon()).toBe(
    `<svg xmlns="http://www.w3.org/2000/svg"><metadata>${EXPLORER_PATHS.icon}</metadata><circle r="8"/></svg>`,
  );
  await expect(buildWith(logo('<script/>'))).rejects.toThrow('logo-invalid');
  await expect(buildWith(logo(' '.repeat(20_000)))).rejects.toThrow('schema');
});

test('`explorer: false` omits the explorer', async () => {
  const out = join(newFolder(), 'dist');
  const config = join(newFolder(), 'gridpress.yaml');
  writeFileSync(config, 'cluster_uid: main\nsnapshots: none\nexplorer: false\n');
  await build({ registry, config, showsProgress: false, out });
  expect(existsSync(join(out, 'sites.json'))).toBe(true);
  expect(existsSync(join(out, 'explorer'))).toBe(false);
});
