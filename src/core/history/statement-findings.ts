/** Whether a revision is the one that its identifier and its digest name. */

import { type Finding, finding, type Place } from '../diagnostics/finding.ts';
import { type RevisionHeader, recordedId } from '../model/revision.ts';
import { contentsDigest } from './contents-digest.ts';
import { type StatedChange, successorsOf } from './revision-file.ts';

/** What is wrong with the identifier of a revision, or with the digest that binds more than it can. */
export function statementFindings(
  header: RevisionHeader,
  changes: readonly StatedChange[],
  past: readonly (string | undefined)[],
  place: (...path: PropertyKey[]) => Place,
): Finding[] {
  const { id, origin, contents } = header;
  const computed = origin === 'recorded' ? recordedId(header, successorsOf(changes)) : id;
  if (computed !== id) return [finding('revision-id', { id, computed }, place('id'))];
  const isBound = contents !== undefined || past.some((digest) => digest !== undefined);
  if (!isBound || contents === contentsDigest(header, changes, past)) return [];
  return [finding('revision-contents', { id }, place('contents'))];
}
