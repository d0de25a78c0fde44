/** How one revision is cited: as CITATION.cff (Citation File Format 1.2.0), and as text to be copied. */
import type { CitationChoice } from '../../core/model/citation.ts';
import type { Configuration } from '../../core/model/configuration.ts';
import type { JsonObject } from '../../core/model/json.ts';
import { epochSeconds, isoTimestamp, type RevisionHeader } from '../../core/model/revision.ts';
import { encodeYaml } from '../../core/registry/yaml/write-yaml.ts';

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
  const said = (field: string) => {
    const value = grid[field];
    return typeof value === 'string' && value.trim() !== '' ? value.replace(/\s+/g, ' ').trim() : undefined;
  };
  const name = said('name') ?? said('uid') ?? '';
  const url = citation?.url ?? said('web');
  return {
    title: `Registry of the testbed ${name}`,
    description: said('description') ?? `The resources of the testbed ${name}, and how they came to be.`,
    authors: [{ name: `The maintainers of ${name}` }],
    ...citation,
    ...(url === undefined ? {} : { url }),
    revision: id,
    date: isoTimestamp(epochSeconds(date)),
  };
}

export function citedDay({ date }: Pick<Citation, 'date'>): string {
  return date.slice(0, date.indexOf('T'));
}

export function authorName(author: Author): string {
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
