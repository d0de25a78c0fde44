/** Examples of resource paths: `''` is the grid, `sites/lyra` is an item, `sites/lyra/clusters` is a collection. */
import { itemAt } from '../platform/lookups.ts';
import { byCodeUnit } from './json.ts';
import { type Kind, type Kinds, PATH_TO_NODES } from './kinds.ts';

export interface Subject {
  readonly path: string;
  readonly kind: Kind;
  readonly isCollection: boolean;
}

export function gridOf({ grid }: Kinds): Subject {
  return { path: '', kind: grid, isCollection: false };
}

/** Accepts a slash at either end of the path. Returns undefined for an unknown path. */
export function parsePath(path: string, kinds: Kinds): Subject | undefined {
  const trimmed = withoutSlashes(path);
  const grid = gridOf(kinds);
  if (trimmed === '') return grid;
  let { kind, isCollection } = grid;
  for (let from = 0; from < trimmed.length || trimmed.endsWith('/'); ) {
    const slash = trimmed.indexOf('/', from);
    const segment = trimmed.slice(from, slash < 0 ? undefined : slash);
    if (segment === '') return undefined;
    const below = isCollection ? kind : kind.children.find(({ collection }) => collection === segment);
    if (!below) return undefined;
    kind = below;
    isCollection = !isCollection;
    from += segment.length + 1;
  }
  return { path: trimmed, kind, isCollection };
}

/** Removes a slash at either end of a path. */
export function withoutSlashes(path: string): string {
  return path.slice(path.startsWith('/') ? 1 : 0, path.endsWith('/') && path !== '/' ? -1 : undefined);
}

export function subjectAt(path: string, kinds: Kinds): Subject {
  const subject = parsePath(path, kinds);
  if (!subject) throw new Error(`the kinds know no path ${path}`);
  return subject;
}

export function kindAt(path: string, kinds: Kinds): Kind {
  return subjectAt(path, kinds).kind;
}

const NODE_SEGMENTS = PATH_TO_NODES.flatMap(({ collection }) => [collection, undefined]);

export function isNodePath(path: string): boolean {
  const segments = path.split('/');
  return (
    segments.length === NODE_SEGMENTS.length &&
    NODE_SEGMENTS.every((name, i) => name === undefined || name === segments[i])
  );
}

export function collectionOf(item: Subject, kind: Kind): Subject {
  return { path: joinPath(item.path, kind.collection ?? ''), kind, isCollection: true };
}

export function itemOf(collection: Subject, uid: string): Subject {
  return { path: joinPath(collection.path, uid), kind: collection.kind, isCollection: false };
}

export function joinPath(parent: string, segment: string): string {
  return parent === '' ? segment : `${parent}/${segment}`;
}

export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the collection of an item, or the item of a collection. */
export function pathAbove(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function itemPath({ path, isCollection }: Subject): string {
  return isCollection ? pathAbove(path) : path;
}

/** The parent of the grid is the grid itself. */
export function parentItemPath(subject: Subject): string {
  return subject.isCollection || subject.path === '' ? pathAbove(subject.path) : pathAbove(pathAbove(subject.path));
}

/** Yields the path, then each path above it, and last the path of the grid. */
export function* selfAndAncestors(path: string): Generator<string> {
  let here = path;
  while (here !== '') {
    yield here;
    here = pathAbove(here);
  }
  yield '';
}

export function isAtOrBelow(path: string, ancestor: string): boolean {
  return ancestor === '' || path === ancestor || path.startsWith(`${ancestor}/`);
}

/** Orders paths segment by segment, by code units, so that `a/b` precedes `a-b/c`. */
export function byTree(a: string, b: string): number {
  const [one, other] = [a.split('/'), b.split('/')];
  const at = one.findIndex((segment, i) => segment !== other[i]);
  if (at < 0) return one.length - other.length;
  return byCodeUnit(itemAt(one, at), other[at] ?? '');
}
