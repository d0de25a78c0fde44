/** A replay verifies changes against old states, states against digests, and recorded identifiers against contents. */

import { type Finding, finding, firstFindings, MOST_FINDINGS_PER_FILE, type Place } from '../diagnostics/finding.ts';
import { classesOf, updateAction } from '../model/differences/difference.ts';
import { type PatchConflict, patch } from '../model/differences/patch.ts';
import { type ClassSet, classesAt } from '../model/field-classes.ts';
import { byCodeUnit, sameJson } from '../model/json.ts';
import type { Kinds } from '../model/kinds.ts';
import { kindAt, lastSegment, parentItemPath, parsePath, subjectAt } from '../model/resource-path.ts';
import { type RevisionHeader, recordedId } from '../model/revision.ts';
import {
  type BodyStore,
  editState,
  type RegistryState,
  resourceAt,
  type StateEdit,
  type StoredBody,
} from '../model/state.ts';
import { uidProblem } from '../model/uid.ts';
import { getOrThrow, itemAt } from '../platform/lookups.ts';
import { UID_CODES } from '../registry/rules.ts';
import { shown } from '../registry/schema-problems.ts';
import { type ReplayedBodies, storedBodies, valueBodies } from './bodies.ts';
import { contentsDigest } from './contents-digest.ts';
import { type Graph, headsOf, type PlaceOfRevision } from './graph.ts';
import { lostSuccessors, orphans, type ReplayContext } from './reference-findings.ts';
import {
  type Action,
  type ResourceChange,
  type RevisionFile,
  type StatedChange,
  successorsOf,
} from './revision-file.ts';

export interface RecordedChange {
  readonly path: string;
  /** `touched` means that a revision rewrote a file without changing values. Only histories list touched files. */
  readonly action: Action | 'touched';
  /** The handle of the changed fields in the body store. Only `updated` and `replaced` changes have a handle. */
  readonly fields: number | undefined;
  /** The classes of the changed fields. An added or removed resource has the classes of its kind. */
  readonly classes: ClassSet;
  /** The uid of the successor, in the removed resource's collection. Only `removed` changes can have a successor. */
  readonly successor: string | undefined;
}

export interface History extends Graph {
  readonly kinds: Kinds;
  readonly states: readonly RegistryState[];
  /** The changes of each revision relative to its first parent, in code-unit order of paths. */
  readonly changes: readonly (readonly RecordedChange[])[];
}

export interface Replayed {
  readonly history: History;
  readonly findings: readonly Finding[];
}

interface Step extends ReplayContext {
  readonly bodies: ReplayedBodies;
  readonly findings: Finding[];
}

export function replay(
  graph: Graph,
  changesOf: (id: string) => Iterable<ResourceChange>,
  store: BodyStore,
  place: PlaceOfRevision,
  kinds: Kinds,
): Replayed {
  const states: RegistryState[] = [];
  const changes: (readonly RecordedChange[])[] = [];
  const findings: Finding[] = [];
  const step = revisionReplay({ graph, bodies: storedBodies(store), place, kinds });
  for (const [index, header] of graph.revisions.entries()) {
    const [parent] = itemAt(graph.parents, index);
    const recorded: RecordedChange[] = [];
    const made = step(index, changesOf(header.id), parent === undefined ? null : itemAt(states, parent), (change) =>
      recorded.push(recordedChange(change, store, kinds)),
    );
    states.push(made.state);
    changes.push(recorded.sort((a, b) => byCodeUnit(a.path, b.path)));
    findings.push(...made.findings);
    // Findings of later revisions would have the same cause, because later revisions depend on the invalid revision.
    if (findings.length > 0) break;
  }
  return { history: { ...graph, kinds, states, changes }, findings };
}

interface HeadReplay {
  readonly graph: Graph;
  readonly changesOf: (id: string) => Iterable<ResourceChange>;
  readonly store: BodyStore;
  readonly place: PlaceOfRevision;
  readonly kinds: Kinds;
  /** The states that are already known, by the index of the revision. */
  readonly known?: ReadonlyMap<number, RegistryState>;
}

