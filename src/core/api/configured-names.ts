/** What may stand before every path of the API. */

import { type Finding, finding, type Place } from '../diagnostics/finding.ts';
import { type DeclaredKind, KINDS, type Kinds } from '../model/kinds.ts';
import { withoutTrailing } from '../platform/text.ts';
import { COLLECTION_NAME, NO_COLLECTIONS } from './collection-names.ts';
import { DESCRIPTION_ROWS } from './description/description-paths.ts';
import { NODES_PATH } from './nodes/node-paths.ts';
import { EXPORTS_FOLDER } from './urls.ts';

const segmentOf = (path: string) => path.split('/')[1] ?? '';

/** With what paths begin besides the collections of the grid: the first names of all endpoints, without loading their table. */
const OWN_NAMES: readonly string[] = [
  ...NO_COLLECTIONS,
  EXPORTS_FOLDER,
  ...[NODES_PATH, ...DESCRIPTION_ROWS.map(([template]) => template)].map(segmentOf),
];

/** The name of an API with which a base path begins: what follows would be the one and the other. */
export function nameTaken(basePath: string, kinds: Kinds): string | undefined {
  const name = segmentOf(basePath);
  const { children, legacyChildren } = kinds.grid;
  const below = [...children.map(({ collection }) => collection), ...Object.keys(legacyChildren)];
  return [...below, ...OWN_NAMES].includes(name) ? name : undefined;
}

/** What is wrong with a base URL: hosts and ports that no URL has, and a path that is not the base path. */
export function baseUrlFinding(url: string, basePath: string): Finding | undefined {
  const spelled = URL.canParse(url) ? withoutTrailing(new URL(url).href, '/') : undefined;
  if (spelled !== url) return finding('base-url', { url, spelled });
  const path = withoutTrailing(new URL(url).pathname, '/');
  return path === basePath ? undefined : finding('base-url-path', { url, path, basePath });
}

/** `placeOf` tells where a field of the kind at an index stands. */
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
