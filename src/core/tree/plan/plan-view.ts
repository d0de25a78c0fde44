import { renderCollection, renderEmptyCollection } from '../../api/collection.ts';
import { renderDeep } from '../../api/deep.ts';
import { renderEmptyItem, renderItem, snapshotView, type View } from '../../api/item.ts';
import { hasDeepResponses, type Publication } from '../../api/publication.ts';
import { deepUrl, resourceUrl } from '../../api/urls.ts';
import type { Kind } from '../../model/kinds.ts';
import { collectionOf, gridOf, itemOf, joinPath, type Subject } from '../../model/resource-path.ts';
import { membersOf, type ResourceState } from '../../model/state.ts';
import { assertDefined } from '../../platform/lookups.ts';
import { lazily } from '../../platform/on-demand.ts';
import { type DocumentMaker, documentsAt, inParts, type PlannedDocument, type PlanSection } from './planned.ts';

/** Each collection of a kind without children, such as `nodes`, is a section. All other documents share one section. */
export function viewSections(view: View, modified: number): PlanSection<PlannedDocument>[] {
  const grid = view.state;
  if (!grid) return [];
  const leaves: (() => Iterable<PlannedDocument>)[] = [];
  const document = documentsAt(modified, view.base === '' ? 'mutable' : 'immutable');
  const frame = [...itemDocuments(view, gridOf(view.publication.history.kinds), grid, document, leaves)];
  return [() => frame, ...leaves].map((list) => ({ snapshot: undefined, list }));
}

/** Plans each snapshot only when the snapshot is listed, because there can be thousands of snapshots. */
export function* snapshotDocuments(
  publication: Publication,
  index: number,
  modified: number,
): Generator<PlannedDocument> {
  for (const { list } of viewSections(snapshotView(publication, index), modified)) yield* list();
}

function* itemDocuments(
  view: View,
  item: Subject,
  resource: ResourceState,
  document: DocumentMaker,
  leaves: (() => Iterable<PlannedDocument>)[],
): Generator<PlannedDocument> {
  yield document(resourceUrl(item.path, view.base), 'item', () => renderItem(view, item, resource));
  if (item.kind.children.length > 0 && hasDeepResponses(view.publication.deep, view.base !== ''))
    yield deepDocument(view, item, resource, document);
  for (const [name, form] of view.publication.dialect.emptyChildren(item.kind)) {
    const render = form === 'item' ? renderEmptyItem : renderEmptyCollection;
    yield document(resourceUrl(joinPath(item.path, name), view.base), form, () => render(view, item, name));
  }
  for (const kind of item.kind.children) {
    const isEmpty = membersOf(resource, assertDefined(kind.collection)).size === 0;
    if (isEmpty && kind.onlyIfAny && !view.publication.dialect.answersUnlinked(kind)) continue;
    const collection = () => collectionDocuments(view, item, kind, resource, document);
    if (kind.children.length === 0) {
      leaves.push(collection);
      continue;
    }
    const documents = [...collection()];
    yield* documents.slice(-1);
    for (const [uid, member] of membersOf(resource, assertDefined(kind.collection)).entries()) {
      yield* itemDocuments(view, itemOf(collectionOf(item, kind), uid), member, document, leaves);
    }
  }
}

function deepDocument(view: View, item: Subject, resource: ResourceState, document: DocumentMaker): PlannedDocument {
  const { body, parts } = inParts(() => renderDeep(view, item, resource));
  return { ...document(deepUrl(item.path, view.base), 'item', body), parts };
}

/** Yields the item documents, then the collection document. The collection reuses the texts of the items. */
function* collectionDocuments(
  view: View,
  holder: Subject,
  kind: Kind,
  resource: ResourceState,
  document: DocumentMaker,
): Generator<PlannedDocument> {
  const collection = collectionOf(holder, kind);
  const texts: (() => string)[] = [];
  for (const [uid, member] of membersOf(resource, assertDefined(kind.collection)).entries()) {
    const item = itemOf(collection, uid);
    const text = lazily(() => renderItem(view, item, member));
    texts.push(text);
    yield document(resourceUrl(item.path, view.base), 'item', text);
  }
  const list = (items: typeof texts) => {
    const rendered = items.map((text) => text());
    return renderCollection(view, collection, rendered);
  };
  yield {
    ...document(resourceUrl(collection.path, view.base), 'collection', () => list(texts)),
    sample: () => list(texts.slice(0, 1)),
  };
}
