/** A history as it is told from a bound on: its bases bring everything that there is after them, as a first revision does. */
import { resourcesIn } from '../model/state.ts';
import { itemAt } from '../platform/certain.ts';
import { type HistoryBound, revisionsTold } from './history-bound.ts';
import type { History, RecordedChange } from './replay.ts';

export interface ToldHistory extends Pick<History, 'revisions' | 'parents' | 'states' | 'changes'> {
  /** What each of its revisions is in the whole history. */
  readonly indexes: readonly number[];
  /** Whether what is before a revision is not told. */
  readonly isBase: (index: number) => boolean;
}

/** The whole history where there is no bound. */
export function toldHistory(history: History, bound: HistoryBound | undefined): ToldHistory {
  const { revisions, parents, states, changes } = history;
  if (!bound) return { ...history, indexes: [...revisions.keys()], isBase: () => false };
  const indexes = revisionsTold(bound, history);
  const places = new Map(indexes.map((index, place) => [index, place]));
  const isBase = (place: number) => !bound.isTold(itemAt(indexes, place));
  return {
    indexes,
    isBase,
    revisions: indexes.map((index) => itemAt(revisions, index)),
    parents: indexes.map((index, place) =>
      isBase(place) ? [] : itemAt(parents, index).flatMap((parent) => places.get(parent) ?? []),
    ),
    states: indexes.map((index) => states[index] ?? null),
    changes: indexes.map((index, place) =>
      isBase(place) ? [...broughtBy(states[index] ?? null)] : itemAt(changes, index),
    ),
  };
}

function* broughtBy(state: History['states'][number]): Generator<RecordedChange> {
  for (const [path] of resourcesIn(state))
    yield { path, action: 'added', fields: undefined, classes: 0, successor: undefined };
}
