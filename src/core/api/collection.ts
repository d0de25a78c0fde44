/** Renders a collection: `total`, `offset`, all items in full, `version` and `links`. */
import { parentItemPath, type Subject } from '../model/resource-path.ts';
import { dateFields } from './date-fields.ts';
import { type Link, toCollection, toItem } from './dialect.ts';
import { emptyLinks, type View } from './item.ts';
import { documentEnd, type Publication, revisionAt } from './publication.ts';
import { resourceUrl, SNAPSHOTS_PATH, snapshotUrl, versionUrl } from './urls.ts';

interface CollectionParts {
  readonly items: readonly string[];
  readonly index: number;
  readonly links: readonly Link[];
  /** The number of items in the whole collection. A page of a long history contains only some of these items. */
  readonly total?: number;
}

export function collectionText(
  publication: Publication,
  { items, index, links, total = items.length }: CollectionParts,
): string {
  return `{"total":${total},"offset":0,"items":[${items.join(',')}]${documentEnd(publication, index, links)}`;
}

export function renderCollection(view: View, collection: Subject, items: readonly string[]): string {
  const { publication, index, base } = view;
  const links = [toCollection('self', resourceUrl(collection.path, base))];
  if (publication.dialect.linksParent(collection.kind))
    links.push(toItem('parent', resourceUrl(parentItemPath(collection), base)));
  return collectionText(publication, { items, index, links });
}

export function renderEmptyCollection(view: View, parent: Subject, name: string): string {
  const links = emptyLinks(view, parent, name, 'collection');
  return collectionText(view.publication, { items: [], index: view.index, links });
}

/** Returns the JSON text of the collection of snapshots, newest first. */
export function renderSnapshots(publication: Publication): string {
  const items = [...publication.snapshots].map((index) => {
    const { id, date } = revisionAt(publication, index);
    const links = [
      toItem('self', snapshotUrl(id)),
      toCollection('parent', SNAPSHOTS_PATH),
      toItem('version', versionUrl('', id)),
    ];
    return `{"type":"snapshot","uid":"${id}",${dateFields(date)}${documentEnd(publication, index, links)}`;
  });
  const links = [toCollection('self', SNAPSHOTS_PATH), toItem('parent', resourceUrl(''))];
  return collectionText(publication, { items, index: publication.head, links });
}
