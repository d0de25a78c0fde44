/** Returns the history as it was when the given revision was the head. */
import { graphAt } from './graph.ts';
import type { History } from './replay.ts';

export function historyAt(history: History, index: number): History {
  const graph = graphAt(history, index);
  const old = graph.revisions.map(({ id }) => history.indexOf.get(id) ?? -1);
  return {
    ...graph,
    kinds: history.kinds,
    states: old.map((i) => history.states[i] ?? null),
    changes: old.map((i) => history.changes[i] ?? []),
  };
}
