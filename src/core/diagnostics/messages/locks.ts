import { error, type ForUrl, failure, joinNames, type NoArguments, suggestion, warning } from '../message.ts';
import { formatCount, plural, shortId, truncated } from '../words.ts';

const HOST_FILES = {
  oar: {
    expected: 'JSON of an OAR job with its nodes',
    source: 'Save the job with "oarstat -fj JOB -J", or its document of the Grid\'5000 API.',
    empty: 'The job has no nodes.',
    later: 'A job gets its nodes when it starts. Save the job again after its start.',
  },
  manifest: {
    expected: 'a manifest RSpec',
    source: 'Download the manifest of the running experiment. A request or an advertisement is not enough.',
    empty: 'The RSpec has no nodes.',
    later: 'Download the manifest again when the experiment runs.',
  },
  lease: {
    expected: 'JSON of a lease, of allocations or of hosts',
    source: 'Save the output of "openstack reservation lease show LEASE -f json".',
    empty: 'The files contain no allocation of the lease.',
    later:
      'A lease does not name its hosts. Save "openstack reservation allocation list host -f json" during the lease, and name this file with --from-lease as well.',
  },
  hosts: {
    expected: 'a list of hosts',
    source: 'Write one host name or uid per line.',
    empty: 'The file names no hosts.',
    later: 'Write one host name or uid per line.',
  },
} as const;

const OTHER_FILES = {
  manifest: 'XML',
  oar: 'JSON of an OAR job',
  lease: 'JSON of a lease, of allocations or of hosts',
  lock: 'a lock file',
  list: 'a list',
} as const;

/** Names in files can have any length. */
const shown = (name: string) => truncated(name, 200);

/** The maximum number of names in a message. */
const MOST_NAMES = 20;

function someNames(names: readonly string[]): string {
  const first = names.slice(0, MOST_NAMES).map((name) => `"${shown(name)}"`);
  const rest = names.length - first.length;
  return `${first.join(', ')}${rest > 0 ? ` and ${formatCount(rest)} more` : ''}`;
}

function mismatch({ unknown, ambiguous }: { unknown: number; ambiguous: number }): string {
  const isOne = unknown + ambiguous === 1;
  const found = [...(unknown > 0 ? ['no node'] : []), ...(ambiguous > 0 ? ['several nodes'] : [])];
  return `${isOne ? 'matches' : 'match'} ${found.join(' or ')}`;
}

/** Why `lock --skip-unknown` skips hosts. */
const SKIPPED = {
  unknown: { what: (count: number) => `${plural(count, 'host')} without a node`, fix: '' },
  ambiguous: {
    what: (count: number) => `${plural(count, 'host')} that ${count === 1 ? 'matches' : 'match'} several nodes`,
    fix: ' To lock such a host, name its node as well, by its path or its uid.',
  },
  unbound: { what: (count: number) => `${plural(count, 'node')} without a component_id`, fix: '' },
} as const;

interface ForHostFile {
  format: keyof typeof HOST_FILES;
}

const RESTORE_LOCK = 'Restore the file. Only gridpress can write a lock file.';

