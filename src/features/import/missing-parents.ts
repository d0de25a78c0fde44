/** Adds a placeholder for each missing parent. A placeholder is removed together with the last resource below it. */
import type { Kinds } from '../../core/model/kinds.ts';
import { joinPath, parentItemPath, type Subject, subjectAt } from '../../core/model/resource-path.ts';
import { membersOf, type RegistryState, resourceAt, type StateEdit } from '../../core/model/state.ts';

/** Maps paths to changes. A null body removes the resource. */
type Edits = Map<string, StateEdit>;

interface ParentContext {
  readonly before: RegistryState;
  readonly kinds: Kinds;
  readonly hasFile: (path: string) => boolean;
  readonly standIn: (item: Subject) => StateEdit;
}

/** A resource whose parent is missing. `parent` is the kind of the missing parent. */
interface Orphan {
  readonly path: string;
  readonly parent: string;
}

/** Adds missing parents of resources, and removes placeholders without resources below them. */
export function completeParents(edits: Edits, surroundings: ParentContext): Orphan[] {
  return [...addMissing(edits, surroundings), ...settlePlaceholders(edits, surroundings)];
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

/**
 * Removes resources without a file. If other resources remain below such a resource, it becomes a placeholder instead.
 */
function settlePlaceholders(edits: Edits, { before, kinds, hasFile, standIn }: ParentContext): Orphan[] {
  const orphans: Orphan[] = [];
  /** Maps the path of each parent to the path of a child that it has after the commit. */
  const putIn = new Map<string, string>();
  const doubtful = new Map<string, Subject>();
  for (const { path, body } of edits.values()) {
    if (!body) for (const item of [subjectAt(path, kinds), ...itemsAbove(path, kinds)]) doubtful.set(item.path, item);
    else if (path !== '') putIn.set(parentItemPath(subjectAt(path, kinds)), path);
  }
  for (const item of [...doubtful.values()].sort((a, b) => b.path.length - a.path.length)) {
    const { path } = item;
    if (hasFile(path)) continue;
    const member = putIn.get(path) ?? remainingMember(path, edits, before);
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

function remainingMember(path: string, edits: Edits, before: RegistryState): string | undefined {
  const held = resourceAt(before, path);
  for (const collection of held?.collections.keys() ?? []) {
    for (const uid of held ? membersOf(held, collection).keys() : []) {
      const member = joinPath(joinPath(path, collection), uid);
      if (edits.get(member)?.body !== null) return member;
    }
  }
  return undefined;
}

function itemsAbove(path: string, kinds: Kinds): Subject[] {
  if (path === '') return [];
  const parent = subjectAt(parentItemPath(subjectAt(path, kinds)), kinds);
  return [parent, ...itemsAbove(parent.path, kinds)];
}
