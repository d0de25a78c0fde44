/**
 * The bodies that a replay into an index makes: in memory until they are in the index, and then as long as they are used
 * and there is room. Others are read from what was written.
 */

import type { BodyStore } from '../../core/model/state.ts';
import { mustGet } from '../../core/platform/certain.ts';

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
  /** Those first that were not used for longest. */
  const held = new Map<number, string>();
  let size = 0;
  const rows = new Map<number, number>();
  const hold = (handle: number, text: string) => {
    held.set(handle, text);
    size += text.length;
    for (const [oldest, other] of held) {
      if (size <= MOST_HELD) break;
      held.delete(oldest);
      size -= other.length;
    }
  };
  const rowOf = (handle: number) => mustGet(rows, handle);
  return {
    put: (json) => {
      waiting.set(next, json);
      return next++;
    },
    get: (handle) => {
      const text = waiting.get(handle) ?? held.get(handle);
      if (text === undefined) return read(rowOf(handle));
      if (held.delete(handle)) held.set(handle, text);
      return text;
    },
    isWritten: (handle, row) => {
      hold(handle, mustGet(waiting, handle));
      rows.set(handle, row);
    },
    forgetOthers: () => waiting.clear(),
    rowOf,
  };
}
