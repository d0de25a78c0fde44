import {
  error,
  type ForPath,
  type ForRevision,
  failure,
  formatPath,
  joinNames,
  type NoArguments,
  warning,
} from '../message.ts';
import { formatCount, plural, shortId } from '../words.ts';

const RESTORE_FILE = 'Restore the file from a backup or from version control.';
const PATHS_SHOWN = 5;

function someOf(files: readonly string[]): string {
  const others = files.length - PATHS_SHOWN;
  return joinNames(files.slice(0, PATHS_SHOWN)) + (others > 0 ? ` and ${formatCount(others)} more` : '');
}

function recordFiles(id: string): string {
  return `Correct the files, and record them as they are: gridpress record --merge ${shortId(id)} -m "what happened".`;
}

export const HISTORY_MESSAGES = {
  'registry-untracked': warning<{ files: readonly string[]; folder: string }>(
    (a) =>
      `${plural(a.files.length, 'file')} of the registry ${a.files.length === 1 ? 'is' : 'are'} not in git, such as ${a.files[0]}.`,
    (a) => `A clone lacks ${a.files.length === 1 ? 'it' : 'them'}. Add the whole folder: git add ${a.folder}.`,
  ),
  'history-empty': error<NoArguments>(
    () => 'The registry has no history.',
    'Record its current state: gridpress record -m "First revision".',
  ),
  'revision-path': error<{ path: string }>(
    (a) => `"${a.path}" is not the path of a resource.`,
    'Use the form sites/SITE/clusters/CLUSTER/nodes/NODE. The grid is "/".',
  ),
  'revision-id': error<{ id: string; computed: string }>(
    (a) => `The identifier of the revision is ${shortId(a.id)}, but its contents give ${shortId(a.computed)}.`,
    `The revision was altered after it was recorded. ${RESTORE_FILE}`,
  ),
  'revision-contents': error<ForRevision>(
    (a) =>
      `Revision ${shortId(a.id)} or one of its ancestors was altered: the digest of its contents has changed, but its identifier has not.`,
    'Someone replaced a revision by another one with the same identifier. Restore the files from a backup or from version control.',
  ),
  'revision-state': error<{ id: string; stated: string; computed: string }>(
    (a) =>
      `After revision ${shortId(a.id)}, the registry has the digest ${shortId(a.computed)}…, but the revision states ${shortId(a.stated)}….`,
    `The changes were altered. ${RESTORE_FILE}`,
  ),
  'revision-date': error<{ date: string }>(
    (a) => `"${a.date}" is not a date that a revision can have.`,
    'Use a date from 1970 to 9999 in ISO 8601 with an offset: 2026-03-01T12:00:00+01:00.',
  ),
  'revision-twice': error<ForRevision & { other: string }>(
    (a) => `Revision ${shortId(a.id)} occurs twice. The other file is ${a.other}.`,
    'Remove one of the two files.',
  ),
  'revision-self-parent': error<ForRevision>(
    (a) => `Revision ${shortId(a.id)} lists itself as a parent, or one parent twice.`,
    'Correct its parents.',
  ),
  'unknown-parent': error<ForRevision & { parent: string }>(
    (a) => `The parent ${shortId(a.parent)} of revision ${shortId(a.id)} is not in the history.`,
    'Restore its file. A history must be complete.',
  ),
  'history-cycle': error<{ ids: readonly string[] }>(
    (a) => `The history contains a cycle: ${a.ids.map(shortId).join(' -> ')}.`,
    'Correct the parents. No revision can be its own ancestor.',
  ),
  'several-heads': error<{ ids: readonly string[] }>(
    (a) => `The history has ${a.ids.length} heads that no revision merges: ${a.ids.map(shortId).join(', ')}.`,
    'Merge them: gridpress record --merge. Or remove the revision files of the branch that you do not need.',
  ),
  'nothing-to-merge': failure<NoArguments>(
    () => 'The history has only one head, so there is nothing to merge.',
    'Record without --merge.',
  ),
  'not-a-head': failure<{ given: string; heads: readonly string[] }>(
    (a) => `"${a.given}" is not a head that can be merged.`,
    (a) => `Name ${a.heads.map(shortId).join(' or ')}.`,
  ),
  'merge-conflict': error<{
    path: string;
    name?: string;
    ids: readonly [string, string];
    field?: { at: string; ours: string; theirs: string };
  }>(
    ({ path, name, ids: [one, other], field }) => {
      const resource = name === undefined ? formatPath(path) : `${name} (${formatPath(path)})`;
      return field
        ? `Two heads change ${field.at} of ${resource}: to ${field.ours} (${shortId(one)}) and to ${field.theirs} (${shortId(other)}).`
        : `The heads ${shortId(one)} and ${shortId(other)} have conflicting changes of ${resource}: one head removes it, both add it, or both change the items of one list.`;
    },
    ({ ids: [, other] }) => recordFiles(other),
  ),
  'merge-differs': error<{ paths: readonly string[]; heads: readonly string[] }>(
    (a) =>
      `The files differ from the merge of the heads in ${plural(a.paths.length, 'resource')}: ${joinNames(a.paths.slice(0, PATHS_SHOWN))}${a.paths.length > PATHS_SHOWN ? ', ...' : ''}.`,
    (a) => recordFiles(a.heads.at(-1) ?? ''),
  ),
  'several-roots': error<{ ids: readonly string[] }>(
    (a) => `The history has ${a.ids.length} first revisions: ${a.ids.map(shortId).join(', ')}.`,
    'Only one revision can have no parents. Restore the missing parents.',
  ),
  'change-twice': error<ForPath>(
    (a) => `The revision changes ${formatPath(a.path)} twice.`,
    'Merge the two changes into one.',
  ),
  'change-not-there': error<ForPath & { action: string }>(
    (a) => `${formatPath(a.path)} cannot be ${a.action}: it does not exist before this revision.`,
    'Check the path and the earlier revisions.',
  ),
  'change-already-there': error<ForPath>(
    (a) => `${formatPath(a.path)} cannot be added: it already exists.`,
    'Write the change as an update, or check the earlier revisions.',
  ),
  'change-no-parent': error<ForPath & { parent: string }>(
    (a) => `${formatPath(a.path)} would have no parent: ${formatPath(a.parent)} does not exist after this revision.`,
    'In the same revision, add the parent or remove everything below it.',
  ),
  'change-wrong-from': error<ForPath & { at: string; stated: string; found: string }>(
    (a) =>
      a.stated === 'nothing'
        ? `${formatPath(a.path)} has ${a.found} at ${a.at}, but the change has no "from".`
        : `${formatPath(a.path)} has ${a.found} at ${a.at}, but "from" is ${a.stated}.`,
    'Check the value and the earlier revisions.',
  ),
  'change-no-place': error<ForPath & { at: string }>(
    (a) => `${formatPath(a.path)} cannot be changed at ${a.at}: this position does not exist.`,
    'The parent of a field must exist. Items can be added and removed only at the end of a list. A revision can change a field only once.',
  ),
  'change-nothing': error<ForPath>(
    (a) => `The change of ${formatPath(a.path)} has no effect.`,
    'Remove it from the revision.',
  ),
  'unrecorded-changes': error<ChangedPaths>(
    (a) => `The registry has ${unrecordedChanges(a)}`,
    'Record them: gridpress record -m "what happened".',
  ),
  'not-compared': failure<NoArguments>(
    () => 'Nothing was compared.',
    'There may still be differences. Correct the errors above first.',
  ),
  'change-no-successor': error<ForPath & { uid: string }>(
    (a) => `${a.path} has the successor "${a.uid}", which is not in the same collection after the revision.`,
    'Name the uid of a resource that is in the same collection after the revision.',
  ),
  'successor-of-none': failure<{ given: string }>(
    (a) => `"${a.given}" does not name one removed resource and one remaining resource of the same collection.`,
    'Write --successor REMOVED=STAYING. Use a uid, a name or a path for each.',
  ),
  'no-author': failure<NoArguments>(
    () => 'No author is set. Every revision records its author.',
    'Name the author with --author "Ada Brown", or once in git: git config --global user.name "Ada Brown".',
  ),
  'record-clock': failure<{ clock: string; id: string; date: string }>(
    (a) => `The clock of this machine shows ${a.clock}, but revision ${shortId(a.id)} has the later date ${a.date}.`,
    'Correct the clock. Or name the date: gridpress record -m "what happened" --date DATE.',
  ),
  'revision-too-large': failure<{ file: string; reason: string }>(
    (a) => `The new revision ${a.file} cannot be read later: ${a.reason}. Nothing was recorded.`,
    'Raise limits.revision_bytes in gridpress.yaml, or record the changes in several revisions.',
  ),
  'nothing-to-record': failure<NoArguments>(
    () => 'There is nothing to record. The registry matches its history.',
    'Edit the registry first. "gridpress log" lists the recorded revisions.',
  ),
} as const;

