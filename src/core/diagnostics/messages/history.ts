import { error, type ForPath, type ForRevision, failure, type Nothing, named } from '../message.ts';
import { plural, shortId } from '../words.ts';
import { type ChangedPaths, unknownToHistory } from './unknown-to-history.ts';

export const HISTORY_MESSAGES = {
  'history-empty': error<Nothing>(
    () => 'The registry has no history.',
    'Record its present state: gridpress record -m "First revision".',
  ),
  'revision-path': error<{ path: string }>(
    (a) => `"${a.path}" is not the path of a resource.`,
    'Write it like sites/SITE/clusters/CLUSTER/nodes/NODE; the grid is "/".',
  ),
  'revision-id': error<{ id: string; computed: string }>(
    (a) => `The identifier ${shortId(a.id)} is not what the revision's contents give: ${shortId(a.computed)}.`,
    'A recorded revision was altered: restore the file from a backup or from version control.',
  ),
  'revision-contents': error<ForRevision>(
    (a) =>
      `Revision ${shortId(a.id)}, or one that it stands on, is not what was recorded: the digest of its contents is another, though its identifier is the same.`,
    'Somebody exchanged a revision for one with the same identifier: restore the files from a backup or from version control.',
  ),
  'revision-state': error<{ id: string; stated: string; computed: string }>(
    (a) =>
      `After revision ${shortId(a.id)} the registry's digest is ${shortId(a.computed)}…, not ${shortId(a.stated)}… as stated.`,
    'The changes were altered: restore the file from a backup or from version control.',
  ),
  'revision-date': error<{ date: string }>(
    (a) => `"${a.date}" is not a date.`,
    'Write it as ISO 8601 with an offset: 2026-03-01T12:00:00+01:00.',
  ),
  'revision-twice': error<ForRevision & { other: string }>(
    (a) => `Revision ${shortId(a.id)} is there twice: also in ${a.other}.`,
    'Remove one of the two files.',
  ),
  'revision-self-parent': error<ForRevision>(
    (a) => `Revision ${shortId(a.id)} names a parent twice, or itself.`,
    'Correct its parents.',
  ),
  'unknown-parent': error<ForRevision & { parent: string }>(
    (a) => `The parent ${shortId(a.parent)} of revision ${shortId(a.id)} is not in the history.`,
    'Restore its file: a history must be complete.',
  ),
  'history-cycle': error<{ ids: readonly string[] }>(
    (a) => `The history has a cycle: ${a.ids.map(shortId).join(' -> ')}.`,
    'Correct the parents: no revision can come before itself.',
  ),
  'several-heads': error<{ ids: readonly string[] }>(
    (a) => `The history has ${a.ids.length} heads that no revision joins: ${a.ids.map(shortId).join(', ')}.`,
    (a) =>
      a.ids.length === 2
        ? `Join them: gridpress record --merge ${shortId(a.ids[1] ?? '')} -m "what happened"; or remove the files of the side that was given up.`
        : 'Remove the files of the sides that were given up; gridpress record --merge joins two.',
  ),
  'merge-needs-two': failure<{ heads: readonly string[] }>(
    (a) => `The history has ${plural(a.heads.length, 'head')}; a merge joins exactly two.`,
    (a) => (a.heads.length < 2 ? 'Record without --merge.' : 'Remove the files of the sides that were given up.'),
  ),
  'not-a-head': failure<{ given: string; heads: readonly string[] }>(
    (a) => `${a.given} is not one of the two heads that a merge joins.`,
    (a) => `Name ${a.heads.map(shortId).join(' or ')}.`,
  ),
  'several-roots': error<{ ids: readonly string[] }>(
    (a) => `The history has ${a.ids.length} first revisions: ${a.ids.map(shortId).join(', ')}.`,
    'Only one revision can have no parents: restore the missing parents.',
  ),
  'change-twice': error<ForPath>(
    (a) => `The revision changes ${named(a.path)} twice.`,
    'Merge the two changes into one.',
  ),
  'change-not-there': error<ForPath & { action: string }>(
    (a) => `${named(a.path)} cannot be ${a.action}: it is not there before this revision.`,
    'Check the path, and the revisions before this one.',
  ),
  'change-already-there': error<ForPath>(
    (a) => `${named(a.path)} cannot be added: it is there already.`,
    'Write it as an update, or check the revisions before this one.',
  ),
  'change-no-parent': error<ForPath & { parent: string }>(
    (a) => `${named(a.path)} would be left without ${named(a.parent)}, which is not there after this revision.`,
    'Add the parent, or remove what is below it, in the same revision.',
  ),
  'change-wrong-from': error<ForPath & { at: string; stated: string; found: string }>(
    (a) =>
      a.stated === 'nothing'
        ? `${named(a.path)} has ${a.found} at ${a.at}, and no "from" says so.`
        : `${named(a.path)} has ${a.found} at ${a.at}, not ${a.stated} as "from" says.`,
    'Check the value, and the revisions before this one.',
  ),
  'change-no-place': error<ForPath & { at: string }>(
    (a) => `${named(a.path)} cannot be changed at ${a.at}: there is no place for it.`,
    'What holds it must be there, items join and leave a list at its end, and no field changes twice.',
  ),
  'change-nothing': error<ForPath>(
    (a) => `The change of ${named(a.path)} changes nothing.`,
    'Remove it from the revision.',
  ),
  'unrecorded-changes': error<ChangedPaths>(
    (a) => `The registry has ${unknownToHistory(a)}`,
    'Record them: gridpress record -m "what happened".',
  ),
  'not-compared': failure<Nothing>(
    () => 'Nothing was compared.',
    'This says nothing about what differs: mend the above first.',
  ),
  'change-no-successor': error<ForPath & { uid: string }>(
    (a) => `${a.path} is said to be succeeded by ${a.uid}, which does not stand beside it then.`,
    'Name the uid of a resource of the same collection that is there after the revision.',
  ),
  'successor-of-none': failure<{ given: string }>(
    (a) => `"${a.given}" does not name one resource that is removed now, and one beside it that stays.`,
    'Write --successor REMOVED=STAYING, each by its uid, name or path.',
  ),
  'no-author': failure<Nothing>(
    () => 'Nothing says who records this, and a revision bears the name for ever.',
    'Say it with --author "Ada Brown", or to git once: git config --global user.name "Ada Brown".',
  ),
  'nothing-to-record': failure<Nothing>(
    () => 'There is nothing to record: the registry is what its history says.',
    'Edit the registry first; "gridpress log" shows what was recorded.',
  ),
} as const;
