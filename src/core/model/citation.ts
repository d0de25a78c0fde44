/** How a registry is cited: the block `citation` of its configuration. What is allowed is what CITATION.cff allows. */
import type { z } from 'zod';
import { zod } from '../platform/modules.ts';
import { lazily } from '../platform/on-demand.ts';

export const citationSchema = lazily(() => {
  const z = zod();
  const line = z.string().regex(/^\S(.*\S)?$/, 'expected one line of text');
  const webAddress = z.string().regex(/^https?:\/\/[^\s/?#]+\S*$/, 'expected a URL, such as https://example.org/');
  const person = z.strictObject({
    family_names: line.describe('The family names of a person.'),
    given_names: line.exactOptional().describe('The given names of a person.'),
    orcid: z
      .string()
      .regex(/^https:\/\/orcid\.org\/(\d{4}-){3}\d{3}[\dX]$/, 'expected https://orcid.org/0000-0000-0000-0000')
      .exactOptional()
      .describe('The ORCID iD of a person, as a URL.'),
    affiliation: line.exactOptional().describe('Where a person works.'),
  });
  const group = z.strictObject({
    name: line.describe('The name of a group or an institution.'),
    website: webAddress.exactOptional().describe('Its website.'),
  });
  return z.strictObject({
    title: line.exactOptional().describe('By default "Registry of the testbed" and the name of the grid.'),
    description: line.exactOptional().describe('What it is, in a sentence or two.'),
    authors: z
      .array(z.union([group, person]))
      .min(1, 'expected at least one author')
      .exactOptional()
      .describe('People, groups and institutions. By default the maintainers of the grid.'),
    license: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9.+-]*$/, 'expected an identifier of SPDX, such as CC-BY-4.0')
      .exactOptional()
      .describe('The identifier that SPDX has for the licence (https://spdx.org/licenses/).'),
    url: webAddress.exactOptional().describe('Where the registry or its API is.'),
    doi: z
      .string()
      .regex(
        /^10\.\d{4,9}(\.\d+)?\/[A-Za-z0-9:/_;.()[\]\\-]+$/,
        'expected a DOI without a URL, such as 10.5281/zenodo.1234567',
      )
      .exactOptional()
      .describe('The DOI of the registry, for all of its revisions.'),
    keywords: z.array(line).min(1, 'expected at least one keyword').exactOptional().describe('What it is about.'),
  });
});

export type CitationChoice = z.output<ReturnType<typeof citationSchema>>;
