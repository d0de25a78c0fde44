/** How the registry is cited: its title, authors, publisher, licence and identifiers. */

import type { Configuration } from '../model/configuration.ts';
import type { CitationChoice } from '../model/configuration-parts.ts';
import type { JsonObject } from '../model/json.ts';
import { epochSeconds, isoTimestamp, type RevisionHeader } from '../model/revision.ts';

export type Author = NonNullable<CitationChoice['authors']>[number];

export interface Citation extends Omit<CitationChoice, 'authors'> {
  readonly title: string;
  readonly description: string;
  readonly authors: readonly Author[];
  readonly publisher: string;
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
    description: textOf('description') ?? `The hardware of the testbed ${name}, and the history of its changes.`,
    authors: [{ name: `The maintainers of ${name}` }],
    publisher: name,
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

/** Returns the authors in the vocabulary of schema.org. */
export function authorsOf({ authors }: Pick<Citation, 'authors'>): JsonObject[] {
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

export function licenseUrl(license: string): string {
  return `https://spdx.org/licenses/${license}`;
}

export function doiUrl(doi: string): string {
  return `https://doi.org/${doi}`;
}
