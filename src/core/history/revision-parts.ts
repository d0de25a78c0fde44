/**
 * A long revision file in parts that are revision files again, each with some of its changes, so that not all of it need be
 * in memory at once. It works on the layout that `writeRevisionFile` gives.
 */
import { areOfChanges, CHANGES } from './excerpt.ts';
import { NotInOrder } from './partial-history.ts';

/** Before each change. */
const NEXT = '\n  - ';

/** `lines` has the text of the file, whole lines at a time. Throws `NotInOrder` where that is laid out otherwise. */
export function* revisionParts(lines: Iterable<string>): Generator<string> {
  let head: string | undefined;
  let rest = '';
  for (const text of lines) {
    rest += text;
    if (head === undefined) {
      const start = rest.indexOf(CHANGES) + CHANGES.length;
      if (start < CHANGES.length) throw new NotInOrder();
      head = rest.slice(0, start);
      rest = rest.slice(start);
    }
    // Where the last change ends is known once there is more.
    const end = rest.lastIndexOf(NEXT) + 1;
    if (end === 0) continue;
    yield partOf(head, rest.slice(0, end));
    rest = rest.slice(end);
  }
  if (head === undefined) throw new NotInOrder();
  yield partOf(head, rest);
}

/** What ends the list of changes, or the whole document, would be told otherwise of a part than of all. */
function partOf(head: string, changes: string): string {
  const part = head + changes;
  if (!areOfChanges(part, head.length)) throw new NotInOrder();
  return part;
}
