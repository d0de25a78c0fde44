import type { z } from 'zod';
import { HIGHEST_SOURCE_LIMITS, SOURCE_LIMITS, type SourceLimits } from '../platform/limits.ts';
import { zod } from '../platform/modules.ts';
import { lazily } from '../platform/on-demand.ts';
import { FIELD_CLASSES } from './fields/class-names.ts';
import { FIELD_NAME } from './fields/field-name.ts';
import { LONGEST_QUANTITY } from './units.ts';

const MOST_DEEP_ITEMS = 5000;

function count(what = 'a whole number') {
  return zod().int().positive(`expected ${what} from 1 on`).optional();
}

/**
 * The maximum lengths of texts that host configurations contain. With all of them, nginx accepts each parameter (at most
 * 4,095 bytes), and Cloudflare each line (at most 2,000 characters).
 */
export const LONGEST_IN_HOSTS = { base_path: 100, vendor: 100, license: 100, sunset_link: 500, kind: 32 } as const;
/** The maximum number of declared kinds, because each kind makes the patterns of host configurations longer. */
export const MOST_KINDS = 20;

export function textInHosts(name: keyof typeof LONGEST_IN_HOSTS, pattern: RegExp, expected: string) {
  const longest = LONGEST_IN_HOSTS[name];
  return zod().string().regex(pattern, expected).max(longest, `expected at most ${longest} characters`);
}

export function fieldNames() {
  const z = zod();
  return z.array(z.string().regex(FIELD_NAME, 'expected the name of a field')).optional();
}

export const deepSchema = lazily(() => {
  const z = zod();
  const limits = z.strictObject({
    max_items: count().describe(
      `The maximum number of items in one deep document. The default is ${MOST_DEEP_ITEMS}. A larger item links to the deep documents of its parts instead.`,
    ),
    snapshots: z
      .boolean()
      .optional()
      .describe(
        'Include deep documents in snapshots. The default is false, because they triple the size of a snapshot.',
      ),
  });
  return z.union([z.boolean(), limits]);
});

export function deepLimits({ deep = true }: { readonly deep?: z.output<ReturnType<typeof deepSchema>> | undefined }) {
  const limits = typeof deep === 'object' ? deep : {};
  return {
    maxItems: deep === false ? 0 : (limits.max_items ?? MOST_DEEP_ITEMS),
    inSnapshots: limits.snapshots ?? false,
  };
}

/** Matches 29 February of leap years. JSON Schema cannot express the date validation that zod does in code. */
const LEAP_DAY = /(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29/;
const OTHER_DAY =
  /\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))/;
const TIME = /T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)/;
/** Matches a day that exists, such as 2024-02-29. */
export const DAY = new RegExp(`^(?:${LEAP_DAY.source}|${OTHER_DAY.source})$`);
const MOMENT = new RegExp(`^(?:${LEAP_DAY.source}|${OTHER_DAY.source})(?:${TIME.source})?$`);

export const historySchema = lazily(() => {
  const z = zod();
  return z.strictObject({
    since: z
      .string()
      .regex(MOMENT, 'expected a date such as 2021-01-01, or one with its time and offset')
      .optional()
      .describe(
        'The date from which the tree includes the history, such as 2021-01-01 (midnight UTC). The tree omits older revisions, but keeps the versions that were current on that date.',
      ),
  });
});

export const labelsSchema = lazily(() => {
  const z = zod();
  const texts = z.array(
    z.strictObject({
      label: z.string().regex(/\S/, 'expected a name').describe('The label, such as A100.'),
      match: z
        .array(z.string().regex(/\S/, 'expected a text'))
        .min(1, 'expected at least one')
        .describe('The spellings in registries. Case is ignored, and * matches any text.'),
    }),
  );
  const sizes = (unit: RegExp, expected: string) =>
    z.array(
      z.strictObject({
        label: z
          .string()
          .regex(unit, `expected a number with a unit, such as ${expected}`)
          .max(LONGEST_QUANTITY, `expected at most ${LONGEST_QUANTITY} characters`),
        match: z
          .array(z.number())
          .min(1, 'expected at least one')
          .describe('The numbers in registries that get this label.'),
      }),
    );
  const bytes = /^\d+(\.\d+)? ?([kMGTP]|[KMGTP]i)?B$/;
  return z.strictObject({
    gpu: texts.optional().describe('Labels of GPU models.'),
    cpu: texts.optional().describe('Labels of processor models.'),
    ram: sizes(bytes, '192GiB').optional().describe('Labels of main_memory.ram_size values, in bytes.'),
    disk: sizes(bytes, '480GB').optional().describe('Labels of storage_devices.size values, in bytes.'),
    network: sizes(/^\d+(\.\d+)? ?[kMGT]?bps$/, '25Gbps')
      .optional()
      .describe('Labels of network_adapters.rate values, in bits per second.'),
  });
});

export const MOST_FOUND_NODES = 20_000;
export const MOST_HISTORY = 16 * 1024 * 1024;
export const GROUPED_BY: readonly string[] = ['node_type', 'label.gpu'];

export const searchSchema = lazily(() => {
  const z = zod();
  return z.strictObject({
    max_nodes: count().describe(
      `The maximum number of nodes for which /nodes/search contains every node. The default is ${MOST_FOUND_NODES}. In a larger registry, it contains only the first 500 nodes and the total. Pages of uids then contain the names instead of the table, and there are no groups.`,
    ),
    max_history: count('a number of characters').describe(
      `The maximum length of /nodes/history in characters. The default is ${MOST_HISTORY}. A longer history is replaced by a note.`,
    ),
    collections: fieldNames().describe(
      `The fields that group nodes below /nodes/by. The default is ${GROUPED_BY.join(' and ')}.`,
    ),
    names: z
      .boolean()
      .optional()
      .describe('Serve each node at /nodes/by-name too, which adds one file for each node. The default is true.'),
    left_out: fieldNames().describe(
      'The fields that /nodes/table omits in addition to fields of components, such as serials and addresses. Labels, groups, names and hardware tables need some fields, and also lack the values of fields that you name. By default, it omits fields in which nearly every node has a different value, except names, types and fields that labels are computed from.',
    ),
  });
});

