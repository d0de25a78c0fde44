/** The citation of a revision, as CITATION.cff (Citation File Format 1.2.0) and as plain text. */

import type { Configuration } from '../../core/model/configuration.ts';
import type { CitationChoice } from '../../core/model/configuration-parts.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { epochSeconds, isoTimestamp, type RevisionHeader } from '../../core/model/revision.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';
import { BAG_FILES } from './bag.ts';

type Author = NonNullable<CitationChoice['authors']>[number];

export interface Citation extends Omit<CitationChoice, 'authors'> {
  readonly title: string;
  readonly description: string;
  readonly authors: readonly Author[];
  /** 40 hexadecimal digits. */
  readonly revision: string;
  /** ISO 8601 in UTC, to the second. */
  readonly date: string;
}

export function citationOf(
  { citation }: Pick<Configuration, 'citation'>,
  grid: JsonObject,
  { id, date }: Pick<RevisionHeader, 'id' | 'date'>,
): Citation {
  const textOf = (field: string) => {
    const value = grid[field];
    return typeof value === 'string' && value.trim() !== '' ? value.replace(/\s+/g, ' ').trim() : undefined;
  };
  const name = textOf('name') ?? textOf('uid') ?? '';
  const url = citation?.url ?? textOf('web');
  return {
    title: `Registry of the testbed ${name}`,
    description: textOf('description') ?? `The resources of the testbed ${name}, and how they came to be.`,
    authors: [{ name: `The maintainers of ${name}` }],
    ...citation,
    ...(url === undefined ? {} : { url }),
    revision: id,
    date: isoTimestamp(epochSeconds(date)),
  };
}

function citedDay({ date }: Pick<Citation, 'date'>): string {
  return date.slice(0, date.indexOf('T'));
}

function authorName(author: Author): string {
  if ('name' in author) return author.name;
  return [author.given_names, author.family_names].filter(Boolean).join(' ');
}

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
  const where = doi === undefined ? url : `https://doi.org/${doi}`;
  return `${authors.map(authorName).join(', ')}: ${title}.
Revision ${revision}, ${date}.
${where === undefined ? '' : `${where}\n`}Digest of the API tree: sha256:${digest}
`;
}

/**
 * The machine-readable description of an archive in RO-Crate 1.1 (https://w3id.org/ro/crate/1.1). The root of the crate
 * is data/.
 */
const PROFILE = 'https://w3id.org/ro/crate/1.1';

/** Returns JSON-LD with the parts and authors of an archive. `digest` is the digest of the tree. */
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
