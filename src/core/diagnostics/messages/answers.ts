import { error, type ForLink, type ForUrl, failure, listed } from '../message.ts';
import { shortId } from '../words.ts';

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
