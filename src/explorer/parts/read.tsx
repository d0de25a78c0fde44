/** Shows what is being read, once it is there. */
import type { ComponentChildren } from 'preact';
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
