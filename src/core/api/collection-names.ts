/** What collections can be called: a registry's own kinds have names of their owner's choice, beside those of the API. */
import { ANY_COLLECTION, READABLE_KINDS } from '../model/kinds.ts';
import { DEEP } from './deep-and-badge-paths.ts';
import { REFERENCE_FOLDER } from './description/description-paths.ts';
import { EXPLORER_FOLDER } from './explorer/explorer-paths.ts';
import { CHANGES, LATEST, SNAPSHOTS_PATH, TIMEMAP, VERSIONS } from './urls.ts';

/** What stands where collections do, and has no uids behind it. */
export const NO_COLLECTIONS = new Set([
  VERSIONS,
  CHANGES,
  DEEP,
  SNAPSHOTS_PATH.slice(1),
  REFERENCE_FOLDER,
  EXPLORER_FOLDER,
]);

/** What stands where collections do, or is called like a link of another meaning. */
const RESERVED_NAMES: readonly string[] = [
  ...NO_COLLECTIONS,
  ...READABLE_KINDS.all.flatMap(({ collection, legacyChildren }) => [
    ...(collection === undefined ? [] : [collection]),
    ...Object.keys(legacyChildren),
  ]),
  ...['self', 'parent', 'version', LATEST, TIMEMAP, 'index'],
];

/** What the collections of a registry's own kind can be called. A name of 40 characters could be a revision. */
export const COLLECTION_NAME = new RegExp(
  `^(?!(?:${RESERVED_NAMES.filter((name) => name !== ANY_COLLECTION).join('|')})$)[a-z][a-z0-9_]{0,38}$`,
);
