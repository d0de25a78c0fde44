/** Says what a view leaves out of the past. */
import type { AppState } from '../../app-state.ts';
import type { ComparedBody } from '../../data/compared-bodies.ts';

/** Where a history begins that the tree does not tell from its beginning. */
export function LeftOut() {
  return <p class="absent">What came before is left out: only this much of the history is published here.</p>;
}

/** The fields that the table of nodes does not have, where a body is from the table. */
export function LeftOutFields({ state, bodies }: { state: AppState; bodies: readonly ComparedBody[] }) {
  const { leftOut } = state.fleet.table;
  if (leftOut.length === 0 || !bodies.some(({ isPartial }) => isPartial)) return null;
  return (
    <p class="absent">Left out here, since every node has its own, or not told of this moment: {leftOut.join(', ')}.</p>
  );
}