export const LOCKS_MESSAGES = {
  'unknown-node': failure<{
    given: string;
    nearest: readonly string[];
    at?: string | undefined;
    /** Whether the user can name an earlier state, which may have contained the node. */
    canBeEarlier?: boolean;
    /** The paths of nodes that have the same name as the host, but belong to other sites. */
    elsewhere?: readonly string[];
  }>(
    (a) => `There is no node "${shown(a.given)}"${a.at === undefined ? '' : ` at revision ${shortId(a.at)}`}.`,
    (a) => {
      const { elsewhere = [] } = a;
      if (elsewhere.length > 0)
        return `The domain names a site. Another site has a node with this name: ${joinNames(elsewhere)}.`;
      if (/[=<>'"]/.test(a.given)) return 'To lock the nodes of a query, run: gridpress find QUERY --lock FILE.';
      const earlier = a.canBeEarlier ? ' If the node was renamed or removed, add --at with an earlier date.' : '';
      return `${suggestion(a.nearest, 'Name it by its path, its uid or its node_name.')}${earlier}`;
    },
  ),
  'unknown-hosts': failure<{ names: readonly string[] }>(
    (a) => `There are no nodes ${someNames(a.names)}.`,
    'Name each host by its path, its uid, its node_name or its host name.',
  ),
  'hosts-not-locked': failure<{
    unknown: number;
    ambiguous: number;
    total: number;
    /** The day of the job. Set only if the source has a newer revision of the nodes. */
    day: string | undefined;
  }>(
    (a) =>
      `${formatCount(a.unknown + a.ambiguous)} of ${plural(a.total, 'host')} in the files ${mismatch(a)}, so nothing was locked.`,
    (a) => {
      const skip = a.unknown + a.ambiguous < a.total ? ['To lock only the other hosts, add --skip-unknown.'] : [];
      const at =
        a.day === undefined
          ? []
          : [`The files have the date ${a.day}. If nodes were renamed or removed since then, add --at ${a.day}.`];
      const correct =
        a.unknown === 0
          ? 'Name the nodes by their paths or uids.'
          : 'Correct the names, or name the registry of these hosts with --from.';
      return [...at, ...skip].join(' ') || correct;
    },
  ),
  'hosts-skipped': warning<{ reason: keyof typeof SKIPPED; names: readonly string[] }>(
    (a) => `Skipped ${SKIPPED[a.reason].what(a.names.length)}: ${someNames(a.names)}.`,
    (a) => {
      const those = a.names.length === 1 ? 'this host' : 'these hosts';
      const all = a.names.length > MOST_NAMES ? ' --json lists all skipped hosts.' : '';
      return `The lock file does not contain ${those}.${SKIPPED[a.reason].fix}${all}`;
    },
  ),
  'hosts-earlier': warning<{ day: string; end: string; revision: string }>(
    (a) => `The hosts were in use until ${a.end}, but the lock file contains the nodes as of ${a.revision}.`,
    (a) => `The nodes can have changed in the meantime. To lock them as of the first day, add --at ${a.day}.`,
  ),
  'host-domain': warning<{ domain: string; hosts: readonly string[]; sites: readonly string[] }>(
    (a) =>
      `The domain "${a.domain}" names no site of the registry, but ${someNames(a.hosts)} ${a.hosts.length === 1 ? 'is' : 'are'} locked as ${a.hosts.length === 1 ? 'a node' : 'nodes'} of ${a.sites.map((site) => `"${site}"`).join(', ')}.`,
    'Check that these hosts are nodes of this registry. If they belong to another testbed, name its registry with --from.',
  ),
  'ambiguous-node': failure<{ given: string; found: readonly string[] }>(
    (a) => `"${shown(a.given)}" names ${plural(a.found.length, 'node')}: ${joinNames(a.found)}.`,
    // Adds the cluster to the name, because two clusters can contain nodes with the same name.
    (a) =>
      a.found.every((path) => path.endsWith(`/${a.given}`))
        ? 'Name one of them by its path.'
        : 'Name one of them by its path or its uid.',
  ),
  'nodes-format': failure<ForHostFile>(
    (a) => `The file is not ${HOST_FILES[a.format].expected}.`,
    (a) => HOST_FILES[a.format].source,
  ),
  'nodes-none': failure<ForHostFile>(
    (a) => HOST_FILES[a.format].empty,
    (a) => HOST_FILES[a.format].later,
  ),
  'hosts-left-out': warning<{ format: 'oar' | 'lease'; id: string }>(
    (a) =>
      `The files contain no hosts of the ${a.format === 'oar' ? 'job' : 'lease'} "${shown(a.id)}". Its hosts are not locked.`,
    (a) => HOST_FILES[a.format].later,
  ),
  'hosts-list': failure<{ list: string; most: number }>(
    (a) => `The host list "${a.list}" cannot be read, or the lists have more than ${formatCount(a.most)} hosts.`,
    'Write one host name or uid per line, or a list of Slurm, such as "c[01-03,07],gpu5".',
  ),
  'hosts-many': failure<{ most: number }>(
    (a) => `The file has more than ${formatCount(a.most)} lines.`,
    'Write each host once.',
  ),
  'hosts-other-file': failure<{ format: keyof typeof OTHER_FILES | undefined; path: string }>(
    (a) => `The file is ${a.format === undefined ? 'JSON' : OTHER_FILES[a.format]}, not a list of hosts.`,
    (a) => {
      if (a.format === undefined || a.format === 'list') return HOST_FILES.hosts.source;
      if (a.format === 'lock') return `To verify its nodes, run: gridpress verify-lock ${a.path}`;
      return `To lock its nodes, run: gridpress lock --from-${a.format} ${a.path}`;
    },
  ),
  'hosts-not-text': failure<ForHostFile>(
    () => 'The file is not a text file.',
    (a) => HOST_FILES[a.format].source,
  ),
  'rspec-xml': failure<{ problem: string }>(
    (a) => `The RSpec cannot be read: ${a.problem}.`,
    'Download the manifest again. It must be XML without a document type declaration.',
  ),
  'rspec-request': failure<NoArguments>(
    () => 'No node of the RSpec has a component_id.',
    'A request does not name its machines. Download the manifest of the running experiment.',
  ),
  'rspec-unbound': failure<{ node: string }>(
    (a) => `The node "${shown(a.node)}" has no component_id.`,
    'The manifest does not name its machine. Download the manifest again when the experiment runs.',
  ),
  'lease-several': failure<{ count: number }>(
    (a) => `The allocations belong to ${plural(a.count, 'lease')}.`,
    'Save "openstack reservation lease show LEASE -f json", and name this file with --from-lease as well.',
  ),
  'lease-hosts': failure<{ ids: readonly string[] }>((a) => {
    const s = a.ids.length === 1 ? '' : 's';
    return `The lease has the host${s} ${joinNames(a.ids.map(shown))}, but no file has the name${s}.`;
  }, 'Save "openstack reservation host list -f json", and name this file with --from-lease as well.'),
  'no-source': failure<{
    place: string;
    /** The path of the registry in the project folder, if the user probably meant this path. */
    meant: string | undefined;
  }>(
    (a) => `"${a.place}" is neither a base URL nor the folder of a tree or a registry.`,
    (a) =>
      suggestion(
        a.meant === undefined ? [] : [a.meant],
        'Name a URL such as https://api.example.org/, a folder that "gridpress build" wrote, or a registry. Unpack an archive first, and apply a bundle first. If a lock file names this place, add --against.',
      ),
  ),
  'config-unused': failure<{ config: string; place: string }>(
    (a) => `--config ${a.config} has no effect on ${a.place}, which was built with its own configuration.`,
    'Leave out --config, or read a registry.',
  ),
  'lock-no-nodes': error<{ file: string }>(
    (a) => `No node matches. ${a.file} was not written.`,
    'Change the query, or name nodes with "gridpress lock".',
  ),
  'lock-not-json': failure<NoArguments>(() => 'The lock file is not a JSON object.', RESTORE_LOCK),
  'lock-invalid': failure<NoArguments>(() => 'The lock file contains invalid values.', RESTORE_LOCK),
  'lock-other-file': failure<{
    file: string;
    /** The option of `lock` that reads this file. */
    option: string | undefined;
  }>(
    (a) => `${a.file} is not a lock file.`,
    (a) =>
      a.option === undefined
        ? 'Name a file that "gridpress lock" wrote. To write one, run: gridpress lock NODE... -o experiment.lock.json'
        : `To lock its nodes, run: gridpress lock ${a.option} ${a.file} -o experiment.lock.json`,
  ),
  'lock-newer': failure<{ version: number; known: number }>(
    (a) => `The lock file has the format ${a.version}. This version of gridpress knows formats up to ${a.known}.`,
    'Verify it with a newer version of gridpress.',
  ),
  'setup-node': failure<{ path: string; revision: string }>(
    (a) => `The lock file contains ${a.path}, which the source does not have at revision ${shortId(a.revision)}.`,
    'With --against, name the URL or the folder from which the nodes were locked.',
  ),
  'lock-later': warning<{ place: string; locked: string; shown: string }>(
    (a) => `The lock file is of ${a.locked}. ${a.place} is older: it shows the nodes of ${a.shown}.`,
    'A node that seems removed may not have existed yet. Verify against a newer copy of the registry.',
  ),
  'lock-moved': warning<{ count: number; from: string; to: string }>(
    (a) =>
      `${plural(a.count, 'removed node')} ${a.count === 1 ? 'has' : 'have'} another path now, but the same fields. For example, ${a.from} is now ${a.to}.`,
    'Somebody moved the nodes, or renamed their site or cluster. Lock them again to verify them at the new paths.',
  ),
  'lock-elsewhere': warning<{ place: string }>(
    (a) => `${a.place} has neither the locked nodes nor a history of them.`,
    'If it is the registry of another testbed, name the right place with --against.',
  ),
  'lock-contradiction': error<{ names: readonly string[]; place: string; id: string }>(
    (a) =>
      `The lock file and ${a.place} have the same revision ${shortId(a.id)}, but differ in ${someNames(a.names)}. One of the two was altered.`,
    'Restore the lock file from your results, or verify it against another copy of the registry.',
  ),
  'not-verified': failure<NoArguments>(
    () => 'The lock file could not be verified.',
    'The nodes may still be the same. Correct the errors above, and verify again.',
  ),
  'site-moved': failure<ForUrl & { from: string; to: string }>(
    (a) =>
      `${a.url} has the revision ${shortId(a.to)}, but earlier answers had ${shortId(a.from)}: new trees were published twice in the meantime.`,
    'Run the command again when the new tree is completely published and caches no longer serve the old one.',
  ),
  'site-dead-link': failure<ForUrl>(
    (a) => `${a.url} does not exist, although another document links to it.`,
    'Check the base URL, and that the whole tree is published.',
  ),
  'site-status': failure<ForUrl & { status: number }>(
    (a) => `${a.url} answers with the status ${a.status}.`,
    'Check the base URL, and that the service works.',
  ),
  'site-busy': failure<ForUrl & { seconds: number }>(
    (a) => `${a.url} asks clients to wait for ${plural(a.seconds, 'second')}.`,
    'Run the command again after that time.',
  ),
  'site-not-json': failure<ForUrl>(
    (a) => `${a.url} does not answer with a JSON object.`,
    'Check the base URL. A login page or an error page may answer instead of the service.',
  ),
  'site-shape': failure<ForUrl & { lacks: string }>(
    (a) => `${a.url} lacks ${a.lacks}.`,
    'Check the base URL. This is not an answer of the API.',
  ),
  'site-incomplete': failure<ForUrl & { items: number; total: number }>(
    (a) => `${a.url} contains ${formatCount(a.items)} of ${plural(a.total, 'item')}.`,
    'gridpress can read only services that answer with whole collections.',
  ),
  'site-other-origin': failure<ForUrl & { target: string }>(
    (a) => `${a.url} refers to ${a.target}, which is on another server.`,
    'If the API has moved there, name that URL as the base URL.',
  ),
  'site-redirects': failure<ForUrl>((a) => `${a.url} redirects too often.`, 'Correct the redirects of the host.'),
  'site-requests': failure<{ limit: number }>(
    (a) => `The command needs more than ${plural(a.limit, 'request')}, so it stopped.`,
    'Allow more with --requests, or lock fewer nodes.',
  ),
} as const;
