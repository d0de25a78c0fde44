import type { z } from 'zod';
import { zod } from '../platform/modules.ts';
import { lazily } from '../platform/on-demand.ts';
import {
  citationSchema,
  DAY,
  deepSchema,
  fieldNames,
  historySchema,
  labelsSchema,
  limitsSchema,
  MOST_KINDS,
  privateSchema,
  searchSchema,
  textInHosts,
} from './configuration-parts.ts';
import type { JsonObject } from './json.ts';
import { DECLARED_PARENTS, OPTIONAL_COLLECTIONS } from './kinds.ts';

export const DIALECTS = ['current', 'legacy'] as const;

const BADGES = ['none', 'nodes', 'all'] as const;
export type Badges = (typeof BADGES)[number];

/** The names of the fleet checks, which `check --fleet` runs and `silence` entries refer to. */
export const FLEET_CHECKS = [
  'difference', // a node differs from other nodes of its type in a hardware field
  'presence', // only some nodes of a type have a field
  'shared', // several nodes have the same serial number, MAC address or node name
  'placeholder', // a text such as "N/A" replaces a value
  'implausible', // a value is impossible
  'location', // the coordinates of a site are wrong
  'label', // no label rule matches a spelling
  'rule', // a rule of the configuration is broken
] as const;
export type FleetCheck = (typeof FLEET_CHECKS)[number];

/** The setting value `auto`: gridpress chooses the number, depending on the size of the tree. */
export const AUTO = 'auto';

/**
 * If `version_links` is `auto`, gridpress chooses one of these numbers of days. With few choices, the number rarely
 * changes.
 */
export const VERSION_LINK_DAYS = [365, 180, 90, 30, 7] as const;

const DEFAULTS = {
  node_uid: 'uuid',
  dialect: 'current',
  empty_collections: [],
  vendor: 'gridpress',
  release: '1.0.0',
  snapshots: 'auto',
  version_links: 'auto',
  index_files: 'auto',
  file_budget: 100_000,
  max_files: 1_000_000,
  hosts: [],
  host_plan: 'free',
  base_path: '',
  prefixed_links: false,
  headers: {},
  max_age: 60,
  kinds: [],
  exports: true,
  timemaps: true,
} as const;

/** The maximum of `max_age`, in seconds: one day. */
export const LONGEST_MAX_AGE = 86_400;

/** The settings that do not change the bytes of documents. A change of any other setting changes all ETags. */
export const SETTINGS_WITHOUT_BYTES = [
  'hosts',
  'fleet',
  'version_links',
  'index_files',
  'file_budget',
  'max_age',
] as const satisfies readonly (keyof Configuration)[];

export const ANY_CLUSTER = 'any';

/** Each segment follows the rules for uids. A segment cannot start with `.` or `_`, or end with `.json`. */
const BASE_PATH = /^(?:\/(?![._])(?![A-Za-z0-9._~-]*\.json(?:\/|$))[A-Za-z0-9._~-]+)*$/;
/** Matches URLs in the form to which browsers normalize them, without a slash at the end. */
const BASE_URL = /^https?:\/\/(?:[a-z0-9][a-z0-9.-]*|\[[0-9a-f:.]+\])(?::[1-9][0-9]{0,4})?(?:\/[A-Za-z0-9._~-]+)*$/;
/** Matches the directives of RFC 6797, section 6.1, and of hstspreload.org. */
const STRICT_TRANSPORT_SECURITY = /^max-age=[0-9]{1,10}(?:; ?includeSubDomains)?(?:; ?preload)?$/;

/** Matches URLs without characters that have a meaning in a host's configuration, such as `%` or `$`. */
const PLAIN_URL = /^https?:\/\/[A-Za-z0-9][A-Za-z0-9._~:/?&=+@-]*$/;