export const limitsSchema = lazily(() => {
  const z = zod();
  const bytes = (limit: keyof SourceLimits, subject: string) => {
    const [most, highest] = [SOURCE_LIMITS[limit], HIGHEST_SOURCE_LIMITS[limit]];
    return z
      .int()
      .positive('expected a number of bytes from 1 on')
      .max(highest, `expected at most ${highest} bytes`)
      .optional()
      .describe(`The maximum size of ${subject} in bytes. The default is ${most}, the upper bound is ${highest}.`);
  };
  return z.strictObject({
    source_bytes: bytes('source_bytes', 'a registry file or an imported file'),
    revision_bytes: bytes('revision_bytes', 'a revision file'),
  });
});

export function sourceLimits({
  limits,
}: {
  readonly limits?: z.output<ReturnType<typeof limitsSchema>> | undefined;
}): SourceLimits {
  const { source_bytes, revision_bytes } = SOURCE_LIMITS;
  return {
    source_bytes: limits?.source_bytes ?? source_bytes,
    revision_bytes: limits?.revision_bytes ?? revision_bytes,
  };
}

const NAMED_CLASSES = FIELD_CLASSES.filter((name) => name !== 'identity');

export const privateSchema = lazily(() => {
  const z = zod();
  const chosen = {
    fields: fieldNames().describe(
      'Fields of any resource by name, such as chassis.serial, with everything below them.',
    ),
    classes: z.array(z.enum(NAMED_CLASSES)).optional().describe('Classes of fields, such as component.'),
  };
  const key = z.union([
    z.strictObject({
      file: z
        .string()
        .regex(/\S/, 'expected a path')
        .describe('A file with the key, relative to the folder of gridpress.yaml.'),
    }),
    z.strictObject({
      variable: z
        .string()
        .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of a variable')
        .describe('An environment variable with the key.'),
    }),
  ]);
  return z.strictObject({
    omit: z.strictObject(chosen).optional().describe('The fields that no tree contains.'),
    hash: z
      .strictObject({
        ...chosen,
        key: key.describe('The key, at least 16 characters. Store it outside of the registry.'),
      })
      .optional()
      .describe(
        'The fields that a tree contains as keyed hashes (HMAC-SHA-256), so that a reader can still detect a replaced part. Only texts are hashed. Other values are omitted.',
      ),
  });
});

export type PrivateChoice = z.output<ReturnType<typeof privateSchema>>;

/** Control characters, which terminals would interpret. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f';
const PRINTABLE_LINE = new RegExp(`^(?!.*[${CONTROLS}])\\S(.*\\S)?$`);

/** The block `citation` of a configuration accepts the values that CITATION.cff accepts. */
export const citationSchema = lazily(() => {
  const z = zod();
  const line = z.string().regex(PRINTABLE_LINE, 'expected one line of text without control characters');
  const webAddress = z.string().regex(/^https?:\/\/[^\s/?#]+\S*$/, 'expected a URL, such as https://example.org/');
  const person = z.strictObject({
    family_names: line.describe('The family names of a person.'),
    given_names: line.exactOptional().describe('The given names of a person.'),
    orcid: z
      .string()
      .regex(/^https:\/\/orcid\.org\/(\d{4}-){3}\d{3}[\dX]$/, 'expected https://orcid.org/0000-0000-0000-0000')
      .exactOptional()
      .describe('The ORCID iD of a person, as a URL.'),
    affiliation: line.exactOptional().describe('The institution of a person.'),
  });
  const group = z.strictObject({
    name: line.describe('The name of a group or an institution.'),
    website: webAddress.exactOptional().describe('The URL of its website.'),
  });
  return z.strictObject({
    title: line
      .exactOptional()
      .describe('The title of the registry. The default is "Registry of the testbed" and the name of the grid.'),
    description: line.exactOptional().describe('A description of the registry in one or two sentences.'),
    authors: z
      .array(z.union([group, person]))
      .min(1, 'expected at least one author')
      .exactOptional()
      .describe('People, groups and institutions. The default is the maintainers of the grid.'),
    publisher: line
      .exactOptional()
      .describe('The institution that publishes the registry. The default is the name of the grid.'),
    license: textInHosts('license', /^[A-Za-z0-9][A-Za-z0-9.+-]*$/, 'expected an identifier of SPDX, such as CC-BY-4.0')
      .exactOptional()
      .describe('The SPDX identifier of the licence (https://spdx.org/licenses/).'),
    url: webAddress.exactOptional().describe('The URL of the registry or of its API.'),
    doi: z
      .string()
      .regex(
        /^10\.\d{4,9}(\.\d+)?\/[A-Za-z0-9:/_;.()[\]\\-]+$/,
        'expected a DOI without a URL, such as 10.5281/zenodo.1234567',
      )
      .exactOptional()
      .describe('The DOI of the registry as a whole, for all revisions.'),
    keywords: z
      .array(line)
      .min(1, 'expected at least one keyword')
      .exactOptional()
      .describe('Keywords for the subject of the registry.'),
  });
});

export type CitationChoice = z.output<ReturnType<typeof citationSchema>>;
