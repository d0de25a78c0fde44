import { error, failure, firstNames, joinNames, type NoArguments, suggestion } from '../message.ts';
import { plural } from '../words.ts';

export const EDIT_MESSAGES = {
  'not-empty': failure<{ folder: string }>(
    (a) => `${a.folder} already contains a registry.`,
    'Name another folder, or use this registry.',
  ),
  'init-of-what': failure<NoArguments>(
    () => 'The name of the grid is missing.',
    'Name the grid with "gridpress init --grid NAME", or create an example with "gridpress init --example".',
  ),
  'file-there': failure<{ file: string }>(
    (a) => `${a.file} already exists.`,
    'Nothing was written. Move the file away, and merge the two files afterwards.',
  ),
  'package-broken': failure<{ file: string }>(
    (a) => `${a.file} is not a JSON object.`,
    'Nothing was written. Correct the file first.',
  ),
  'add-no-names': failure<NoArguments>(
    () => 'The names of the new nodes are missing.',
    "List them with --names, such as --names 'c-{01..20}', or in a table with --from nodes.csv.",
  ),
  'add-too-many': failure<{ pattern: string }>(
    (a) => `"${a.pattern}" expands to more than 10,000 names.`,
    'Check the range.',
  ),
  'add-count': failure<{ count: number; names: readonly string[] }>(
    (a) => `--count asks for ${plural(a.count, 'node')}, but --names gives ${a.names.length}.`,
    (a) => `Correct one of the two. The names begin with ${joinNames(a.names.slice(0, 3))}.`,
  ),
  'add-where': failure<{ site: string | undefined; cluster: string | undefined; clusters: readonly string[] }>(
    (a) =>
      `Cannot determine the cluster of the new nodes${a.site === undefined ? '' : ` at the site "${a.site}"`}${a.cluster === undefined ? '' : `: there is no single cluster "${a.cluster}"`}.`,
    (a) =>
      a.clusters.length === 0
        ? 'Add a site first: gridpress add site NAME.'
        : `Name the site with --site and, if it has several clusters, the cluster with --cluster. Clusters: ${a.clusters.slice(0, 6).join(', ')}${a.clusters.length > 6 ? `, and ${a.clusters.length - 6} more` : ''}.`,
  ),
  'add-site-cluster': failure<{ site: string }>(
    (a) => `The name of the cluster of the new site "${a.site}" is missing.`,
    'Set it with --cluster. "gridpress add cluster" adds more clusters. To use one name at every site, set cluster_uid in gridpress.yaml to this name.',
  ),
  'add-cluster-uid': failure<{ site: string; cluster: string; expected: string }>(
    (a) =>
      `The bare-metal site "${a.site}" cannot have the cluster "${a.cluster}", because every such site has one cluster with the uid "${a.expected}".`,
    'Nothing was written. To allow several clusters, or other uids, write "cluster_uid: any" in gridpress.yaml.',
  ),
  'add-taken': error<{ name: string; site: string }>(
    (a) => `The node "${a.name}" already exists at the site "${a.site}", or its uid is already used.`,
    'Nothing was written. Choose another name or uid.',
  ),
  'add-table': error<{ problem: string }>(
    (a) => `The table cannot be read: ${a.problem}.`,
    'Nothing was written. The first line must name the columns, such as node_name,chassis.serial,storage_devices.0.serial.',
  ),
  'set-nothing': failure<{ targets: readonly string[] }>(
    (a) => `The new values for ${joinNames(a.targets)} are missing.`,
    'Write them after the query or the names, such as: gridpress set lyra-c01 placement.rack=4.',
  ),
  'set-value-form': failure<{ word: string }>(
    (a) => `"${a.word}" does not have the form FIELD=VALUE.`,
    'Write the names first, and then FIELD=VALUE, without spaces in FIELD or around "=".',
  ),
  'set-identity': failure<{ field: string }>(
    (a) => `The field "${a.field}" cannot be set, because it determines the file of the resource.`,
    'Use "gridpress rename" for a site or a cluster. Add a node and retire the old one to replace it.',
  ),
  'set-value': error<{ name: string; field: string; problem: string }>(
    (a) => `"${a.field}" of ${a.name}: ${a.problem}.`,
    'Nothing was written. Write a field with dots, and count the items of a list from 0: storage_devices.0.size. Sizes can have units: 256GiB.',
  ),
  'set-no-nodes': failure<{ query: string }>(
    (a) => `No node matches ${a.query}.`,
    'Nothing was written. Try the query with "gridpress find".',
  ),
  'edit-by-hand': error<NoArguments>(
    () => 'The file uses YAML aliases or is too long, so gridpress cannot change single values of it.',
    'Nothing was written. Change this file in an editor: gridpress edit NODE.',
  ),
  'editor-missing': failure<{ file: string }>(
    (a) => `VISUAL and EDITOR name no editor, and vi needs a terminal. ${a.file} was not opened.`,
    'Set EDITOR, or change the fields with "gridpress set".',
  ),
  'editor-failed': failure<{ editor: string }>(
    (a) => `The editor "${a.editor}" failed.`,
    'Set EDITOR to an editor that waits until the file is closed, such as: EDITOR="code --wait".',
  ),
  'edit-deleted': failure<{ file: string; path: string }>(
    (a) => `The editor deleted ${a.file}. Nothing was recorded.`,
    (a) => `Restore the file. To remove the resource, use "gridpress retire ${a.path}".`,
  ),
  'unknown-site': failure<{ site: string; nearest: readonly string[]; sites: readonly string[] }>(
    (a) => `There is no site "${a.site}".`,
    (a) =>
      suggestion(
        a.nearest,
        a.sites.length === 0 ? 'Add one: gridpress add site NAME.' : `The sites are ${firstNames(a.sites)}.`,
      ),
  ),
  'unknown-cluster': failure<{
    cluster: string;
    site: string | undefined;
    nearest: readonly string[];
    clusters: readonly string[];
  }>(
    (a) => `There is no cluster "${a.cluster}"${a.site === undefined ? '' : ` at the site "${a.site}"`}.`,
    (a) =>
      suggestion(
        a.nearest,
        a.clusters.length === 0
          ? 'Add one: gridpress add cluster NAME.'
          : `The clusters are ${firstNames(a.clusters)}.`,
      ),
  ),
  'rename-uuid': failure<{ given: string; newName: string }>(
    (a) => `"${a.given}" cannot get a new uid.`,
    (a) => `To change the name of a node, set it: gridpress set NODE node_name=${a.newName}.`,
  ),
  'rename-taken': failure<{ path: string }>(
    (a) => `${a.path} already exists.`,
    'Nothing was written. Choose another uid.',
  ),
  'retire-successor': failure<{ name: string; successor: string }>(
    (a) => `"${a.successor}" cannot be the successor of "${a.name}": the two are not in the same collection.`,
    'Name a resource of the same collection, or omit --successor.',
  ),
} as const;
