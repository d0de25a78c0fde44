import { type Endpoint, endpointOf } from '../../core/api/endpoints.ts';
import { resourceUrl } from '../../core/api/urls.ts';
import { formatCount, megabytes, plural, shortId } from '../../core/diagnostics/words.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import { fileOfUrl, GONE_FOLDER, HOSTS_FOLDER, MANIFEST_URL, NOT_FOUND_FILE } from '../../core/tree/layout.ts';
import type { DocumentEntry, ManifestEntry } from '../../core/tree/manifest/manifest-entries.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { contentNameOf } from '../../core/tree/plan/count-files.ts';
import type { DocumentsByPath, ServedDocument } from '../../core/tree/served-documents.ts';
import { urlOfRequest } from '../../core/tree/url-forms.ts';
import { reportsPhases } from '../../system/terminal/terminal.ts';
import { requestForms } from './bucket/bucket-objects.ts';

export interface PublishedState {
  /** The published documents. Empty if nothing is published, and undefined if the documents are unknown. */
  readonly published: DocumentsByPath | undefined;
  /** The documents of each unfinished publication. An element is undefined if its manifest is missing. */
  readonly inProgress: readonly (DocumentsByPath | undefined)[];
}

type PublishingReason =
  | 'new'
  | 'other-content'
  | 'immutable-content'
  | 'other-type'
  | 'other-cache'
  | 'other-headers'
  | 'unknown'
  | 'unfinished'
  | 'not-in-tree';

interface PublishedChange {
  readonly path: string;
  readonly action: 'create' | 'update' | 'delete';
  readonly reason: PublishingReason;
}

export function isDeletion({ action }: PublishedChange): boolean {
  return action === 'delete';
}

export interface PublishedDifference {
  readonly sent: readonly PublishedChange[];
  /** Published documents that the tree lacks. Publishing keeps these documents, and pruning removes them. */
  readonly obsolete: readonly PublishedChange[];
  readonly unchanged: number;
}

export function publishedDifference(tree: DocumentsByPath, state: PublishedState): PublishedDifference {
  const sent: PublishedChange[] = [];
  for (const path of tree.keys()) {
    const document = tree.get(path);
    const change = document && changeOf(path, document, state);
    if (change) sent.push(change);
  }
  const obsolete: PublishedChange[] = [];
  for (const path of state.published?.keys() ?? [])
    if (!tree.has(path)) obsolete.push({ path, action: 'delete', reason: 'not-in-tree' });
  const unchanged = tree.size - sent.length;
  return { sent: sent.sort(byPath), obsolete: obsolete.sort(byPath), unchanged };
}

function changeOf(
  path: string,
  document: ServedDocument,
  { published, inProgress }: PublishedState,
): PublishedChange | undefined {
  if (!published) return { path, action: 'update', reason: 'unknown' };
  const before = published.get(path);
  if (!before) return { path, action: 'create', reason: 'new' };
  const reason = documentDifference(document, before);
  if (reason) return { path, action: 'update', reason };
  const isUnfinished = inProgress.some((begun) => {
    const other = begun?.get(path);
    return !begun || (other && documentDifference(document, other));
  });
  return isUnfinished ? { path, action: 'update', reason: 'unfinished' } : undefined;
}

type Compared = Pick<ServedDocument, 'sha256' | 'type' | 'cache' | 'cacheControl'>;
type TreeDocument = DocumentEntry & Pick<ServedDocument, 'cacheControl'>;

function documentDifference(one: Compared, other: Compared): PublishingReason | undefined {
  if (one.sha256 !== other.sha256) return 'other-content';
  if (one.type !== other.type) return 'other-type';
  if (one.cache !== other.cache) return 'other-cache';
  return one.cacheControl === other.cacheControl ? undefined : 'other-headers';
}

export function byPath(a: PublishedChange, b: PublishedChange): number {
  return byCodeUnit(a.path, b.path);
}

/** Each stage of an upload ends before the next stage begins. Documents therefore never link to missing documents. */
export const UPLOAD_STAGES = ['immutable', 'items', 'collections', 'indexes', 'root'] as const;
type UploadStage = (typeof UPLOAD_STAGES)[number];

const ROOT = resourceUrl('');

