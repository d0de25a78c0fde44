/** What describes the API, held against a tree: every document, every path, every link. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { endpointOf, rawFormOf } from '../../src/core/api/endpoints.ts';
import { isJsonObject, type JsonObject } from '../../src/core/model/json.ts';
import { FIELD_KEYWORDS } from '../../src/core/registry/editor-schemas.ts';
import { build } from '../../src/features/build/build.ts';
import { newFolder } from '../support/folders.ts';
import { manifestOf } from '../support/served.ts';
import { writeTestbed } from '../support/testbed.ts';

const { registry } = writeTestbed(newFolder());

async function built(dialect: 'current' | 'legacy'): Promise<string> {
  const out = join(newFolder(), 'dist');
  await build({ registry, out, dialect, showsProgress: false });
  return out;
}

function objectAt(out: string, file: string): JsonObject {
  const body: unknown = JSON.parse(readFileSync(join(out, file), 'utf8'));
  if (!isJsonObject(body)) throw new Error(`${file} is no object`);
  return body;
}

/** What several names, one after the other, lead to. */
function within(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), value);
}

describe.each(['current', 'legacy'] as const)('in the %s dialect', (dialect) => {
  test('each path has an operation, and each document fits what its operation answers', async () => {
    const out = await built(dialect);
    const openapi = objectAt(out, 'openapi.json');
    const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strict: false });
    for (const keyword of Object.values(FIELD_KEYWORDS)) ajv.addKeyword(keyword);
    ajv.addSchema(openapi, 'openapi.json');
    const operations = new Set<string>();
    for (const document of manifestOf(out).documents) {
      const { path, file } = document;
      const template = endpointOf(path)?.template ?? '';
      const type = 'type' in document ? document.type.split(';')[0] : 'application/json';
      const answered = within(openapi, 'paths', template, 'get', 'responses', '200', 'content');
      const body = within(answered, type ?? '');
      operations.add(template);
      expect({ path, isDescribed: isJsonObject(body) }).toEqual({ path, isDescribed: true });
      if (rawFormOf(path) !== undefined) continue;
      const reference = String(within(body, 'schema', '$ref'));
      const validate = ajv.getSchema(`openapi.json${reference}`);
      validate?.(JSON.parse(readFileSync(join(out, file), 'utf8')));
      expect({ path, reference, errors: validate?.errors }).toEqual({ path, reference, errors: null });
    }
    expect(operations.size).toBeGreaterThan(60);
    for (const [name, example] of Object.entries(within(openapi, 'components', 'examples') ?? {})) {
      const validate = ajv.getSchema(`openapi.json#/components/schemas/${name}`);
      validate?.(within(example, 'value'));
      expect({ name, errors: validate?.errors }).toEqual({ name, errors: null });
    }
  });

  test('the schemas are served, and each document fits that of its kind', async () => {
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

test('the page of reference needs no script and no other host, and its links lead to files of the tree', async () => {
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

test('where there are no exports, nothing leads to any', async () => {
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
