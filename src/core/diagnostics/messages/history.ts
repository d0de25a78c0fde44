import {
  type ChangedPaths,
  error,
  type ForPath,
  type ForRevision,
  failure,
  formatPath,
  joinNames,
  type NoArguments,
  unrecordedChanges,
  warning,
} from '../message.ts';
import { plural, shortId } from '../words.ts';

const RESTORE_FILE = 'Restore the file from a backup or from version control.';
const PATHS_SHOWN = 5;

function recordFiles(id: string): string {
  return `Correct the files, and record them as they are: gridpress record --merge ${shortId(id)} -m "what happened".`;
}

export const HISTORY_MESSAGES = {
  'registry-untracked': warning<{ files: readonly string[]; folder: string }>(
    (a) =>
      `${plural(a.files.length, 'file')} of the registry ${a.files.length === 1 ? 'is' : 'are'} not in git, such as ${a.files[0]}.`,
    (a) => `A clone lacks ${a.files.length === 1 ? 'it' : 'them'}. Add the whole folder: git add ${a.folder}.`,
  ),
  'history-empty': error<NoArguments>(
    () => 'The registry has no history.',
    'Record its current state: gridpress record -m "First revision".',
  ),
  'revision-path': error<{ path: string }>(
    (a) => `"${a.path}" is not the path of a resource.`,
    'Use the form sites/SITE/clusters/CLUSTER/nodes/NODE. The grid is "/".',
  ),
  'revision-id': error<{ id: string; computed: string }>(
    (a) => `The identifier of the revision is ${shortId(a.id)}, but its contents give ${shortId(a.computed)}.`,
    `The revision was altered after it was recorded. ${RESTORE_FILE}`,
  ),
  'revision-contents': error<ForRevision>(
    (a) =>
      `Revision ${shortId(a.id)} or one of its ancestors was altered: the digest of its contents has changed, but its identifier has not.`,
    'Someone replaced a revision by another one with the same identifier. Restore the files from a backup or from version control.',
  ),
  'revision-state': error<{ id: string; stated: string; computed: string }>(
    (a) =>
      `After revision ${shortId(a.id)}, the registry has the digest ${shortId(a.computed)}…, but the revision states ${shortId(a.stated)}….`,
    `The changes were altered. ${RESTORE_FILE}`,
  ),
  'revision-date': error<{ date: string }>(
    (a) => `"${a.date}" is not a date that a revision can have.`,
    'Use a date from 1970 to 9999 in ISO 8601 with an offset: 2026-03-01T12:00:00+01:00.',
  ),
  'revision-twice': error<ForRevision & { other: string }>(
    (a) => `Revision ${shortId(a.id)} occurs twice. The other file is ${a.other}.`,
    'Remove one of the two files.',
  ),
  'revision-self-parent': error<ForRevision>(
    (a) => `Revision ${shortId(a.id)} lists itself as a parent, or one parent twice.`,
    'Correct its parents.',
  ),
  'unknown-parent': error<ForRevision & { parent: string }>(
    (a) => `The parent ${shortId(a.parent)} of revision ${shortId(a.id)} is not in the history.`,
    'Restore its file. If you copied only this revision from another branch, remove it and record its changes again.',
  ),
  'history-cycle': error<{ ids: readonly string[] }>(
    (a) => `The history contains a cycle: ${a.ids.map(shortId).join(' -> ')}.`,
    'Correct the parents. No revision can be its own ancestor.',
  ),
  'several-heads': error<{ ids: readonly string[] }>(
    (a) => `The history has ${a.ids.length} heads that no revision merges: ${a.ids.map(shortId).join(', ')}.`,
    'Merge them: gridpress record --merge. Or remove the revision files of the branch that you do not need.',
  ),
  'nothing-to-merge': failure<NoArguments>(
    () => 'The history has only one head, so there is nothing to merge.',
    'Record without --merge.',
  ),
  'sparse-checkout': failure<{ files: readonly string[] }>(
    (a) => `The sparse checkout of git omits ${plural(a.files.length, 'file')} of the registry, such as ${a.files[0]}.`,
    'A revision would record them as removed. Run "git sparse-checkout disable", then run this command again.',
  ),
  'not-a-head': failure<{ given: string; heads: readonly string[] }>(
    (a) => `"${a.given}" is not a head that can be merged.`,
    (a) => `Name ${a.heads.map(shortId).join(' or ')}.`,
  ),
  'merge-conflict': error<{
    path: string;
    name?: string;
    ids: readonly [string, string];
    field?: { at: string; ours: string; theirs: string };
  }>(
    ({ path, name, ids: [one, other], field }) => {
      const resource = name === undefined ? formatPath(path) : `${name} (${formatPath(path)})`;
      return field
        ? `Two heads change ${field.at} of ${resource}: to ${field.ours} (${shortId(one)}) and to ${field.theirs} (${shortId(other)}).`
        : `The heads ${shortId(one)} and ${shortId(other)} have conflicting changes of ${resource}: one head removes it, both add it, or both change the items of one list.`;
    },
    ({ ids: [, other] }) => recordFiles(other),
  ),
  'merge-differs': error<{ paths: readonly string[]; heads: readonly string[] }>(
    (a) =>
      `The files differ from the merge of the heads in ${plural(a.paths.length, 'resource')}: ${joinNames(a.paths.slice(0, PATHS_SHOWN))}${a.paths.length > PATHS_SHOWN ? ', ...' : ''}.`,
    (a) => recordFiles(a.heads.at(-1) ?? ''),
  ),
  'several-roots': error<{ ids: readonly string[] }>(
    (a) => `The history has ${a.ids.length} first revisions: ${a.ids.map(shortId).join(', ')}.`,
    'Only one revision can have no parents. Restore the missing parents.',
  ),
  'change-twice': error<ForPath>(
    (a) => `The revision changes ${formatPath(a.path)} twice.`,
    'Merge the two changes into one.',
  ),
  'change-not-there': error<ForPath & { action: string }>(
    (a) => `${formatPath(a.path)} cannot be ${a.action}: it does not exist before this revision.`,
    'Check the path and the earlier revisions.',
  ),
  'change-already-there': error<ForPath>(
    (a) => `${formatPath(a.path)} cannot be added: it already exists.`,
    'Write the change as an update, or check the earlier revisions.',
  ),
  'change-no-parent': error<ForPath & { parent: string }>(
    (a) => `${formatPath(a.path)} would have no parent: ${formatPath(a.parent)} does not exist after this revision.`,
    'In the same revision, add the parent or remove everything below it.',
  ),
  'change-wrong-from': error<ForPath & { at: string; stated: string; found: string }>(
    (a) =>
      a.stated === 'nothing'
        ? `${formatPath(a.path)} has ${a.found} at ${a.at}, but the change has no "from".`
        : `${formatPath(a.path)} has ${a.found} at ${a.at}, but "from" is ${a.stated}.`,
    'Check the value and the earlier revisions.',
  ),
  'change-no-place': error<ForPath & { at: string }>(
    (a) => `${formatPath(a.path)} cannot be changed at ${a.at}: this position does not exist.`,
    'The parent of a field must exist. Items can be added and removed only at the end of a list. A revision can change a field only once.',
  ),
  'change-nothing': error<ForPath>(
    (a) => `The change of ${formatPath(a.path)} has no effect.`,
    'Remove it from the revision.',
  ),
  'unrecorded-changes': error<ChangedPaths>(
    (a) => `The registry has ${unrecordedChanges(a)}`,
    'Record them: gridpress record -m "what happened".',
  ),
  'not-compared': failure<NoArguments>(
    () => 'Nothing was compared.',
    'There may still be differences. Correct the errors above first.',
  ),
  'change-no-successor': error<ForPath & { uid: string }>(
    (a) => `${a.path} has the successor "${a.uid}", which is not in the same collection after the revision.`,
    'Name the uid of a resource that is in the same collection after the revision.',
  ),
  'successor-of-none': failure<{ given: string }>(
    (a) => `"${a.given}" does not name one removed resource and one remaining resource of the same collection.`,
    'Write --successor REMOVED=STAYING. Use a uid, a name or a path for each.',
  ),
  'no-author': failure<NoArguments>(
    () => 'No author is set. Every revision records its author.',
    'Name the author with --author "Ada Brown", or once in git: git config --global user.name "Ada Brown".',
  ),
  'record-clock': failure<{ clock: string; id: string; date: string }>(
    (a) => `The clock of this machine shows ${a.clock}, but revision ${shortId(a.id)} has the later date ${a.date}.`,
    'Correct the clock. Or name the date: gridpress record -m "what happened" --date DATE.',
  ),
  'revision-too-large': failure<{ file: string; reason: string }>(
    (a) => `The new revision ${a.file} cannot be read later: ${a.reason}. Nothing was recorded.`,
    'Raise limits.revision_bytes in gridpress.yaml, or record the changes in several revisions.',
  ),
  'nothing-to-record': failure<NoArguments>(
    () => 'There is nothing to record. The registry matches its history.',
    'Edit the registry first. "gridpress log" lists the recorded revisions.',
  ),
} as const;
