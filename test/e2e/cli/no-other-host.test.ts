/** A mirror works without a network: no document and no response header refers to another host. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json } from '../../../src/core/model/json.ts';
import { CONFORMANCE_CLASSES } from '../../../src/core/query/conformance.ts';
import { newFolder } from '../../support/folders.ts';
import { writeTestbed } from '../../support/registries/testbed.ts';
import { buildAndServe, manifestOf } from '../../support/trees/served.ts';
import { filesBelow } from '../../support/trees/whole-tree.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', '..', 'registry-data');
/** Names of formats, which no client requests. */
const NAMES = [
  'https://jsonfeed.org/version/1.1',
  'http://www.w3.org/2005/Atom',
  'https://json-schema.org/draft/2020-12/schema',
  'https://schema.org/',
  'https://schema.org/AboutPage',
  'https://schema.org/Dataset',
  'http://www.w3.org/2000/svg',
  'http://www.w3.org/1998/Math/MathML',
  'http://www.w3.org/1999/xhtml',
  ...CONFORMANCE_CLASSES,
];
/** Examples in the schemas, which the explorer's second script contains. */
const EXAMPLES = ['https://example.org/', 'https://orcid.org/0000-0000-0000-0000', 'https://spdx.org/licenses/).'];
/** Authors' pages in the licences of bundled packages. */
const LICENCES = ['https://paulmillr.com)'];
/** Fields that contain URLs. */
const REFERENCES = new Set(['href', 'url', 'home_page_url', 'feed_url', 'next_url', 'id', 'icon', 'favicon']);
const ABSOLUTE = /^([a-z][a-z0-9+.-]*:|\/\/)/i;

function* referencesIn(value: Json): Generator<string> {
  if (Array.isArray(value)) for (const each of value) yield* referencesIn(each);
  if (!isJsonObject(value)) return;
  for (const [key, field] of Object.entries(value)) {
    if (REFERENCES.has(key) && typeof field === 'string' && !field.startsWith('urn:uuid:')) yield field;
    yield* referencesIn(field);
  }
}

function referencesOf(file: string, text: string): string[] {
  if (file.endsWith('.json')) return [...referencesIn(JSON.parse(text))];
  if (file.endsWith('.link')) return [...text.matchAll(/<([^>]*)>/g)].map(([, reference = '']) => reference);
  return [...text.matchAll(/(?:href|src|scheme)="([^"]*)"/g)].map(([, reference = '']) => reference);
}

describe.each(['current', 'legacy'] as const)('a tree of the %s dialect', (dialect) => {
  test('contains only relative links', async () => {
    const { registry } = writeTestbed(newFolder());
    for (const source of [registry, SAMPLE]) {
      const { out } = await buildAndServe(source, { dialect });
      const documents = filesBelow(out).filter((file) => /\.(json|link|atom)$/.test(file));
      expect(documents.some((file) => file.endsWith('.atom'))).toBe(true);
      const all = documents.flatMap((file) => referencesOf(file, readFileSync(join(out, file), 'utf8')));
      expect(all.length).toBeGreaterThan(1000);
      expect(all.filter((reference) => ABSOLUTE.test(reference))).toEqual([]);
    }
  });

  test('contains no host names except those in the registry', async () => {
    const { registry } = writeTestbed(newFolder());
    const { out } = await buildAndServe(registry, { dialect });
    const named = filesBelow(out).flatMap((file) => {
      const text = readFileSync(join(out, file), 'utf8');
      return [...text.matchAll(/[a-z]+:\/\/[^"\s<>&]*/g)].flatMap(([url]) =>
        [...NAMES, ...EXAMPLES, ...LICENCES].includes(url) || url.startsWith('https://doi.org/')
          ? []
          : [`${file}: ${url}`],
      );
    });
    expect(named).toEqual([]);
  });

  test('is served with headers that refer to no other host', async () => {
    const { registry } = writeTestbed(newFolder());
    const { out, client } = await buildAndServe(registry, { dialect });
    for (const path of [
      '/',
      '/versions/latest',
      '/changes/feed.atom',
      '/nope',
      ...manifestOf(out)
        .documents.slice(0, 20)
        .map((each) => each.path),
    ]) {
      const { headers } = await client.get(path);
      const said = Object.values(headers).filter((value) => value?.includes('://'));
      expect(said).toEqual([]);
    }
  });
});
