import { type Finding, finding, type Place } from '../diagnostics/finding.ts';
import type { Kinds } from '../model/kinds.ts';
import { joinPath, parentItemPath, pathAbove, subjectAt } from '../model/resource-path.ts';
import { type RegistryState, resourceAt, resourcesIn, type StateEdit } from '../model/state.ts';
import { assertDefined } from '../platform/lookups.ts';
import type { StatedChange } from './revision-file.ts';

export interface ReplayContext {
  readonly kinds: Kinds;
  readonly before: RegistryState;
  readonly place: (...path: PropertyKey[]) => Place;
}

type Edits = ReadonlyMap<string, StateEdit>;

function isThereAfter(path: string, edits: Edits, { before }: ReplayContext): boolean {
  const edit = edits.get(path);
  return edit ? edit.body !== null : resourceAt(before, path) !== undefined;
}

/** The successor of a removed resource must exist in the same collection after the revision. */
export function* lostSuccessors(
  changes: readonly StatedChange[],
  edits: Edits,
  step: ReplayContext,
): Generator<Finding> {
  for (const [i, change] of changes.entries()) {
    if (change.action !== 'removed' || change.successor === undefined) continue;
    const { path, successor: uid } = change;
    const beside = joinPath(pathAbove(path), uid);
    if (path !== '' && !uid.includes('/') && isThereAfter(beside, edits, step)) continue;
    yield finding('change-no-successor', { path, uid }, step.place('changes', i, 'successor'));
  }
}

/** Reports resources whose parent does not exist after the revision. */
export function* orphans(changes: readonly StatedChange[], edits: Edits, step: ReplayContext): Generator<Finding> {
  const { kinds, before, place } = step;
  const isThere = (path: string) => isThereAfter(path, edits, step);
  for (const [i, change] of changes.entries()) {
    const { path } = change;
    if (change.action === 'added' && path !== '') {
      const parent = parentItemPath(subjectAt(path, kinds));
      if (!isThere(parent)) yield finding('change-no-parent', { path, parent }, place('changes', i, 'added'));
    }
    if (change.action !== 'removed') continue;
    const gone = assertDefined(resourceAt(before, path));
    for (const [below] of resourcesIn(gone, path)) {
      if (below === path || !isThere(below)) continue;
      yield finding('change-no-parent', { path: below, parent: path }, place('changes', i, 'removed'));
      break;
    }
  }
}