/** Documents that link to items or collections are uploaded after all items and collections. */
const STAGES: Readonly<Partial<Record<Endpoint['content'], UploadStage>>> = {
  resource: 'items',
  'legacy-item': 'items',
  'latest-version': 'items',
  resources: 'collections',
  'legacy-collection': 'collections',
};

export function uploadStageOf(path: string): UploadStage {
  if (path === ROOT) return 'root';
  const endpoint = endpointOf(path);
  if (endpoint?.cache === 'immutable') return 'immutable';
  return (endpoint && STAGES[endpoint.content]) ?? 'indexes';
}

/** `path` is the URL path of a document or alias. For all other files, `path` is `/` followed by the file name. */
export interface TreeChange extends PublishedChange {
  /** The changed file. For a document or alias, this is the main file, not a variant. */
  readonly file: string;
  /** False if only variants of the file changed, or if hosts do not send it to clients. */
  readonly isResponseChanged: boolean;
}

/** Returns the differences between two trees, sorted by file. `before` is undefined if no tree exists yet. */
export function treeDifference(before: Manifest | undefined, after: Manifest): TreeChange[] {
  const changes = [...entryChanges(before, after), ...fileChanges(before, after)];
  return changes.sort((a, b) => byCodeUnit(a.file, b.file));
}

function* entryChanges(before: Manifest | undefined, after: Manifest): Generator<TreeChange> {
  for (const entry of after.entries) {
    const { path, file } = entry;
    const old = before?.entries.get(path);
    if (!old || !before) yield { path, file, action: 'create', reason: 'new', isResponseChanged: true };
    else yield* updateOf(entry, documentOf(old, before), documentOf(entry, after));
  }
  if (!before) return;
  const files = new Set(after.files.map(({ file }) => file));
  for (const path of before.entries.paths()) {
    const file = fileOfUrl(path);
    if (!after.entries.has(path) && !files.has(file)) yield removalOf(path, file, true);
  }
}

/** Returns the document of a manifest entry. For an alias, returns the target with the cache class of the alias. */
function documentOf(entry: ManifestEntry, { entries, summary }: Manifest): TreeDocument | undefined {
  const document = entry.alias === undefined ? entry : entries.get(entry.alias);
  if (!document || document.alias !== undefined) return undefined;
  return { ...document, cache: entry.cache, cacheControl: summary.cache_control[entry.cache] };
}

function* updateOf(
  { path, file, cache }: ManifestEntry,
  old: TreeDocument | undefined,
  now: TreeDocument | undefined,
): Generator<TreeChange> {
  if (!old || !now) return;
  const difference = documentDifference(now, old);
  const isVariants = now.variantDigests.join() !== old.variantDigests.join();
  const isContent = difference === 'other-content' || (difference === undefined && isVariants);
  const content: PublishingReason = cache === 'immutable' ? 'immutable-content' : 'other-content';
  const reason = isContent ? content : difference;
  if (reason) yield { path, file, action: 'update', reason, isResponseChanged: difference !== undefined };
}

function* fileChanges(before: Manifest | undefined, after: Manifest): Generator<TreeChange> {
  const old = new Map(before?.files.map(({ file, sha256 }) => [file, sha256]));
  for (const { file, sha256 } of after.files) {
    const [path, isResponseChanged] = [`/${file}`, file === NOT_FOUND_FILE];
    const known = old.get(file);
    old.delete(file);
    if (known === undefined) yield { path, file, action: 'create', reason: 'new', isResponseChanged };
    else if (known !== sha256) yield { path, file, action: 'update', reason: 'other-content', isResponseChanged };
  }
  for (const file of old.keys())
    if (!after.entries.has(urlOfRequest(`/${file}`) ?? '')) yield removalOf(`/${file}`, file, false);
}

function removalOf(path: string, file: string, isResponseChanged: boolean): TreeChange {
  return { path, file, action: 'delete', reason: 'not-in-tree', isResponseChanged };
}

