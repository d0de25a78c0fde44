/** What is told of a publication. */
import { grouped, plural, shortId } from '../diagnostics/words.ts';
import type { Change, Difference, Reason } from '../site/published-difference.ts';

export interface Summary {
  readonly destination: string;
  readonly revision: string;
  readonly serial: number;
  readonly digest: string;
  readonly difference: Difference;
  readonly isDryRun: boolean;
  readonly isUnchanged: boolean;
  /** Sent, or to be sent, without the manifest. */
  readonly objects: number;
  readonly bytes: number;
}

const REASONS: Readonly<Record<Reason, string>> = {
  new: 'it is new',
  'other-content': 'its content differs',
  'other-type': 'its media type differs',
  'other-cache': 'its cache class differs',
  unknown: 'what is there was stored in another way, or is not known',
  unfinished: 'a publication that was not finished may have changed it',
  'not-in-tree': 'the tree does not have it: --prune removes it later',
};

/** One line for each document. */
export function plannedText({ sent, left }: Difference): string {
  const line = ({ action, path, reason }: Change) => `${action} ${path}: ${REASONS[reason]}\n`;
  return [...sent, ...left].map(line).join('');
}

export function describePublished(summary: Summary & { readonly requests: number }) {
  const { destination, revision, serial, digest, objects, bytes, requests, isDryRun, isUnchanged } = summary;
  const { sent, left, unchanged } = summary.difference;
  const counts = {
    create: sent.filter(({ action }) => action === 'create').length,
    update: sent.filter(({ action }) => action === 'update').length,
    unchanged,
    delete_later: left.length,
  };
  const record = {
    ...{ destination, revision, serial, digest, dry_run: isDryRun, documents: counts },
    ...{ objects, bytes, requests },
    ...(isDryRun ? { changes: [...sent, ...left] } : {}),
  };
  const documents = `${grouped(counts.create)} to create, ${grouped(counts.update)} to update, ${grouped(unchanged)} unchanged, ${grouped(counts.delete_later)} to delete later`;
  if (isUnchanged) return { record, text: `${destination} has revision ${shortId(revision)} already.\n` };
  const what = `${plural(objects, 'object')}, ${(bytes / 1e6).toFixed(1)} MB`;
  const text = isDryRun
    ? `Documents: ${documents}. It would send ${what}.\n`
    : `Published revision ${shortId(revision)} at ${destination}: ${what}, ${plural(requests, 'request')}.\n`;
  return { record, text };
}
