/** Compares the descriptions of the API with a tree: every document, every path, every link. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { rawFormOf } from '../../../src/core/api/endpoints.ts';
import { FIELD_KEYWORDS } from '../../../src/core/registry/layout.ts';
import { build } from '../../../src/features/build/build.ts';
import { newFolder } from '../../support/folders.ts';
import { writeGenerated } from '../../support/registries/generated.ts';
import { CONFIGURATION, registryOf } from '../../support/registries/registry.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';
import { describedTree, objectAt, within } from '../../support/trees/described-tree.ts';

const { registry } = writeTestbed(newFolder());

async function built(dialect: 'current' | 'legacy'): Promise<string> {
  const out = join(newFolder(), 'dist');
  await build({ registry, out, dialect, showsProgress: false });
  return out;
}

test('describes the parameters of queries, and the responses that they lead to', async () => {
  const openapi = objectAt(await built('current'), 'openapi.json');
  const described = (template: string) => {
    const operation = within(openapi, 'paths', template, 'get');
    const parameters = within(operation, 'parameters');
    const queries = (Array.isArray(parameters) ? parameters : []).flatMap((each) => within(each, '$ref') ?? []);
    return [queries.map((each) => String(each).split('/').at(-1)), Object.keys(within(operation, 'responses') ?? {})];
  };
  expect(described('/sites/{site_uid}')).toEqual([
    ['pretty', 'version', 'deep'],
    ['200', '302', '404', '410', 'default'],
  ]);
  expect(described('/sites')).toEqual([
    ['pretty', 'version'],
    ['200', '302', '404', 'default'],
  ]);
  expect(described('/versions')).toEqual([['pretty'], ['200', '404', 'default']]);
  expect(described('/exports/nodes.csv')).toEqual([[], ['200', '404', 'default']]);
});

test('the document, the OpenAPI description and the documentation state the classes of CQL2', async () => {
  const out = await built('current');
  const classes = [
    'basic-cql2',
    'advanced-comparison-operators',
    'case-insensitive-comparison',
    'accent-insensitive-comparison',
    'cql2-text',
    'cql2-json',
  ];
  const start = 'http://www.opengis.net/spec/cql2/1.0/conf/';
  const uris = classes.map((name) => `${start}${name}`);
  expect(objectAt(out, 'conformance.json')).toMatchObject({ conformsTo: uris });
  const schema = within(objectAt(out, 'openapi.json'), 'components', 'schemas', 'Conformance', 'properties');
  expect(schema).toMatchObject({ conformsTo: { examples: [uris] } });
  const text = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8');
  const [paragraph = ''] = /^- `\/conformance`(?:.*\n {2})*.*$/m.exec(text) ?? [];
  const named = Array.from(paragraph.matchAll(/`([^`]+)`/g), ([, name]) => name);
  expect(named).toEqual(['/conformance', start, ...classes]);
});

describe.each(['current', 'legacy'] as const)('the description in the %s dialect', (dialect) => {
  test('has an operation for each path, and each document matches the schema of its operation', async () => {
    const { operations, misfits } = describedTree(await built(dialect));
    expect(misfits).toEqual([]);
    expect(operations.size).toBeGreaterThan(60);
  });

  test('serves the schemas, and each document matches the schema of its kind', async () => {
    const out = await built(dialect);
    const { links } = objectAt(out, 'links.json');
    const found = (Array.isArray(links) ? links : []).map((link) => String(within(link, 'href')));
    const files = found.map((href) =>
      rawFormOf(href) === undefined ? join(out, `${href === '/' ? 'index' : href}.json`) : join(out, href),
    );
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
    ajv.addVocabulary(Object.values(FIELD_KEYWORDS));
    for (const name of ['node', 'node-table', 'node-history', 'links', 'grid']) {
      const schema = objectAt(out, `schemas/${name}.schema.json`);
      expect(schema['$id']).toBe(`${name}.schema.json`);
      expect(() => ajv.compile(schema)).not.toThrow();
    }
  });
});

test('describes every page when a collection is split into pages', async () => {
  const { registry: large } = writeGenerated(newFolder(), 501, 2, 'search: { max_nodes: 100 }');
  const out = join(newFolder(), 'dist');
  await build({ registry: large, out, snapshots: 'none', showsProgress: false });
  const { operations, misfits } = describedTree(out);
  expect(misfits).toEqual([]);
  const pages = ['/nodes/pages/{page}', '/nodes/table/rows/{page}', '/exports/sites/{site_uid}/prometheus'];
  expect(pages.filter((template) => !operations.has(template))).toEqual([]);
});

test.each(['current', 'legacy'] as const)('describes declared kinds and free cluster names: %s', async (dialect) => {
  const given = registryOf(
    {
      [CONFIGURATION]: `cluster_uid: any\nkinds:
  - { name: robot, collection: robots, parent: site }
  - { name: cage, collection: cages, parent: cluster }\n`,
      'sites/lyra/robots/arm.yaml': 'type: robot\nuid: arm\naxes: 6\n',
      'sites/lyra/clusters/second/cluster.yaml': 'type: cluster\nuid: second\n',
      'sites/lyra/clusters/second/cages/north.yaml': 'type: cage\nuid: north\ndoors: 2\n',
    },
    newFolder(),
  );
  given.record('Begin');
  given.write({ 'sites/lyra/robots/arm.yaml': null, 'sites/lyra/robots/leg.yaml': 'type: robot\nuid: leg\n' });
  given.record('Replace the arm');
  const out = join(newFolder(), 'dist');
  await build({ registry: given.registry, out, dialect, snapshots: 'all', showsProgress: false });
  expect(describedTree(out).misfits).toEqual([]);
});

test('the reference page needs no script and no other host, and its links lead to files of the tree', async () => {
  const out = await built('current');
  const page = readFileSync(join(out, 'docs/index.htm'), 'utf8');
  expect(page).not.toMatch(/<script|<style|<[^>]*\s(?:style|on[a-z]+)=|(?:href|src)="(?:[a-z]+:|\/)/);
  expect(page).toContain("default-src 'none'; style-src 'self'");
  const targets = Array.from(page.matchAll(/(?:href|src)="([^"#][^"]*)"/g), ([, target = '']) => target);
  expect(targets.length).toBeGreaterThan(20);
  expect(targets.filter((target) => !existsSync(join(out, 'docs', target)))).toEqual([]);
  const ids = new Set(Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id]) => id));
  const fragments = Array.from(page.matchAll(/href="#([^"]*)"/g), ([, id]) => id);
  expect(fragments.filter((id) => !ids.has(id))).toEqual([]);
});

test('a tree without exports has no links to exports', async () => {
  const config = join(newFolder(), 'gridpress.yaml');
  writeFileSync(config, 'cluster_uid: any\nexports: false\n');
  const out = join(newFolder(), 'dist');
  await build({ registry, config, out, showsProgress: false });
  for (const file of ['openapi.json', 'links.json', 'docs/index.htm'])
    expect({ file, leads: readFileSync(join(out, file), 'utf8').includes('/exports/') }).toEqual({
      file,
      leads: false,
    });
});

test('every schema of the description is used by an operation', async () => {
  const text = readFileSync(join(await built('current'), 'openapi.json'), 'utf8');
  const schemas = within(within(JSON.parse(text), 'components'), 'schemas');
  const names = Object.keys(typeof schemas === 'object' && schemas !== null ? schemas : {});
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
});

test('a tree below a base path has no API catalog and no link to one', async () => {
  const config = join(newFolder(), 'gridpress.yaml');
  writeFileSync(config, 'cluster_uid: any\nbase_path: /api/v1\n');
  const out = join(newFolder(), 'dist');
  await build({ registry, config, out, showsProgress: false });
  expect(existsSync(join(out, '.well-known'))).toBe(false);
  for (const file of ['openapi.json', 'links.json', 'docs/index.htm'])
    expect(readFileSync(join(out, file), 'utf8')).not.toContain('api-catalog');
});
