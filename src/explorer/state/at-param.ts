import { shortRevision } from '../parts/value.tsx';

/** Returns the value of the parameter `at` for a revision. The newest revision needs no value. */
export function atParam(newest: string, id: string): string | undefined {
  return id === newest ? undefined : shortRevision(id);
}
