/** The configuration of a registry, `gridpress.yaml`. */
import type { z } from 'zod';
import { zod } from '../platform/modules.ts';
import { lazily } from '../platform/on-demand.ts';
import { citationSchema } from './citation.ts';
import { deepSchema, historySchema, labelsSchema, limitsSchema, searchSchema } from './configuration-parts.ts';
import type { JsonObject } from './json.ts';
import { DECLARED_PARENTS } from './kinds.ts';

export const DIALECTS = ['current', 'legacy'] as const;

/** Of what there are badges: of nothing, of the nodes that there are, of revisions too. Each is a file. */
export const BADGES = ['none', 'nodes', 'all'] as const;
export type Badges = (typeof BADGES)[number];

/** What `check --fleet` looks for; each can be silenced by its name. */
export const FLEET_CHECKS = [
  'difference', // a node that is not like the others of its type in a hardware field
  'presence', // a field that only some nodes of a type have
  'shared', // serials, MACs, node names and the like that several nodes have
  'placeholder', // texts that stand where a value should
  'implausible', // values that cannot be
  'location', // sites that cannot stand where their coordinates say
  'label', // spellings of hardware of which no rule of labels knows
] as const;
export type FleetCheck = (typeof FLEET_CHECKS)[number];

const DEFAULTS = {
  node_uid: 'uuid',
  dialect: 'current',
  vendor: 'gridpress',
  release: '1.0.0',
  snapshots: 'all',
  version_links: 365,
  max_files: 1_000_000,
  hosts: [],
  host_plan: 'free',
  base_path: '',
  prefixed_links: false,
  headers: {},
  kinds: [],
  exports: true,
  timemaps: true,
} as const;

/** The `cluster_uid` of a registry whose sites have clusters of their own. */
export const ANY_CLUSTER = 'any';

/** Segments as uids have them: none that leads upwards, is hidden, or stands for a file of the tree's own. */
const BASE_PATH = /^(?:\/(?![._])(?![A-Za-z0-9._~-]*\.json(?:\/|$))[A-Za-z0-9._~-]+)*$/;
/** As a browser spells it, but for a slash at its end; what a path is, `base_path` says. */
const BASE_URL = /^https:\/\/(?:[a-z0-9][a-z0-9.-]*|\[[0-9a-f:.]+\])(?::[1-9][0-9]{0,4})?(?:\/[A-Za-z0-9._~-]+)*$/;
/** The directives that browsers know (RFC 6797, section 6.1; hstspreload.org), in one spelling. */
const STRICT_TRANSPORT_SECURITY = /^max-age=[0-9]{1,10}(?:; ?includeSubDomains)?(?:; ?preload)?$/;

export const configurationSchema = lazily(() => {
  const z = zod();
  const revisionId = z.string().regex(/^[0-9a-f]{7,40}$/, 'expected a revision: 7 to 40 hexadecimal digits');

  return z
    .strictObject({
      cluster_uid: z
        .string()
        .describe(
          'The one uid that the cluster of every bare-metal site has; `any` where sites have clusters of their own, as many as they like.',
        ),
      node_uid: z.enum(['uuid', 'name']).default(DEFAULTS.node_uid).describe('Whether node uids are UUIDs or names.'),
      dialect: z.enum(DIALECTS).default(DEFAULTS.dialect).describe('The representation that responses have.'),
      vendor: z
        .string()
        .regex(/^[a-z0-9][a-z0-9.-]*$/, 'expected lowercase letters, digits, dots and hyphens')
        .default(DEFAULTS.vendor)
        .describe('The vendor in legacy media types: application/vnd.{vendor}.item+json.'),
      release: z.string().default(DEFAULTS.release).describe('The `release` of the root in legacy responses.'),
      snapshots: z
        .union([z.enum(['all', 'none']), z.array(revisionId)])
        .default(DEFAULTS.snapshots)
        .describe('The revisions of which the whole API is built as it was.'),
      version_links: z
        .union([z.enum(['all', 'none']), z.int().positive('expected a number of days from 1 on')])
        .default(DEFAULTS.version_links)
        .describe(
          "How long a `version` link goes on answering once it was served: for all revisions on the head's line of first parents, for none but the head, or for those younger than so many days when the head was made. Those of snapshots always do.",
        ),
      history: historySchema()
        .optional()
        .describe("How much of the registry's history a tree has; by default all of it."),
      max_files: z
        .int()
        .positive('expected a whole number from 1 on')
        .default(DEFAULTS.max_files)
        .describe('A build that would exceed this many files stops before it writes.'),
      index_files: z
        .boolean()
        .optional()
        .describe(
          'Whether X/index.json is written beside X.json. By default it is, unless hosts are named that do not need it.',
        ),
      hosts: z
        .array(z.string())
        .default([...DEFAULTS.hosts])
        .describe('The hosts for which the build writes configuration.'),
      host_plan: z
        .enum(['free', 'paid'])
        .default(DEFAULTS.host_plan)
        .describe('Whose bounds a tree must keep on hosts that set several.'),
      base_path: z
        .string()
        .regex(BASE_PATH, 'expected nothing, or a path such as /api/v1 without a slash at its end')
        .default(DEFAULTS.base_path)
        .describe(
          'What stands before every path on the host, such as /api/v1. Links stay relative to it; feeds and link formats say it.',
        ),
      base_url: z
        .string()
        .regex(BASE_URL, 'expected an https URL such as https://api.example.org/v1 without a slash at its end')
        .optional()
        .describe(
          'Where the API is served, base_path included, such as https://api.example.org/v1. JSON Feeds then have absolute URLs, as their format wants them.',
        ),
      prefixed_links: z
        .boolean()
        .default(DEFAULTS.prefixed_links)
        .describe(
          'Whether links begin with base_path, for clients that resolve them as references. By default they are paths below it, for clients that append them to their base.',
        ),
      headers: z
        .strictObject({
          strict_transport_security: z
            .string()
            .regex(
              STRICT_TRANSPORT_SECURITY,
              'expected max-age=SECONDS, and after it, if wanted, "; includeSubDomains" and "; preload"',
            )
            .optional()
            .describe('The value of Strict-Transport-Security.'),
        })
        .default(DEFAULTS.headers)
        .describe('Headers that hosts are told to send besides their own.'),
      search: searchSchema()
        .optional()
        .describe('What helps to find nodes among all sites: /nodes and what is below it.'),
      kinds: z
        .array(kindSchema())
        .default([...DEFAULTS.kinds])
        .describe("Kinds of resources of the registry's own, which are kept, served and versioned without a schema."),
      exports: z
        .boolean()
        .default(DEFAULTS.exports)
        .describe(
          "Whether /exports is built: the nodes and their changes for spreadsheets, databases, data frames, Ansible and Prometheus. Above search.max_nodes, each site's nodes have files of their own.",
        ),
      timemaps: z
        .boolean()
        .default(DEFAULTS.timemaps)
        .describe('Whether there are TimeMaps (RFC 7089), which are two files for each item that ever was.'),
      explorer: explorerSchema()
        .optional()
        .describe('Whether the tree holds a page that shows it, /explorer/index.htm; by default it does.'),
      badges: z
        .enum(BADGES)
        .optional()
        .describe(
          'Of what there are badges, pictures that say since when hardware is unchanged: of each node, which is the default, of each revision of the main line too, or none. Each is a file.',
        ),
      deep: deepSchema()
        .optional()
        .describe(
          'Whether there is all that is below an item in one response, at its path and /deep; by default there is, of the present.',
        ),
      fleet: z
        .strictObject({
          silence: z
            .array(silenceSchema())
            .optional()
            .describe('What is as it should be, odd as it looks. One that silences nothing is a finding.'),
        })
        .optional()
        .describe('What `gridpress check --fleet` is told.'),
      labels: labelsSchema()
        .optional()
        .describe('What hardware is called in labels, besides the rules that ship: for spellings that none knows.'),
      limits: limitsSchema()
        .optional()
        .describe('How much is read of what others made, where more is meant than anybody should need.'),
      citation: citationSchema().optional().describe('How archives are cited. What is left out follows from the grid.'),
    })
    .describe('The configuration of a gridpress registry.');
});

