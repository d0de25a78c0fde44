import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { endpointOf } from '../../core/api/endpoints.ts';
import { idAt, type Publication } from '../../core/api/publication.ts';
import { fail, failAll, finding } from '../../core/diagnostics/finding.ts';
import { formatCount, megabytes, plural, shortId } from '../../core/diagnostics/words.ts';
import { AUTO } from '../../core/model/configuration.ts';
import { isRevisionId } from '../../core/model/uid.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { contentsOf, headTime, type TreeContent } from '../../core/tree/tree-contents.ts';
import { putInPlace } from '../../system/files/disk-sync.ts';
import { chunkReader, withFile, writeAll } from '../../system/files/file-io.ts';
import { isDeviceOrPipe } from '../../system/files/replace-file.ts';
import { failToRead, reading, readingIfExists, writing } from '../../system/files/system-errors.ts';
import { type TarWriter, tarWriter } from '../../system/tar/tar-writer.ts';
import { progress } from '../../system/terminal/progress.ts';
import { assertIntactManifest, manifestInFile, readIntactManifest } from '../../system/trees/manifest-file.ts';
import { checkOutsideTrees } from '../../system/trees/output-place.ts';
import { closeStage, openStage } from '../../system/trees/staging.ts';
import { type SettingOptions, settingsOf, withSettings } from '../build/build-options.ts';
import { manifestAt } from '../build/manifest-at.ts';
import { planBuild } from '../build/plan-build.ts';
import { publicationOf } from '../build/publication-of.ts';
import { isDeletion, treeDifference } from '../publish/published-difference.ts';
import { loadCheckedSources, type SourceOptions } from '../sources/load-sources.ts';
import { type PublicSources, publicSources } from '../sources/public-sources.ts';
import { indexAtRevisionOrDate } from '../sources/resolve-revision.ts';
import { BUNDLE_FILE, type BundleHead, bundleText, contentsInBundle } from './bundle-head.ts';
import { openBundle } from './bundle-reader.ts';

export interface BundleOptions extends SourceOptions {
  readonly tree: string;
  readonly out: string;
  /**
   * The tree to update: a revision, date, folder, manifest or bundle. Without this option, the bundle contains a
   * complete tree.
   */
  readonly since?: string | undefined;
  readonly showsProgress: boolean;
}

export interface BundleResult {
  readonly file: string;
  readonly from: BundleHead['from'];
  readonly to: BundleHead['to'];
  readonly files: number;
  readonly removed: number;
  readonly bytes: number;
}

export async function bundle(options: BundleOptions): Promise<BundleResult> {
  const { tree, out: file, since, showsProgress } = options;
  checkOutsideTrees(dirname(resolve(file)));
  const manifest = readIntactManifest(tree);
  const { summary } = manifest;
  const to = { ...identityOf(summary), manifest: manifest.sha256 };
  const base = since === undefined ? undefined : await bundleBase(options, since, manifest);
  const head = { to, ...changesSince(base, manifest) };
  const written = writeBundle({ file, tree, manifest, head, showsProgress });
  return { file, from: head.from, to, removed: head.remove.length, ...written };
}

function identityOf({ revision, serial = 0, digest }: ManifestSummary) {
  return { revision, serial, digest };
}

function changesSince(base: Manifest | undefined, manifest: Manifest): Omit<BundleHead, 'to'> {
  if (!base) return { from: null, files: null, remove: [] };
  const known = new Map<string, string>();
  for (const { file, sha256 } of contentsOf(base)) known.set(file, sha256);
  const files: string[] = [];
  for (const { file, sha256 } of contentsOf(manifest)) if (known.get(file) !== sha256) files.push(file);
  const changes = treeDifference(base, manifest);
  const from = identityOf(base.summary);
  const { digest, signature } = manifest.summary;
  if (from.digest === digest && base.summary.signature === signature && changes.length === 0)
    fail(finding('bundle-since-itself', { id: from.revision }));
  return { from, files, remove: changes.filter(isDeletion).map(({ file }) => file) };
}

export function describeBundle({ file, from, to, files, removed, bytes }: BundleResult): string {
  const onto = from === null ? '' : `, since ${shortId(from.revision)}`;
  const gone = from === null ? '' : `, ${formatCount(removed)} to remove`;
  return `Wrote ${file}: revision ${shortId(to.revision)}${onto}, ${plural(files, 'file')}${gone}, ${megabytes(bytes)}.\n`;
}

/**
 * Returns the manifest of the tree to update. If `since` is a revision or a date, plans this tree with the settings of
 * the new tree.
 */
async function bundleBase(options: BundleOptions, since: string, tree: Manifest): Promise<Manifest> {
  const status = readingIfExists(since, () => statSync(since));
  if (status?.isDirectory()) return readIntactManifest(since);
  if (status?.isFile())
    return basename(since) === MANIFEST_FILE
      ? assertIntactManifest(reading(since, () => manifestInFile(since)))
      : manifestInBundle(since);
  return await manifestOfRevision(options, since, tree);
}

function manifestInBundle(file: string): Manifest {
  const bundle = openBundle(file);
  try {
    const findings = bundle.check(() => {});
    if (findings.length > 0) failAll(findings);
    return bundle.manifest ?? fail(finding('bundle-damaged', { reason: 'it has no manifest' }, { file }));
  } finally {
    bundle.close();
  }
}

