/** The revision that would record the present state of the registry: for `gridpress record`, and to preview it. */
import { stateDigest } from '../history/replay.ts';
import type { Change, RevisionFile } from '../history/revision-file.ts';
import { difference } from '../model/difference.ts';
import { fieldRules } from '../model/field-classes.ts';
import { kindAt } from '../model/resource-path.ts';
import { type RevisionHeader, recordedId } from '../model/revision.ts';
import { stateDifference } from '../model/state.ts';
import { storedObject } from '../registry/registry.ts';
import type { Sources } from './sources.ts';

type Said = Pick<RevisionHeader, 'parents' | 'date' | 'author' | 'message'>;

/** The revision that records the present state of the registry on top of its parents. */
export function revisionOf(
  { history, worktree, store }: Sources,
  { parents, date, author, message }: Said,
): RevisionFile {
  const before = history.states[history.indexOf.get(parents[0] ?? '') ?? -1] ?? null;
  const changes = [...stateDifference(before, worktree)].map(({ path, before: old, after }): Change => {
    if (!after) return { action: 'removed', path };
    const value = storedObject(store, after.body.handle);
    const rule = fieldRules(kindAt(path).name);
    if (!old) return { action: 'added', path, value };
    return { action: 'updated', path, fields: difference(storedObject(store, old.body.handle), value, rule) };
  });
  const header = {
    parents,
    date,
    author,
    message: message.replace(/\n+$/, ''),
    state: stateDigest(worktree),
  };
  return { header: { ...header, id: recordedId(header), origin: 'recorded' }, changes };
}