const MOST_FOLDERS = 8;
const OMITTED = 'The import omits it.';
const LAST_VALID = 'The import uses its last valid contents.';

export const IMPORT_MESSAGES = {
  'import-broken-file': warning<ForRevision & { path: string; reason: string; kept: boolean }>(
    (a) => `${shortId(a.id)}: ${a.path} cannot be read: ${a.reason}.`,
    (a) => (a.kept ? LAST_VALID : 'The import omits it until it can be read.'),
  ),
  'import-duplicate-key': warning<ForRevision & { path: string; key: string }>(
    (a) => `${shortId(a.id)}: ${a.path} contains the key "${a.key}" twice.`,
    'The import uses the last one.',
  ),
  'import-missing-blob': warning<ForRevision & { path: string; kept: boolean }>(
    (a) => `${shortId(a.id)}: the contents of ${a.path} are missing from the repository.`,
    (a) => (a.kept ? LAST_VALID : OMITTED),
  ),
  'import-incomplete': failure<{ folder: string; files: number; isPartial: boolean }>(
    (a) =>
      `${a.folder} lacks the contents of ${plural(a.files, 'file')}${a.isPartial ? ', because it is a partial clone' : ''}.`,
    (a) =>
      `${a.isPartial ? 'Download them with "git fetch --refetch --no-filter" there.' : 'Restore them from another clone.'} To import the registry without them, add --allow-missing.`,
  ),
  'import-not-a-file': warning<ForRevision & { path: string; what: string }>(
    (a) => `${shortId(a.id)}: ${a.path} is ${a.what}.`,
    OMITTED,
  ),
  'import-no-resource': warning<ForRevision & { path: string }>(
    (a) => `${shortId(a.id)}: ${a.path} is not a resource.`,
    OMITTED,
  ),
  'import-left-out': warning<{ files: number; folders: readonly (readonly [string, number])[] }>((a) => {
    const shown = a.folders.slice(0, MOST_FOLDERS).map(([folder, files]) => `${formatCount(files)} in ${folder}`);
    const others = a.folders.length - shown.length;
    const rest = others > 0 ? `, and more in ${plural(others, 'other folder')}` : '';
    return `${formatCount(a.files)} files of the repository and its history are not resources: ${joinNames(shown)}${rest}.`;
  }, 'The import omits them. --json lists each with its commit. To import the files of a folder, declare its kind under "kinds" in gridpress.yaml.'),
  'import-uid': warning<ForRevision & { path: string; uid: string; expected: string }>(
    (a) => `${shortId(a.id)}: ${a.path} states the uid "${a.uid}".`,
    (a) => `The import uses the uid of its path: "${a.expected}".`,
  ),
  'import-identity': warning<ForRevision & { path: string; fields: readonly string[] }>(
    (a) => `${shortId(a.id)}: ${a.path} has no ${a.fields.join(' and no ')}.`,
    'The import derives the value from the path.',
  ),
  'import-type': warning<ForRevision & { path: string; type: string; expected: string }>(
    (a) => `${shortId(a.id)}: ${a.path} states the type "${a.type}", but its path is the path of a ${a.expected}.`,
    'The import keeps the type unchanged.',
  ),
  'import-bad-uid': warning<ForRevision & { path: string; uid: string }>(
    (a) => `${shortId(a.id)}: the name "${a.uid}" of ${a.path} cannot be part of an API path.`,
    OMITTED,
  ),
  'import-two-files': warning<ForRevision & { path: string; other: string }>(
    (a) => `${shortId(a.id)}: ${a.path} describes the same resource as ${a.other}.`,
    (a) => `The import uses ${a.other}.`,
  ),
  'import-no-parent': warning<ForRevision & { path: string; parent: string }>(
    (a) => `${shortId(a.id)}: ${a.path} has no ${a.parent} above it.`,
    'The import creates one with only a uid and a type.',
  ),
  'import-date': warning<ForRevision & { given: string; taken: string; hasParent: boolean }>(
    (a) => `${shortId(a.id)}: a revision cannot have the date of the commit: ${a.given}.`,
    (a) =>
      a.hasParent
        ? `The import uses the date of its parent: ${a.taken}.`
        : `The commit has no parent, so the import uses ${a.taken}.`,
  ),
  'import-large-number': warning<ForRevision & { path: string; field: string; text: string }>(
    (a) =>
      `${shortId(a.id)}: "${a.field}" in ${a.path} is ${a.text}, which a double-precision number cannot represent.`,
    'The import keeps the number as a string.',
  ),
  'import-rewritten': failure<ForRevision>(
    (a) =>
      `The registry contains revision ${shortId(a.id)}, which the history of the repository does not have at this position.`,
    'The history of the repository was rewritten, or the registry was imported from another repository or with another choice of --first-parent. Import into a new folder.',
  ),
  'import-other-folder': failure<ForRevision & { folder: string; path: string }>(
    (a) =>
      `Revision ${shortId(a.id)} of the registry contains ${formatPath(a.path)}, but the commit has no file for it in ${a.folder}.`,
    'Name the folder of the earlier imports with --path, or import into a new folder.',
  ),
  'import-unrecorded': failure<ChangedPaths>(
    (a) => `The registry has ${unrecordedChanges(a)}`,
    'An import would undo them. Make these changes in the repository, or import into a new folder.',
  ),
  'import-changed': failure<{ files: readonly string[] }>(
    (a) => `${someOf(a.files)} changed while the import ran. The registry was not changed.`,
    'Run the import again.',
  ),
  'import-not-empty': failure<{ folder: string }>(
    (a) => `${a.folder} is not empty, and contains no registry with a history.`,
    'Name another folder, or empty this one yourself.',
  ),
  'import-several-roots': failure<{ ids: readonly string[] }>(
    (a) => `The repository has ${a.ids.length} first commits: ${a.ids.map(shortId).join(', ')}.`,
    'A registry has one first revision. Import the repository with --first-parent.',
  ),
  'import-recorded': failure<ForRevision>(
    (a) =>
      `The history of the registry begins with ${shortId(a.id)}, which was recorded in the registry, not imported.`,
    'Import into a new folder.',
  ),
  'import-conflict': warning<ForRevision & { path: string }>(
    (a) => `The registry and the commits up to ${shortId(a.id)} change /${a.path} differently.`,
    'The import keeps the change of the registry. Check it before you merge the two heads.',
  ),
  'not-a-repository': failure<{ folder: string; reason: string }>(
    (a) => `${a.folder} cannot be read as a git repository: ${a.reason}.`,
    'Name a clone, a bare repository or a bundle that "git log" can read.',
  ),
  'git-timeout': failure<{ folder: string; seconds: number }>(
    (a) => `git has not answered for ${plural(a.seconds, 'second')} in ${a.folder}.`,
    'If a file that git reads, such as .gitignore or .git/HEAD, is a pipe, replace it with a file. Otherwise check the disk.',
  ),
  'import-unknown-ref': failure<{ ref: string; names: readonly string[] }>(
    (a) => `The repository has no commit "${a.ref}".`,
    (a) =>
      a.names.length > 0
        ? `Name one with --ref: ${joinNames(a.names)}, or any other commit.`
        : 'It has no commits at all.',
  ),
  'import-no-grid': failure<{ path: string }>(
    (a) => `The repository has no registry at ${a.path}.`,
    'Name the folder of the grid with --path, such as --path data/GRID.',
  ),
  'import-several-grids': failure<{ found: readonly string[] }>(
    (a) => `The repository contains more than one registry: ${joinNames(a.found)}.`,
    'Name one with --path. If a program generates one from the other, name the generated one.',
  ),
} as const;

interface ChangedPaths {
  added: readonly string[];
  updated: readonly string[];
  removed: readonly string[];
}

function unrecordedChanges({ added, updated, removed }: ChangedPaths): string {
  const changes = [
    ...added.map((path) => `added ${formatPath(path)}`),
    ...updated.map((path) => `updated ${formatPath(path)}`),
    ...removed.map((path) => `removed ${formatPath(path)}`),
  ];
  const rest = changes.length > 10 ? `\n  and ${changes.length - 10} more` : '';
  return `${plural(changes.length, 'unrecorded change')}:\n  ${changes.slice(0, 10).join('\n  ')}${rest}`;
}
