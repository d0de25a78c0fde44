/**
 * SHA-256 over all that a revision says, and over its past: an identifier of 40 digits is what clients expect, and those of
 * git are taken as they are, so that two revisions could have the same. With this, none takes the place of another unseen.
 */
import { sha256 } from '../model/digest.ts';
import { canonicalJson } from '../model/json.ts';
import { type RevisionHeader, saidBy } from '../model/revision.ts';
import { withoutTrailing } from '../platform/text.ts';
import { type StatedChange, successorsOf } from './revision-file.ts';

/** `past` has the digests of its parents; undefined for those that older versions wrote. Changes follow from the states. */
export function contentsDigest(
  header: Omit<RevisionHeader, 'contents'>,
  changes: readonly StatedChange[],
  past: readonly (string | undefined)[],
): string {
  const { id, parents, date, author, origin, state } = header;
  const message = withoutTrailing(header.message, '\n');
  const said = saidBy({ parents, date, author, message, state }, successorsOf(changes));
  const touched = changes.filter(({ action }) => action === 'touched').map(({ path }) => path);
  return sha256(canonicalJson({ id, origin, ...said, touched, past: past.map((digest) => digest ?? null) }));
}
