/**
 * Replaying: from nothing, through every revision, to every state that the registry ever had. Each change is checked
 * against what was there, each state against its stated digest, each recorded identifier against its contents.
 */

import { type Finding, finding, firstOf, MOST_TOLD } from '../diagnostics/finding.ts';
import { classesOf, updateAction } from '../model/difference.ts';
import { type ClassSet, classesAt } from '../model/field-classes.ts';
import { byCodeUnit, sameJson } from '../model/json.ts';
import type { Kinds } from '../model/kinds.ts';
import { type PatchConflict, patch } from '../model/patch.ts';
import {
  joinPath,
  kindAt,
  lastSegment,
  parentItemPath,
  parsePath,
  pathAbove,
  subjectAt,
} from '../model/resource-path.ts';
import { recordedId } from '../model/revision.ts';
import {
  type BodyStore,
  editState,
  type RegistryState,
  resourceAt,
  resourcesIn,
  type StateEdit,
  type StoredBody,
} from '../model/state.ts';
import { uidProblem } from '../model/uid.ts';
import { certain, itemAt, mustGet } from '../platform/certain.ts';
import { storeBody } from '../registry/registry.ts';
import { shown } from '../registry/schema-problems.ts';
import type { Action } from './actions.ts';
import { contentsDigest } from './contents-digest.ts';
import type { Graph, PlaceOfRevision } from './graph.ts';
import { type ReplayedBodies, replayedBodies } from './replayed-bodies.ts';
import { type ResourceChange, type RevisionFile, successorsOf } from './revision-file.ts';

export interface RecordedChange {
  readonly path: string;
  /** `touched` is a rewriting of the source without a change: no document tells of it, but histories list it. */
  readonly action: Action | 'touched';
  /** The handle of the fields' JSON text in the store, for `updated` and `replaced`. */
  readonly fields: number | undefined;
  /** The classes of the changed fields; of a resource that comes or goes, what its kind says. */
  readonly classes: ClassSet;
  /** Of a removed resource, the uid of the one beside it that took its place. */
  readonly successor: string | undefined;
}

export interface History extends Graph {
  /** The kinds of the registry. */
  readonly kinds: Kinds;
  /** The state after each revision. */
  readonly states: readonly RegistryState[];
  /** What each revision changed against its first parent, in code-unit order of paths. */
  readonly changes: readonly (readonly RecordedChange[])[];
}

export interface Replayed {
  readonly history: History;
  readonly findings: readonly Finding[];
}

/** The context of one revision's changes. */
interface Step {
  readonly kinds: Kinds;
  readonly before: RegistryState;
  readonly store: BodyStore;
  readonly bodies: ReplayedBodies;
  readonly findings: Finding[];
  readonly place: (...path: PropertyKey[]) => ReturnType<PlaceOfRevision>;
}

export function replay(
  graph: Graph,
  changesOf: (id: string) => readonly ResourceChange[],
  store: BodyStore,
  place: PlaceOfRevision,
  kinds: Kinds,
): Replayed {
  const states: RegistryState[] = [];
  const changes: RecordedChange[][] = [];
  const findings: Finding[] = [];
  const bodies = replayedBodies(store);
  for (const [index, header] of graph.revisions.entries()) {
    const [parent] = itemAt(graph.parents, index);
    const before = parent === undefined ? null : itemAt(states, parent);
    const step: Step = {
      ...{ kinds, before, store, bodies, findings: [] },
      place: (...path) => place(header.id, ...path),
    };
    const made = changesOf(header.id);
    const applied = applyChanges(made, step);
    states.push(applied.state);
    changes.push(applied.recorded);
    const computed = stateDigest(applied.state);
    if (step.findings.length === 0 && computed !== header.state) {
      step.findings.push(
        finding('revision-state', { id: header.id, stated: header.state, computed }, step.place('state')),
      );
    }
    if (step.findings.length === 0) {
      const past = itemAt(graph.parents, index).map((at) => itemAt(graph.revisions, at).contents);
      step.findings.push(...statementFindings({ header, changes: made }, past, step.place));
    }
    findings.push(...step.findings);
    // What stands on a broken revision is broken with it: only the first is worth showing.
    if (findings.length > 0) break;
  }
  return { history: { ...graph, kinds, states, changes }, findings };
}

