import { error, failure, listed, type Nothing, warning } from '../message.ts';
import { grouped, plural } from '../words.ts';

export const REGISTRY_MESSAGES = {
  schema: error<{ field: string; problem: string }>(
    (a) => `${a.field === '' ? 'The file' : `"${a.field}"`}: ${a.problem}.`,
    (a) => {
      if (a.problem.startsWith('missing')) return 'Add the field.';
      if (a.problem === 'no such field') return 'Remove it, or correct its name.';
      return 'Correct the value, or see the schema of the file.';
    },
  ),
  'kind-taken': error<{ what: 'kind' | 'collection'; name: string }>(
    ({ what, name }) => `There is a ${what} ${name} already, or the name has a meaning of its own.`,
    ({ what }) => `Give the ${what} another name.`,
  ),
  'base-path-taken': error<{ path: string; name: string }>(
    (a) => `The base path "${a.path}" begins with "${a.name}", a name of the API's own.`,
    'Choose another: below it nobody could tell it from what is published.',
  ),
  'base-url': error<{ url: string; spelled: string | undefined }>(
    (a) => `The base URL "${a.url}" is ${a.spelled === undefined ? 'none' : 'not spelled as browsers do'}.`,
    (a) => (a.spelled === undefined ? 'Correct its host and its port.' : `Write ${a.spelled}`),
  ),
  'base-url-path': error<{ url: string; path: string; basePath: string }>(
    (a) => `The base URL "${a.url}" has the path "${a.path}", and base_path is "${a.basePath}".`,
    'Make both the same: the base path is the part of the base URL that stands after its host.',
  ),
  'number-too-large': error<{ field: string; text: string }>(
    (a) => `"${a.field}" is ${a.text}, which no double-precision number holds exactly.`,
    'Use a number within ±9007199254740991, or quote it in a field that takes strings.',
  ),
  'uid-not-file-name': error<{ uid: string; expected: string; name: string | undefined }>(
    (a) => `The uid is "${a.uid}", but the file's place says "${a.expected}".`,
    (a) =>
      a.name === undefined
        ? `Write "uid: ${a.expected}".`
        : `Where it was renamed, make it ${a.name} again; else write "uid: ${a.expected}".`,
  ),
  'file-name': error<{ uid: string; name: string }>(
    (a) => `The file is not called as its uid, "${a.uid}", says.`,
    (a) => `Make it ${a.name} again; node_name is for the names that people use.`,
  ),
  'uuid-twice': error<{ uid: string; other: string }>(
    (a) => `The node ${a.uid} is there twice: also in ${a.other}.`,
    'A UUID names one node: remove the file that was copied, and make new nodes with "gridpress add node --like".',
  ),
  'configuration-host': error<{ name: string; nearest: string | undefined; known: readonly string[] }>(
    (a) => `There is no host "${a.name}".`,
    (a) => (a.nearest === undefined ? `The hosts are ${listed(a.known)}.` : `Did you mean ${a.nearest}?`),
  ),
  'collection-empty': warning<{ field: string; nearest: readonly string[] }>(
    (a) => `No node has a value in ${a.field}: there are no collections by it.`,
    (a) =>
      a.nearest.length > 0 ? `Did you mean ${a.nearest.join(' or ')}?` : 'gridpress find --fields lists the fields.',
  ),
  'collection-left-out': warning<{ field: string }>(
    (a) => `The table of nodes leaves out ${a.field}: there are no collections by it.`,
    'Group by a field that nodes share; what is left out stands in /nodes/table.',
  ),
  'field-name': warning<{ field: string; suggestion: string; kind?: string }>(
    (a) =>
      a.kind === undefined
        ? `"${a.field}" is no known field, and "${a.suggestion}" is.`
        : `"${a.field}" is no field of its kind: a ${a.kind} has "${a.suggestion}".`,
    'Correct it if that is what is meant. Other fields are kept as they are.',
  ),
  'uid-reserved': error<{ uid: string }>(
    (a) => `The uid "${a.uid}" is reserved: it would collide with a path or a file of the API.`,
    'Choose another: not versions, snapshots, latest, index or a device name, nothing that starts with "_" or "." or ends in ".json".',
  ),
  'uid-characters': error<{ uid: string }>(
    (a) => `The uid "${a.uid}" would need escaping in a URL or a file name.`,
    'Use letters, digits, "-", "_", "~" and, inside, ".".',
  ),
  'uid-length': error<{ uid: string }>(
    (a) => `The uid "${a.uid.slice(0, 20)}…" is longer than 128 characters.`,
    'Choose a shorter one.',
  ),
  'uid-archive': error<{ uid: string; length: number }>(
    (a) =>
      `With the uid "${a.uid.slice(0, 20)}${a.uid.length > 20 ? '…' : ''}", names in archives get too long: ${a.length} bytes.`,
    'Choose a shorter one, or shorten those above it: tar files have 100 bytes for the end of a name, and 155 for the folders before.',
  ),
  'uid-not-a-uuid': error<{ uid: string }>(
    (a) => `The uid "${a.uid}" is not a lowercase UUID.`,
    'Give the node a UUID, or set "node_uid: name" in gridpress.yaml.',
  ),
  'uid-case-collision': error<{ uid: string; other: string }>(
    (a) => `The uids "${a.uid}" and "${a.other}" differ only by case.`,
    'Rename one: many file systems cannot hold both.',
  ),
  'uid-twice': error<{ uid: string; other: string; expected: string }>(
    (a) => `The uid "${a.uid}" is there twice: also in ${a.other}.`,
    (a) => `Write "uid: ${a.expected}", which is what the file's place says, or remove one of the two.`,
  ),
  'file-missing': error<{ holds: string }>(
    (a) => `The file is missing: it holds ${a.holds}.`,
    'Create it; "gridpress init --example" shows what it looks like.',
  ),
  'file-unexpected': error<{ expected: string }>(
    () => 'The file has no place in a registry.',
    (a) => `Expected here: ${a.expected}. Move the file elsewhere, or rename it.`,
  ),
  'symlink-outside': error<{ target: string }>(
    (a) => `The symbolic link leads out of the registry, to ${a.target}.`,
    'Replace it by the file itself.',
  ),
  'symlink-to-folder': error<{ target: string }>(
    (a) => `The symbolic link leads to a folder, ${a.target}; only links to files are followed.`,
    'Replace it by the folder itself.',
  ),
  'link-broken': error<Nothing>(() => 'The symbolic link leads nowhere.', 'Remove it, or restore its target.'),
  'cluster-count': error<{ site: string; found: readonly string[]; expected: string }>(
    (a) =>
      `The bare-metal site "${a.site}" has ${a.found.length === 0 ? 'no cluster' : `${plural(a.found.length, 'cluster')} (${listed(a.found)})`}; it must have exactly one, "${a.expected}".`,
    (a) => {
      if (a.found.length === 1)
        return `Rename the cluster to "${a.expected}", or correct cluster_uid in gridpress.yaml; "any" lets each site have its own.`;
      const verb = a.found.length === 0 ? 'Add a' : 'Keep one';
      const several = a.found.length > 1 ? ', write "cluster_uid: any" in gridpress.yaml' : '';
      return `${verb} cluster with the uid "${a.expected}"${several}, or give the site another site_class.`;
    },
  ),
  'no-folder': failure<{ folder: string; reason: string }>(
    (a) => `Nothing can be run in ${a.folder}: ${a.reason}.`,
    'Name the folder of a project after -C.',
  ),
  'no-registry': failure<{ folder: string }>(
    (a) => `There is no registry at ${a.folder}.`,
    'Name one with --registry, or make one with "gridpress init" or "gridpress import".',
  ),
  'no-configuration': failure<{ file: string }>(
    (a) => `There is no configuration at ${a.file}.`,
    'Create it with at least "cluster_uid: NAME", or name one with --config.',
  ),
} as const;