/** Lists the URLs that caches must discard. Callers write this list before the new tree becomes visible. */
export function purgeText(changes: readonly PublishedChange[], baseUrl: string | undefined): string {
  const base = withoutTrailing(baseUrl ?? '', '/');
  // An immutable document changes only with the settings or the program. Caches then keep the old document for a year.
  const mayStayCached = ({ path, reason }: PublishedChange) =>
    uploadStageOf(path) === 'immutable' && ['new', 'unknown'].includes(reason);
  const outdated = changes.filter((change) => !mayStayCached(change));
  const forms = [...outdated.flatMap(({ path }) => requestForms(path)), MANIFEST_URL];
  return forms
    .filter((form) => form !== '' || base !== '')
    .map((form) => `${base}${form}\n`)
    .join('');
}

export interface Summary {
  readonly destination: string;
  readonly revision: string;
  readonly serial: number;
  readonly digest: string;
  readonly difference: PublishedDifference;
  readonly dryRun: boolean;
  readonly isUnchanged: boolean;
  /** The number of uploaded objects, not counting the manifest. A dry run counts the objects to upload. */
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
  unknown: 'the published version is unknown or was stored in another way',
  unfinished: 'a publication that was not finished may have changed it',
  'not-in-tree': 'the tree does not have it',
};

/** Counts changed documents by action and kind. With --verbose, lists the path of each document. */
export function changesText(difference: PublishedDifference, removal: Parameters<typeof plannedText>[1]): string {
  return reportsPhases() ? plannedText(difference, removal) : countedText(difference);
}

function countedText({ sent, obsolete }: PublishedDifference): string {
  const lineOf = (action: PublishedChange['action']) => {
    const changes = [...sent, ...obsolete].filter((change) => change.action === action);
    const kinds = new Map<string, number>();
    for (const { path } of changes) kinds.set(kindOf(path), (kinds.get(kindOf(path)) ?? 0) + 1);
    const sorted = [...kinds].sort(([a, m], [b, n]) => n - m || byCodeUnit(a, b));
    const counts = sorted.map(([kind, count]) => `${formatCount(count)} ${kind}`);
    return changes.length === 0 ? '' : `${action} ${formatCount(changes.length)}: ${counts.join(', ')}\n`;
  };
  return `${lineOf('create')}${lineOf('update')}${lineOf('delete')}`;
}

function kindOf(path: string): string {
  if (path.startsWith(`/${HOSTS_FOLDER}/`)) return 'host configuration';
  if (path.startsWith(`/${GONE_FOLDER}/`)) return 'tombstones';
  return endpointOf(path)?.inSnapshot ? 'snapshots' : contentNameOf(path);
}

function plannedText(
  { sent, obsolete }: PublishedDifference,
  removal: '' | ': gridpress prune removes it later',
): string {
  const later = (action: PublishedChange['action']) => (action === 'delete' ? removal : '');
  const line = ({ action, path, reason }: PublishedChange) => `${action} ${path}: ${REASONS[reason]}${later(action)}\n`;
  return [...sent, ...obsolete].map(line).join('');
}

export function publishedRecord(summary: Summary & { readonly requests: number }): object {
  const { destination, revision, serial, digest, objects, bytes, requests, dryRun, isUnchanged } = summary;
  const { sent, obsolete } = summary.difference;
  return {
    destination,
    revision,
    serial,
    digest,
    dry_run: dryRun,
    is_written: !dryRun && !isUnchanged,
    documents: countsOf(summary.difference),
    objects,
    bytes,
    requests,
    ...(dryRun ? { changes: [...sent, ...obsolete].map(changeRecord) } : {}),
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
  const { destination, revision, objects, bytes, requests, dryRun, isUnchanged } = summary;
  const counts = countsOf(summary.difference);
  const record = publishedRecord(summary);
  const documents = `${formatCount(counts.create)} to create, ${formatCount(counts.update)} to update, ${formatCount(counts.unchanged)} unchanged, ${formatCount(counts.delete)} to delete later`;
  if (isUnchanged) return { record, text: `${destination} has revision ${shortId(revision)} already.\n` };
  const what = `${plural(objects, 'object')}, ${megabytes(bytes)}`;
  const text = dryRun
    ? `Documents: ${documents}. It would send ${what}.\n`
    : `Published revision ${shortId(revision)} at ${destination}: ${what}, ${plural(requests, 'request')}.\n`;
  return { record, text };
}
