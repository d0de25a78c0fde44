/** What `gridpress verify` finds in a tree or at a URL. The place of each is the file, as the manifest names it. */

import { error, type ForLink, type ForRevision, type ForUrl, failure, listed } from '../message.ts';
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

const MAKE_AGAIN = 'Build the tree again and publish it whole; if that does not help, report it.';

export const ANSWERS_MESSAGES = {
  'link-unreachable': failure<ForLink & { reason: string }>(
    (a) => `${a.url}, linked from ${a.from}, cannot be reached: ${a.reason}.`,
    'Check that the service runs and that nothing stands between.',
  ),
  'link-status': error<ForLink & { status: number }>(
    (a) => `${a.url}, linked from ${a.from}, answers ${a.status} instead of 200.`,
    'Publish the whole tree, and look for rules of the host that catch this path.',
  ),
  'link-redirect': error<ForLink & { target: string }>(
    (a) => `${a.url}, linked from ${a.from}, redirects to ${a.target || 'nothing'}, which is no version beside it.`,
    "Correct the host's redirects: each latest version leads to the newest version of the same history.",
  ),
  'link-no-endpoint': error<ForLink>((a) => `${a.url}, linked from ${a.from}, is no path of the API.`, MAKE_AGAIN),
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
  'answer-raw': error<ForUrl & { expected: string }>(
    (a) => `${a.url} does not begin with ${a.expected}.`,
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
  'place-moved': failure<{ place: string }>(
    (a) => `${a.place} was replaced while it was read, twice.`,
    'Run it again when the new tree is published as a whole, and caches have let go of the old one.',
  ),
} as const;

const AGAIN = 'Fetch the archive again from where it came, or make it again.';

export const ARCHIVES_MESSAGES = {
  'archive-nothing': failure<ForRevision>(
    (a) => `After revision ${shortId(a.id)} there is no registry: there is nothing to archive.`,
    'Name another revision: "gridpress log" lists them.',
  ),
  'archive-all-and-some': failure<{ revisions: readonly string[] }>(
    (a) => `Both --all and revisions are named: ${listed(a.revisions)}.`,
    'Leave out --all to archive those alone, or them to archive every one.',
  ),
  'archives-index': failure<{ file: string }>(
    (a) => `${a.file} is no index of archives that this gridpress knows.`,
    'Name another folder, or remove the file: archives that stand there are then made again.',
  ),
  'archive-unreadable': failure<{ file: string; reason: string }>(
    (a) => `The archive ${a.file} cannot be read: ${a.reason}.`,
    'Check that it is there, that you may read it, and that the disk for temporary files has room for it.',
  ),
  'file-of-no-kind': failure<{ file: string }>(
    (a) => `${a.file} is neither an archive nor a bundle of gridpress.`,
    'Name a file that "gridpress archive" or "gridpress bundle" made, or the folder or the URL of a tree.',
  ),
  'archive-unpacked': failure<{ folder: string; tree: string }>(
    (a) => `${a.folder} is an unpacked archive; the tree is in ${a.tree}.`,
    (a) =>
      `gridpress verify ${a.tree} verifies it, and "sha256sum -c manifest-sha256.txt" in ${a.folder} what is beside it.`,
  ),
  'archive-bag': error<{ reason: string }>((a) => `The bag is not as gridpress makes it: ${a.reason}.`, AGAIN),
  'archive-differs': error<{ manifest: string; stated: string; computed: string }>(
    (a) => `The file has the digest ${a.computed}, and ${a.manifest} says ${a.stated}.`,
    AGAIN,
  ),
  'archive-unlisted': error<Record<never, never>>(() => 'The manifest of the bag does not list this file.', AGAIN),
  'archive-missing': error<{ manifest: string }>((a) => `${a.manifest} lists this file, and it is not there.`, AGAIN),
  'archive-compressed': error<{ reason: string }>((a) => `The compressed file is damaged: ${a.reason}.`, AGAIN),
  'archive-index-differs': error<{ what: string; stated: string; found: string }>(
    (a) => `Its ${a.what} is ${a.found}, and archives.json beside it says ${a.stated}.`,
    `${AGAIN} If archives.json is what was altered, make the archive again, which writes both.`,
  ),
} as const;

export const SIGNATURES_MESSAGES = {
  'ssh-keygen': failure<{ reason: string }>(
    (a) => `ssh-keygen cannot be run: ${a.reason}.`,
    'Signatures are made and checked with it: install OpenSSH.',
  ),
  'sign-failed': failure<{ key: string; reason: string }>(
    (a) => `Nothing could be signed with the key ${a.key}: ${a.reason}.`,
    'Name the file of a private key, or that of a public key whose private half an agent has.',
  ),
  'sign-passphrase': failure<{ key: string }>(
    (a) => `The key ${a.key} is protected by a passphrase, and the right one was not given.`,
    (a) => `Type it on a terminal, or load the key into ssh-agent first: ssh-add ${a.key}`,
  ),
  'no-allowed-signers': failure<{ file: string }>(
    (a) => `There is no file of allowed signers at ${a.file}.`,
    'Write one line for each: a name, a space, and the line of the public key (ssh-keygen(1), ALLOWED SIGNERS).',
  ),
  unsigned: error<Record<never, never>>(
    () => 'The manifest has no signature.',
    'Ask whoever published it for a signed one; it is signed by "gridpress build --sign KEY".',
  ),
  'signer-unknown': error<{ allowed: string }>(
    (a) => `The signature of the manifest is by none of the signers in ${a.allowed}, or of another manifest.`,
    'Do not trust it. If the publisher has a new key, get that from the publisher, and not from where the tree is.',
  ),
  'serial-old': error<{ serial: number | undefined; least: number }>(
    (a) =>
      a.serial === undefined
        ? 'The manifest has no serial: the tree was built by an older gridpress.'
        : `The serial of the manifest is ${a.serial}; the least that is accepted is ${a.least}.`,
    'It is an old tree: get the newest one.',
  ),
} as const;

/** Tar files: what cannot be put into one, and what is wrong with one that was read. The place is the entry. */
export const TAR_MESSAGES = {
  'tar-name': failure<{ name: string; reason: string }>(
    (a) => `${a.name} cannot be a name in a tar file: ${a.reason}.`,
    'Shorten or change the uids or the name of the file that it comes from.',
  ),
  'tar-size': failure<{ name: string; size: number }>(
    (a) => `${a.name} has ${grouped(a.size)} bytes, and a file in a tar has 8,589,934,591 at most.`,
    'Leave it out, or make it smaller.',
  ),
  'tar-changed': failure<{ name: string }>(
    (a) => `${a.name} became shorter while it was read.`,
    'Run it again when nothing else writes there.',
  ),
  'tar-damaged': error<{ at: number; reason: string }>(
    (a) => `At byte ${grouped(a.at)} the tar file is not as gridpress writes it: ${a.reason}.`,
    'Fetch or make the file again: a tar that another program wrote is not accepted, even with the same files.',
  ),
} as const;
