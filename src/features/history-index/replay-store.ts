/**
 * The bodies that a replay into an index makes: in memory until they are in the index, and then as long as they are used
 * and there is room. Others are read from what was written.
 */

import type { BodyStore } from '../../core/model/state.ts';
import { mustGet } from '../../core/platform/certain.ts';
import { recentlyUsed } from '../../core/platform/recently-used.ts';

/** Characters of JSON text. */
const MOST_HELD = 1 << 26;

export interface ReplayStore extends BodyStore {
  /** Says in which row a body is now, after which it may be forgotten. */
  readonly isWritten: (handle: number, row: number) => void;
  /** Forgets what else was put since, such as the texts of changed fields. */
  readonly forgetOthers: () => void;
  readonly rowOf: (handle: number) => number;
}

/** `read` reads the body of a row. */
export function replayStore(read: (row: number) => string): ReplayStore {
  let next = 0;
  const waiting = new Map<number, string>();
  const held = recentlyUsed<number, string>(MOST_HELD);
  const rows = new Map<number, number>();
  const hold = (handle: number, text: string) => held.put(handle, text, text.length);
  const rowOf = (handle: number) => mustGet(rows, handle);
  return {
    put: (json) => {
      waiting.set(next, json);
      return next++;
    },
    get: (handle) => waiting.get(handle) ?? held.get(handle) ?? read(rowOf(handle)),
    isWritten: (handle, row) => {
      hold(handle, mustGet(waiting, handle));
      rows.set(handle, row);
    },
    forgetOthers: () => waiting.clear(),
    rowOf,
  };
}
