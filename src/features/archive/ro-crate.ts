/** The description of an archive for machines: RO-Crate 1.1 (https://w3id.org/ro/crate/1.1), whose root is data/. */
import type { JsonObject } from '../../core/model/json.ts';
import { BAG_FILES } from './bag.ts';
import { authorName, type Citation, citedDay } from './citation.ts';

const PROFILE = 'https://w3id.org/ro/crate/1.1';

/** JSON-LD with the parts of an archive and who made them; `digest` is that of the tree. */
export function crateText(citation: Citation, digest: string): string {
  const graph = [
    { '@id': BAG_FILES.crate, '@type': 'CreativeWork', conformsTo: { '@id': PROFILE }, about: { '@id': './' } },
    rootDataset(citation),
    ...partsOf(digest),
    ...authorsOf(citation),
    ...licenseOf(citation),
  ];
  return `${JSON.stringify({ '@context': `${PROFILE}/context`, '@graph': graph }, null, 2)}\n`;
}

function rootDataset(citation: Citation): JsonObject {
  const { title, description, revision, license, url, doi, keywords } = citation;
  return {
    '@id': './',
    '@type': 'Dataset',
    name: title,
    description,
    datePublished: citedDay(citation),
    version: revision,
    identifier: doi === undefined ? revision : `https://doi.org/${doi}`,
    ...(license === undefined ? {} : { license: { '@id': licenseUrl(license) } }),
    ...(url === undefined ? {} : { url }),
    ...(keywords === undefined ? {} : { keywords: keywords.join(', ') }),
    author: authorsOf(citation).map((author) => ({ '@id': author['@id'] ?? '' })),
    hasPart: [`${BAG_FILES.tree}/`, `${BAG_FILES.sources}/`, BAG_FILES.citation, BAG_FILES.cite].map((id) => ({
      '@id': id,
    })),
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
  ];
}

function authorsOf({ authors }: Citation): JsonObject[] {
  return authors.map((author, i) => {
    if ('name' in author)
      return {
        '@id': `#author-${i + 1}`,
        '@type': 'Organization',
        name: author.name,
        ...(author.website === undefined ? {} : { url: author.website }),
      };
    const { affiliation, orcid } = author;
    return {
      '@id': orcid ?? `#author-${i + 1}`,
      '@type': 'Person',
      name: authorName(author),
      ...(affiliation === undefined ? {} : { affiliation }),
    };
  });
}

function licenseOf({ license }: Citation): JsonObject[] {
  return license === undefined ? [] : [{ '@id': licenseUrl(license), '@type': 'CreativeWork', name: license }];
}

function licenseUrl(license: string): string {
  return `https://spdx.org/licenses/${license}`;
}
