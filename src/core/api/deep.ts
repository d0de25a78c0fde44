/**
 * Renders deep documents, which nest an item with all its descendants, as older services do for `?deep=1`. A collection
 * is a map by uid if its items have children. Other collections are lists. Bodies have no `version` and no `links`.
 */

import type { JsonObject } from '../model/json.ts';
import { collectionOf, itemOf, lastSegment, type Subject } from '../model/resource-path.ts';
import { membersOf, type ResourceState } from '../model/state.ts';
import { assertDefined } from '../platform/lookups.ts';
import { type Link, toItem } from './dialect.ts';
import { sourceText, type View } from './item.ts';
import { documentEnd } from './publication.ts';
import { DEEP, deepUrl, resourceUrl } from './urls.ts';

/** Yields the JSON text of a deep document. A response with too many items contains only the limit and links. */
export function* renderDeep(view: View, item: Subject, resource: ResourceState): Generator<string> {
  const { publication, index } = view;
  const { maxItems } = publication.deep;
  const found = itemsBelow(item, resource);
  if (found > maxItems) yield `{"too_large":{"most":${maxItems},"found":${found}}`;
  else {
    yield `{"total":${fieldsOf(view, item, resource)},"offset":0,"items":`;
    yield* nestedTexts(view, item, resource);
  }
  yield documentEnd(publication, index, deepLinks(view, item, resource));
}

/** Returns the `total` of a deep document: the number of fields in `items`. Older services count the same way. */
function fieldsOf({ publication }: View, item: Subject, { body, collections }: ResourceState): number {
  const own: JsonObject = JSON.parse(publication.store.get(body.handle));
  return new Set([...Object.keys(own), ...namesOf(collectionsIn(item, { collections }))]).size;
}

function itemsBelow(item: Subject, resource: ResourceState): number {
  let found = 0;
  for (const collection of collectionsIn(item, resource))
    for (const [member, state] of membersIn(collection, resource)) found += 1 + itemsBelow(member, state);
  return found;
}

function* nestedTexts(view: View, item: Subject, resource: ResourceState): Generator<string> {
  const collections = collectionsIn(item, resource);
  const json = view.publication.store.get(resource.body.handle);
  if (collections.length === 0) {
    yield json;
    return;
  }
  let before = sourceText(json, namesOf(collections));
  for (const collection of collections) {
    const holdsOthers = collection.kind.children.length > 0;
    const [open, close] = holdsOthers ? '{}' : '[]';
    yield `${before}${before === '{' ? '' : ','}"${lastSegment(collection.path)}":${open}`;
    let isFirst = true;
    for (const [member, state] of membersIn(collection, resource)) {
      const comma = isFirst ? '' : ',';
      yield holdsOthers ? `${comma}"${lastSegment(member.path)}":` : comma;
      yield* nestedTexts(view, member, state);
      isFirst = false;
    }
    before = assertDefined(close);
  }
  yield `${before}}`;
}

function namesOf(collections: readonly Subject[]): string[] {
  return collections.map(({ path }) => lastSegment(path));
}

function collectionsIn(item: Subject, { collections }: Pick<ResourceState, 'collections'>): Subject[] {
  return item.kind.children
    .filter((kind) => !kind.onlyIfAny || collections.has(assertDefined(kind.collection)))
    .map((kind) => collectionOf(item, kind));
}

function* membersIn(collection: Subject, holder: ResourceState): Generator<[member: Subject, state: ResourceState]> {
  for (const [uid, state] of membersOf(holder, lastSegment(collection.path)).entries())
    yield [itemOf(collection, uid), state];
}

/**
 * Returns links to the item and to the deep documents of its children. Only kinds with child kinds have deep documents.
 */
function deepLinks({ base }: View, item: Subject, resource: ResourceState): Link[] {
  const below = collectionsIn(item, resource)
    .filter(({ kind }) => kind.children.length > 0)
    .flatMap((collection) => [...membersIn(collection, resource)]);
  return [
    toItem('self', deepUrl(item.path, base)),
    toItem('parent', resourceUrl(item.path, base)),
    ...below.map(([{ path }]) => toItem(DEEP, deepUrl(path, base))),
  ];
}
