import { HIGHEST_SOURCE_LIMITS, type SourceLimits } from '../../platform/limits.ts';
import { type ForPath, type ForRevision, failure, listed, type Nothing, named, warning } from '../message.ts';
import { grouped, megabytes, plural, shortId } from '../words.ts';

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

type Causes = readonly (readonly [what: string, files: number])[];

function atLeast({ isComplete = true }: { readonly isComplete?: boolean }): string {
  return isComplete ? '' : 'at least ';
}

function each(causes: Causes): string {
  return causes.map(([what, files]) => `${grouped(files)} of ${what}`).join(', ');
}

export const TREE_MESSAGES = {
  'max-files': failure<{
    files: number;
    limit: number;
    /** False where the tree has more files than were counted. */
    isComplete: boolean;
    without: number;
    snapshots: number;
    fits: number;
    hasHistory: boolean;
    hasVersionLinks: boolean;
    hasIndexFiles: boolean;
    hasTimemaps: boolean;
    hasVariants: boolean;
    causes: Causes;
  }>(
    (a) =>
      `The tree would have ${atLeast(a)}${plural(a.files, 'file')}, more than the ${grouped(a.limit)} of max_files; nothing was written.`,
    (a) => {
      const fitting =
        a.without > a.limit
          ? 'still too many'
          : `${a.fits === 0 ? 'none' : `the newest ${grouped(a.fits)}`} of ${plural(a.snapshots, 'snapshot')} would fit`;
      const snapshots = `Without snapshots it has ${grouped(a.without)}; ${fitting}. `;
      const ways = [
        ...(a.snapshots > 0 ? ['set snapshots'] : []),
        ...(a.hasHistory ? ['leave older history out by history.since'] : []),
        ...(a.hasVersionLinks ? ['shorten version_links'] : []),
        ...(a.hasIndexFiles ? ['turn index_files off'] : []),
        ...(a.hasTimemaps ? ['turn timemaps off'] : []),
        ...(a.hasVariants ? ['leave out hosts that take indented or compressed files'] : []),
      ];
      const raised =
        ways.length > 0
          ? `In gridpress.yaml, ${listed(ways)}, or raise max_files.`
          : 'Raise max_files in gridpress.yaml.';
      return `${a.isComplete ? 'They' : 'Those counted'} are ${each(a.causes)}. ${a.snapshots > 0 ? snapshots : ''}${raised}`;
    },
  ),
  'disk-room': failure<{ needed: number; free: number; place: string }>(
    (a) =>
      `The tree needs at least ${megabytes(a.needed)}, and the disk of ${a.place} has ${megabytes(a.free)} left; nothing was written.`,
    'Make room, or name another place with --out.',
  ),
  'disk-files': failure<{ needed: number; free: number; place: string }>(
    (a) =>
      `The tree needs at least ${plural(a.needed, 'file')} of its own, and the file system of ${a.place} takes ${grouped(a.free)} more; nothing was written.`,
    'Make room, or name another place with --out.',
  ),
  'hosts-conflict': failure<{ file: string; hosts: readonly string[] }>(
    (a) => `The hosts ${a.hosts.join(' and ')} each have a ${a.file} of their own; nothing was written.`,
    'Build a tree for each of them, with --host and --out.',
  ),
  'host-limit': failure<{
    host: string;
    of: keyof typeof BOUNDED;
    most: number;
    /** What those may have who pay for more. */
    paid?: number;
    source: string;
    found: number;
    isComplete?: boolean;
    where: string;
    fits: string;
    /** Whether there is history that could be left out. */
    hasHistory: boolean;
  }>(
    (a) =>
      `${a.host} takes at most ${grouped(a.most)} ${BOUNDED[a.of]} (${a.source}); ${a.where} would have ${atLeast(a)}${grouped(a.found)}; nothing was written.`,
    (a) =>
      `What would fit: ${a.fits}.${a.hasHistory ? ' Older history is left out by history.since in gridpress.yaml.' : ''}${a.paid === undefined ? '' : ` Paid plans take ${grouped(a.paid)}: set host_plan to paid in gridpress.yaml if you have one.`}`,
  ),
  'unknown-revision': failure<{ given: string; nearest: readonly string[] }>(
    (a) => `There is no revision ${a.given}.`,
    (a) =>
      a.nearest.length > 0
        ? `Did you mean ${a.nearest.map(shortId).join(' or ')}?`
        : '"gridpress log" lists the revisions.',
  ),
  'unlisted-revision': failure<{
    given: string;
    nearest: readonly string[];
    /** From when on the history is published; undefined where all of it is. */
    since: string | undefined;
    url: string;
  }>(
    (a) => `There is no revision ${a.given} in ${a.url}.`,
    (a) => {
      if (a.nearest.length > 0) return `Did you mean ${a.nearest.map(shortId).join(' or ')}?`;
      return a.since === undefined
        ? 'It lists all that are published.'
        : `The history there begins at ${a.since} (history_since): name a later one.`;
    },
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
  'several-resources': failure<{ given: string; paths: readonly string[] }>(
    (a) => `Several resources are called ${a.given}.`,
    (a) => `Name one of them by its path: ${a.paths.join(' or ')}.`,
  ),
  'resource-not-at': failure<ForPath & ForRevision>(
    (a) => `${named(a.path)} does not exist at revision ${shortId(a.id)}.`,
    (a) => `"gridpress log ${a.path || '/'}" shows when it did.`,
  ),
  'moment-or-resource': failure<{ given: string; moment: string }>(
    (a) => `"${a.given}" is neither a revision nor a date, so nothing can be compared with ${a.moment}.`,
    (a) =>
      `For a node then and now, write "gridpress diff ${a.given}@2026-03-01 ${a.given}"; for what changed of it, "gridpress diff 2026-03-01 head ${a.given}".`,
  ),
  'at-of-moments': failure<{ from: string; to: string }>(
    (a) => `--at says when two nodes are compared, but ${a.from} and ${a.to} are moments.`,
    'Leave it out.',
  ),
  'kinds-differ': failure<{ from: string; to: string }>(
    (a) => `${a.from}, but ${a.to}.`,
    'Name two nodes, or two resources of another kind.',
  ),
  'collection-not-compared': failure<ForPath>(
    (a) => `${named(a.path)} is a collection: what can be compared are its members.`,
    (a) => `"gridpress diff FROM TO ${a.path}" tells what changed in it between two moments.`,
  ),
  'output-is-file': failure<{ folder: string }>((a) => `${a.folder} is a file, not a folder.`, 'Name another folder.'),
  'output-not-ours': failure<{ folder: string }>(
    (a) => `${a.folder} was not written by gridpress: it is not empty and has no _manifest.json of ours.`,
    'Name another folder, or empty this one yourself.',
  ),
  'output-in-registry': failure<{ folder: string; registry: string }>(
    (a) => `The output ${a.folder} and the registry ${a.registry} lie inside each other.`,
    'Name a folder outside with --out.',
  ),
  'output-in-tree': failure<{ folder: string; tree: string; isTree: boolean }>(
    (a) =>
      `${a.folder} ${a.isTree ? 'is a tree' : `lies in the tree ${a.tree}`}, where nothing may be that its manifest does not list; nothing was written.`,
    'Name a place outside of it.',
  ),
  'output-not-writable': failure<{ folder: string; reason: string }>(
    (a) => `${a.folder} cannot be written: ${a.reason}.`,
    'Check its permissions, or name another folder.',
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
  'out-of-memory': failure<Nothing>(
    () => 'The memory that Node.js may take is not enough.',
    'Allow it more, in MB: NODE_OPTIONS=--max-old-space-size=4096.',
  ),
  'read-failed': failure<{ file: string; reason: string }>(
    (a) => `${a.file} cannot be read: ${a.reason}.`,
    'Check that it is there and that you may read it.',
  ),
  'too-large': failure<{ file: string; reason: string; limit: keyof SourceLimits | undefined }>(
    (a) => `${a.file} cannot be read: ${a.reason}.`,
    (a) =>
      a.limit === undefined
        ? 'Nothing that gridpress writes or needs is as large: look where it comes from.'
        : `Take it apart, or raise limits.${a.limit} in gridpress.yaml, to ${megabytes(HIGHEST_SOURCE_LIMITS[a.limit])} at the most.`,
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
  'not-the-root': failure<{ url: string; self: string; root: string }>(
    (a) => `${a.url} is not the root of the API, but ${a.self} in it.`,
    (a) => `Name the base URL: ${a.root}.`,
  ),
  'no-tree': failure<{ folder: string }>((a) => `There is no tree at ${a.folder}.`, 'Make one: gridpress build.'),
  'build-damaged': warning<Nothing>(
    () => 'The file was missing or had been altered since the tree was built: the tree was built anew.',
    'Nothing needs to be done. Where nobody altered it on purpose, find out what writes there.',
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
} as const;