/** Replays the revisions after the known states, and returns the state of each head. Releases other states early. */
export function replayHeads({ graph, changesOf, store, place, kinds, known = new Map() }: HeadReplay): {
  readonly heads: ReadonlyMap<string, RegistryState>;
  readonly findings: readonly Finding[];
} {
  const step = revisionReplay({ graph, bodies: valueBodies(store), place, kinds });
  const waiting = graph.revisions.map(() => 0);
  for (const [parent] of graph.parents) if (parent !== undefined) waiting[parent] = itemAt(waiting, parent) + 1;
  const states = new Map(known);
  const first = Math.max(-1, ...known.keys()) + 1;
  for (const [index, header] of graph.revisions.entries()) {
    if (index < first) continue;
    const [parent] = itemAt(graph.parents, index);
    const before = parent === undefined ? null : getOrThrow(states, parent);
    const { state, findings } = step(index, changesOf(header.id), before);
    if (findings.length > 0) return { heads: new Map(), findings };
    states.set(index, state);
    if (parent === undefined) continue;
    const left = itemAt(waiting, parent) - 1;
    waiting[parent] = left;
    if (left === 0) states.delete(parent);
  }
  const heads = headsOf(graph.revisions).map(
    ({ id }) => [id, getOrThrow(states, getOrThrow(graph.indexOf, id))] as const,
  );
  return { heads: new Map(heads), findings: [] };
}

interface StepOptions {
  readonly graph: Graph;
  readonly bodies: ReplayedBodies;
  readonly place: PlaceOfRevision;
  readonly kinds: Kinds;
}

interface ReplayedStep {
  readonly state: RegistryState;
  readonly findings: readonly Finding[];
}

/** Applies a revision to the state of its first parent. Calls `see` with each valid change. */
function revisionReplay({ graph, bodies, place, kinds }: StepOptions) {
  return (
    index: number,
    changes: Iterable<ResourceChange>,
    before: RegistryState,
    see: (change: ResourceChange) => void = () => {},
  ): ReplayedStep => {
    const header = itemAt(graph.revisions, index);
    const findings: Finding[] = [];
    const placeIn = (...path: PropertyKey[]) => place(header.id, ...path);
    const applied = applyChanges(changes, { kinds, before, bodies, findings, place: placeIn }, see);
    const computed = stateDigest(applied.state);
    if (findings.length === 0 && computed !== header.state) {
      const args = { id: header.id, stated: header.state, computed };
      findings.push(finding('revision-state', args, placeIn('state')));
    }
    if (findings.length === 0) {
      const past = itemAt(graph.parents, index).map((at) => itemAt(graph.revisions, at).contents);
      findings.push(...statementFindings(header, applied.stated, past, placeIn));
    }
    return { state: applied.state, findings };
  };
}

/** Appends a revision with a known state. */
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
    parents: [...history.parents, header.parents.map((id) => getOrThrow(history.indexOf, id))],
    indexOf: new Map([...history.indexOf, [header.id, index]]),
    states: [...history.states, state],
    changes: [...history.changes, recorded.sort((a, b) => byCodeUnit(a.path, b.path))],
  };
}

/** The digest of the empty state is 64 zeros. */
export function stateDigest(state: RegistryState): string {
  return state?.digest ?? '0'.repeat(64);
}

function applyChanges(
  changes: Iterable<ResourceChange>,
  step: Step,
  see: (change: ResourceChange) => void,
): { readonly state: RegistryState; readonly stated: readonly StatedChange[] } {
  const edits = new Map<string, StateEdit>();
  const stated: StatedChange[] = [];
  let i = -1;
  for (const change of changes) {
    i++;
    const { path, action } = change;
    const problem =
      pathFinding(change, i, step) ??
      (edits.has(path) ? finding('change-twice', { path }, step.place('changes', i)) : undefined);
    const outcome = problem ? { finding: problem } : applyChange(change, i, step);
    if ('finding' in outcome) {
      step.findings.push(outcome.finding);
      if (step.findings.length === MOST_FINDINGS_PER_FILE) break;
      continue;
    }
    edits.set(path, { path, body: outcome.body });
    // Stores no values of the change, because the values of a long revision take much memory.
    stated.push({ path, action, successor: action === 'removed' ? change.successor : undefined });
    see(change);
  }
  if (step.findings.length === 0) step.findings.push(...firstFindings(orphans(stated, edits, step)));
  if (step.findings.length === 0) step.findings.push(...firstFindings(lostSuccessors(stated, edits, step)));
  const state = step.findings.length > 0 ? step.before : editState(step.before, [...edits.values()]);
  return { state, stated };
}

