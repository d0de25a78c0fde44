import { HIGHEST_SOURCE_LIMITS, type SourceLimits } from '../../platform/limits.ts';
import {
  type ForPath,
  type ForRevision,
  failure,
  formatPath,
  joinNames,
  type NoArguments,
  suggestion,
  warning,
} from '../message.ts';
import { formatCount, megabytes, plural, shortId } from '../words.ts';

const BOUNDED = {
  files: 'files',
  'file-size': 'bytes per file',
  'tree-size': 'bytes in total',
  'directory-files': 'files per folder',
  redirects: 'redirects',
  'header-rules': 'header rules',
  'configuration-size': 'bytes of configuration',
} as const;

type Causes = readonly (readonly [what: string, files: number])[];

/** The message also mentions options, because options on the command line override the settings in the file. */
function fitting({ settings }: { readonly settings: readonly string[] }): string {
  if (settings.length === 0) return 'No settings make the tree fit.';
  return `The tree fits with these lines in gridpress.yaml, in place of other values and options: ${settings.join('; ')}.`;
}

function atLeast({ isComplete }: { readonly isComplete: boolean }): string {
  return isComplete ? '' : 'at least ';
}

function each(causes: Causes): string {
  return causes.map(([what, files]) => `${formatCount(files)} for ${what}`).join(', ');
}

const FREE_SPACE = 'Free some space, or name another folder with --out.';

