/** The nodes that were picked, by uids in the fragment: shortened as far as they stay unlike all others. */

/** More cannot stand side by side. */
export const MOST_COMPARED = 6;

/** Shorter beginnings of uids would soon be those of nodes to come. */
const SHORTEST = 8;

export function shortUids(uids: readonly string[], all: readonly string[]): string {
  return uids.map((uid) => shortUid(uid, all)).join(',');
}

function shortUid(uid: string, all: readonly string[]): string {
  for (let length = SHORTEST; length < uid.length; length++) {
    const start = uid.slice(0, length);
    if (all.every((other) => other === uid || !other.startsWith(start))) return start;
  }
  return uid;
}

export interface Picked {
  readonly rows: readonly number[];
  /** What no node's uid begins with: of another registry, or of another time. */
  readonly unknown: readonly string[];
}

export function pickedRows(text: string | null, uids: readonly string[]): Picked {
  const rows: number[] = [];
  const unknown: string[] = [];
  for (const start of (text ?? '').split(',').filter((part) => part !== '')) {
    const exact = uids.indexOf(start);
    const row = exact >= 0 ? exact : uids.findIndex((uid) => uid.startsWith(start));
    if (row < 0) unknown.push(start);
    else if (!rows.includes(row)) rows.push(row);
  }
  return { rows, unknown };
}
