import { expect, test } from 'vitest';
import { citationOf } from '../../../../src/core/api/citation.ts';
import { crateText } from '../../../../src/features/archive/citation-files.ts';

const REVISION = { id: '91a34824c0b1d2e3f4a5968778695a4b3c2d1e0f', date: '2026-03-01T01:30:00Z' };
const DIGEST = 'd'.repeat(64);
const CITATION = {
  authors: [{ family_names: 'Brown', orcid: 'https://orcid.org/0000-0002-1825-0097' }, { name: 'Meridian' }],
  license: 'CC-BY-4.0',
  doi: '10.5281/zenodo.1234567',
};

interface Crate {
  readonly '@context': string;
  readonly '@graph': readonly Readonly<Record<string, unknown>>[];
}

function crateOf(citation: Parameters<typeof citationOf>[0]): Crate {
  return JSON.parse(crateText(citationOf(citation, { uid: 'meridian' }, REVISION), DIGEST));
}

/** Returns every `{"@id": ...}` within a value, at any depth. */
function references(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  const [[key, id] = []] = entries;
  if (entries.length === 1 && key === '@id') return [String(id)];
  return entries.flatMap(([, each]) => references(each));
}

// RO-Crate 1.1, sections "Metadata file descriptor" and "Direct properties of the root data entity".
test('the crate has a descriptor and a root with all required properties', () => {
  const { '@context': context, '@graph': graph } = crateOf({ citation: CITATION });
  expect(context).toBe('https://w3id.org/ro/crate/1.1/context');
  expect(graph[0]).toEqual({
    '@id': 'ro-crate-metadata.json',
    '@type': 'CreativeWork',
    conformsTo: { '@id': 'https://w3id.org/ro/crate/1.1' },
    about: { '@id': './' },
  });
  expect(graph[1]).toEqual({
    '@id': './',
    '@type': 'Dataset',
    name: 'Registry of the testbed meridian',
    description: 'The hardware of the testbed meridian, and the history of its changes.',
    datePublished: '2026-03-01',
    version: REVISION.id,
    identifier: 'https://doi.org/10.5281/zenodo.1234567',
    license: { '@id': 'https://spdx.org/licenses/CC-BY-4.0' },
    author: [{ '@id': 'https://orcid.org/0000-0002-1825-0097' }, { '@id': '#author-2' }],
    publisher: { '@id': '#publisher' },
    hasPart: ['tree/', 'sources/', 'CITATION.cff', 'CITE.txt', 'datacite.json', '.zenodo.json'].map((id) => ({
      '@id': id,
    })),
  });
  expect(graph.find((entity) => entity['@id'] === 'tree/')).toMatchObject({ identifier: `sha256:${DIGEST}` });
});

test.each([{}, { citation: CITATION }])('every reference names an entity, and each entity exists once', (given) => {
  const { '@graph': graph } = crateOf(given);
  const ids = graph.map((entity) => entity['@id']);
  expect(new Set(ids).size).toBe(ids.length);
  const outside = references(graph).filter((id) => !ids.includes(id));
  expect(new Set(outside)).toEqual(new Set(['https://w3id.org/ro/crate/1.1']));
});
