/** Lock files that are read in the browser: nothing of them leaves it. */
import { resourceUrl } from '../../core/api/urls.ts';
import { sourceFields } from '../../core/api/written-fields.ts';
import type { Base } from '../../core/client/base-url.ts';
import { pinnedReader } from '../../core/client/pinned-reader.ts';
import { LOCK_VERSION, type Lock } from '../../core/lock/lock-format.ts';
import { lockFrom } from '../../core/lock/lock-values.ts';
import { type NodeVerdict, verdictOn } from '../../core/lock/lock-verdict.ts';
import type { NodeSource } from '../../core/lock/node-past.ts';
import { publishedPast } from '../../core/lock/published-past.ts';
import { differingClasses } from '../../core/model/class-digests.ts';
import { classNames, classSet, type FieldClass } from '../../core/model/field-classes.ts';
import { isJsonObject, itemsIn, type Json, parsedObject } from '../../core/model/json.ts';
import { lastSegment } from '../../core/model/resource-path.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';
import { latestOf } from './nodes.ts';
import { type DocumentReader, ReadError } from './reader.ts';
import type { ShownRegistry } from './registry.ts';

export async function readLock(file: File): Promise<Lock> {
  const value = file.size > DOCUMENT_BYTES ? undefined : parsedObject(await file.text());
  const version = value?.['gridpress_lock'];
  if (!value || typeof version !== 'number' || !itemsIn(value['nodes']).every(isLocked))
    throw new ReadError(`${file.name} is no lock file: gridpress lock writes them, and so does “Take along”.`);
  if (version > LOCK_VERSION)
    throw new ReadError(`${file.name} was written by a newer release, which this page does not know.`);
  return lockFrom(value);
}

function isLocked(node: Json): boolean {
  if (!isJsonObject(node)) return false;
  const { path, uid, digest, classes } = node;
  return [path, uid, digest].every((each) => typeof each === 'string') && isJsonObject(classes);
}

/** The verdict that `gridpress verify-lock` gives of the same lock against this tree. */
export async function verdicts(
  reader: DocumentReader,
  { newest }: ShownRegistry,
  lock: Lock,
  classes: readonly FieldClass[],
): Promise<NodeVerdict[]> {
  const source = lockedNodes(reader, newest);
  return Promise.all(lock.nodes.map((node) => verdictOn(node, { lock, source, classes: classSet(classes) })));
}

function lockedNodes(reader: DocumentReader, newest: string): Pick<NodeSource, 'node' | 'past'> {
  const get = async (path: string) => {
    const body = await reader.read(path);
    return body && { url: reader.urlOf(path), path, body };
  };
  const pinned = pinnedReader({ get, shown: reader.urlOf }, newest, resourceUrl(''));
  const base: Base = { isSnapshot: false, resolve: reader.pathOf, place: (url) => url };
  return {
    node: async (path) => {
      const read = await pinned.found(resourceUrl(path));
      const body = read && sourceFields(read.body);
      return body && { path, uid: lastSegment(path), name: nodeNameOf(body), body, latest: latestOf(read.body) };
    },
    past: (asked) => publishedPast(pinned, base, asked),
  };
}

export interface LockedPair {
  readonly path: string;
  readonly name: string;
  readonly status: 'same' | 'different' | 'only in the first' | 'only in the second';
  readonly classes: readonly FieldClass[];
}

/** What differs between two locks, by the digests alone. */
export function lockDifference(first: Lock, second: Lock): LockedPair[] {
  const others = new Map(second.nodes.map((node) => [node.path, node]));
  const isComparable = first.class_rules === second.class_rules;
  const pairs = first.nodes.map((node): LockedPair => {
    const { path, uid, node_name: name = uid } = node;
    const other = others.get(path);
    others.delete(path);
    if (!other) return { path, name, status: 'only in the first', classes: [] };
    if (other.digest === node.digest) return { path, name, status: 'same', classes: [] };
    const classes = isComparable ? classNames(differingClasses(node.classes, other.classes)) : [];
    return { path, name, status: 'different', classes };
  });
  return [
    ...pairs,
    ...[...others.values()].map(
      ({ path, uid, node_name: name = uid }): LockedPair => ({ path, name, status: 'only in the second', classes: [] }),
    ),
  ];
}
