import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { citationOf } from '../../../../src/core/api/citation.ts';
import { dataciteText, zenodoText } from '../../../../src/features/archive/citation-files.ts';

const REVISION = { id: '91a34824c0b1d2e3f4a5968778695a4b3c2d1e0f', date: '2026-03-01T01:30:00Z' };
const PERSON = {
  family_names: 'Brown',
  given_names: 'Ada',
  orcid: 'https://orcid.org/0000-0002-1825-0097',
  affiliation: 'Meridian',
};
const CITATION = {
  authors: [PERSON, { name: 'The operators', website: 'https://example.org/' }],
  publisher: 'Meridian Institute',
  license: 'CC-BY-4.0',
  url: 'https://api.example.org/',
  doi: '10.5281/zenodo.1234567',
  keywords: ['testbed', 'testbed', 'hardware'],
};
const GIVEN = [{}, { citation: CITATION }].map((each) => citationOf(each, { uid: 'meridian' }, REVISION));

const text = { type: 'string', minLength: 1 } as const;
const named = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const list = (items: object, minItems = 0) => ({ type: 'array', uniqueItems: true, minItems, items });

const uri = { type: 'string', pattern: '^https://[^ ]+$' } as const;

/**
 * The rules of DataCite 4.5 for the properties that an archive uses. They were compared with `datacite-v4.5.json` of
 * https://github.com/inveniosoftware/datacite, which is not part of this repository.
 */
const DATACITE = named(
  {
    schemaVersion: { const: 'http://datacite.org/schema/kernel-4' },
    types: named({ resourceTypeGeneral: { const: 'Dataset' }, resourceType: text }),
    creators: list(
      named(
        {
          name: text,
          nameType: { enum: ['Organizational', 'Personal'] },
          givenName: text,
          familyName: text,
          affiliation: list(named({ name: text })),
          nameIdentifiers: list(named({ nameIdentifier: text, nameIdentifierScheme: text, schemeUri: uri })),
        },
        ['name'],
      ),
      1,
    ),
    titles: list(named({ title: text }), 1),
    publisher: named({ name: text }),
    publicationYear: { type: 'string', pattern: '^[0-9]{4}$' },
    dates: list(
      named({
        date: text,
        dateType: { enum: ['Accepted', 'Available', 'Collected', 'Created', 'Issued', 'Updated', 'Valid'] },
      }),
    ),
    version: text,
    descriptions: list(named({ description: text, descriptionType: { const: 'Abstract' } })),
    rightsList: list(
      named({ rights: text, rightsUri: uri, rightsIdentifier: text, rightsIdentifierScheme: text, schemeUri: uri }),
    ),
    subjects: list(named({ subject: text })),
    relatedIdentifiers: list(
      named({
        relatedIdentifier: text,
        relatedIdentifierType: { enum: ['DOI', 'URL'] },
        relationType: { enum: ['IsVersionOf', 'IsVariantFormOf'] },
      }),
    ),
  },
  ['schemaVersion', 'types', 'creators', 'titles', 'publisher', 'publicationYear'],
);

/**
 * The rules of Zenodo for the properties that an archive uses. They were compared with `schema.json` of
 * https://github.com/zenodraft/metadata-schema-zenodo, which is not part of this repository. Zenodo publishes no schema.
 */
const ZENODO = {
  ...named(
    {
      title: { type: 'string', minLength: 3 },
      upload_type: { const: 'dataset' },
      description: text,
      creators: list(
        named({ name: text, affiliation: text, orcid: { type: 'string', pattern: '^([0-9]{4}-){3}[0-9]{3}[0-9X]$' } }, [
          'name',
        ]),
        1,
      ),
      publication_date: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
      access_right: { enum: ['open', 'closed', 'embargoed', 'restricted'] },
      license: text,
      keywords: list(text),
      version: text,
      related_identifiers: list(
        named({
          identifier: text,
          relation: { enum: ['isPartOf', 'isDerivedFrom', 'isIdenticalTo', 'isNewVersionOf'] },
          scheme: { enum: ['doi', 'url'] },
        }),
      ),
    },
    ['title', 'upload_type', 'description', 'creators', 'access_right'],
  ),
  if: { properties: { access_right: { const: 'open' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['license'] },
};

test.each([
  ['datacite.json', dataciteText, DATACITE],
  ['.zenodo.json', zenodoText, ZENODO],
] as const)('%s has the form that its schema requires', (_, textOf, schema) => {
  const validate = new Ajv({ strict: false }).compile(schema);
  for (const citation of GIVEN) {
    validate(JSON.parse(textOf(citation)));
    expect(validate.errors).toBeNull();
  }
});

test('both name people as a bibliography does, and refer to the registry as a whole', () => {
  const [, citation] = GIVEN;
  if (!citation) throw new Error('no citation');
  expect(JSON.parse(dataciteText(citation))).toMatchObject({
    creators: [{ name: 'Brown, Ada', givenName: 'Ada' }, { name: 'The operators' }],
    publisher: { name: 'Meridian Institute' },
    publicationYear: '2026',
    subjects: [{ subject: 'testbed' }, { subject: 'hardware' }],
    relatedIdentifiers: [{ relatedIdentifier: CITATION.doi }, { relatedIdentifier: CITATION.url }],
  });
  expect(JSON.parse(zenodoText(citation))).toMatchObject({
    creators: [{ name: 'Brown, Ada', orcid: '0000-0002-1825-0097' }, { name: 'The operators' }],
    version: REVISION.id,
  });
});

test('Zenodo shows the characters of HTML in a description', () => {
  const [, citation] = GIVEN;
  if (!citation) throw new Error('no citation');
  const { description } = JSON.parse(zenodoText({ ...citation, description: 'Nodes with RAM < 4 GB & <b>' }));
  expect(description).toBe('Nodes with RAM &lt; 4 GB &amp; &lt;b&gt;');
});
