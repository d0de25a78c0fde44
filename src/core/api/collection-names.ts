import { ANY_COLLECTION, READABLE_KINDS } from '../model/kinds.ts';
import { REFERENCE_FOLDER } from './description/description-paths.ts';
import { EXPLORER_FOLDER } from './explorer/explorer-paths.ts';
import { CHANGES, DEEP, LATEST, SNAPSHOTS_PATH, TIMEMAP, VERSIONS } from './urls.ts';

/** These path segments do not name collections, so the segment after one of them is not a uid. */
export const NON_COLLECTION_SEGMENTS = new Set([
  VERSIONS,
  CHANGES,
  DEEP,
  SNAPSHOTS_PATH.slice(1),
  REFERENCE_FOLDER,
  EXPLORER_FOLDER,
]);

const RESERVED_NAMES: readonly string[] = [
  ...NON_COLLECTION_SEGMENTS,
  ...READABLE_KINDS.all.flatMap(({ collection, legacyChildren }) => [
    ...(collection === undefined ? [] : [collection]),
    ...Object.keys(legacyChildren),
  ]),
  ...['self', 'parent', 'version', LATEST, TIMEMAP, 'index'],
];

/** Matches valid collection names of declared kinds. The limit of 39 characters excludes revision identifiers. */
export const COLLECTION_NAME = new RegExp(
  `^(?!(?:${RESERVED_NAMES.filter((name) => name !== ANY_COLLECTION).join('|')})$)[a-z][a-z0-9_]{0,38}$`,
);
