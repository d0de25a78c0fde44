/** The place in each finding of `gridpress verify` is a file name from the manifest. */
import {
  error,
  type ForLink,
  type ForRevision,
  type ForUrl,
  failure,
  joinNames,
  type NoArguments,
} from '../message.ts';
import { formatCount, plural, shortId } from '../words.ts';

const RESTORE = 'Restore the file from a copy, or rebuild the tree with --force.';
const REPORT = 'Rebuild the tree from a registry that passes "gridpress check". If that does not help, report a bug.';
const ALTERED =
  'Someone changed the history in the tree. Rebuild the tree from the registry, and find out who changed it.';

export const VERIFY_MESSAGES = {
  'verify-no-manifest': failure<ForUrl & { status: number }>(
    (a) => `${a.url} answers with the status ${a.status}. Without the manifest, nothing can be verified.`,
    'Publish _manifest.json with the tree, or verify the published folder.',
  ),
  'crawl-limit': failure<{ limit: number }>(
    (a) => `The crawl stopped after ${plural(a.limit, 'request')}. The findings are about the answers so far.`,
    'Allow more with --requests, or crawl a part with --under or --sample.',
  ),
  'crawl-endless': failure<{ asked: number }>(
    (a) =>
      `The crawl stopped after ${plural(a.asked, 'document')}, because they have too many different links or too many problems. The findings are about the answers so far.`,
    'Check that the service answers unknown paths with 404, and crawl a part with --under or --sample.',
  ),
  'crawl-under': failure<{ path: string }>(
    (a) => `--under: ${a.path} is not a path of the API.`,
    'Write the path of a document, such as /sites or /versions.',
  ),
  'verify-requests': failure<{ limit: number }>(
    (a) => `The verification needs more than ${formatCount(a.limit)} requests, so it stopped.`,
    'Allow more with --requests, or verify the published folder.',
  ),
  'verify-under-way': failure<{ place: string; revision: string | undefined; until: string }>(
    (a) =>
      `A publication${a.revision === undefined ? '' : ` of revision ${shortId(a.revision)}`} is running at ${a.place}. Its claim ends at ${a.until}.`,
    'Run the command again when the publication is complete. If its publisher was stopped, publish again.',
  ),
  'verify-form': error<{ form: string; says: string }>(
    (a) => `${a.form} gives another answer: ${a.says}.`,
    '"gridpress probe --host NAME" reports whether this host supports such URLs, and what it lacks.',
  ),
  'verify-manifest': error<{ reason: string }>((a) => `The manifest is damaged: ${a.reason}.`, RESTORE),
  'tree-provisional': error<NoArguments>(
    () => 'The tree was built by "gridpress dev" from unrecorded changes. Its revision is in no history.',
    'Record the changes (gridpress record), and build the tree (gridpress build).',
  ),
  'verify-manifest-digest': error<{ name: string; stated: string; computed: string }>(
    (a) => `The manifest states the ${a.name} ${a.stated}, but its ${a.name} is ${a.computed}.`,
    RESTORE,
  ),
  'manifest-too-large': error<{ what: string; bytes: number; entries: number }>(
    (a) => `The manifest ${a.what}, so it was not read.`,
    (a) =>
      `gridpress reads manifests of at most ${formatCount(a.bytes)} bytes and ${formatCount(a.entries)} entries. Build a smaller tree, or ask where this one comes from.`,
  ),
  'verify-line': error<{ line: number; reason: string }>(
    (a) => `Entry ${a.line} of the documents in the manifest ${a.reason}.`,
    RESTORE,
  ),
  'verify-count': error<{ what: string; stated: number; found: number }>(
    (a) => `The manifest states ${a.stated} ${a.what}, but it lists ${a.found}.`,
    RESTORE,
  ),
  'verify-missing': error<{ reason: string }>((a) => `The file cannot be read: ${a.reason}.`, RESTORE),
  'verify-not-a-file': error<NoArguments>(() => 'This is a folder or a link, not a regular file.', RESTORE),
  'verify-differs': error<{ stated: string; computed: string }>(
    (a) => `The file has the digest ${a.computed} instead of ${a.stated}.`,
    RESTORE,
  ),
  'verify-size': error<{ stated: number; found: number }>(
    (a) => `The file has ${a.found} bytes instead of ${a.stated}.`,
    RESTORE,
  ),
  'verify-variant': error<{ of: string }>((a) => `The content of the file differs from ${a.of}.`, REPORT),
  'verify-private': error<{ fields: readonly string[] }>(
    (a) => `The file contains a private value of ${joinNames(a.fields)}.`,
    'Another field, a message or an author contains the same value. Make that field private, or replace the value, and build again.',
  ),
  'private-none': failure<NoArguments>(
    () => 'The registry has no private fields.',
    'Set "private" in gridpress.yaml, or omit --private.',
  ),
  'verify-foreign': error<NoArguments>(
    () => 'The manifest does not list this file.',
    'Remove the file. In addition to its files, a tree may contain only top-level folders whose names begin with a dot.',
  ),
  'verify-encoding': error<NoArguments>(() => 'The document is not UTF-8.', REPORT),
  'verify-dead-link': error<{ href: string }>(
    (a) => `The document links to ${a.href}, which is not in the tree.`,
    REPORT,
  ),
  'verify-history': error<{ reason: string }>((a) => `The history is not consistent: ${a.reason}.`, ALTERED),
} as const;

