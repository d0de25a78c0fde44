/** Shows what is being read, once it is there. */

import type { ComponentChildren } from 'preact';
import type { AppState } from '../app-state.ts';
import type { ComparedBody } from '../data/compared-bodies.ts';
import type { Loaded } from '../state/use-loaded.ts';
import { Notice } from './notice.tsx';

interface ReadProps<T> {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ComponentChildren;
}

export function Read<T>({ of, children }: ReadProps<T>) {
  if (of.kind === 'failed') return <Notice kind="wrong" title={of.problem} />;
  return of.kind === 'done' ? children(of.value) : <p class="loading">Reading…</p>;
}

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