async function manifestOfRevision(options: BundleOptions, since: string, carried: Manifest): Promise<Manifest> {
  const { summary } = carried;
  const sources = publicSources(loadCheckedSources(options), options);
  const { history } = sources;
  if (!history.indexOf.has(summary.revision)) fail(finding('bundle-not-head', { tree: summary.revision }));
  const index = indexAtRevisionOrDate(history, since);
  const at = history.revisions[index]?.id ?? '';
  const { precompressed } = summary.variants;
  const given = withSettings(sources, { ...settingsOf(summary), ...(await historySettings(sources, carried)) });
  const manifest = await manifestAt(given, { at, precompressed, showsProgress: options.showsProgress });
  const [tree, expected] = [summary, manifest.summary].map(({ variants }) => JSON.stringify(variants));
  if (tree !== expected)
    fail(finding('bundle-configuration', { what: 'the variants', tree: tree ?? '', sources: expected ?? '' }));
  // A planned tree has no signature, so the signature of the new tree is not a change.
  const { signature } = summary;
  return signature === undefined ? manifest : { ...manifest, summary: { ...manifest.summary, signature } };
}

/**
 * Returns settings for planning the tree to update. They select the history start and the snapshots of the new tree.
 */
async function historySettings(
  sources: PublicSources,
  { summary, entries }: Manifest,
): Promise<Required<Pick<SettingOptions, 'since' | 'snapshots'>>> {
  const since = summary.history_since ?? 'all';
  const existing = [...snapshotsIn(entries.paths())];
  const ids = new Set(existing);
  const isExisting = (publication: Publication) =>
    existing.length === publication.snapshots.size &&
    [...publication.snapshots].every((index) => ids.has(idAt(publication, index)));
  if (sources.configuration.snapshots === AUTO) {
    const given = withSettings(sources, { ...settingsOf(summary), since });
    const { precompressed } = summary.variants;
    const { publication } = await planBuild(given, { at: summary.revision, precompressed });
    if (isExisting(publication)) return { since, snapshots: AUTO };
  }
  const whole = publicationOf(withSettings(sources, { since, snapshots: 'all' }), summary.revision);
  // A list of snapshots would change the history start of the older tree.
  if (isExisting(whole)) return { since, snapshots: 'all' };
  // An empty list of snapshots and `none` give documents different times.
  if (existing.length === 0) return { since, snapshots: 'none' };
  return { since, snapshots: existing };
}

function* snapshotsIn(paths: Iterable<string>): Generator<string> {
  for (const path of paths) {
    const endpoint = endpointOf(path);
    const id = path.split('/').at(-1) ?? '';
    if (endpoint?.inSnapshot && endpoint.content === 'resource' && isRevisionId(id)) yield id;
  }
}

interface BundleJob {
  readonly file: string;
  readonly tree: string;
  readonly manifest: Manifest;
  readonly head: BundleHead;
  readonly showsProgress: boolean;
}

/** Fails if a file of the tree does not match the manifest. */
function writeBundle(job: BundleJob) {
  const { file, manifest, head, showsProgress } = job;
  const total = head.files?.length ?? manifest.summary.counts.documents + manifest.files.length;
  const shown = progress('Bundling', total, showsProgress);
  const onProgress = (done: number, bytes: number) => shown.at(done, megabytes(bytes));
  const write = (path: string, flags: string) => withFile(path, (target) => writeInto(target, job, onProgress), flags);
  try {
    return writing(file, () => (isDeviceOrPipe(file) ? write(file, 'w') : writeStaged(file, write)));
  } finally {
    shown.end();
  }
}

function writeStaged<T>(file: string, write: (path: string, flags: string) => T): T {
  const stage = openStage(file);
  const fresh = join(stage.next, 'bundle');
  try {
    const written = write(fresh, 'wx');
    putInPlace([{ from: fresh, to: file }]);
    return written;
  } finally {
    closeStage(stage);
  }
}

/** Returns the number of written files, not counting bundle.json and the manifest. */
function writeInto(
  target: number,
  { tree, manifest, head }: BundleJob,
  onProgress: (done: number, bytes: number) => void,
) {
  const tar = tarWriter((bytes) => writeAll(target, bytes));
  const time = headTime(manifest);
  tar.file(BUNDLE_FILE, Buffer.from(bundleText(head)), time);
  const add = fileAdder(tree, tar);
  add({ file: MANIFEST_FILE, sha256: manifest.sha256, modified: time });
  let files = 0;
  let bytes = 0;
  for (const content of contentsInBundle(head, contentsOf(manifest))) {
    bytes += add(content);
    onProgress(++files, bytes);
  }
  return { files, bytes: tar.end() };
}

function fileAdder(tree: string, tar: TarWriter): (content: Omit<TreeContent, 'size'>) => number {
  const read = chunkReader();
  return ({ file, sha256, modified }) => {
    const path = join(tree, file);
    const { size } = reading(path, () => statSync(path));
    const digest = createHash('sha256');
    const digested = function* () {
      try {
        for (const chunk of read(path)) {
          digest.update(chunk);
          yield chunk;
        }
      } catch (error) {
        failToRead(path, error);
      }
    };
    tar.chunks(file, digested(), size, modified);
    const computed = digest.digest('hex');
    if (computed !== sha256) fail(finding('verify-differs', { stated: sha256, computed }, { file }));
    return size;
  };
}