function pathFinding(change: ResourceChange, i: number, { kinds, place }: Step): Finding | undefined {
  const item = parsePath(change.path, kinds);
  const at = () => place('changes', i, change.action);
  if (!item || item.isCollection || item.path !== change.path)
    return finding('revision-path', { path: change.path }, at());
  for (let here = item; here.path !== ''; here = subjectAt(parentItemPath(here), kinds)) {
    const uid = lastSegment(here.path);
    const problem = uidProblem(uid, here.kind, 'name');
    if (problem) return finding(UID_CODES[problem], { uid }, at());
  }
  return undefined;
}

type Outcome = { readonly body: StoredBody | null } | { readonly finding: Finding };

function applyChange(change: ResourceChange, i: number, step: Step): Outcome {
  const { before, bodies, place } = step;
  const { path, action } = change;
  const held = resourceAt(before, path)?.body;
  if (action === 'added') {
    if (held) return { finding: finding('change-already-there', { path }, place('changes', i, action)) };
    return { body: bodies.add(change.value) };
  }
  if (!held) return { finding: finding('change-not-there', { path, action }, place('changes', i, action)) };
  if (action === 'touched') return { body: held };
  if (action === 'removed') return { body: null };
  const old = bodies.of(held);
  const patched = patch(old, change.fields);
  if (patched.conflict) {
    const at = (...rest: PropertyKey[]) =>
      place('changes', i, 'fields', change.fields.indexOf(patched.conflict.change), ...rest);
    return { finding: conflictFinding(path, patched.conflict, at) };
  }
  if (sameJson(old, patched.body)) return { finding: finding('change-nothing', { path }, place('changes', i)) };
  return { body: bodies.put(patched.body) };
}

function conflictFinding(path: string, { change, found }: PatchConflict, place: Step['place']): Finding {
  const { at, from } = change;
  const fits = found === undefined || from === undefined ? found === from : sameJson(found, from);
  if (fits) return finding('change-no-place', { path, at }, place('at'));
  const args = { path, at, stated: shown(from), found: shown(found) };
  return finding('change-wrong-from', args, place(from === undefined ? 'at' : 'from'));
}

export function recordedChange(change: ResourceChange, store: BodyStore, kinds: Kinds): RecordedChange {
  const { action, path, classes, successor } = changeSummary(change, kinds);
  const fields = change.action === 'updated' ? store.put(JSON.stringify(change.fields)) : undefined;
  return { action, path, classes, fields, successor };
}

export function changeSummary(change: ResourceChange, kinds: Kinds): Omit<RecordedChange, 'fields'> {
  const { path, action } = change;
  const kind = kindAt(path, kinds);
  const shared = { path, successor: undefined };
  switch (action) {
    case 'updated': {
      const { fields } = change;
      return { action: updateAction(kind, fields), classes: classesOf(kind, fields), ...shared };
    }
    case 'removed':
      return { action, classes: classesAt(kind, ['']), ...shared, successor: change.successor };
    case 'added':
      return { action, classes: classesAt(kind, ['']), ...shared };
    case 'touched':
      return { action, classes: 0, ...shared };
    default:
      return change satisfies never;
  }
}

function statementFindings(
  header: RevisionHeader,
  changes: readonly StatedChange[],
  past: readonly (string | undefined)[],
  place: (...path: PropertyKey[]) => Place,
): Finding[] {
  const { id, origin, contents } = header;
  const computed = origin === 'recorded' ? recordedId(header, successorsOf(changes)) : id;
  if (computed !== id) return [finding('revision-id', { id, computed }, place('id'))];
  const isBound = contents !== undefined || past.some((digest) => digest !== undefined);
  if (!isBound || contents === contentsDigest(header, changes, past)) return [];
  return [finding('revision-contents', { id }, place('contents'))];
}
