/** Computes a SHA-256 digest of a revision and its ancestors. This detects forgeries even if SHA-1 digests collide. */
import { sha256 } from '../model/digest.ts';
import { canonicalJson } from '../model/json.ts';
import { type RevisionHeader, statementOf } from '../model/revision.ts';
import { withoutTrailing } from '../platform/text.ts';
import { type StatedChange, successorsOf } from './revision-file.ts';

/** `past` contains the contents digests of the parents. Old versions of gridpress recorded no contents digest. */
export function contentsDigest(
  header: Omit<RevisionHeader, 'contents'>,
  changes: readonly StatedChange[],
  past: readonly (string | undefined)[],
): string {
  const { id, parents, date, author, origin, state, salt } = header;
  const message = withoutTrailing(header.message, '\n');
  const statement = statementOf({ parents, date, author, message, state, salt }, successorsOf(changes));
  const touched = changes.filter(({ action }) => action === 'touched').map(({ path }) => path);
  return sha256(canonicalJson({ id, origin, ...statement, touched, past: past.map((digest) => digest ?? null) }));
}
