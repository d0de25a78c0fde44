/** What `gridpress verify` finds in a tree or at a URL. The place of each is the file, as the manifest names it. */
import { error, type ForUrl, failure } from '../message.ts';
import { grouped, shortId } from '../words.ts';

const RESTORE = 'Restore the file from a copy, or build the tree again with --force.';
const REPORT = 'Build the tree again from sources that `gridpress check` passes; if that does not help, report it.';
const ALTERED =
  'Someone changed the history that the tree tells: build it again from the registry, and find out who did.';

export const VERIFY_MESSAGES = {
  'verify-no-manifest': failure<ForUrl & { status: number }>(
    (a) => `${a.url} answers with the status ${a.status}; without the manifest there is nothing to verify against.`,
    'Publish _manifest.json along with the tree, or verify the folder that was published.',
  ),
  'verify-requests': failure<{ limit: number }>(
    (a) => `More than ${a.limit} requests would be needed; it stopped.`,
    'Allow more with --limit, or verify the folder that was published.',
  ),
  'verify-under-way': failure<{ place: string; revision: string | undefined; until: string }>(
    (a) =>
      `A publication${a.revision === undefined ? '' : ` of revision ${shortId(a.revision)}`} is under way at ${a.place}: its claim holds until ${a.until}.`,
    'Run it again when it is complete; where its publisher was stopped, publish again.',
  ),
  'verify-form': error<{ form: string; says: string }>(
    (a) => `${a.form} does not answer the same: ${a.says}.`,
    'gridpress probe --host NAME tells whether this host can answer there, and what it lacks.',
  ),
  'verify-manifest': error<{ reason: string }>((a) => `The manifest is damaged: ${a.reason}.`, RESTORE),
  'tree-provisional': error<Record<never, never>>(
    () => 'The tree was built by "gridpress dev" with changes that are not recorded: no history has its revision.',
    'Record the changes (gridpress record), and build the tree (gridpress build).',
  ),
  'verify-manifest-digest': error<{ name: string; stated: string; computed: string }>(
    (a) => `The manifest says that its ${a.name} is ${a.stated}, but it is ${a.computed}.`,
    RESTORE,
  ),
  'manifest-too-large': error<{ what: string; bytes: number; entries: number }>(
    (a) => `The manifest ${a.what}, and was not read.`,
    (a) =>
      `gridpress reads manifests of at most ${grouped(a.bytes)} bytes and ${grouped(a.entries)} entries: build a smaller tree, or ask where this one comes from.`,
  ),
  'verify-line': error<{ line: number; reason: string }>(
    (a) => `Entry ${a.line} of the manifest's documents ${a.reason}.`,
    RESTORE,
  ),
  'verify-count': error<{ what: string; stated: number; found: number }>(
    (a) => `The manifest says that it lists ${a.stated} ${a.what}, but it lists ${a.found}.`,
    RESTORE,
  ),
  'verify-missing': error<{ reason: string }>((a) => `The file cannot be read: ${a.reason}.`, RESTORE),
  'verify-not-a-file': error<Record<never, never>>(
    () => 'This is a folder or a link, and no file of its own.',
    RESTORE,
  ),
  'verify-differs': error<{ stated: string; computed: string }>(
    (a) => `The file has the digest ${a.computed} instead of ${a.stated}.`,
    RESTORE,
  ),
  'verify-size': error<{ stated: number; found: number }>(
    (a) => `The file has ${a.found} bytes instead of ${a.stated}.`,
    RESTORE,
  ),
  'verify-companion': error<{ of: string }>((a) => `The file does not say the same as ${a.of}.`, REPORT),
  'verify-foreign': error<Record<never, never>>(
    () => 'The manifest does not list this file.',
    'Remove it. Only folders at the top whose names begin with a dot may be there besides the tree.',
  ),
  'verify-encoding': error<Record<never, never>>(() => 'The document is not UTF-8.', REPORT),
  'verify-dead-link': error<{ href: string }>((a) => `It links to ${a.href}, which is not in the tree.`, REPORT),
  'verify-history': error<{ reason: string }>((a) => `The history does not hold: ${a.reason}.`, ALTERED),
} as const;
