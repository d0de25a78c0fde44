/** The history as far as a question needs it: which resources changed on the way, and what some of them were. */

import { patch } from '../model/differences/patch.ts';
import type { JsonObject } from '../model/json.ts';
import { itemAt } from '../platform/certain.ts';
import { type Excerpts, excerpts } from './excerpt.ts';
import type { Graph, Placed } from './graph.ts';
import type { ResourceChange, RevisionFile } from './revision-file.ts';

export interface PartialHistory {
  /** The paths of the resources that may differ between the states after two revisions. */
  readonly changedBetween: (from: number, to: number) => Set<string>;
  /** What resources were after a revision; those are left out that were not there. */
  readonly bodiesAt: (index: number, paths: Iterable<string>) => Map<string, JsonObject>;
}

/** Thrown at whatever is not in order; then the history must be read as a whole, to tell what is wrong. */
export class NotInOrder extends Error {}

/** What `read` gives; undefined where something is not in order. */
export function unlessNotInOrder<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof NotInOrder) return undefined;
    throw error;
  }
}

/** `textOf` gives the text of a revision's file, `read` reads one. */
export function partialHistory(
  graph: Graph<Placed>,
  textOf: (index: number) => string,
  read: (text: string) => RevisionFile | undefined,
): PartialHistory {
  const known = new Map<number, Excerpts>();
  const excerptsOf = (index: number): Excerpts => {
    const found = known.get(index) ?? excerpts(textOf(index));
    if (!found) throw new NotInOrder();
    known.set(index, found);
    return found;
  };
  const changesOf = (index: number, paths: Iterable<string>): ReadonlyMap<string, ResourceChange> => {
    const revision = read(excerptsOf(index).of(paths));
    if (!revision) throw new NotInOrder();
    return new Map(revision.changes.map((change) => [change.path, change]));
  };
  return {
    changedBetween: (from, to) => {
      const [old, now] = [new Set(lineOf(graph, from)), new Set(lineOf(graph, to))];
      const apart = [...old, ...now].filter((index) => !(old.has(index) && now.has(index)));
      return new Set(apart.flatMap((index) => [...excerptsOf(index).actions.keys()]));
    },
    bodiesAt: (index, paths) => {
      const steps = stepsTo(lineOf(graph, index), new Set(paths), (each) => excerptsOf(each).actions);
      const bodies = new Map<string, JsonObject>();
      for (const [revision, changed] of steps) {
        for (const [path, change] of changesOf(revision, changed)) apply(change, path, bodies);
      }
      return bodies;
    },
  };
}

/** A revision and its first parents, the newest first. */
function lineOf({ parents }: Graph<Placed>, index: number): number[] {
  const line: number[] = [];
  for (let here: number | undefined = index; here !== undefined; here = itemAt(parents, here)[0]) line.push(here);
  return line;
}

/** The revisions that made resources what they are, oldest first, each with the paths that it changed. */
function stepsTo(
  line: readonly number[],
  open: Set<string>,
  actionsOf: (index: number) => ReadonlyMap<string, ResourceChange['action']>,
): [index: number, paths: string[]][] {
  const steps: [number, string[]][] = [];
  for (const index of line) {
    if (open.size === 0) break;
    const actions = actionsOf(index);
    const changed = [...open].filter((path) => {
      const action = actions.get(path);
      // What a resource was before it was added or removed does not matter.
      if (action === 'added' || action === 'removed') open.delete(path);
      return action !== undefined && action !== 'touched';
    });
    if (changed.length > 0) steps.push([index, changed]);
  }
  return steps.reverse();
}

function apply(change: ResourceChange, path: string, bodies: Map<string, JsonObject>): void {
  if (change.action === 'added') bodies.set(path, change.value);
  if (change.action === 'removed') bodies.delete(path);
  if (change.action !== 'updated') return;
  const body = bodies.get(path);
  const patched = body && patch(body, change.fields);
  if (!patched || patched.conflict) throw new NotInOrder();
  bodies.set(path, patched.body);
}
