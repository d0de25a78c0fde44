/** Resources whose parents no file describes: they get stand-ins, which go when nothing is left below them. */
import type { Kinds } from '../../core/model/kinds.ts';
import { joinPath, parentItemPath, type Subject, subjectAt } from '../../core/model/resource-path.ts';
import { membersOf, type RegistryState, resourceAt, type StateEdit } from '../../core/model/state.ts';

/** What a commit says of its resources, by path; null for those that it leaves without a body. */
type Edits = Map<string, StateEdit>;

export interface ParentContext {
  readonly before: RegistryState;
  readonly kinds: Kinds;
  readonly hasFile: (path: string) => boolean;
  readonly standIn: (item: Subject) => StateEdit;
}

/** A resource, and the name of the kind of the parent that it lacked. */
export interface Orphan {
  readonly path: string;
  readonly parent: string;
}

/** Adds to the edits of a commit what gives every resource its parents, and leaves no stand-in without members. */
export function completeParents(edits: Edits, surroundings: ParentContext): Orphan[] {
  return [...addMissing(edits, surroundings), ...settleRemoved(edits, surroundings)];
}

function addMissing(edits: Edits, { before, kinds, standIn }: ParentContext): Orphan[] {
  const orphans: Orphan[] = [];
  for (const { path, body } of [...edits.values()]) {
    for (const parent of body ? itemsAbove(path, kinds) : []) {
      const edit = edits.get(parent.path);
      if (edit ? edit.body : resourceAt(before, parent.path)) break;
      orphans.push({ path, parent: parent.kind.name });
      edits.set(parent.path, standIn(parent));
    }
  }
  return orphans;
}

/** What lost its file stays as a stand-in while it has members; a stand-in that has none left goes. */
function settleRemoved(edits: Edits, { before, kinds, hasFile, standIn }: ParentContext): Orphan[] {
  const orphans: Orphan[] = [];
  /** For each item one that is put in directly below it. */
  const putIn = new Map<string, string>();
  const doubtful = new Map<string, Subject>();
  for (const { path, body } of edits.values()) {
    if (!body) for (const item of [subjectAt(path, kinds), ...itemsAbove(path, kinds)]) doubtful.set(item.path, item);
    else if (path !== '') putIn.set(parentItemPath(subjectAt(path, kinds)), path);
  }
  for (const item of [...doubtful.values()].sort((a, b) => b.path.length - a.path.length)) {
    const { path } = item;
    if (hasFile(path)) continue;
    const member = putIn.get(path) ?? keptMember(path, edits, before);
    if (member === undefined) {
      if (resourceAt(before, path)) edits.set(path, { path, body: null });
    } else if (edits.get(path)?.body === null) {
      orphans.push({ path: member, parent: item.kind.name });
      edits.set(path, standIn(item));
      putIn.set(parentItemPath(item), path);
    }
  }
  return orphans;
}

/** A member of an item that was there and that no edit takes out. */
function keptMember(path: string, edits: Edits, before: RegistryState): string | undefined {
  const held = resourceAt(before, path);
  for (const collection of held?.collections.keys() ?? []) {
    for (const uid of held ? membersOf(held, collection).keys() : []) {
      const member = joinPath(joinPath(path, collection), uid);
      if (edits.get(member)?.body !== null) return member;
    }
  }
  return undefined;
}

/** The items above a resource, the nearest first, the grid last. */
function itemsAbove(path: string, kinds: Kinds): Subject[] {
  if (path === '') return [];
  const parent = subjectAt(parentItemPath(subjectAt(path, kinds)), kinds);
  return [parent, ...itemsAbove(parent.path, kinds)];
}
