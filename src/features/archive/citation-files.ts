import {
  type Author,
  authorName,
  authorsOf,
  type Citation,
  citedDay,
  doiUrl,
  licenseUrl,
} from '../../core/api/citation.ts';
import { htmlText } from '../../core/exports/text-table.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { BAG_FILES } from './bag.ts';

/** CITATION.cff: https://github.com/citation-file-format/citation-file-format/blob/1.2.0/schema-guide.md */
export function citationFile(citation: Citation): string {
  const { title, description, authors, revision, license, url, doi, keywords } = citation;
  return encodeYaml({
    'cff-version': '1.2.0',
    message: 'If you use this revision of the registry, please cite it as below.',
    type: 'dataset',
    title,
    abstract: description,
    authors: authors.map(citedAuthor),
    version: revision,
    'date-released': citedDay(citation),
    ...(license === undefined ? {} : { license }),
    ...(url === undefined ? {} : { url }),
    ...(doi === undefined ? {} : { doi }),
    ...(keywords === undefined ? {} : { keywords: [...new Set(keywords)] }),
  });
}

function citedAuthor(author: Author): JsonObject {
  if ('name' in author)
    return { name: author.name, ...(author.website === undefined ? {} : { website: author.website }) };
  const { family_names, given_names, orcid, affiliation } = author;
  return {
    'family-names': family_names,
    ...(given_names === undefined ? {} : { 'given-names': given_names }),
    ...(affiliation === undefined ? {} : { affiliation }),
    ...(orcid === undefined ? {} : { orcid }),
  };
}

export function citeText(citation: Citation, digest: string): string {
  const { title, authors, revision, date, url, doi } = citation;
  const where = doi === undefined ? url : doiUrl(doi);
  return `${authors.map(authorName).join(', ')}: ${title}.
Revision ${revision}, ${date}.
${where === undefined ? '' : `${where}\n`}Digest of the API tree: sha256:${digest}
`;
}

const PROFILE = 'https://w3id.org/ro/crate/1.1';

/**
 * Returns JSON-LD in RO-Crate 1.1 (https://w3id.org/ro/crate/1.1). The root folder of the crate is the folder `data/` of
 * the bag. `digest` is the digest of the tree.
 */
export function crateText(citation: Citation, digest: string): string {
  const parts = partsOf(digest);
  const graph = [
    { '@id': BAG_FILES.crate, '@type': 'CreativeWork', conformsTo: { '@id': PROFILE }, about: { '@id': './' } },
    rootDataset(citation, parts),
    ...parts,
    ...authorsOf(citation),
    { '@id': '#publisher', '@type': 'Organization', name: citation.publisher },
    ...licenseOf(citation),
  ];
  return jsonText({ '@context': `${PROFILE}/context`, '@graph': graph });
}

function rootDataset(citation: Citation, parts: readonly JsonObject[]): JsonObject {
  const { title, description, revision, license, url, doi, keywords } = citation;
  return {
    '@id': './',
    '@type': 'Dataset',
    name: title,
    description,
    datePublished: citedDay(citation),
    version: revision,
    identifier: doi === undefined ? revision : doiUrl(doi),
    ...(license === undefined ? {} : { license: { '@id': licenseUrl(license) } }),
    ...(url === undefined ? {} : { url }),
    ...(keywords === undefined ? {} : { keywords: keywords.join(', ') }),
    author: authorsOf(citation).map((author) => ({ '@id': author['@id'] ?? '' })),
    publisher: { '@id': '#publisher' },
    hasPart: parts.map((part) => ({ '@id': part['@id'] ?? '' })),
  };
}