export const TEXT_MESSAGES = {
  'not-utf8': error<Nothing>(() => 'The file is not valid UTF-8.', 'Save it as UTF-8.'),
  'yaml-nul': error<Nothing>(() => 'The file contains a NUL character.', 'Remove it: YAML is text.'),
  'yaml-syntax': error<{ reason: string }>(
    (a) => `Broken YAML: ${a.reason}.`,
    'Mend the syntax at the mark, or just before it.',
  ),
  'yaml-duplicate-key': error<{ key: string }>(
    (a) => `The key "${a.key}" stands twice in one mapping.`,
    'Keep one of them.',
  ),
  'yaml-several-documents': error<Nothing>(
    () => 'The file holds more than one YAML document.',
    'Keep one document in a file: remove the "---" and what follows it.',
  ),
  'yaml-tag': error<{ tag: string }>(
    (a) => `The tag ${a.tag} is not supported.`,
    'Remove it: values are strings, numbers, true, false and null; quote what must be a string.',
  ),
  'yaml-alias-bomb': error<Nothing>(
    () => 'The aliases of the file would expand beyond all bounds.',
    'Write the values out instead of using aliases.',
  ),
  'yaml-too-deep': error<Nothing>(
    () => 'The values of the file lie too deep within each other.',
    'Write them flatter.',
  ),
  'yaml-too-large': error<{ most: number }>(
    (a) => `The file has more than ${grouped(a.most)} characters, and may have anchors, tags or merge keys.`,
    'Write it without them, with values that begin with such a mark in quotes.',
  ),
  'yaml-merge-key': error<Nothing>(
    () => 'The merge key "<<" is not supported: YAML 1.2 has none.',
    'Write the merged fields out.',
  ),
  'yaml-not-a-mapping': error<Nothing>(
    () => 'The file is not a mapping of fields to values.',
    'Write one "field: value" on each line.',
  ),
  'yaml-complex-key': error<Nothing>(() => 'A key is not a plain scalar.', 'Use strings as keys.'),
} as const;

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
