import { error, type ForPath, type ForRevision, failure, listed, type Nothing, named, warning } from '../message.ts';
import { grouped, plural, shortId } from '../words.ts';

export const HISTORY_MESSAGES = {
  'history-empty': error<Nothing>(
    () => 'The registry has no history.',
    'Record its present state: gridpress record -m "First revision".',
  ),
  'revision-path': error<{ path: string }>(
    (a) => `"${a.path}" is not the path of a resource.`,
    'Write it like sites/SITE/clusters/CLUSTER/nodes/NODE; the grid is "/".',
  ),
  'revision-id': error<{ id: string; computed: string }>(
    (a) => `The identifier ${shortId(a.id)} is not what the revision's contents give: ${shortId(a.computed)}.`,
    'A recorded revision was altered: restore the file from a backup or from version control.',
  ),
  'revision-contents': error<ForRevision>(
    (a) =>
      `Revision ${shortId(a.id)}, or one that it stands on, is not what was recorded: the digest of its contents is another, though its identifier is the same.`,
    'Somebody exchanged a revision for one with the same identifier: restore the files from a backup or from version control.',
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
    (a) => (a.heads.length < 2 ? 'Record without --merge.' : 'Remove the files of the sides that were given up.'),
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
    (a) => `${named(a.path)} would be left without ${named(a.parent)}, which is not there after this revision.`,
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
  'not-compared': failure<Nothing>(
    () => 'Nothing was compared.',
    'This says nothing about what differs: mend the above first.',
  ),
  'change-no-successor': error<ForPath & { uid: string }>(
    (a) => `${a.path} is said to be succeeded by ${a.uid}, which does not stand beside it then.`,
    'Name the uid of a resource of the same collection that is there after the revision.',
  ),
  'successor-of-none': failure<{ given: string }>(
    (a) => `"${a.given}" does not name one resource that is removed now, and one beside it that stays.`,
    'Write --successor REMOVED=STAYING, each by its uid, name or path.',
  ),
  'no-author': failure<Nothing>(
    () => 'Nothing says who records this, and a revision bears the name for ever.',
    'Say it with --author "Ada Brown", or to git once: git config --global user.name "Ada Brown".',
  ),
  'nothing-to-record': failure<Nothing>(
    () => 'There is nothing to record: the registry is what its history says.',
    'Edit the registry first; "gridpress log" shows what was recorded.',
  ),
} as const;

/** The folders that are named of those whose files are left out. */
const MOST_FOLDERS = 8;

export const IMPORT_MESSAGES = {
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
  'import-partial-clone': warning<{ folder: string }>(
    (a) => `${a.folder} is a partial clone, and an import fetches nothing.`,
    'For what it lacks, run "git fetch --refetch --no-filter" in it, and import into a new folder.',
  ),
  'import-not-a-file': warning<ForRevision & { path: string; what: string }>(
    (a) => `${shortId(a.id)}: ${a.path} is ${a.what}.`,
    'It is left out.',
  ),
  'import-no-resource': warning<ForRevision & { path: string }>(
    (a) => `${shortId(a.id)}: ${a.path} is not a resource.`,
    'It is left out.',
  ),
  'import-left-out': warning<{ files: number; folders: readonly (readonly [string, number])[] }>((a) => {
    const shown = a.folders.slice(0, MOST_FOLDERS).map(([folder, files]) => `${grouped(files)} in ${folder}`);
    const others = a.folders.length - shown.length;
    const rest = others > 0 ? `, and more in ${plural(others, 'other folder')}` : '';
    return `${grouped(a.files)} files that the repository has or had are not resources: ${listed(shown)}${rest}.`;
  }, 'They are left out. With --json each is named, with its commit; kinds in gridpress.yaml keeps what a folder of its own holds.'),
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
    (a) => `${shortId(a.id)}: ${a.path} has the number ${a.text} in "${a.field}", which a double cannot hold.`,
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
    'Name another folder, or empty this one yourself.',
  ),
  'import-several-roots': failure<{ ids: readonly string[] }>(
    (a) => `The repository's history has ${a.ids.length} beginnings: ${a.ids.map(shortId).join(', ')}.`,
    'A registry has one: import it with --first-parent.',
  ),
  'import-recorded': failure<ForRevision>(
    (a) => `The history in the registry begins with ${shortId(a.id)}, which was recorded here and not imported.`,
    'Import into a new folder.',
  ),
  'import-conflict': warning<ForRevision & { path: string }>(
    (a) => `/${a.path} was changed here, and otherwise by the commits up to ${shortId(a.id)}.`,
    'What is here stays: look it over before the two are joined.',
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
} as const;

/** The words for what of a registry its history does not know. */
interface ChangedPaths {
  added: readonly string[];
  updated: readonly string[];
  removed: readonly string[];
}

/** The first ten of them by their names. */
function unknownToHistory({ added, updated, removed }: ChangedPaths): string {
  const changes = [
    ...added.map((path) => `added ${named(path)}`),
    ...updated.map((path) => `updated ${named(path)}`),
    ...removed.map((path) => `removed ${named(path)}`),
  ];
  const rest = changes.length > 10 ? `\n  and ${changes.length - 10} more` : '';
  return `${plural(changes.length, 'change')} that the history does not know:\n  ${changes.slice(0, 10).join('\n  ')}${rest}`;
}
