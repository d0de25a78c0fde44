import { error, failure, listed, type Nothing } from '../message.ts';
import { plural } from '../words.ts';

export const EDIT_MESSAGES = {
  'not-empty': failure<{ folder: string }>(
    (a) => `${a.folder} already holds a registry.`,
    'Name another folder, or work in this one.',
  ),
  'init-of-what': failure<Nothing>(
    () => 'Nothing says what the registry is to be.',
    'Name its grid: gridpress init --grid NAME; or look at an example: gridpress init --example.',
  ),
  'file-there': failure<{ file: string }>(
    (a) => `${a.file} is there already.`,
    'Nothing was written. Move it away, and merge the two afterwards.',
  ),
  'package-broken': failure<{ file: string }>(
    (a) => `${a.file} is no JSON object.`,
    'Nothing was written. Mend it first.',
  ),
  'add-no-names': failure<Nothing>(
    () => 'Nothing says how the new nodes are called.',
    "Name them, as in --names 'c-{01..20}', or give a table, --from nodes.csv.",
  ),
  'add-too-many': failure<{ pattern: string }>(
    (a) => `"${a.pattern}" stands for more than 10,000 names.`,
    'Look at the range again.',
  ),
  'add-count': failure<{ count: number; names: readonly string[] }>(
    (a) => `--count asks for ${plural(a.count, 'node')}, and --names for ${a.names.length}.`,
    (a) => `Correct one of the two: the names begin with ${listed(a.names.slice(0, 3))}.`,
  ),
  'add-where': failure<{ site: string | undefined; cluster: string | undefined; clusters: readonly string[] }>(
    (a) =>
      `It is not clear which cluster the nodes join${a.site === undefined ? '' : ` at ${a.site}`}${a.cluster === undefined ? '' : `: none is called ${a.cluster}`}.`,
    (a) =>
      a.clusters.length === 0
        ? 'Add a site first: gridpress add site NAME.'
        : `Name one with --site and, where the site has several, --cluster. There are ${listed(a.clusters.slice(0, 6))}.`,
  ),
  'add-site-cluster': failure<{ site: string }>(
    (a) => `It is not known what the cluster of the new site ${a.site} is called.`,
    'Name it with --cluster; more can follow with "gridpress add cluster". A cluster_uid in gridpress.yaml other than "any" names it for every site.',
  ),
  'add-taken': error<{ name: string; site: string }>(
    (a) => `The node ${a.name} is there already at ${a.site}, or has the uid of another.`,
    'Nothing was written. Give the new node another name or uid.',
  ),
  'add-table': error<{ problem: string }>(
    (a) => `The table cannot be read: ${a.problem}.`,
    'Nothing was written. The first line names the columns, such as node_name,chassis.serial,storage_devices.0.serial.',
  ),
  'retire-successor': failure<{ name: string; successor: string }>(
    (a) => `${a.successor} cannot take the place of ${a.name}: it does not stand beside it.`,
    'Name another one of the same collection, or leave --successor out.',
  ),
} as const;