/** What is wrong with the identifier of a revision, or with the digest that binds more than it can. */
function statementFindings(
  { header, changes }: RevisionFile,
  past: readonly (string | undefined)[],
  place: Step['place'],
): Finding[] {
  const { id, origin, contents } = header;
  const computed = origin === 'recorded' ? recordedId(header, successorsOf(changes)) : id;
  if (computed !== id) return [finding('revision-id', { id, computed }, place('id'))];
  const isBound = contents !== undefined || past.some((digest) => digest !== undefined);
  if (!isBound || contents === contentsDigest(header, changes, past)) return [];
  return [finding('revision-contents', { id }, place('contents'))];
}

/** The history with one more revision on its head, whose state is known. */
export function extendHistory(
  history: History,
  { header, changes }: RevisionFile,
  state: RegistryState,
  store: BodyStore,
): History {
  const index = history.revisions.length;
  const recorded = changes.map((change) => recordedChange(change, store, history.kinds));
  return {
    kinds: history.kinds,
    revisions: [...history.revisions, header],
    parents: [...history.parents, header.parents.map((id) => mustGet(history.indexOf, id))],
    indexOf: new Map([...history.indexOf, [header.id, index]]),
    states: [...history.states, state],
    changes: [...history.changes, recorded.sort((a, b) => byCodeUnit(a.path, b.path))],
  };
}

/** The digest of a state; of nothing, 64 zeros. */
export function stateDigest(state: RegistryState): string {
  return state?.digest ?? '0'.repeat(64);
}

function applyChanges(
  changes: readonly ResourceChange[],
  step: Step,
): { state: RegistryState; recorded: RecordedChange[] } {
  const edits = new Map<string, StateEdit>();
  const recorded: RecordedChange[] = [];
  for (const [i, change] of changes.entries()) {
    const problem =
      pathFinding(change, i, step) ??
      (edits.has(change.path)
        ? finding('change-twice', { path: change.path }, step.place('changes', i))
        : undefined);
    const outcome = problem ? { finding: problem } : applyChange(change, i, step);
    if ('finding' in outcome) {
      step.findings.push(outcome.finding);
      if (step.findings.length === MOST_TOLD) break;
      continue;
    }
    edits.set(change.path, { path: change.path, body: outcome.body });
    recorded.push(outcome.recorded);
  }
  if (step.findings.length === 0) step.findings.push(...firstOf(orphans(changes, edits, step)));
  if (step.findings.length === 0) step.findings.push(...firstOf(lostSuccessors(changes, edits, step)));
  const state = step.findings.length > 0 ? step.before : editState(step.before, [...edits.values()]);
  return { state, recorded: recorded.sort((a, b) => byCodeUnit(a.path, b.path)) };
}

function pathFinding(change: ResourceChange, i: number, { kinds, place }: Step): Finding | undefined {
  const item = parsePath(change.path, kinds);
  const at = () => place('changes', i, change.action);
  if (!item || item.isCollection || item.path !== change.path)
    return finding('revision-path', { path: change.path }, at());
  for (let here = item; here.path !== ''; here = subjectAt(parentItemPath(here), kinds)) {
    const uid = lastSegment(here.path);
    const problem = uidProblem(uid, here.kind, 'name');
    if (problem === 'reserved') return finding('uid-reserved', { uid }, at());
    if (problem === 'length') return finding('uid-length', { uid }, at());
    if (problem) return finding('uid-characters', { uid }, at());
  }
  return undefined;
}

type Outcome =
  | { readonly body: StoredBody | null; readonly recorded: RecordedChange }
  | { readonly finding: Finding };