const REBUILD = 'Rebuild the tree, and publish it completely. If that does not help, report a bug.';
const CHECK_RULES = 'Check whether a rule of the host matches this path.';
const WAIT = 'when the new tree is completely published and caches no longer serve the old one.';

export const ANSWERS_MESSAGES = {
  'link-unreachable': failure<ForLink & { reason: string }>(
    (a) => `${a.url}, linked from ${a.from}, cannot be reached: ${a.reason}.`,
    'Check that the service is running, and that nothing blocks the connection.',
  ),
  'link-status': error<ForLink & { status: number }>(
    (a) => `${a.url}, linked from ${a.from}, answers ${a.status} instead of 200.`,
    `Publish the whole tree. ${CHECK_RULES}`,
  ),
  'link-redirect': error<ForLink & { target: string }>(
    (a) =>
      `${a.url}, linked from ${a.from}, redirects to ${a.target || 'nothing'}, which is not a version of the same history.`,
    'Correct the redirects of the host. Each latest version must redirect to the newest version of the same history.',
  ),
  'link-no-endpoint': error<ForLink>((a) => `${a.url}, linked from ${a.from}, is not a path of the API.`, REBUILD),
  'link-type': error<ForLink & { type: string; expected: string }>(
    (a) => `The link to ${a.url} in ${a.from} has the type ${a.type} instead of ${a.expected}.`,
    REBUILD,
  ),
  'answer-media-type': error<ForUrl & { type: string; expected: string }>(
    (a) => `${a.url} has the content type ${a.type} instead of ${a.expected}.`,
    'Check the dialect, the vendor, and the content type rules of the host.',
  ),
  'answer-not-json': error<ForUrl>((a) => `${a.url} does not answer with a JSON object.`, CHECK_RULES),
  'answer-raw': error<ForUrl & { expected: string }>((a) => `${a.url} does not begin with ${a.expected}.`, CHECK_RULES),
  'answer-not-compact': error<ForUrl>(
    (a) => `${a.url} answers with JSON that is not compact.`,
    'Configure the host so that it does not rewrite answers.',
  ),
  'answer-schema': error<ForUrl & { field: string; problem: string }>(
    (a) => `${a.url} does not match its schema: ${a.field === '' ? '' : `"${a.field}": `}${a.problem}.`,
    REBUILD,
  ),
  'answer-field-order': error<ForUrl & { where: string; expected: readonly string[] }>(
    (a) => `${a.url} does not end with the fields ${joinNames(a.expected)}${a.where === '' ? '' : ` at "${a.where}"`}.`,
    REBUILD,
  ),
  'answer-self': error<ForUrl & { self: string }>(
    (a) => `${a.url} has the self link ${a.self}.`,
    'Check whether a rule of the host answers one path with the document of another.',
  ),
  'answer-version': error<ForUrl & { version: string; expected: string }>(
    (a) => `${a.url} has the revision ${shortId(a.version)} instead of ${shortId(a.expected)}.`,
    `Run the command again ${WAIT}`,
  ),
  'answer-item-differs': error<ForUrl>(
    (a) => `${a.url} differs from the same item in its collection.`,
    `Run the command again ${WAIT}`,
  ),
  'place-moved': failure<{ place: string }>(
    (a) => `${a.place} was replaced twice while it was read.`,
    `Run the command again ${WAIT}`,
  ),
} as const;

const AGAIN = 'Fetch the archive again from its origin, or create it again.';