function partsOf(digest: string): JsonObject[] {
  return [
    {
      '@id': `${BAG_FILES.tree}/`,
      '@type': 'Dataset',
      name: 'The API',
      description: 'The complete tree of the API as of the revision: any web server can serve it.',
      identifier: `sha256:${digest}`,
    },
    {
      '@id': `${BAG_FILES.sources}/`,
      '@type': 'Dataset',
      name: 'The sources',
      description: 'The registry with its history up to the revision, from which the tree can be built again.',
    },
    {
      '@id': BAG_FILES.citation,
      '@type': 'File',
      name: 'How to cite it, in the Citation File Format',
      encodingFormat: 'application/yaml',
    },
    { '@id': BAG_FILES.cite, '@type': 'File', name: 'How to cite it', encodingFormat: 'text/plain' },
    {
      '@id': BAG_FILES.datacite,
      '@type': 'File',
      name: 'The metadata for a DOI, in DataCite 4.5',
      encodingFormat: 'application/json',
    },
    {
      '@id': BAG_FILES.zenodo,
      '@type': 'File',
      name: 'The metadata for a deposit at Zenodo',
      encodingFormat: 'application/json',
    },
  ];
}

function licenseOf({ license }: Citation): JsonObject[] {
  return license === undefined ? [] : [{ '@id': licenseUrl(license), '@type': 'CreativeWork', name: license }];
}

/** DataCite 4.5 (https://schema.datacite.org/meta/kernel-4.5/). The DOI belongs to the registry, not the archive. */
export function dataciteText(citation: Citation): string {
  const { title, description, authors, publisher, revision, date, license, url, doi, keywords } = citation;
  return jsonText({
    schemaVersion: 'http://datacite.org/schema/kernel-4',
    types: { resourceTypeGeneral: 'Dataset', resourceType: 'Hardware inventory' },
    creators: authors.map(dataciteCreator),
    titles: [{ title }],
    publisher: { name: publisher },
    publicationYear: date.slice(0, 4),
    dates: [{ date: citedDay(citation), dateType: 'Created' }],
    version: revision,
    descriptions: [{ description, descriptionType: 'Abstract' }],
    rightsList: license && [
      {
        rights: license,
        rightsUri: licenseUrl(license),
        rightsIdentifier: license,
        rightsIdentifierScheme: 'SPDX',
        schemeUri: licenseUrl(''),
      },
    ],
    subjects: keywords && [...new Set(keywords)].map((subject) => ({ subject })),
    relatedIdentifiers: [
      ...(doi ? [{ relatedIdentifier: doi, relatedIdentifierType: 'DOI', relationType: 'IsVersionOf' }] : []),
      ...(url ? [{ relatedIdentifier: url, relatedIdentifierType: 'URL', relationType: 'IsVariantFormOf' }] : []),
    ],
  });
}

function dataciteCreator(author: Author) {
  if ('name' in author) return { name: author.name, nameType: 'Organizational' };
  const { family_names, given_names, orcid, affiliation } = author;
  return {
    name: indexedName(author),
    nameType: 'Personal',
    givenName: given_names,
    familyName: family_names,
    affiliation: affiliation && [{ name: affiliation }],
    nameIdentifiers: orcid && [
      { nameIdentifier: orcid, nameIdentifierScheme: 'ORCID', schemeUri: 'https://orcid.org/' },
    ],
  };
}

/** Formats a name for a bibliography: "Family, Given". */
function indexedName(author: Author): string {
  if ('name' in author) return author.name;
  return [author.family_names, author.given_names].filter(Boolean).join(', ');
}

/** Returns the metadata of a deposit at Zenodo (https://developers.zenodo.org/#representation). */
export function zenodoText(citation: Citation): string {
  const { title, description, authors, revision, license, url, doi, keywords } = citation;
  return jsonText({
    title,
    upload_type: 'dataset',
    // Zenodo reads the description as HTML.
    description: htmlText(description),
    creators: authors.map((author) => ({
      name: indexedName(author),
      ...('name' in author
        ? {}
        : { affiliation: author.affiliation, orcid: author.orcid?.slice(author.orcid.lastIndexOf('/') + 1) }),
    })),
    publication_date: citedDay(citation),
    // Zenodo gives an open data set without a license the license CC0, which the authors did not choose.
    access_right: license === undefined ? 'closed' : 'open',
    license,
    keywords: keywords && [...new Set(keywords)],
    version: revision,
    related_identifiers: [
      ...(doi ? [{ identifier: doi, relation: 'isPartOf', scheme: 'doi' }] : []),
      ...(url ? [{ identifier: url, relation: 'isDerivedFrom', scheme: 'url' }] : []),
    ],
  });
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