export const configurationSchema = lazily(() => {
  const z = zod();
  const revisionId = z.string().regex(/^[0-9a-f]{7,40}$/, 'expected a revision: 7 to 40 hexadecimal digits');
  const day = z.string().regex(DAY, 'expected a date, such as 2027-06-30');

  return z
    .strictObject({
      cluster_uid: z
        .string()
        .describe(
          'The uid of the one cluster of every bare-metal site, or `any` if sites can have any number of clusters with any uid.',
        ),
      node_uid: z
        .enum(['uuid', 'name'])
        .default(DEFAULTS.node_uid)
        .describe('The form of node uids: UUIDs or short names.'),
      dialect: z.enum(DIALECTS).default(DEFAULTS.dialect).describe('The form of the responses.'),
      empty_collections: z
        .array(z.enum(OPTIONAL_COLLECTIONS))
        .default([...DEFAULTS.empty_collections])
        .describe(
          'Collections that exist even without members, for clients that request them without following a link. In the legacy dialect, all collections exist.',
        ),
      vendor: textInHosts('vendor', /^[a-z0-9][a-z0-9.-]*$/, 'expected lowercase letters, digits, dots and hyphens')
        .default(DEFAULTS.vendor)
        .describe('The vendor name in legacy media types: application/vnd.{vendor}.item+json.'),
      release: z.string().default(DEFAULTS.release).describe('The `release` field of the root in legacy responses.'),
      snapshots: z
        .union([z.enum([AUTO, 'all', 'none']), z.array(revisionId)])
        .default(DEFAULTS.snapshots)
        .describe(
          'The revisions that get a snapshot: all resources as of that revision. With auto, these are the revisions of the newest months that fit in file_budget.',
        ),
      version_links: z
        .union([z.enum([AUTO, 'all', 'none']), z.int().positive('expected a number of days from 1 on')])
        .default(DEFAULTS.version_links)
        .describe(
          `The revisions whose \`version\` links keep working: all revisions on the line of first parents of the head, none except the head, or revisions that another revision replaced as the head less than this many days before the date of the head. With auto, it is the largest of ${VERSION_LINK_DAYS.join(', ')} days that fits in file_budget. Links in snapshots always work.`,
        ),
      file_budget: z
        .int()
        .nonnegative('expected a whole number from 0 on')
        .default(DEFAULTS.file_budget)
        .describe(
          'The maximum number of files that automatic settings (snapshots, version_links, index_files) add to the files that every tree has. The tree also stays within max_files and the limits of its hosts.',
        ),
      history: historySchema()
        .optional()
        .describe('The part of the history that a tree includes. The default is the whole history.'),
      max_files: z
        .int()
        .positive('expected a whole number from 1 on')
        .default(DEFAULTS.max_files)
        .describe('The maximum number of files in a tree. A build that needs more files stops before it writes.'),
      index_files: z
        .union([z.literal(AUTO), z.boolean()])
        .default(DEFAULTS.index_files)
        .describe(
          'Write X/index.json in addition to X.json. With auto, the files are written if `hosts` is empty and they fit in file_budget.',
        ),
      hosts: z
        .array(z.string())
        .default([...DEFAULTS.hosts])
        .describe('The hosts for which the build writes configuration files.'),
      host_plan: z
        .enum(['free', 'paid'])
        .default(DEFAULTS.host_plan)
        .describe('The plan of your hosting account. On hosts with several plans, it sets the limits of the tree.'),
      base_path: textInHosts(
        'base_path',
        BASE_PATH,
        'expected nothing, or a path such as /api/v1 without a slash at its end',
      )
        .default(DEFAULTS.base_path)
        .describe(
          'The path prefix below which the host serves the API, such as /api/v1. Links do not include it, except in feeds and link formats.',
        ),
      base_url: z
        .string()
        .regex(BASE_URL, 'expected an http or https URL such as https://api.example.org/v1 without a slash at its end')
        .optional()
        .describe(
          'The public URL of the API, including base_path, such as https://api.example.org/v1. If set, JSON Feeds contain absolute URLs, as their format requires.',
        ),
      prefixed_links: z
        .boolean()
        .default(DEFAULTS.prefixed_links)
        .describe(
          'Begin links with base_path, for clients that resolve links as URL references. By default, links are paths below base_path, for clients that append them to a base URL.',
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
        .describe('Additional headers that hosts send.'),
      max_age: z
        .int()
        .nonnegative('expected a number of seconds from 0 on')
        .max(LONGEST_MAX_AGE, `expected at most ${LONGEST_MAX_AGE} seconds`)
        .default(DEFAULTS.max_age)
        .describe(
          'How long caches may store documents that can change, in seconds. Documents that never change are stored for a year.',
        ),
      sunset: z
        .strictObject({
          date: day.describe('The day on which the service ends (0:00 UTC), such as 2027-06-30.'),
          deprecated: day.optional().describe('The day since which the service is deprecated (0:00 UTC).'),
          link: textInHosts(
            'sunset_link',
            PLAIN_URL,
            'expected a URL of letters, digits and ._~:/?&=+@-, such as https://example.org/successor',
          )
            .optional()
            .describe('The URL of a page that explains the end, or of the successor.'),
        })
        .optional()
        .describe('The planned end of the service. Responses and the explorer announce it.'),
      search: searchSchema().optional().describe('Options of the node search across sites, at /nodes and below.'),
      kinds: z
        .array(kindSchema())
        .max(MOST_KINDS, `expected at most ${MOST_KINDS} kinds`)
        .default([...DEFAULTS.kinds])
        .describe('Additional kinds of resources. They are stored, served and versioned without a schema.'),
      exports: z
        .boolean()
        .default(DEFAULTS.exports)
        .describe(
          'Build /exports: nodes and changes for spreadsheets, databases, data frames, Ansible and Prometheus. In a registry with more than search.max_nodes nodes, each site has separate files.',
        ),
      timemaps: z
        .boolean()
        .default(DEFAULTS.timemaps)
        .describe('Build TimeMaps (RFC 7089). Each item that ever existed adds two files.'),
      explorer: explorerSchema()
        .optional()
        .describe(
          'Build the explorer, a web page that shows the registry, at /explorer/index.htm. The default is true.',
        ),
      badges: z
        .enum(BADGES)
        .optional()
        .describe(
          'The badges to build: for each node (default), for each node and each revision of the main line, or none. A badge is a picture with the date of the last hardware change. Each badge is a file.',
        ),
      deep: deepSchema()
        .optional()
        .describe(
          'Build deep documents, which contain an item with everything below it, at the path of the item and /deep. By default, they exist for the head.',
        ),
      fleet: z
        .strictObject({
          silence: z
            .array(silenceSchema())
            .optional()
            .describe('Findings to ignore. An entry that matches no finding is reported.'),
          rules: z.array(ruleSchema()).optional().describe('Rules that the nodes must fulfil.'),
          unique: fieldNames().describe('Fields whose values no two nodes may share, such as placement.slot.'),
          same_in_cluster: fieldNames().describe(
            'Fields that must be the same in all nodes of a cluster with the same node_type.',
          ),
        })
        .optional()
        .describe('Options of `gridpress check --fleet`.'),
      labels: labelsSchema()
        .optional()
        .describe('Additional label rules, for spellings that the built-in rules do not know.'),
      private: privateSchema()
        .optional()
        .describe(
          'Fields that stay in the registry. No tree, lock file, bundle or archive contains them. An empty mapping states that every field is public.',
        ),
      limits: limitsSchema()
        .optional()
        .describe('Size limits of input files. Change them only for unusually large files.'),
      citation: citationSchema()
        .optional()
        .describe('Citation metadata of archives. Missing fields are derived from the grid.'),
    })
    .describe('The configuration of a gridpress registry.');
});

export type Configuration = z.output<ReturnType<typeof configurationSchema>>;
export type Sunset = NonNullable<Configuration['sunset']>;

/** The default length limit of each offline history, in characters. */
export const MOST_OFFLINE_HISTORY = 8 * 1024 * 1024;
/** The length limit of the logo, in characters. Every reader loads the logo with the page. */
const MOST_LOGO = 20_000;

const explorerSchema = lazily(() => {
  const z = zod();
  const redirects = z
    .boolean()
    .optional()
    .describe(
      'Redirect browsers that navigate to a site, a node or another resource to its page in the explorer (302, by Sec-Fetch-Dest), on hosts that support it. By default, every client gets JSON.',
    );
  const history = z
    .int()
    .nonnegative('expected a number of characters from 0 on')
    .optional()
    .describe(
      `The maximum length of each of the two history scripts of the offline copy, in characters. The default is ${MOST_OFFLINE_HISTORY}. A longer history is omitted, and the explorer shows a note.`,
    );
  const links = z
    .array(
      z.strictObject({
        title: z.string().regex(/^\S(.*\S)?$/, 'expected one line of text'),
        url: z.string().regex(PLAIN_URL, 'expected a URL of letters, digits and ._~:/?&=+@-'),
      }),
    )
    .optional()
    .describe('Links on the overview, such as to the manual of the testbed and to its reservation system.');
  const logo = z
    .string()
    .max(MOST_LOGO, `expected at most ${MOST_LOGO} characters`)
    .optional()
    .describe('An SVG image, as text. The explorer shows it in its header and as its icon.');
  return z.union([z.boolean(), z.strictObject({ redirect_browsers: redirects, max_history: history, links, logo })]);
});

export function redirectsBrowsers({ explorer }: Pick<Configuration, 'explorer'>): boolean {
  return typeof explorer === 'object' && explorer.redirect_browsers === true;
}

const kindSchema = lazily(() => {
  const z = zod();
  const word = /^[a-z][a-z0-9_]*$/;
  return z.strictObject({
    name: textInHosts('kind', word, 'expected lowercase letters, digits and _, such as robot').describe(
      'The `type` of the items, such as robot.',
    ),
    collection: textInHosts('kind', word, 'expected lowercase letters, digits and _, such as robots').describe(
      'The name of the folders and of the path segment in the API, such as robots.',
    ),
    parent: z.enum(DECLARED_PARENTS).describe('The kind of the resources that contain the items.'),
  });
});

const silenceSchema = lazily(() => {
  const z = zod();
  const names = z.array(z.string()).min(1, 'expected at least one');
  return z.strictObject({
    check: z.enum(FLEET_CHECKS).describe('The check whose findings are ignored.'),
    field: z
      .string()
      .optional()
      .describe('Ignore only findings about this field or fields below it, such as storage_devices.serial.'),
    node_type: z.string().optional().describe('Ignore only findings about nodes of this type.'),
    sites: names.optional().describe('Ignore only findings about these sites and their nodes, by uid.'),
    nodes: names.optional().describe('Ignore only findings about these nodes, by uid or node_name.'),
    reason: z.string().regex(/\S/, 'expected a reason').describe('The reason why the values are correct.'),
  });
});

const ruleSchema = lazily(() => {
  const z = zod();
  const query = z.string().regex(/\S/, 'expected a query');
  return z.strictObject({
    nodes: query.optional().describe('A query that selects nodes. The default is every node.'),
    require: query.describe('A query that each of these nodes must match, such as main_memory.ram_size >= 256GiB.'),
  });
});

export type FleetRule = z.output<ReturnType<typeof ruleSchema>>;

/** A silence entry hides the `check --fleet` findings that match all fields of the entry. */
export type Silence = z.output<ReturnType<typeof silenceSchema>>;

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
