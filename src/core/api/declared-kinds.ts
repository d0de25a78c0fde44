/** What kinds that a registry declares must keep, beyond the schema of the configuration: their names are their own. */
import { type Finding, finding, type Place } from '../diagnostics/finding.ts';
import { type DeclaredKind, KINDS } from '../model/kinds.ts';
import { COLLECTION_NAME } from './collection-names.ts';

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
