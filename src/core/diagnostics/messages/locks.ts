import { error, type ForUrl, failure, listed, type Nothing } from '../message.ts';
import { grouped, plural, shortId } from '../words.ts';

export const LOCKS_MESSAGES = {
  'unknown-node': failure<{ given: string; nearest: readonly string[] }>(
    (a) => `There is no node ${a.given}.`,
    (a) =>
      a.nearest.length > 0
        ? `Did you mean ${a.nearest.join(' or ')}?`
        : 'Name it by its path, its uid or its node_name.',
  ),
  'ambiguous-node': failure<{ given: string; found: readonly string[] }>(
    (a) => `${plural(a.found.length, 'node')} are called ${a.given}: ${listed(a.found)}.`,
    // Uids that are names say which node it is in its cluster alone.
    (a) =>
      a.found.every((path) => path.endsWith(`/${a.given}`))
        ? 'Name the one by its path.'
        : 'Name the one by its path or its uid.',
  ),
  'no-source': failure<{
    place: string;
    /** The registry in a project's folder. */
    meant: string | undefined;
  }>(
    (a) => `${a.place} is neither a base URL nor the folder of a tree or a registry.`,
    (a) =>
      a.meant === undefined
        ? 'Name a URL like https://api.example.org/, a folder that gridpress build has made, or a registry.'
        : `Did you mean ${a.meant}?`,
  ),
  'lock-not-json': error<Nothing>(
    () => 'The lock is no JSON object.',
    'Restore it: a lock is a proof, and only gridpress writes it.',
  ),
  'lock-newer': error<{ version: number; known: number }>(
    (a) => `The lock has the format ${a.version}; this gridpress knows formats up to ${a.known}.`,
    'Verify it with a newer gridpress.',
  ),
  'not-verified': failure<Nothing>(
    () => 'The lock could not be verified.',
    'This says nothing about the nodes: mend the above and verify it again.',
  ),
  'site-moved': failure<ForUrl & { from: string; to: string }>(
    (a) =>
      `${a.url} reflects the revision ${shortId(a.to)}, but what was read before it ${shortId(a.from)}: twice something new was published meanwhile.`,
    'Run it again when the new tree is published as a whole and caches have let go of the old one.',
  ),
  'site-dead-link': failure<ForUrl>(
    (a) => `${a.url} is not there, though it is linked to.`,
    'Check the base URL, and that the whole tree is published.',
  ),
  'site-status': failure<ForUrl & { status: number }>(
    (a) => `${a.url} answers with the status ${a.status}.`,
    'Check the base URL and that the service is well.',
  ),
  'site-busy': failure<ForUrl & { seconds: number }>(
    (a) => `${a.url} asks to be left alone for ${plural(a.seconds, 'second')}.`,
    'Run it again after that.',
  ),
  'site-not-json': failure<ForUrl>(
    (a) => `${a.url} does not answer with a JSON object.`,
    'Check the base URL, and that no login or error page stands before the service.',
  ),
  'site-shape': failure<ForUrl & { lacks: string }>(
    (a) => `${a.url} lacks ${a.lacks}.`,
    'Check the base URL: this is not what the API answers.',
  ),
  'site-incomplete': failure<ForUrl & { items: number; total: number }>(
    (a) => `${a.url} holds ${grouped(a.items)} of ${plural(a.total, 'item')}.`,
    'Only services that give a collection as a whole can be read.',
  ),
  'site-other-origin': failure<ForUrl & { target: string }>(
    (a) => `${a.url} leads to ${a.target}, which is on another server.`,
    'If that is where the API is now, name it as the base URL.',
  ),
  'site-redirects': failure<ForUrl>((a) => `${a.url} redirects again and again.`, "Correct the host's redirects."),
  'site-requests': failure<{ limit: number }>(
    (a) => `More than ${plural(a.limit, 'request')} would be needed; it stopped.`,
    'Allow more with --limit, or lock fewer nodes.',
  ),
} as const;
