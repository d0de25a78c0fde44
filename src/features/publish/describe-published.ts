import { grouped, megabytes, plural, shortId } from '../../core/diagnostics/words.ts';
import type { PublishedChange, PublishedDifference, PublishingReason } from './published-difference.ts';

export interface Summary {
  readonly destination: string;
  readonly revision: string;
  readonly serial: number;
  readonly digest: string;
  readonly difference: PublishedDifference;
  readonly isDryRun: boolean;
  readonly isUnchanged: boolean;
  /** Sent, or to be sent, without the manifest. */
  readonly objects: number;
  readonly bytes: number;
}

const REASONS: Readonly<Record<PublishingReason, string>> = {
  new: 'it is new',
  'other-content': 'its content differs',
  'immutable-content': 'its content differs, though it should never change',
  'other-type': 'its media type differs',
  'other-cache': 'its cache class differs',
  'other-headers': 'its headers differ',
  unknown: 'what is there was stored in another way, or is not known',
  unfinished: 'a publication that was not finished may have changed it',
  'not-in-tree': 'the tree does not have it',
};

export function plannedText(
  { sent, obsolete }: PublishedDifference,
  removal: '' | ': gridpress prune removes it later',
): string {
  const later = (action: PublishedChange['action']) => (action === 'delete' ? removal : '');
  const line = ({ action, path, reason }: PublishedChange) => `${action} ${path}: ${REASONS[reason]}${later(action)}\n`;
  return [...sent, ...obsolete].map(line).join('');
}

/** For machines: the same wherever a tree is published to. */
export function publishedRecord(summary: Summary & { readonly requests: number }): object {
  const { destination, revision, serial, digest, objects, bytes, requests, isDryRun, isUnchanged } = summary;
  const { sent, obsolete } = summary.difference;
  return {
    destination,
    revision,
    serial,
    digest,
    dry_run: isDryRun,
    is_written: !isDryRun && !isUnchanged,
    documents: countsOf(summary.difference),
    objects,
    bytes,
    requests,
    ...(isDryRun ? { changes: [...sent, ...obsolete].map(changeRecord) } : {}),
  };
}

function changeRecord({ path, action, reason }: PublishedChange): PublishedChange {
  return { path, action, reason };
}

function countsOf({ sent, obsolete, unchanged }: PublishedDifference) {
  return {
    create: sent.filter(({ action }) => action === 'create').length,
    update: sent.filter(({ action }) => action === 'update').length,
    unchanged,
    delete: obsolete.length,
  };
}

export function describePublished(summary: Summary & { readonly requests: number }) {
  const { destination, revision, objects, bytes, requests, isDryRun, isUnchanged } = summary;
  const counts = countsOf(summary.difference);
  const record = publishedRecord(summary);
  const documents = `${grouped(counts.create)} to create, ${grouped(counts.update)} to update, ${grouped(counts.unchanged)} unchanged, ${grouped(counts.delete)} to delete later`;
  if (isUnchanged) return { record, text: `${destination} has revision ${shortId(revision)} already.\n` };
  const what = `${plural(objects, 'object')}, ${megabytes(bytes)}`;
  const text = isDryRun
    ? `Documents: ${documents}. It would send ${what}.\n`
    : `Published revision ${shortId(revision)} at ${destination}: ${what}, ${plural(requests, 'request')}.\n`;
  return { record, text };
}