export const ARCHIVES_MESSAGES = {
  'archive-nothing': failure<ForRevision>(
    (a) => `The registry is empty after revision ${shortId(a.id)}, so there is nothing to archive.`,
    'Name another revision. "gridpress log" lists them.',
  ),
  'archive-all-and-some': failure<{ revisions: readonly string[] }>(
    (a) => `--all cannot be combined with revisions: ${joinNames(a.revisions)}.`,
    'Omit --all to archive only these revisions. Omit the revisions to archive all.',
  ),
  'archives-index': failure<{ file: string }>(
    (a) => `${a.file} is not an index of archives that this version of gridpress can read.`,
    'Name another folder, or remove the file. gridpress then creates the archives in the folder again.',
  ),
  'archive-unreadable': failure<{ file: string; reason: string }>(
    (a) => `The archive ${a.file} cannot be read: ${a.reason}.`,
    'Check that the file exists, that you may read it, and that the disk for temporary files has room for it.',
  ),
  'file-of-no-kind': failure<{ file: string }>(
    (a) => `${a.file} is neither an archive nor a bundle of gridpress.`,
    'Name a file that "gridpress archive" or "gridpress bundle" wrote, or the folder or the URL of a tree.',
  ),
  'archive-unpacked': failure<{ folder: string; tree: string }>(
    (a) => `${a.folder} is an unpacked archive. Its tree is in ${a.tree}.`,
    (a) =>
      `Verify the tree with "gridpress verify ${a.tree}", and the other files with "sha256sum -c manifest-sha256.txt" in ${a.folder}.`,
  ),
  'archive-bag': error<{ reason: string }>(
    (a) => `The bag differs from the form that gridpress writes: ${a.reason}.`,
    AGAIN,
  ),
  'archive-differs': error<{ manifest: string; stated: string; computed: string }>(
    (a) => `The file has the digest ${a.computed}, but ${a.manifest} states ${a.stated}.`,
    AGAIN,
  ),
  'archive-unlisted': error<NoArguments>(() => 'The manifest of the bag does not list this file.', AGAIN),
  'archive-missing': error<{ manifest: string }>((a) => `${a.manifest} lists this file, but it is missing.`, AGAIN),
  'archive-compressed': error<{ reason: string }>((a) => `The compressed file is damaged: ${a.reason}.`, AGAIN),
  'archive-index-differs': error<{ what: string; stated: string; found: string }>(
    (a) => `The ${a.what} of the archive is ${a.found}, but archives.json in its folder states ${a.stated}.`,
    `${AGAIN} If archives.json was altered, create the archive again. This writes both files.`,
  ),
} as const;

export const SIGNATURES_MESSAGES = {
  'ssh-keygen': failure<{ reason: string }>(
    (a) => `ssh-keygen cannot be run: ${a.reason}.`,
    'Install OpenSSH. gridpress signs and verifies with ssh-keygen.',
  ),
  'sign-failed': failure<{ key: string; reason: string }>(
    (a) => `Signing with the key ${a.key} failed: ${a.reason}.`,
    'Name the file of a private key, or the file of a public key whose private key is in an agent.',
  ),
  'sign-passphrase': failure<{ key: string }>(
    (a) => `The passphrase of the key ${a.key} is wrong or missing.`,
    (a) => `Type the passphrase in a terminal, or load the key into ssh-agent first: ssh-add ${a.key}`,
  ),
  'no-allowed-signers': failure<{ file: string }>(
    (a) => `There is no file of allowed signers at ${a.file}.`,
    'Write one line for each signer: a name, a space, and the line of the public key (ssh-keygen(1), ALLOWED SIGNERS).',
  ),
  unsigned: error<NoArguments>(
    () => 'The manifest has no signature.',
    'Ask the publisher for a signed tree. "gridpress build --sign KEY" signs it.',
  ),
  'signer-unknown': error<{ allowed: string }>(
    (a) =>
      `No signer in ${a.allowed} made the signature of the manifest, or the signature belongs to another manifest.`,
    'Do not trust the tree. If the publisher has a new key, get it from the publisher, not from the server of the tree.',
  ),
  'serial-old': error<{ serial: number | undefined; least: number }>(
    (a) =>
      a.serial === undefined
        ? 'The manifest has no serial, because an older version of gridpress built the tree.'
        : `The serial of the manifest is ${a.serial}. The lowest accepted serial is ${a.least}.`,
    'The tree is old. Get the newest one.',
  ),
} as const;

export const TAR_MESSAGES = {
  'tar-name': failure<{ name: string; reason: string }>(
    (a) => `"${a.name}" cannot be a name in a tar file: ${a.reason}.`,
    'The name consists of uids or a file name. Shorten or change them.',
  ),
  'tar-size': failure<{ name: string; size: number }>(
    (a) => `${a.name} has ${formatCount(a.size)} bytes. A file in a tar file can have at most 8,589,934,591.`,
    'Omit the file, or make it smaller.',
  ),
  'tar-changed': failure<{ name: string }>(
    (a) => `${a.name} became shorter while it was read.`,
    'Run the command again when no other program writes there.',
  ),
  'tar-damaged': error<{ at: number; reason: string }>(
    (a) => `At byte ${formatCount(a.at)}, the tar file differs from the form that gridpress writes: ${a.reason}.`,
    'Fetch or create the file again. gridpress rejects tar files of other programs, even with the same contents.',
  ),
} as const;
