/** What all documents about the nodes of all sites end with. */
import type { Link } from '../dialect.ts';
import type { View } from '../item.ts';
import { idAt } from '../publication.ts';
import { NODES_PATH } from './node-paths.ts';

/** The JSON text of a body, of which `body` is that of its own fields, with its version and its links: `self`, `parent`, and others. */
export function nodeDocument(
  view: View,
  self: string,
  body: string,
  others?: readonly Link[],
  parent?: Omit<Link, 'rel'>,
): string {
  return `${body.slice(0, -1)}${nodeDocumentEnd(view, self, others, parent)}`;
}

/** What comes behind its own fields. */
export function nodeDocumentEnd(
  { publication, index }: View,
  self: string,
  others: readonly Link[] = [],
  parent: Omit<Link, 'rel'> = { href: NODES_PATH, form: 'collection' },
): string {
  const links = publication.dialect.links([
    { rel: 'self', href: self, form: 'item' },
    { rel: 'parent', ...parent },
    ...others,
  ]);
  return `,"version":"${idAt(publication, index)}","links":${links}}`;
}
