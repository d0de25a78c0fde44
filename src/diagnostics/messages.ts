/**
 * What findings say: for each code its severity, what is wrong, and what to do about it. The one place for words.
 */

/** An `error` is in the input, a `failure` in how or where the command was called; a `warning` stops nothing. */
type Severity = 'error' | 'failure' | 'warning';

interface Message<A> {
  readonly severity: Severity;
  readonly text: (args: A) => { readonly what: string; readonly fix: string };
}

function error<A>(what: (args: A) => string, fix: string | ((args: A) => string)): Message<A> {
  return message('error', what, fix);
}

function failure<A>(what: (args: A) => string, fix: string | ((args: A) => string)): Message<A> {
  return message('failure', what, fix);
}

function warning<A>(what: (args: A) => string, fix: string | ((args: A) => string)): Message<A> {
  return message('warning', what, fix);
}

function message<A>(
  severity: Severity,
  what: (args: A) => string,
  fix: string | ((args: A) => string),
): Message<A> {
  return { severity, text: (args) => ({ what: what(args), fix: typeof fix === 'string' ? fix : fix(args) }) };
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

export function shortId(id: string): string {
  return id.slice(0, 8);
}

const named = (path: string) => (path === '' ? 'the grid' : path);
const listed = (names: readonly string[]) => names.join(', ');

type Nothing = Record<never, never>;
interface ForPath {
  path: string;
}
interface ForRevision {
  id: string;
}
interface ForUrl {
  url: string;
}
interface ForLink extends ForUrl {
  from: string;
}
const MAKE_AGAIN = 'Build the tree again and publish it whole; if that does not help, report it.';

interface ChangedPaths {
  added: readonly string[];
  updated: readonly string[];
  removed: readonly string[];
}

/** What of a registry its history does not know, the first ten by their names. */
function unknownToHistory({ added, updated, removed }: ChangedPaths): string {
  const changes = [
    ...added.map((path) => `added ${named(path)}`),
    ...updated.map((path) => `updated ${named(path)}`),
    ...removed.map((path) => `removed ${named(path)}`),
  ];
  const rest = changes.length > 10 ? `\n  and ${changes.length - 10} more` : '';
  return `${plural(changes.length, 'change')} that the history does not know:\n  ${changes.slice(0, 10).join('\n  ')}${rest}`;
}

/** Nodes of a fleet: all of one type, where there is one. */
interface ForNodes {
  names: readonly string[];
  nodeType?: string;
  /** How many nodes of the type there are. */
  total?: number;
  /** Sites, all of whose nodes of the type they are. */
  allAt?: readonly string[];
}
interface ForFact {
  field: string;
  value: string;
}
interface ForPlace {
  file: string;
  line?: number;
  column?: number;
}
/** How many nodes may share a value before it looks like a product code. */
const FEW = 3;
const NAMES_SHOWN = 6;
const OR_SILENCE = 'or silence it with a reason (fleet.silence).';

const lines = (each: readonly string[]) => each.map((line) => `\n  - ${line}`).join('');

function someOf(names: readonly string[]): string {
  const rest = names.length - NAMES_SHOWN;
  return rest > 1 ? `${listed(names.slice(0, NAMES_SHOWN))} and ${rest} more` : listed(names);
}

/** `2 of 57 compute nodes (n7, n9: all at lyra)`, `node n7`; without the names where these follow. */
function nodesSaid({ names, nodeType, total = names.length, allAt }: ForNodes, isNamed = true): string {
  const where = allAt ? `: all at ${listed(allAt)}` : '';
  const type = nodeType === undefined ? 'node' : `${nodeType} node`;
  const count = names.length < total ? `${names.length} of ${plural(total, type)}` : plural(total, type);
  return isNamed ? `${count} (${someOf(names)}${where})` : count;
}

function measured({ field, isCount }: { field: string; isCount: boolean }): string {
  return isCount ? `the number of ${field}` : field;
}

function placeSaid({ file, line, column }: ForPlace): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

const IMPLAUSIBLE = {
  negative: 'it cannot be negative',
  zero: 'it cannot be 0',
  fraction: 'it counts something, and must be a whole number',
  unit: "it looks like another unit than the schema's",
  'fewer-threads': 'there are fewer threads than processors',
  mac: 'a MAC address has 6 bytes, that of InfiniBand 8 or 20',
  'group-mac': 'it is the address of a group, not of an adapter',
} as const;
type Implausibility = keyof typeof IMPLAUSIBLE;

const CURES = {
  'latitude-sign': 'the other sign of the latitude',
  'longitude-sign': 'the other sign of the longitude',
  swap: 'latitude and longitude swapped',
} as const;

/** What hosts set bounds on. */
const BOUNDED = {
  files: 'files',
  'file-size': 'bytes in a file',
  'tree-size': 'bytes in all',
  'directory-files': 'files in a folder',
  redirects: 'redirects',
  'header-rules': 'rules for headers',
  'configuration-size': 'bytes of configuration',
} as const;

export const MESSAGES = {
  usage: failure<{ problem: string; hint: string }>(
    (a) => a.problem,
    (a) => a.hint,
  ),
  // Text and YAML
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
  'yaml-merge-key': error<Nothing>(
    () => 'The merge key "<<" is not supported: YAML 1.2 has none.',
    'Write the merged fields out.',
  ),
  'yaml-not-a-mapping': error<Nothing>(
    () => 'The file is not a mapping of fields to values.',
    'Write one "field: value" on each line.',
  ),
  'yaml-complex-key': error<Nothing>(() => 'A key is not a plain scalar.', 'Use strings as keys.'),
  // Schema and registry
  schema: error<{ field: string; problem: string }>(
    (a) => `${a.field === '' ? 'The file' : `"${a.field}"`}: ${a.problem}.`,
    (a) => {
      if (a.problem.startsWith('missing')) return 'Add the field.';
      if (a.problem === 'no such field') return 'Remove it, or correct its name.';
      return 'Correct the value, or see the schema of the file.';
    },
  ),
  'number-too-large': error<{ field: string; text: string }>(
    (a) => `"${a.field}" is ${a.text}, which no double-precision number holds exactly.`,
    'Use a number within ±9007199254740991, or quote it in a field that takes strings.',
  ),
  'uid-not-file-name': error<{ uid: string; expected: string }>(
    (a) => `The uid is "${a.uid}", but the file's place says "${a.expected}".`,
    (a) => `Write "uid: ${a.expected}", or move the file.`,
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
    'Create it; "gridpress init" shows what it looks like.',
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
  'link-broken': error<Nothing>(
    () => 'The symbolic link leads nowhere.',
    'Remove it, or restore its target.',
  ),
  'cluster-count': error<{ site: string; found: readonly string[]; expected: string }>(
    (a) =>
      `The bare-metal site "${a.site}" has ${a.found.length === 0 ? 'no cluster' : `${plural(a.found.length, 'cluster')} (${listed(a.found)})`}; it must have exactly one, "${a.expected}".`,
    (a) => {
      if (a.found.length === 1)
        return `Rename the cluster to "${a.expected}", or correct cluster_uid in gridpress.yaml.`;
      const verb = a.found.length === 0 ? 'Add a' : 'Keep one';
      return `${verb} cluster with the uid "${a.expected}", or give the site another site_class.`;
    },
  ),
  'no-registry': failure<{ folder: string }>(
    (a) => `There is no registry at ${a.folder}.`,
    'Name one with --registry, or make one with "gridpress init" or "gridpress import".',
  ),
  'no-configuration': failure<{ file: string }>(
    (a) => `There is no configuration at ${a.file}.`,
    'Create it with at least "cluster_uid: NAME", or name one with --config.',
  ),
  // History
  'history-empty': error<Nothing>(
    () => 'The registry has no history.',
    'Record its present state: gridpress record -m "First revision".',
  ),
  'revision-path': error<{ path: string }>(
    (a) => `"${a.path}" is not the path of a resource.`,
    'Write it like sites/SITE/clusters/CLUSTER/nodes/NODE; the grid is "/".',
  ),
  'revision-id': error<{ id: string; computed: string }>(
    (a) =>
      `The identifier ${shortId(a.id)} is not what the revision's contents give: ${shortId(a.computed)}.`,
    'A recorded revision was altered: restore the file from a backup or from version control.',
  ),
  'revision-state': error<{ id: string; stated: string; computed: string }>(
    (a) =>
      `After revision ${shortId(a.id)} the registry's digest is ${shortId(a.computed)}…, not ${shortId(a.stated)}… as stated.`,
    'The changes were altered: restore the file from a backup or from version control.',
  ),
  'revision-date': error<{ date: string }>(
    (a) => `"${a.date}" is not a date.`,
    'Write it as ISO 8601 with an offset: 2026-03-01T12:00:00+01:00.',
  ),
  'revision-twice': error<ForRevision & { other: string }>(
    (a) => `Revision ${shortId(a.id)} is there twice: also in ${a.other}.`,
    'Remove one of the two files.',
  ),
  'revision-self-parent': error<ForRevision>(
    (a) => `Revision ${shortId(a.id)} names a parent twice, or itself.`,
    'Correct its parents.',
  ),
  'unknown-parent': error<ForRevision & { parent: string }>(
    (a) => `The parent ${shortId(a.parent)} of revision ${shortId(a.id)} is not in the history.`,
    'Restore its file: a history must be complete.',
  ),
  'history-cycle': error<{ ids: readonly string[] }>(
    (a) => `The history has a cycle: ${a.ids.map(shortId).join(' -> ')}.`,
    'Correct the parents: no revision can come before itself.',
  ),
  'several-heads': error<{ ids: readonly string[] }>(
    (a) => `The history has ${a.ids.length} heads that no revision joins: ${a.ids.map(shortId).join(', ')}.`,
    (a) =>
      a.ids.length === 2
        ? `Join them: gridpress record --merge ${shortId(a.ids[1] ?? '')} -m "what happened"; or remove the files of the side that was given up.`
        : 'Remove the files of the sides that were given up; gridpress record --merge joins two.',
  ),
  'merge-needs-two': failure<{ heads: readonly string[] }>(
    (a) => `The history has ${plural(a.heads.length, 'head')}; a merge joins exactly two.`,
    (a) =>
      a.heads.length < 2 ? 'Record without --merge.' : 'Remove the files of the sides that were given up.',
  ),
  'not-a-head': failure<{ given: string; heads: readonly string[] }>(
    (a) => `${a.given} is not one of the two heads that a merge joins.`,
    (a) => `Name ${a.heads.map(shortId).join(' or ')}.`,
  ),
  'several-roots': error<{ ids: readonly string[] }>(
    (a) => `The history has ${a.ids.length} first revisions: ${a.ids.map(shortId).join(', ')}.`,
    'Only one revision can have no parents: restore the missing parents.',
  ),
  'change-twice': error<ForPath>(
    (a) => `The revision changes ${named(a.path)} twice.`,
    'Merge the two changes into one.',
  ),
  'change-not-there': error<ForPath & { action: string }>(
    (a) => `${named(a.path)} cannot be ${a.action}: it is not there before this revision.`,
    'Check the path, and the revisions before this one.',
  ),
  'change-already-there': error<ForPath>(
    (a) => `${named(a.path)} cannot be added: it is there already.`,
    'Write it as an update, or check the revisions before this one.',
  ),
  'change-no-parent': error<ForPath & { parent: string }>(
    (a) =>
      `${named(a.path)} would be left without ${named(a.parent)}, which is not there after this revision.`,
    'Add the parent, or remove what is below it, in the same revision.',
  ),
  'change-wrong-from': error<ForPath & { at: string; stated: string; found: string }>(
    (a) =>
      a.stated === 'nothing'
        ? `${named(a.path)} has ${a.found} at ${a.at}, and no "from" says so.`
        : `${named(a.path)} has ${a.found} at ${a.at}, not ${a.stated} as "from" says.`,
    'Check the value, and the revisions before this one.',
  ),
  'change-no-place': error<ForPath & { at: string }>(
    (a) => `${named(a.path)} cannot be changed at ${a.at}: there is no place for it.`,
    'What holds it must be there, items join and leave a list at its end, and no field changes twice.',
  ),
  'change-nothing': error<ForPath>(
    (a) => `The change of ${named(a.path)} changes nothing.`,
    'Remove it from the revision.',
  ),
  'unrecorded-changes': error<ChangedPaths>(
    (a) => `The registry has ${unknownToHistory(a)}`,
    'Record them: gridpress record -m "what happened".',
  ),
  'change-no-successor': error<ForPath & { uid: string }>(
    (a) => `${a.path} is said to be succeeded by ${a.uid}, which does not stand beside it then.`,
    'Name the uid of a resource of the same collection that is there after the revision.',
  ),
  'successor-of-none': failure<{ given: string }>(
    (a) => `"${a.given}" does not name one resource that is removed now, and one beside it that stays.`,
    'Write --successor REMOVED=STAYING, each by its uid, name or path.',
  ),
  'nothing-to-record': failure<Nothing>(
    () => 'There is nothing to record: the registry is what its history says.',
    'Edit the registry first; "gridpress log" shows what was recorded.',
  ),
  // Import
  'import-broken-file': warning<ForRevision & { path: string; reason: string; kept: boolean }>(
    (a) => `${shortId(a.id)}: ${a.path} cannot be read: ${a.reason}.`,
    (a) => (a.kept ? 'Its last good contents are kept.' : 'It is left out until it can be read.'),
  ),
  'import-duplicate-key': warning<ForRevision & { path: string; key: string }>(
    (a) => `${shortId(a.id)}: ${a.path} has the key "${a.key}" twice.`,
    'The last one counts.',
  ),
  'import-missing-blob': warning<ForRevision & { path: string; kept: boolean }>(
    (a) => `${shortId(a.id)}: the contents of ${a.path} are missing from the repository.`,
    (a) => (a.kept ? 'Its last good contents are kept.' : 'It is left out.'),
  ),
  'import-not-a-file': warning<ForRevision & { path: string; what: string }>(
    (a) => `${shortId(a.id)}: ${a.path} is ${a.what}.`,
    'It is left out.',
  ),
  'import-no-resource': warning<ForRevision & { path: string }>(
    (a) => `${shortId(a.id)}: ${a.path} is not a resource.`,
    'It is left out.',
  ),
  'import-uid': warning<ForRevision & { path: string; uid: string; expected: string }>(
    (a) => `${shortId(a.id)}: ${a.path} says that its uid is "${a.uid}".`,
    (a) => `Its place counts: "${a.expected}".`,
  ),
  'import-identity': warning<ForRevision & { path: string; fields: readonly string[] }>(
    (a) => `${shortId(a.id)}: ${a.path} has no ${a.fields.join(' and no ')}.`,
    'It is added, from its place.',
  ),
  'import-type': warning<ForRevision & { path: string; type: string; expected: string }>(
    (a) => `${shortId(a.id)}: ${a.path} says that its type is "${a.type}", in the place of a ${a.expected}.`,
    'It is kept as it is.',
  ),
  'import-bad-uid': warning<ForRevision & { path: string; uid: string }>(
    (a) => `${shortId(a.id)}: the name "${a.uid}" of ${a.path} cannot stand in a path of the API.`,
    'It is left out.',
  ),
  'import-two-files': warning<ForRevision & { path: string; other: string }>(
    (a) => `${shortId(a.id)}: ${a.path} describes the same resource as ${a.other}.`,
    (a) => `${a.other} counts.`,
  ),
  'import-no-parent': warning<ForRevision & { path: string; parent: string }>(
    (a) => `${shortId(a.id)}: ${a.path} has no ${a.parent} above it.`,
    'One with only a uid and a type is made.',
  ),
  'import-date': warning<ForRevision & { given: string; taken: string; hasParent: boolean }>(
    (a) => `${shortId(a.id)}: the commit has no date that a revision can have: ${a.given}.`,
    (a) => (a.hasParent ? `Its parent's is taken: ${a.taken}.` : `It has no parent: ${a.taken} is taken.`),
  ),
  'import-large-number': warning<ForRevision & { path: string; field: string; text: string }>(
    (a) =>
      `${shortId(a.id)}: ${a.path} has the number ${a.text} in "${a.field}", which a double cannot hold.`,
    'It is kept as a string.',
  ),
  'import-rewritten': failure<ForRevision>(
    (a) =>
      `The registry holds the revision ${shortId(a.id)}, which the repository's history does not have in its place.`,
    'The repository was rewritten, is another one, or is read by other lines of parents: import it into a new folder.',
  ),
  'import-unrecorded': failure<ChangedPaths>(
    (a) => `The registry has ${unknownToHistory(a)}`,
    'An import would undo them: make them in the repository, or import into a new folder.',
  ),
  'import-not-empty': failure<{ folder: string }>(
    (a) => `${a.folder} is not empty, and holds no registry with a history.`,
    'Name another folder with --out, or empty this one yourself.',
  ),
  'import-several-roots': failure<{ ids: readonly string[] }>(
    (a) => `The repository's history has ${a.ids.length} beginnings: ${a.ids.map(shortId).join(', ')}.`,
    'A registry has one: import it with --first-parent.',
  ),
  'import-recorded': failure<ForRevision>(
    (a) => `The history in the registry holds ${shortId(a.id)}, which was recorded here and not imported.`,
    'Import into a new folder: a registry is either recorded here or imported.',
  ),
  'not-a-repository': failure<{ folder: string; reason: string }>(
    (a) => `${a.folder} cannot be read as a git repository: ${a.reason}.`,
    'Name a clone, a bare repository or a bundle that "git log" can read.',
  ),
  'import-unknown-ref': failure<{ ref: string; names: readonly string[] }>(
    (a) => `The repository has no commit "${a.ref}".`,
    (a) =>
      a.names.length > 0
        ? `Name one with --ref: ${listed(a.names)}, or any other commit.`
        : 'It has no commits at all.',
  ),
  'import-no-grid': failure<{ path: string }>(
    (a) => `The repository has no registry at ${a.path}.`,
    'Name the folder that holds the grid with --path, for example --path data/GRID.',
  ),
  'import-several-grids': failure<{ found: readonly string[] }>(
    (a) => `The repository holds more than one registry: ${listed(a.found)}.`,
    'Name one with --path.',
  ),
  // Build and serve
  'max-files': failure<{ files: number; limit: number; without: number; snapshots: number; fits: number }>(
    (a) =>
      `The tree would have ${plural(a.files, 'file')}, more than the ${a.limit.toLocaleString('en-US')} of max_files; nothing was written.`,
    (a) =>
      `Without snapshots it has ${a.without.toLocaleString('en-US')}; the newest ${a.fits} of ${plural(a.snapshots, 'snapshot')} would fit. Set snapshots in gridpress.yaml, turn index_files off, or raise max_files.`,
  ),
  'host-limit': failure<{
    host: string;
    of: keyof typeof BOUNDED;
    most: number;
    source: string;
    found: number;
    where: string;
    fits: string;
  }>(
    (a) =>
      `${a.host} takes at most ${a.most.toLocaleString('en-US')} ${BOUNDED[a.of]} (${a.source}); ${a.where} would have ${a.found.toLocaleString('en-US')}; nothing was written.`,
    (a) => `What would fit: ${a.fits}.`,
  ),
  'unknown-revision': failure<{ given: string; nearest: readonly string[] }>(
    (a) => `There is no revision ${a.given}.`,
    (a) =>
      a.nearest.length > 0
        ? `Did you mean ${a.nearest.map(shortId).join(' or ')}?`
        : '"gridpress log" lists the revisions.',
  ),
  'ambiguous-revision': failure<{ given: string; found: readonly string[] }>(
    (a) => `"${a.given}" could be ${a.found.map(shortId).join(' or ')}.`,
    'Give more digits.',
  ),
  'bad-moment': failure<{ date: string }>(
    (a) => `"${a.date}" is not a moment that can be recorded.`,
    'Write it with its time and offset, like 2026-03-01T12:00:00+01:00.',
  ),
  'bad-date': failure<{ date: string }>(
    (a) => `"${a.date}" is not a date.`,
    'Write it like 2026-03-01T12:00:00+01:00; where a day is enough, like 2026-03-01.',
  ),
  'before-history': failure<{ date: string; first: string }>(
    (a) => `The history begins after ${a.date}.`,
    (a) => `Name a date from ${a.first} on.`,
  ),
  'unknown-resource': failure<{ path: string; nearest: readonly string[] }>(
    (a) => `There is no resource ${a.path || '/'}.`,
    (a) =>
      a.nearest.length > 0
        ? `Did you mean ${a.nearest.join(' or ')}?`
        : 'Write it like sites/SITE/clusters/CLUSTER/nodes/NODE.',
  ),
  'resource-not-at': failure<ForPath & ForRevision>(
    (a) => `${named(a.path)} does not exist at revision ${shortId(a.id)}.`,
    (a) => `"gridpress log ${a.path || '/'}" shows when it did.`,
  ),
  'output-is-file': failure<{ folder: string }>(
    (a) => `${a.folder} is a file, not a folder.`,
    'Name another folder with --out.',
  ),
  'output-not-ours': failure<{ folder: string }>(
    (a) => `${a.folder} was not written by gridpress: it is not empty and has no _manifest.json of ours.`,
    'Name another folder with --out, or empty this one yourself.',
  ),
  'output-in-registry': failure<{ folder: string; registry: string }>(
    (a) => `The output ${a.folder} and the registry ${a.registry} lie inside each other.`,
    'Name a folder outside with --out.',
  ),
  'output-not-writable': failure<{ folder: string; reason: string }>(
    (a) => `${a.folder} cannot be written: ${a.reason}.`,
    'Check its permissions, or name another folder with --out.',
  ),
  'build-running': failure<{ folder: string; held: string; pid: number }>(
    (a) => `Another gridpress is writing ${a.folder}${Number.isNaN(a.pid) ? '' : `: the process ${a.pid}`}.`,
    (a) => `Wait until it is done. If that process is none of gridpress, remove ${a.held}.`,
  ),
  'write-failed': failure<{ file: string; reason: string; kept: boolean }>(
    (a) => `Writing ${a.file} failed: ${a.reason}.`,
    (a) =>
      a.kept
        ? 'What was there before is untouched. Mend the cause and run it again.'
        : 'Mend the cause and run it again.',
  ),
  'read-failed': failure<{ file: string; reason: string }>(
    (a) => `${a.file} cannot be read: ${a.reason}.`,
    'Check that it is there and that you may read it.',
  ),
  'bad-url': failure<{ url: string }>(
    (a) => `"${a.url}" is not an HTTP URL.`,
    'Write it like https://api.example.org/ or http://127.0.0.1:8080/v1.',
  ),
  'no-answer': failure<{ url: string; reason: string }>(
    (a) => `${a.url} gave no answer: ${a.reason}.`,
    'Check the address, and that the server runs.',
  ),
  'too-many-requests': failure<{ limit: number }>(
    (a) => `The probe needs more than ${a.limit} requests; it stopped.`,
    'Allow more with --limit.',
  ),
  'unknown-host': failure<{ name: string; known: readonly string[] }>(
    (a) => `gridpress knows no host "${a.name}".`,
    (a) => `It knows ${listed(a.known)}.`,
  ),
  'no-api': failure<{ url: string }>(
    (a) => `There is no root of this API at ${a.url}.`,
    'Name the base URL: the one whose answer has "links".',
  ),
  'no-tree': failure<{ folder: string }>(
    (a) => `There is no tree at ${a.folder}.`,
    'Make one: gridpress build.',
  ),
  'tree-incomplete': failure<{ folder: string; reason: string }>(
    (a) => `The tree at ${a.folder} is not complete: ${a.reason}.`,
    'Build it anew: gridpress build --force.',
  ),
  'port-taken': failure<{ port: number }>(
    (a) => `Port ${a.port} is taken.`,
    'Stop what listens there, or choose another with --port.',
  ),
  'port-refused': failure<{ port: number; reason: string }>(
    (a) => `Cannot listen on port ${a.port}: ${a.reason}.`,
    'Choose another with --port, or another address with --host.',
  ),
  // Answers of a service, found by following its links
  'link-unreachable': failure<ForLink & { reason: string }>(
    (a) => `${a.url}, linked from ${a.from}, cannot be reached: ${a.reason}.`,
    'Check that the service runs and that nothing stands between.',
  ),
  'link-status': error<ForLink & { status: number }>(
    (a) => `${a.url}, linked from ${a.from}, answers ${a.status} instead of 200.`,
    'Publish the whole tree, and look for rules of the host that catch this path.',
  ),
  'link-redirect': error<ForLink & { target: string }>(
    (a) =>
      `${a.url}, linked from ${a.from}, redirects to ${a.target || 'nothing'}, which is no version beside it.`,
    "Correct the host's redirects: each latest version leads to the newest version of the same history.",
  ),
  'link-no-endpoint': error<ForLink>(
    (a) => `${a.url}, linked from ${a.from}, is no path of the API.`,
    MAKE_AGAIN,
  ),
  'link-type': error<ForLink & { type: string; expected: string }>(
    (a) => `The link to ${a.url} in ${a.from} has the type ${a.type} instead of ${a.expected}.`,
    MAKE_AGAIN,
  ),
  'answer-media-type': error<ForUrl & { type: string; expected: string }>(
    (a) => `${a.url} has the content type ${a.type} instead of ${a.expected}.`,
    'Check the dialect and the vendor, and the rules of the host for content types.',
  ),
  'answer-not-json': error<ForUrl>(
    (a) => `${a.url} does not answer with a JSON object.`,
    'Look for rules of the host that catch this path.',
  ),
  'answer-not-compact': error<ForUrl>(
    (a) => `${a.url} answers with JSON that is not compact.`,
    'Keep the host from rewriting what it sends.',
  ),
  'answer-schema': error<ForUrl & { field: string; problem: string }>(
    (a) => `${a.url} is not what its schema says: ${a.field === '' ? '' : `"${a.field}": `}${a.problem}.`,
    MAKE_AGAIN,
  ),
  'answer-field-order': error<ForUrl & { where: string; expected: readonly string[] }>(
    (a) => `${a.url} does not end in ${listed(a.expected)}${a.where === '' ? '' : ` at "${a.where}"`}.`,
    MAKE_AGAIN,
  ),
  'answer-self': error<ForUrl & { self: string }>(
    (a) => `${a.url} says that it is ${a.self}.`,
    'Look for rules of the host that answer one path with the document of another.',
  ),
  'answer-version': error<ForUrl & { version: string; expected: string }>(
    (a) => `${a.url} shows the revision ${shortId(a.version)} instead of ${shortId(a.expected)}.`,
    'Wait until the new tree is published as a whole, and until caches have let go of the old one.',
  ),
  'answer-item-differs': error<ForUrl>(
    (a) => `${a.url} is not the same alone and in its collection.`,
    'Wait until the new tree is published as a whole, and until caches have let go of the old one.',
  ),
  'not-empty': failure<{ folder: string }>(
    (a) => `${a.folder} already holds a registry.`,
    'Name another folder, or work in this one.',
  ),
  // What the nodes and sites of a fleet say about each other
  'fleet-difference': error<{
    nodes: ForNodes;
    others: readonly (ForFact & { usual: string; isCount: boolean })[];
    lacking: readonly string[];
    having: readonly string[];
  }>(
    (a) => {
      const isOne = a.nodes.names.length === 1;
      const others = a.others.map((fact) => `${measured(fact)} is ${fact.value}, mostly ${fact.usual}`);
      const lacking = a.lacking.length > 0 ? [`without ${listed(a.lacking)}, which the others have`] : [];
      const having = a.having.length > 0 ? [`with ${listed(a.having)}, which the others lack`] : [];
      return `${nodesSaid(a.nodes)} ${isOne ? 'is' : 'are'} not like the others:${lines([...others, ...lacking, ...having])}`;
    },
    (a) =>
      a.nodes.names.length === 1
        ? `Correct what is wrong, give it a node_type of its own, ${OR_SILENCE}`
        : `Correct what is wrong, give them a node_type of their own, ${OR_SILENCE}`,
  ),
  'fleet-split': error<{
    nodes: ForNodes;
    sorts: readonly (readonly string[])[];
    facts: readonly { field: string; isCount: boolean; values: readonly string[] }[];
  }>(
    (a) =>
      `${nodesSaid(a.nodes, false)} are of ${a.sorts.length} sorts, and none is the rule: ${a.sorts
        .map((names) => (names.length === 1 ? listed(names) : `${names.length} (${someOf(names)})`))
        .join(' | ')}:${lines(a.facts.map((fact) => `${measured(fact)} is ${fact.values.join(' | ')}`))}`,
    `Correct what is wrong, give them node_types of their own, ${OR_SILENCE}`,
  ),
  'fleet-shared': error<{
    nodes: ForNodes;
    facts: readonly (ForFact & { places: readonly ForPlace[]; count: number })[];
  }>(
    (a) =>
      `${nodesSaid({ names: a.nodes.names })} have in common what only one can have:${a.facts
        .map(
          ({ field, value, places, count }) =>
            `${lines([`${field} is ${value}`])}${places.map((place) => `\n    at ${placeSaid(place)}`).join('')}${
              count > places.length ? `\n    and ${count - places.length} more` : ''
            }`,
        )
        .join('')}`,
    (a) =>
      a.nodes.names.length > FEW
        ? 'So many share it that it is hardly the name of one: leave it out where it is a product code, or correct it.'
        : 'Find out which of them has it, and correct the others.',
  ),
  'fleet-placeholder': error<{ nodes: ForNodes; facts: readonly ForFact[] }>(
    (a) =>
      `${nodesSaid(a.nodes)} ${a.nodes.names.length === 1 ? 'has' : 'have'} a placeholder for a value:${lines(
        a.facts.map((fact) => `${fact.field} is ${fact.value}`),
      )}`,
    'Write the value, or leave the field out: what is not known is better not said.',
  ),
  'fleet-implausible': error<{ nodes: ForNodes; facts: readonly (ForFact & { problem: Implausibility })[] }>(
    (a) =>
      `${nodesSaid(a.nodes)} ${a.nodes.names.length === 1 ? 'has' : 'have'} what cannot be:${lines(
        a.facts.map((fact) => `${fact.field} is ${fact.value}: ${IMPLAUSIBLE[fact.problem]}`),
      )}`,
    'Correct it, or leave the field out.',
  ),
  'fleet-location-range': error<{
    site: string;
    field: string;
    value: number;
    limit: number;
    swaps: boolean;
  }>(
    (a) => `The ${a.field} of the site ${a.site} is ${a.value}, which is not within ±${a.limit}.`,
    (a) =>
      a.swaps
        ? 'Correct it: latitude and longitude look swapped.'
        : 'Correct it: coordinates are decimal degrees.',
  ),
  'fleet-location-zero': error<{ site: string }>(
    (a) => `The site ${a.site} has the coordinates 0, 0, which lie in the Gulf of Guinea.`,
    'Write where it stands, or leave the coordinates out.',
  ),
  'fleet-location-half': error<{ site: string; field: string; missing: string }>(
    (a) => `The site ${a.site} has a ${a.field}, but no ${a.missing}.`,
    (a) => `Add the ${a.missing}, or leave both out.`,
  ),
  'fleet-location-far': error<{
    site: string;
    area: string;
    count: number;
    others: number;
    km: number;
    cure?: { what: keyof typeof CURES; near: string };
  }>(
    (a) =>
      `The coordinates of the site ${a.site} lie at least ${a.km.toLocaleString('en-US')} km from ${a.count} of the ${a.others} other sites in "${a.area}".`,
    (a) =>
      a.cure
        ? `Correct them: with ${CURES[a.cure.what]} they would be near those of ${a.cure.near}.`
        : 'Correct them or the location, or silence it with a reason (fleet.silence).',
  ),
  'fleet-silence-unused': error<{ check: string }>(
    (a) => `This rule silences no finding of the check "${a.check}".`,
    'Remove it, or correct what it says: perhaps what it was for has been mended.',
  ),
  // Locks, and the sites that they are taken from and verified against
  'unknown-node': failure<{ given: string; nearest: readonly string[] }>(
    (a) => `There is no node ${a.given}.`,
    (a) =>
      a.nearest.length > 0
        ? `Did you mean ${a.nearest.join(' or ')}?`
        : 'Name it by its path, its uid or its node_name.',
  ),
  'ambiguous-node': failure<{ given: string; found: readonly string[] }>(
    (a) => `${plural(a.found.length, 'node')} are called ${a.given}: ${listed(a.found)}.`,
    'Name the one by its path or its uid.',
  ),
  'no-source': failure<{ place: string }>(
    (a) => `${a.place} is neither a base URL nor the folder of a tree or a registry.`,
    'Name a URL like https://api.example.org/, a folder that gridpress build has made, or a registry.',
  ),
  'lock-not-json': error<Nothing>(
    () => 'The lock is no JSON object.',
    'Restore it: a lock is a proof, and only gridpress writes it.',
  ),
  'lock-newer': error<{ version: number; known: number }>(
    (a) => `The lock has the format ${a.version}; this gridpress knows formats up to ${a.known}.`,
    'Verify it with a newer gridpress.',
  ),
  'not-verified': failure<Nothing>(
    () => 'The lock could not be verified.',
    'This says nothing about the nodes: mend the above and verify it again.',
  ),
  'site-moved': failure<ForUrl & { from: string; to: string }>(
    (a) =>
      `${a.url} reflects the revision ${shortId(a.to)}, but what was read before it ${shortId(a.from)}: twice something new was published meanwhile.`,
    'Run it again when the new tree is published as a whole and caches have let go of the old one.',
  ),
  'site-dead-link': failure<ForUrl>(
    (a) => `${a.url} is not there, though it is linked to.`,
    'Check the base URL, and that the whole tree is published.',
  ),
  'site-status': failure<ForUrl & { status: number }>(
    (a) => `${a.url} answers with the status ${a.status}.`,
    'Check the base URL and that the service is well.',
  ),
  'site-busy': failure<ForUrl & { seconds: number }>(
    (a) => `${a.url} asks to be left alone for ${plural(a.seconds, 'second')}.`,
    'Run it again after that.',
  ),
  'site-not-json': failure<ForUrl>(
    (a) => `${a.url} does not answer with a JSON object.`,
    'Check the base URL, and that no login or error page stands before the service.',
  ),
  'site-shape': failure<ForUrl & { lacks: string }>(
    (a) => `${a.url} lacks ${a.lacks}.`,
    'Check the base URL: this is not what the API answers.',
  ),
  'site-incomplete': failure<ForUrl & { items: number; total: number }>(
    (a) => `${a.url} holds ${a.items.toLocaleString('en-US')} of ${plural(a.total, 'item')}.`,
    'Only services that give a collection as a whole can be read.',
  ),
  'site-other-origin': failure<ForUrl & { target: string }>(
    (a) => `${a.url} leads to ${a.target}, which is on another server.`,
    'If that is where the API is now, name it as the base URL.',
  ),
  'site-redirects': failure<ForUrl>(
    (a) => `${a.url} redirects again and again.`,
    "Correct the host's redirects.",
  ),
  'site-requests': failure<{ limit: number }>(
    (a) => `More than ${plural(a.limit, 'request')} would be needed; it stopped.`,
    'Allow more with --limit, or lock fewer nodes.',
  ),
} as const;
