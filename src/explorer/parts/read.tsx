import type { ComponentChildren } from 'preact';
import type { AppState } from '../app-state.ts';
import type { ComparedBody } from '../data/compared-bodies.ts';
import type { Loaded } from '../state/use-loaded.ts';
import { Loading, Notice, TryAgain } from './notice.tsx';

interface ReadProps<T> {
  readonly of: Loaded<T>;
  readonly children: (value: T) => ComponentChildren;
}

export function Read<T>({ of, children }: ReadProps<T>) {
  if (of.kind === 'failed') return <ReadProblem problem={of.problem} />;
  return of.kind === 'done' ? children(of.value) : <Loading />;
}

export function ReadProblem({ problem }: { readonly problem: string }) {
  return (
    <Notice kind="wrong" title={problem}>
      <TryAgain />
    </Notice>
  );
}

export function LeftOut() {
  return <p class="absent">Earlier revisions are not included: this tree contains only part of the history.</p>;
}

export function LeftOutFields({ state, bodies }: { state: AppState; bodies: readonly ComparedBody[] }) {
  const { omittedFields } = state.fleet.table;
  if (omittedFields.length === 0 || !bodies.some(({ isPartial }) => isPartial)) return null;
  return (
    <p class="absent">Not compared, because nearly every node has a different value: {omittedFields.join(', ')}.</p>
  );
}