export const TREE_MESSAGES = {
  'max-files': failure<{
    files: number;
    limit: number;
    /** False if the count stopped before the last file of the tree. */
    isComplete: boolean;
    causes: Causes;
    settings: readonly string[];
  }>(
    (a) =>
      `The tree would have ${atLeast(a)}${plural(a.files, 'file')}, but max_files is ${formatCount(a.limit)}. Nothing was written.`,
    (a) =>
      `${a.isComplete ? 'Files' : 'Files counted so far'}: ${each(a.causes)}. ${fitting(a)} ${a.settings.length === 0 ? 'Raise' : 'Or raise'} max_files.`,
  ),
  'disk-room': failure<{ needed: number; free: number; place: string }>(
    (a) =>
      `The tree needs at least ${megabytes(a.needed)}, but the disk of ${a.place} has only ${megabytes(a.free)} free. Nothing was written.`,
    FREE_SPACE,
  ),
  'disk-files': failure<{ needed: number; free: number; place: string }>(
    (a) =>
      `The tree needs at least ${plural(a.needed, 'new file')}, but the file system of ${a.place} has room for only ${formatCount(a.free)} more. Nothing was written.`,
    FREE_SPACE,
  ),
  'hosts-conflict': failure<{ file: string; hosts: readonly string[] }>(
    (a) => `The hosts ${a.hosts.join(' and ')} need different versions of ${a.file}. Nothing was written.`,
    'Build a separate tree for each host with --host and --out.',
  ),
  'host-limit': failure<{
    host: string;
    of: keyof typeof BOUNDED;
    most: number;
    /** The limit in the paid plans of the host. Set only if this limit is higher than the limit of the free plan. */
    paid?: number;
    source: string;
    found: number;
    isComplete: boolean;
    where: string;
    settings: readonly string[];
  }>(
    (a) =>
      `${a.host} accepts at most ${formatCount(a.most)} ${BOUNDED[a.of]} (${a.source}), but ${a.where} would have ${atLeast(a)}${formatCount(a.found)}. Nothing was written.`,
    (a) =>
      `${fitting(a)}${a.paid === undefined ? '' : ` Paid plans accept ${formatCount(a.paid)}. If you have one, set host_plan to paid in gridpress.yaml.`}`,
  ),
  'unknown-revision': failure<{ given: string; nearest: readonly string[] }>(
    (a) => `There is no revision "${a.given}".`,
    (a) =>
      suggestion(a.nearest.map(shortId), 'Write a date as 2026-03-31, or name a revision: "gridpress log" lists them.'),
  ),
  'unlisted-revision': failure<{
    given: string;
    nearest: readonly string[];
    /** The history start. Undefined if the tree includes the whole history. */
    since: string | undefined;
    url: string;
  }>(
    (a) => `There is no revision "${a.given}" at ${a.url}.`,
    (a) =>
      suggestion(
        a.nearest.map(shortId),
        a.since === undefined
          ? 'Write a date as 2026-03-31, or choose a revision from that URL, which lists all published revisions.'
          : `The history there begins at ${a.since} (history_since). Name a later revision.`,
      ),
  ),
  'ambiguous-revision': failure<{ given: string; found: readonly string[] }>(
    (a) => `"${a.given}" is the beginning of several revisions: ${a.found.map(shortId).join(', ')}.`,
    'Give more digits.',
  ),
  'bad-moment': failure<{ date: string }>(
    (a) => `"${a.date}" is not a date that a revision can have.`,
    'Write a date from 1970 to 9999 with a time and an offset, such as 2026-03-01T12:00:00+01:00.',
  ),
  'bad-date': failure<{ date: string }>(
    (a) => `"${a.date}" is not a date.`,
    'Write it in the form 2026-03-01T12:00:00+01:00, or 2026-03-01 if the day is enough.',
  ),
  'before-history': failure<{ date: string; first: string }>(
    (a) => `The history begins after ${a.date}.`,
    (a) => `Name ${a.first} or a later date.`,
  ),
  'unknown-resource': failure<{ path: string; nearest: readonly string[] }>(
    (a) => `There is no resource "${a.path || '/'}".`,
    (a) => suggestion(a.nearest, 'Use the form sites/SITE/clusters/CLUSTER/nodes/NODE.'),
  ),
  'several-resources': failure<{ given: string; paths: readonly string[] }>(
    (a) => `"${a.given}" names several resources.`,
    (a) => `Name one of them by its path: ${a.paths.join(' or ')}.`,
  ),
  'earlier-name': failure<{ given: string; path: string; name: string; id: string }>(
    (a) => `The node that is called "${a.given}" now was called "${a.name}" at revision ${shortId(a.id)}.`,
    (a) => `If you mean this node, name it by its path: ${a.path}. Otherwise, ask the registry for the older name.`,
  ),
  'resource-not-at': failure<ForPath & ForRevision>(
    (a) => `${formatPath(a.path)} does not exist at revision ${shortId(a.id)}.`,
    (a) => `"gridpress log ${a.path || '/'}" shows when it existed.`,
  ),
  'no-version-at': failure<ForPath & ForRevision>(
    (a) => `The tree has no version link of ${formatPath(a.path)} for revision ${shortId(a.id)}.`,
    'Name a revision that "gridpress log" lists for the resource, or ask the operator for more version links.',
  ),
  'older-revisions': failure<{ from: string; to: string }>(
    (a) =>
      `The comparison of revisions ${shortId(a.from)} and ${shortId(a.to)} needs older revisions, which the tree omits.`,
    'Compare them in the registry, or ask the operator for an earlier start of the history.',
  ),
  'moments-needed': failure<NoArguments>(
    () => 'The comparison needs a revision, a date or a node, because a tree has no unrecorded changes.',
    'Name it, such as: gridpress diff 2026-03-01 --from URL.',
  ),
  'moment-or-resource': failure<{ given: string; moment: string }>(
    (a) => `"${a.given}" is neither a revision nor a date, so it cannot be compared with ${a.moment}.`,
    (a) =>
      `To compare a node with its earlier state, write "gridpress diff ${a.given}@2026-03-01 ${a.given}". To list its changes, write "gridpress diff 2026-03-01 head ${a.given}".`,
  ),
  'at-of-moments': failure<{ from: string; to: string }>(
    (a) => `--at applies to the comparison of two nodes, but ${a.from} and ${a.to} are revisions or dates.`,
    'Omit the option.',
  ),
  'kinds-differ': failure<{ from: string; to: string }>(
    (a) => `${a.from}, but ${a.to}.`,
    'Name two nodes, or two other resources of the same kind.',
  ),
  'collection-not-compared': failure<ForPath>(
    (a) => `${formatPath(a.path)} is a collection. Only its members can be compared.`,
    (a) => `"gridpress diff FROM TO ${a.path}" lists what changed in it between two revisions or dates.`,
  ),
  'output-is-file': failure<{ folder: string }>((a) => `${a.folder} is a file, not a folder.`, 'Name another folder.'),
  'output-not-ours': failure<{ folder: string }>(
    (a) => `${a.folder} was not written by gridpress: it is not empty and has no _manifest.json of gridpress.`,
    'Name another folder, or empty this one yourself.',
  ),
  'output-in-registry': failure<{ folder: string; registry: string }>(
    (a) => `The output ${a.folder} and the registry ${a.registry} overlap.`,
    'Name a folder outside the registry.',
  ),
  'output-in-tree': failure<{ folder: string; tree: string; isTree: boolean }>(
    (a) =>
      `${a.folder} is ${a.isTree ? 'a tree' : `inside the tree ${a.tree}`}. A tree may contain only files that its manifest lists. Nothing was written.`,
    'Name a place outside the tree.',
  ),
  'dev-into-published': failure<{ folder: string; hosts: readonly string[] }>(
    (a) =>
      `${a.folder} contains a tree with the configuration of ${joinNames(a.hosts)}, so a server may serve it. A preview would replace it.`,
    'Name another folder with --out.',
  ),
  'output-not-writable': failure<{ folder: string; reason: string }>(
    (a) => `${a.folder} cannot be written: ${a.reason}.`,
    'Check its permissions, or name another folder.',
  ),
  'build-running': failure<{ folder: string; held: string; pid: number }>(
    (a) => `Another gridpress is writing ${a.folder}${Number.isNaN(a.pid) ? '' : ` (process ${a.pid})`}.`,
    (a) =>
      Number.isNaN(a.pid)
        ? `Wait until it has finished. It can be in another container or on another machine. If no gridpress is running there, remove ${a.held}.`
        : `Wait until it has finished. If that process is not gridpress, remove ${a.held}.`,
  ),
  'lock-not-folder': failure<{ isLink: boolean }>(
    (a) => `${a.isLink ? 'A symbolic link' : 'A file'} is in the place of the folder that gridpress uses as a lock.`,
    'Nothing was written. Remove it.',
  ),
  'stage-unclear': failure<{ place: string; copy: string }>(
    (a) =>
      `An earlier command was interrupted. ${a.place} and its copy ${a.copy} differ, so one of them is incomplete.`,
    'Compare the two folders, and delete the one that is incomplete.',
  ),
  'write-failed': failure<{ file: string; reason: string; kept: boolean }>(
    (a) => `${a.file} cannot be written: ${a.reason}.`,
    (a) => `${a.kept ? 'The existing files are unchanged. ' : ''}Correct the cause, and run the command again.`,
  ),
  'system-error': failure<{ message: string }>(
    (a) => `The operating system reports an error: ${a.message}.`,
    'Check the disk and the limits of the system, such as "ulimit -n". Then run the command again.',
  ),
  'read-failed': failure<{ file: string; reason: string }>(
    (a) => `${a.file} cannot be read: ${a.reason}.`,
    'Check that it exists, and that you may read it.',
  ),
  'too-large': failure<{ file: string; reason: string; limit: keyof SourceLimits | undefined }>(
    (a) => `${a.file} cannot be read: ${a.reason}.`,
    (a) =>
      a.limit === undefined
        ? 'gridpress never writes or needs a file of this size. Check where it comes from.'
        : `Split the file, or raise limits.${a.limit} in gridpress.yaml to at most ${megabytes(HIGHEST_SOURCE_LIMITS[a.limit])}.`,
  ),
  'bad-url': failure<{ url: string }>(
    (a) => `"${a.url}" is not an HTTP URL.`,
    'Use the form https://api.example.org/ or http://127.0.0.1:8080/v1.',
  ),
  'url-login': failure<{ url: string }>(
    (a) => `The URL ${a.url} was given with a user name or a password, which gridpress does not send.`,
    'Omit them. For a Redfish service, use --user and GRIDPRESS_REDFISH_PASSWORD. For an object store, use AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or --profile.',
  ),
  'no-answer': failure<{ url: string; reason: string }>(
    (a) => `${a.url} does not answer: ${a.reason}.`,
    (a) =>
      a.reason.includes('certificate')
        ? 'Check the certificate of the server. If your own authority signed it, set NODE_EXTRA_CA_CERTS to the file with the certificate of this authority.'
        : 'Check the URL, and that the server is running.',
  ),
  'too-many-requests': failure<{ limit: number }>(
    (a) => `The probe needs more than ${formatCount(a.limit)} requests, so it stopped.`,
    'Allow more with --requests.',
  ),
  'unknown-host': failure<{ name: string; known: readonly string[] }>(
    (a) => `Unknown host "${a.name}".`,
    (a) => `Known hosts: ${joinNames(a.known)}.`,
  ),
  'no-api': failure<{ url: string }>(
    (a) => `${a.url} is not the root of the API.`,
    'Name the base URL. Its answer contains "links".',
  ),
  'not-the-root': failure<{ url: string; self: string; root: string }>(
    (a) => `${a.url} is not the root of the API. It is the document ${a.self}.`,
    (a) => `Name the base URL: ${a.root}.`,
  ),
  'no-tree': failure<{ folder: string }>((a) => `There is no tree at ${a.folder}.`, 'Build one: gridpress build.'),
  'tree-set-aside': failure<{ folder: string; held: string }>(
    (a) =>
      `The tree at ${a.folder} is missing, because a command was interrupted while it replaced the tree. The old tree is in ${a.held}.`,
    'Run the interrupted command again as the same user. It restores the old tree first.',
  ),
  'build-damaged': warning<NoArguments>(
    () => 'The file was missing or altered, so gridpress rebuilt the tree.',
    'No action is needed. If nobody altered the file on purpose, find out which program writes there.',
  ),
  'tree-incomplete': failure<{ folder: string; reason: string }>(
    (a) => `The tree at ${a.folder} is not complete: ${a.reason}.`,
    'Rebuild it: gridpress build --force.',
  ),
  'port-taken': failure<{ port: number }>(
    (a) => `Port ${a.port} is already used.`,
    'Stop the program that uses it, or choose another port with --port.',
  ),
  'port-refused': failure<{ host: string; port: number; reason: string }>(
    (a) => `Cannot listen on port ${a.port} of ${a.host}: ${a.reason}.`,
    'Choose another port with --port, or another address with --address.',
  ),
} as const;
