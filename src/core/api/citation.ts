/** The citation data of a registry: title, authors, publisher, licence and identifiers. */

import { bibtexValue } from '../exports/bibtex-value.ts';
import { latexUrl } from '../exports/text-table.ts';
import type { Configuration } from '../model/configuration.ts';
import type { CitationChoice } from '../model/configuration-parts.ts';
import { asText, isJsonObject, type JsonObject, objectsIn } from '../model/json.ts';
import { epochSeconds, isoTimestamp, type RevisionHeader, type RevisionName } from '../model/revision.ts';
import { CONTROL_CHARACTERS, withoutTrailing } from '../platform/text.ts';
import { EXPLORER_PATHS, revisionPageUrl } from './explorer/explorer-paths.ts';
import { versionUrl } from './urls.ts';

export type Author = NonNullable<CitationChoice['authors']>[number];

export interface RegistryCitation extends Omit<CitationChoice, 'authors'> {
  readonly title: string;
  readonly description: string;
  readonly authors: readonly Author[];
  readonly publisher: string;
}

export interface Citation extends RegistryCitation {
  /** The revision identifier, with 40 hexadecimal digits. */
  readonly revision: string;
  /** The date in ISO 8601 and UTC, to the second. */
  readonly date: string;
}

export function citationOf(
  configuration: Pick<Configuration, 'citation'>,
  grid: JsonObject,
  { id, date }: Pick<RevisionHeader, 'id' | 'date'>,
): Citation {
  return { ...registryCitation(configuration, grid), revision: id, date: isoTimestamp(epochSeconds(date)) };
}

function registryCitation({ citation }: Pick<Configuration, 'citation'>, grid: JsonObject): RegistryCitation {
  const textOf = (field: string) => {
    const value = grid[field];
    if (typeof value !== 'string' || value.trim() === '') return undefined;
    return value.replace(/\s+/g, ' ').trim().replace(CONTROL_CHARACTERS, '\ufffd');
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
      familyName: author.family_names,
      ...(author.given_names === undefined ? {} : { givenName: author.given_names }),
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

export interface Reference {
  readonly title: string;
  readonly authors: readonly ReferencedAuthor[];
  readonly publisher: string;
  readonly doi: string | undefined;
  readonly url: string | undefined;
  /** The public URL of the API. Undefined if `base_url` is not configured. */
  readonly baseUrl: string | undefined;
  /** Whether the API contains the explorer. */
  readonly hasPage: boolean;
}

interface ReferencedAuthor {
  readonly name: string;
  readonly isPerson: boolean;
  /** Undefined for organisations, and in trees of older versions. */
  readonly familyName?: string | undefined;
  readonly givenName?: string | undefined;
}

/** Reads the dataset description that `renderDataset` writes. Without a description, the title comes from the grid. */
export function publishedReference(dataset: JsonObject | undefined, grid: JsonObject): Reference {
  const usual = referenceOf({ explorer: false }, grid);
  if (dataset === undefined) return usual;
  const { name, creator, publisher, identifier, sameAs, url: page } = dataset;
  const authors = objectsIn(creator);
  return {
    title: asText(name ?? usual.title),
    authors: authors.map(({ name = '', familyName, givenName, '@type': type }) => ({
      name: asText(name),
      isPerson: type === 'Person',
      familyName: familyName === undefined ? undefined : asText(familyName),
      givenName: givenName === undefined ? undefined : asText(givenName),
    })),
    publisher: isJsonObject(publisher) ? asText(publisher['name'] ?? '') : usual.publisher,
    doi: typeof identifier === 'string' ? identifier.replace(/^https:\/\/doi\.org\//, '') : undefined,
    url: typeof sameAs === 'string' ? sameAs : undefined,
    // The page URL is a path if the API has no public URL.
    baseUrl: typeof page === 'string' && !page.startsWith('/') ? page.replace(EXPLORER_PATHS.page, '') : undefined,
    hasPage: true,
  };
}

export function referenceOf(
  configuration: Partial<Pick<Configuration, 'citation' | 'base_url' | 'explorer'>>,
  grid: JsonObject,
): Reference {
  const { title, authors, publisher, doi, url } = registryCitation(configuration, grid);
  return {
    title,
    authors: authors.map((author) =>
      'name' in author
        ? { name: author.name, isPerson: false }
        : { name: authorName(author), isPerson: true, familyName: author.family_names, givenName: author.given_names },
    ),
    publisher,
    doi,
    url,
    baseUrl: configuration.base_url,
    hasPage: configuration.explorer !== false,
  };
}

/** Returns the URL of a revision below a base URL: the page for people, or the JSON document if there is no page. */
export function permalink(base: string, id: string, { hasPage }: Pick<Reference, 'hasPage'>): string {
  return `${withoutTrailing(base, '/')}${hasPage ? revisionPageUrl(id) : versionUrl('', id)}`;
}

/** Returns the BibTeX entry of a revision. Old BibTeX styles ignore `doi`, so `howpublished` contains the DOI's URL. */
export function bibtexText(reference: Reference, { id, date }: RevisionName, url = reference.url): string {
  const { title, authors, publisher, doi } = reference;
  const [first, ...others] = [doi && doiUrl(doi), url].filter((each) => each !== undefined).map(latexUrl);
  const revision = `Revision ${id}${date === undefined ? '' : ` of ${date.slice(0, 10)}`}`;
  const fields = {
    author: authors
      .filter(({ name }) => name.trim() !== '')
      .map(bibtexName)
      .join(' and '),
    title: `{${bibtexValue(title)}}`,
    publisher: bibtexValue(publisher),
    year: date?.slice(0, 4),
    note: [revision, ...others].join(', '),
    doi: doi?.replace(/[{}]/g, encodeURIComponent),
    howpublished: first,
  };
  const key = `${publisher.replace(/[^A-Za-z0-9]/g, '')}-${id.slice(0, 8)}`;
  const lines = Object.entries(fields).flatMap(([name, value]) => (value ? [`  ${name} = {${value}},`] : []));
  return [`@misc{${key},`, ...lines, '}'].join('\n');
}

/** Writes the family name of a person first, because BibTeX takes only the last word of a name as the family name. */
function bibtexName({ name, isPerson, familyName, givenName }: ReferencedAuthor): string {
  if (!isPerson) return `{${bibtexValue(name)}}`;
  if (familyName === undefined || familyName.trim() === '') return unsplitName(name);
  if (givenName === undefined || givenName.trim() === '') return `{${bibtexValue(familyName)}}`;
  return `${unsplitName(familyName)}, ${unsplitName(givenName)}`;
}

/** Puts braces around a name with a comma, "and" or "others", which BibTeX would split. */
function unsplitName(name: string): string {
  return /,|(?:^|\s)(?:and|others)(?:\s|$)/i.test(name) ? `{${bibtexValue(name)}}` : bibtexValue(name);
}
