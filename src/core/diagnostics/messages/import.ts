import { type ForRevision, failure, listed, warning } from '../message.ts';
import { grouped, plural, shortId } from '../words.ts';
import { type ChangedPaths, unknownToHistory } from './unknown-to-history.ts';

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