function applyChange(change: ResourceChange, i: number, step: Step): Outcome {
  const { kinds, before, store, bodies, place } = step;
  const { path, action } = change;
  const held = resourceAt(before, path)?.body;
  const recorded = () => recordedChange(change, store, kinds);
  if (action === 'added') {
    if (held) return { finding: finding('change-already-there', { path }, place('changes', i, action)) };
    return { body: storeBody(store, change.value), recorded: recorded() };
  }
  if (!held) return { finding: finding('change-not-there', { path, action }, place('changes', i, action)) };
  if (action === 'touched') return { body: held, recorded: recorded() };
  if (action === 'removed') return { body: null, recorded: recorded() };
  const old = bodies.of(held.handle);
  const patched = patch(old, change.fields);
  if (patched.conflict) {
    const at = (...rest: PropertyKey[]) =>
      place('changes', i, 'fields', change.fields.indexOf(patched.conflict.change), ...rest);
    return { finding: conflictFinding(path, patched.conflict, at) };
  }
  if (sameJson(old, patched.body))
    return { finding: finding('change-nothing', { path }, place('changes', i)) };
  return { body: bodies.put(patched.body), recorded: recorded() };
}

function conflictFinding(path: string, { change, found }: PatchConflict, place: Step['place']): Finding {
  const { at, from } = change;
  const fits = found === undefined || from === undefined ? found === from : sameJson(found, from);
  if (fits) return finding('change-no-place', { path, at }, place('at'));
  const args = { path, at, stated: shown(from), found: shown(found) };
  return finding('change-wrong-from', args, place(from === undefined ? 'at' : 'from'));
}

function recordedChange(change: ResourceChange, store: BodyStore, kinds: Kinds): RecordedChange {
  const { path, action } = change;
  const kind = kindAt(path, kinds);
  const told = { path, fields: undefined, successor: undefined };
  switch (action) {
    case 'updated': {
      const { fields } = change;
      const text = store.put(JSON.stringify(fields));
      return { ...told, action: updateAction(kind, fields), fields: text, classes: classesOf(kind, fields) };
    }
    case 'removed':
      return { ...told, action, classes: classesAt(kind, ['']), successor: change.successor };
    case 'added':
      return { ...told, action, classes: classesAt(kind, ['']) };
    case 'touched':
      return { ...told, action, classes: 0 };
    default:
      return change satisfies never;
  }
}

type Edits = ReadonlyMap<string, StateEdit>;

/** Whether there is a resource after the revision. */
function isThereAfter(path: string, edits: Edits, { before }: Step): boolean {
  const edit = edits.get(path);
  return edit ? edit.body !== null : resourceAt(before, path) !== undefined;
}

/** A successor must stand beside what it replaces once that is gone. */
function* lostSuccessors(changes: readonly ResourceChange[], edits: Edits, step: Step): Generator<Finding> {
  for (const [i, change] of changes.entries()) {
    if (change.action !== 'removed' || change.successor === undefined) continue;
    const { path, successor: uid } = change;
    const beside = joinPath(pathAbove(path), uid);
    if (path !== '' && !uid.includes('/') && isThereAfter(beside, edits, step)) continue;
    yield finding('change-no-successor', { path, uid }, step.place('changes', i, 'successor'));
  }
}

/** Every resource must have its parent after the revision. */
function* orphans(changes: readonly ResourceChange[], edits: Edits, step: Step): Generator<Finding> {
  const { kinds, before, place } = step;
  const isThere = (path: string) => isThereAfter(path, edits, step);
  for (const [i, change] of changes.entries()) {
    const { path } = change;
    if (change.action === 'added' && path !== '') {
      const parent = parentItemPath(subjectAt(path, kinds));
      if (!isThere(parent)) yield finding('change-no-parent', { path, parent }, place('changes', i, 'added'));
    }
    if (change.action !== 'removed') continue;
    const gone = certain(resourceAt(before, path));
    for (const [below] of resourcesIn(gone, path)) {
      if (below === path || !isThere(below)) continue;
      yield finding('change-no-parent', { path: below, parent: path }, place('changes', i, 'removed'));
      break;
    }
  }
}
