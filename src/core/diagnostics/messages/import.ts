import {
  type ChangedPaths,
  type ForRevision,
  failure,
  formatPath,
  joinNames,
  unrecordedChanges,
  warning,
} from '../message.ts';
import { formatCount, plural, shortId } from '../words.ts';

const PATHS_SHOWN = 5;

function someOf(files: readonly string[]): string {
  const others = files.length - PATHS_SHOWN;
  return joinNames(files.slice(0, PATHS_SHOWN)) + (others > 0 ? ` and ${formatCount(others)} more` : '');
}

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
