/** Checks of configured names: the base path, the base URL and declared kinds. */

import { type Finding, finding, type Place } from '../diagnostics/finding.ts';
import { type DeclaredKind, KINDS, type Kinds } from '../model/kinds.ts';
import { withoutTrailing } from '../platform/text.ts';
import { COLLECTION_NAME, NON_COLLECTION_SEGMENTS } from './collection-names.ts';
import { DESCRIPTION_ROWS } from './description/description-paths.ts';
import { NODES_PATH } from './nodes/node-paths.ts';
import { EXPORTS_FOLDER } from './urls.ts';

const segmentOf = (path: string) => path.split('/')[1] ?? '';

/**
 * All first segments of API paths, except the names of collections. With this list, commands check names without
 * loading the endpoint table.
 */
const API_SEGMENTS: readonly string[] = [
  ...NON_COLLECTION_SEGMENTS,
  EXPORTS_FOLDER,
  ...[NODES_PATH, ...DESCRIPTION_ROWS.map(([template]) => template)].map(segmentOf),
];

/** Returns the base path's first segment if API paths can also begin with it. Such URLs would be ambiguous. */
export function reservedSegmentOf(basePath: string, kinds: Kinds): string | undefined {
  const name = segmentOf(basePath);
  const { children, legacyChildren } = kinds.grid;
  const below = [...children.map(({ collection }) => collection), ...Object.keys(legacyChildren)];
  return [...below, ...API_SEGMENTS].includes(name) ? name : undefined;
}

/** Reports a base URL that is not normalized, or whose path differs from the base path. */
export function baseUrlFinding(url: string, basePath: string): Finding | undefined {
  const spelled = URL.canParse(url) ? withoutTrailing(new URL(url).href, '/') : undefined;
  if (spelled !== url) return finding('base-url', { url, spelled });
  const path = withoutTrailing(new URL(url).pathname, '/');
  return path === basePath ? undefined : finding('base-url-path', { url, path, basePath });
}

/**
 * `placeOf` returns the place of a field of a declared kind in the configuration. `index` is the position of this kind
 * in `declared`.
 */
export function declaredKindFindings(
  declared: readonly DeclaredKind[],
  placeOf: (index: number, field: 'name' | 'collection') => Place,
): Finding[] {
  const names = new Set(KINDS.all.map(({ name }) => name));
  const collections = new Set<string>();
  return declared.flatMap(({ name, collection }, i) => {
    const isNameTaken = names.has(name);
    const isCollectionTaken = collections.has(collection) || !COLLECTION_NAME.test(collection);
    names.add(name);
    collections.add(collection);
    return [
      ...(isNameTaken ? [finding('kind-taken', { what: 'kind', name }, placeOf(i, 'name'))] : []),
      ...(isCollectionTaken
        ? [finding('kind-taken', { what: 'collection', name: collection }, placeOf(i, 'collection'))]
        : []),
    ];
  });
}
