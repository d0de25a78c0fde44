/** Collections: `total`, `offset`, the whole items, `version`, `links`. Everything is in one response. */
import { parentItemPath, type Subject } from '../model/resource-path.ts';
import { dateFields } from './date-fields.ts';
import type { Link } from './dialect.ts';
import { emptyLinks, type View } from './item.ts';
import { idAt, type Publication, revisionAt } from './publication.ts';
import { resourceUrl, SNAPSHOTS_PATH, snapshotUrl, versionUrl } from './urls.ts';

/** The envelope around the JSON texts of items. */
export function envelope(items: readonly string[], version: string, links: string): string {
  return collectionText(items, { total: items.length, version, links });
}

/** The same around the first of a total of items. */
export function collectionText(
  items: readonly string[],
  { total, version, links }: { readonly total: number; readonly version: string; readonly links: string },
): string {
  return `{"total":${total},"offset":0,"items":[${items.join(',')}],"version":"${version}","links":${links}}`;
}

/** The JSON text of a collection of resources, from the texts of its items. */
export function renderCollection(view: View, collection: Subject, items: readonly string[]): string {
  const { publication, index, base } = view;
  const links: Link[] = [{ rel: 'self', href: resourceUrl(collection.path, base), form: 'collection' }];
  if (publication.dialect.linksParent(collection.kind)) {
    links.push({ rel: 'parent', href: resourceUrl(parentItemPath(collection), base), form: 'item' });
  }
  return envelope(items, idAt(publication, index), publication.dialect.links(links));
}

export function renderEmptyCollection(view: View, parent: Subject, name: string): string {
  const { publication, index } = view;
  return envelope(
    [],
    idAt(publication, index),
    publication.dialect.links(emptyLinks(view, parent, name, 'collection')),
  );
}

/** The JSON text of the collection of built snapshots, newest first. */
export function renderSnapshots(publication: Publication): string {
  const { dialect, snapshots, head } = publication;
  const items = [...snapshots].map((index) => {
    const { id, date } = revisionAt(publication, index);
    const links = dialect.links([
      { rel: 'self', href: snapshotUrl(id), form: 'item' },
      { rel: 'parent', href: SNAPSHOTS_PATH, form: 'collection' },
      { rel: 'version', href: versionUrl('', id), form: 'item' },
    ]);
    return `{"type":"snapshot","uid":"${id}",${dateFields(date)},"version":"${id}","links":${links}}`;
  });
  const links = dialect.links([
    { rel: 'self', href: SNAPSHOTS_PATH, form: 'collection' },
    { rel: 'parent', href: resourceUrl(''), form: 'item' },
  ]);
  return envelope(items, idAt(publication, head), links);
}
