/**
 * An item with all that is below it in one response, nested as older services of this family nest it for `?deep=1`: its
 * fields and its collections are in `items`, in which items that hold others stand by their uids, and those that hold
 * none in lists. Bodies are as their sources have them, without versions and links of their own.
 */

import type { JsonObject } from '../model/json.ts';
import { collectionOf, itemOf, lastSegment, type Subject } from '../model/resource-path.ts';
import { membersOf, type ResourceState } from '../model/state.ts';
import { certain } from '../platform/certain.ts';
import { DEEP, deepUrl } from './deep-and-badge-paths.ts';
import type { Link } from './dialect.ts';
import { sourceText, type View } from './item.ts';
import { idAt } from './publication.ts';
import { resourceUrl } from './urls.ts';

/**
 * The JSON text of it, in parts. Where there is more below than the registry wants in one response, it says so, and where the
 * parts are.
 */
export function* renderDeep(view: View, item: Subject, resource: ResourceState): Generator<string> {
  const { publication, index } = view;
  const { maxItems } = publication.deep;
  const found = itemsBelow(item, resource);
  if (found > maxItems) yield `{"too_large":{"most":${maxItems},"found":${found}}`;
  else {
    yield `{"total":${fieldsOf(view, item, resource)},"offset":0,"items":`;
    yield* nestedTexts(view, item, resource);
  }
  const links = publication.dialect.links(deepLinks(view, item, resource));
  yield `,"version":"${idAt(publication, index)}","links":${links}}`;
}

/** How many fields `items` has, which is what those services give as `total`. */
function fieldsOf({ publication }: View, item: Subject, { body, collections }: ResourceState): number {
  const own: JsonObject = JSON.parse(publication.store.get(body.handle));
  return new Set([...Object.keys(own), ...namesOf(collectionsIn(item, { collections }))]).size;
}

/** How many items are below one. */
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
    before = certain(close);
  }
  yield `${before}}`;
}

function namesOf(collections: readonly Subject[]): string[] {
  return collections.map(({ path }) => lastSegment(path));
}

/** The collections of an item to which there are links. */
function collectionsIn(item: Subject, { collections }: Pick<ResourceState, 'collections'>): Subject[] {
  return item.kind.children
    .filter((kind) => !kind.onlyIfAny || collections.has(certain(kind.collection)))
    .map((kind) => collectionOf(item, kind));
}

function* membersIn(collection: Subject, holder: ResourceState): Generator<[member: Subject, state: ResourceState]> {
  for (const [uid, state] of membersOf(holder, lastSegment(collection.path)).entries())
    yield [itemOf(collection, uid), state];
}

/** To the item, and to the same of those of the items directly below it that hold others. */
function deepLinks({ base }: View, item: Subject, resource: ResourceState): Link[] {
  const below = collectionsIn(item, resource)
    .filter(({ kind }) => kind.children.length > 0)
    .flatMap((collection) => [...membersIn(collection, resource)]);
  return [
    { rel: 'self', href: deepUrl(item.path, base), form: 'item' },
    { rel: 'parent', href: resourceUrl(item.path, base), form: 'item' },
    ...below.map(([{ path }]): Link => ({ rel: DEEP, href: deepUrl(path, base), form: 'item' })),
  ];
}
