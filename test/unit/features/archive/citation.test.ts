import { describe, expect, test } from 'vitest';
import { citationOf } from '../../../../src/core/api/citation.ts';
import { citationSchema } from '../../../../src/core/model/configuration-parts.ts';
import { citationFile, citeText } from '../../../../src/features/archive/citation-files.ts';

const REVISION = { id: '91a34824c0b1d2e3f4a5968778695a4b3c2d1e0f', date: '2026-03-01T01:30:00+02:00' };
const DIGEST = 'd'.repeat(64);
const ADA = { family_names: 'Brown', given_names: 'Ada', orcid: 'https://orcid.org/0000-0002-1825-0097' };

describe('a citation without configuration', () => {
  const citation = citationOf({}, { type: 'grid', uid: 'meridian' }, REVISION);

  test('is derived from the uid of the grid, with the day in UTC', () => {
    expect(citationFile(citation)).toBe(`cff-version: "1.2.0"
message: If you use this revision of the registry, please cite it as below.
type: dataset
title: Registry of the testbed meridian
abstract: The hardware of the testbed meridian, and the history of its changes.
authors:
  - name: The maintainers of meridian
version: 91a34824c0b1d2e3f4a5968778695a4b3c2d1e0f
date-released: "2026-02-28"
`);
  });

  test('as text has title, revision, date and digest', () => {
    expect(citeText(citation, DIGEST)).toBe(`The maintainers of meridian: Registry of the testbed meridian.
Revision 91a34824c0b1d2e3f4a5968778695a4b3c2d1e0f, 2026-02-28T23:30:00Z.
Digest of the API tree: sha256:${DIGEST}
`);
  });

  test('uses name, description and website of the grid', () => {
    const grid = {
      uid: 'meridian',
      name: 'Meridian',
      description: 'For\n  experiments',
      web: 'https://meridian.example.org',
    };
    expect(citationOf({}, grid, REVISION)).toMatchObject({
      title: 'Registry of the testbed Meridian',
      description: 'For experiments',
      authors: [{ name: 'The maintainers of Meridian' }],
      url: 'https://meridian.example.org',
    });
  });
});

test('contains no control characters of the grid', () => {
  const { title } = citationOf({}, { uid: 'meridian', name: 'Red \u001b[31m' }, REVISION);
  expect(title).toBe('Registry of the testbed Red \ufffd[31m');
});

test('a configured citation is written completely', () => {
  const configured = citationSchema().parse({
    title: 'The Meridian registry',
    description: 'All of it',
    authors: [ADA, { name: 'Meridian', website: 'https://meridian.example.org' }],
    license: 'CC-BY-4.0',
    url: 'https://api.meridian.example.org/',
    doi: '10.5281/zenodo.1234567',
    keywords: ['testbed', 'hardware'],
  });
  const citation = citationOf({ citation: configured }, { uid: 'meridian' }, REVISION);
  expect(citationFile(citation)).toBe(`cff-version: "1.2.0"
message: If you use this revision of the registry, please cite it as below.
type: dataset
title: The Meridian registry
abstract: All of it
authors:
  - family-names: Brown
    given-names: Ada
    orcid: https://orcid.org/0000-0002-1825-0097
  - name: Meridian
    website: https://meridian.example.org
version: 91a34824c0b1d2e3f4a5968778695a4b3c2d1e0f
date-released: "2026-02-28"
license: CC-BY-4.0
url: https://api.meridian.example.org/
doi: 10.5281/zenodo.1234567
keywords:
  - testbed
  - hardware
`);
  expect(citeText(citation, DIGEST)).toBe(`Ada Brown, Meridian: The Meridian registry.
Revision 91a34824c0b1d2e3f4a5968778695a4b3c2d1e0f, 2026-02-28T23:30:00Z.
https://doi.org/10.5281/zenodo.1234567
Digest of the API tree: sha256:${DIGEST}
`);
});

test.each([
  [{ authors: [] }, 'expected at least one author'],
  [{ title: 'Two\nlines' }, 'expected one line of text without control characters'],
  [{ title: 'Red \u001b[31m' }, 'expected one line of text without control characters'],
  [{ publisher: 'Next\u0085line' }, 'expected one line of text without control characters'],
  [{ license: 'CC BY' }, 'expected an identifier of SPDX, such as CC-BY-4.0'],
  [{ url: 'meridian.example.org' }, 'expected a URL, such as https://example.org/'],
  [{ doi: 'https://doi.org/10.5281/x' }, 'expected a DOI without a URL, such as 10.5281/zenodo.1234567'],
])('the configuration %j is rejected', (citation, message) => {
  expect(
    citationSchema()
      .safeParse(citation)
      .error?.issues.map((issue) => issue.message),
  ).toEqual([message]);
});
