/** Defines tools that call gridpress commands with `--json`, so tools and commands have the same limits and errors. */

import type { Origin } from '../../core/lock/lock-format.ts';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import { zod } from '../../core/platform/modules.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { MOST_VALUES } from '../../core/table/facets.ts';

/** The arguments of a command. Each value follows its option after `=`, so that no value is parsed as an option. */
export interface Call {
  readonly command: readonly string[];
  /** The contents of a file to write. The path of this file becomes the last argument of the command. */
  readonly file?: string;
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** A strict Zod object, which rejects unknown properties. */
  readonly input: ReturnType<typeof toolSchemas>[keyof ReturnType<typeof toolSchemas>];
  readonly callOf: (input: unknown, place: Origin) => Call;
}

const DEFAULT_NODES = 50;
const MOST_NODES = 1000;
/** With these defaults, an answer has about 20 kB. The values of all fields of 500 nodes have 77 kB. */
const DEFAULT_FIELDS = 100;
const MOST_FIELDS = 1000;
const DEFAULT_VALUES = 3;
const DEFAULT_REVISIONS = 20;
const MOST_REVISIONS = 500;

const toolSchemas = lazily(() => {
  const z = zod();
  const text = z.string().min(1);
  const query = text.describe(
    "A condition in CQL2 text, such as label.gpu = 'A100' AND main_memory.ram_size >= 256GiB, or in CQL2-JSON, or the name of a node.",
  );
  const at = text.optional().describe('A revision or a date, such as 2026-01-31. The default is the newest revision.');
  const resource = text.describe('The path of a resource, such as sites/lyra, or the name or uid of a node.');
  const classes = z.array(z.enum(FIELD_CLASSES)).min(1).optional().describe('Only fields of these classes.');
  const limit = (most: number, usual: number) =>
    z.int().min(1).max(most).default(usual).describe(`The maximum number of results, at most ${most}.`);
  return {
    find: z.strictObject({
      query: query.optional(),
      columns: z
        .array(text)
        .min(1)
        .optional()
        .describe(
          'The fields to return. Ask describe_fields for their names. The default is node_name, site, node_type, the fields in the query, and uid.',
        ),
      group_by: z
        .array(text)
        .min(1)
        .optional()
        .describe('Count all matching nodes in groups of equal values of these fields. Ignores `columns` and `limit`.'),
      sort: text.optional().describe('Sort by this field. A leading hyphen sorts in descending order.'),
      limit: limit(MOST_NODES, DEFAULT_NODES),
      at,
    }),
    describe_fields: z.strictObject({
      query: query.optional(),
      under: text.optional().describe('Only this field and the fields below it, such as network_adapters.'),
      search: text.optional().describe('Only fields whose name or description contains this text.'),
      values: limit(MOST_VALUES, DEFAULT_VALUES).describe(
        `The maximum number of values of each field, at most ${MOST_VALUES}. \`distinct\` counts all values.`,
      ),
      limit: limit(MOST_FIELDS, DEFAULT_FIELDS),
      at,
    }),
    show: z.strictObject({ resource, at }),
    diff: z.strictObject({
      from: text.describe('A revision, a date or a node. NODE@DATE names a node at a date.'),
      to: text.default('head').describe('The same forms as `from`.'),
      resource: resource.optional(),
      class: classes,
    }),
    log: z.strictObject({
      resource: resource.optional(),
      class: classes,
      author: text.optional().describe('Only revisions whose author contains this text.'),
      since: text.optional().describe('Only revisions from this date on.'),
      until: text.optional().describe('Only revisions up to this date.'),
      limit: limit(MOST_REVISIONS, DEFAULT_REVISIONS),
    }),
    verify_lock: z.strictObject({
      lock: text.describe('The text of a lock file.'),
      class: classes.describe('The classes that must be unchanged.'),
    }),
  };
});

export const tools = lazily((): readonly Tool[] => {
  const schemas = toolSchemas();
  return [
    {
      name: 'find',
      description: 'Find the nodes of the testbed that match a query, or count them in groups.',
      input: schemas.find,
      callOf: (input, { place }) => {
        const { query, columns, group_by, limit, ...others } = schemas.find.parse(input);
        const fields = group_by ? { 'group-by': group_by } : { limit, columns };
        const usual = group_by || columns ? [] : ['--usual-columns'];
        return {
          command: ['find', ...usual, ...options({ from: place, ...fields, ...others }), '--', ...listed(query)],
        };
      },
    },
    {
      name: 'describe_fields',
      description:
        'List the fields of the nodes with types, units, and their most frequent values. Use it before find. For more values, set `under` to a field and raise `values`. If the answer has `omitted`, call again with `under` set to a name in it.',
      input: schemas.describe_fields,
      callOf: (input, { place }) => {
        const { query, ...others } = schemas.describe_fields.parse(input);
        return { command: ['find', '--fields', ...options({ from: place, ...others }), '--', ...listed(query)] };
      },
    },
    {
      name: 'show',
      description: 'Show a resource with all its fields, now or at an earlier date.',
      input: schemas.show,
      callOf: (input, origin) => {
        const { resource, ...others } = schemas.show.parse(input);
        return { command: ['show', ...options({ ...placeOf(origin), ...others }), '--', resource] };
      },
    },
    {
      name: 'diff',
      description: 'Show what changed between two dates or revisions, or how two nodes differ.',
      input: schemas.diff,
      callOf: (input, origin) => {
        const { from, to, resource, ...others } = schemas.diff.parse(input);
        return {
          command: ['diff', ...options({ ...placeOf(origin), ...others }), '--', from, to, ...listed(resource)],
        };
      },
    },
    {
      name: 'log',
      description: 'List the revisions of the registry or of a resource, newest first.',
      input: schemas.log,
      callOf: (input, origin) => {
        const { resource, ...others } = schemas.log.parse(input);
        return { command: ['log', ...options({ ...placeOf(origin), ...others }), '--', ...listed(resource)] };
      },
    },
    {
      name: 'verify_lock',
      description:
        'Verify that the nodes of a lock file did not change since it was written. For each changed field, the answer lists the most frequent changes. If is_only_recorded is true, values were only added to the registry or removed from it. Call diff for all changes of one node.',
      input: schemas.verify_lock,
      callOf: (input, { place }) => {
        const { lock, ...others } = schemas.verify_lock.parse(input);
        return { command: ['verify-lock', '--summary', ...options({ against: place, ...others }), '--'], file: lock };
      },
    },
  ];
});

/** The commands `show`, `diff` and `log` read a registry from `--registry`, and a tree or a service from `--from`. */
function placeOf({ kind, place }: Origin): Readonly<Record<string, string>> {
  return kind === 'registry' ? { registry: place } : { from: place };
}

type Option = string | number | readonly string[] | undefined;

function options(given: Readonly<Record<string, Option>>): string[] {
  return Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${typeof value === 'object' ? value.join(',') : value}`],
  );
}

function listed(argument: string | undefined): string[] {
  return argument === undefined ? [] : [argument];
}