export type Configuration = z.output<ReturnType<typeof configurationSchema>>;

/** How many characters each of the explorer's histories may have, where a configuration says nothing. */
export const MOST_TWINNED_HISTORY = 8 * 1024 * 1024;

const explorerSchema = lazily(() => {
  const z = zod();
  const redirects = z
    .boolean()
    .optional()
    .describe(
      'Whether hosts that can are to lead browsers that navigate to a site, a node or the like to its view, by 302 and Sec-Fetch-Dest; by default everybody has JSON.',
    );
  const history = z
    .int()
    .nonnegative('expected a number of characters from 0 on')
    .optional()
    .describe(
      `How many characters each of the two scripts of histories may have that lie beside the page for reading it from a folder, by default ${MOST_TWINNED_HISTORY}; what would be longer is left out, and the page says so.`,
    );
  return z.union([z.boolean(), z.strictObject({ redirect_browsers: redirects, max_history: history })]);
});

export function redirectsBrowsers({ explorer }: Pick<Configuration, 'explorer'>): boolean {
  return typeof explorer === 'object' && explorer.redirect_browsers === true;
}

const kindSchema = lazily(() => {
  const z = zod();
  const word = /^[a-z][a-z0-9_]*$/;
  return z.strictObject({
    name: z
      .string()
      .regex(word, 'expected lowercase letters, digits and _, such as robot')
      .describe('The `type` of its items, such as robot.'),
    collection: z
      .string()
      .regex(word, 'expected lowercase letters, digits and _, such as robots')
      .describe('What their folders, and their paths in the API, are called, such as robots.'),
    parent: z.enum(DECLARED_PARENTS).describe('The kind of the resources that hold them.'),
  });
});

const silenceSchema = lazily(() => {
  const z = zod();
  const names = z.array(z.string()).min(1, 'expected at least one');
  return z.strictObject({
    check: z.enum(FLEET_CHECKS).describe('The check whose findings are silenced.'),
    field: z
      .string()
      .optional()
      .describe('Only findings about this field or fields below it, such as storage_devices.serial.'),
    node_type: z.string().optional().describe('Only findings about nodes of this type.'),
    sites: names.optional().describe('Only findings about these sites and their nodes, by uid.'),
    nodes: names.optional().describe('Only findings about these nodes, by uid or node_name.'),
    reason: z.string().regex(/\S/, 'expected a reason').describe('Why this is as it should be.'),
  });
});

/** A rule that silences findings of `check --fleet`: those of which everything that the rule says is true. */
export type Silence = z.output<ReturnType<typeof silenceSchema>>;

/** A mapping that fits the schema, as a configuration; `check` is the quick way to see that it does. */
export function configurationOf(value: JsonObject, check?: (value: JsonObject) => boolean): Configuration {
  const complete = { ...DEFAULTS, ...value };
  return isConfiguration(complete, check) ? complete : configurationSchema().parse(value);
}

function isConfiguration(
  value: JsonObject,
  check?: (value: JsonObject) => boolean,
): value is JsonObject & Configuration {
  return check?.(value) ?? false;
}
