import { createHash } from 'node:crypto';
import { closeSync, openSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { endpointOf } from '../../core/api/endpoints.ts';
import { idAt } from '../../core/api/publication.ts';
import { fail, failAll } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { grouped, megabytes, plural, shortId } from '../../core/diagnostics/words.ts';
import { graphAt } from '../../core/history/graph.ts';
import { isRevisionId } from '../../core/model/uid.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { contentsOf, headTime, type TreeContent } from '../../core/tree/tree-contents.ts';
import { putInPlace } from '../../system/files/disk-sync.ts';
import { chunkReader, writeAll } from '../../system/files/file-chunks.ts';
import { failToRead, failToWrite, reading } from '../../system/files/system-errors.ts';
import { type TarWriter, tarWriter } from '../../system/tar/tar-writer.ts';
import { progress } from '../../system/terminal/progress.ts';
import { checkedManifest, manifestInFile, wholeManifest } from '../../system/trees/manifest-file.ts';
import { checkInNoTree } from '../../system/trees/output-place.ts';
import { dropStage, openStage } from '../../system/trees/staging.ts';
import { manifestAt } from '../build/manifest-at.ts';
import { type PublicationOptions, publicationOf } from '../build/publication-of.ts';
import { treeDifference } from '../publish/published-difference.ts';
import { loadCheckedSources, type SourceOptions, type Sources } from '../sources/load-sources.ts';
import { indexOfRevision } from '../sources/resolve-revision.ts';
import { BUNDLE_FILE, type BundleHead, bundleText, contentsInBundle } from './bundle-head.ts';
import { openBundle } from './bundle-reader.ts';

export interface BundleOptions extends SourceOptions {
  readonly tree: string;
  readonly out: string;
  /** What it goes onto: a revision, a folder, a manifest or a bundle. Without it, it brings everything. */
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
  // What stands there is replaced, and not what a link leads to.
  checkInNoTree(dirname(resolve(file)));
  const manifest = wholeManifest(tree);
  const { summary } = manifest;
  const to = { ...identityOf(summary), manifest: manifest.sha256 };
  const base = since === undefined ? undefined : await bundleBase({ ...options, since }, manifest);
  if (base?.summary.digest === to.digest) fail(finding('bundle-since-itself', { id: to.revision }));
  const head = { to, ...changesSince(base, manifest) };
  const total = head.files?.length ?? summary.counts.documents + manifest.files.length;
  const shown = progress('Bundling', total, showsProgress);
  const onProgress = (done: number, bytes: number) => shown.at(done, megabytes(bytes));
  try {
    const written = writeBundle({ file, tree, manifest, head, onProgress });
    return { file, from: head.from, to, removed: head.remove.length, ...written };
  } finally {
    shown.end();
  }
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
  const removed = treeDifference(base, manifest).filter(({ action }) => action === 'delete');
  return { from: identityOf(base.summary), files, remove: removed.map(({ file }) => file) };
}

export function describeBundle({ file, from, to, files, removed, bytes }: BundleResult): string {
  const onto = from === null ? '' : `, since ${shortId(from.revision)}`;
  const gone = from === null ? '' : `, ${grouped(removed)} to remove`;
  return `Wrote ${file}: revision ${shortId(to.revision)}${onto}, ${plural(files, 'file')}${gone}, ${megabytes(bytes)}.\n`;
}

/**
 * What a bundle goes onto: the tree of an older revision, as `build --at` makes it with the options of the tree, or a tree
 * that there is, by its folder, its manifest or the bundle that brought it.
 */
export interface BundleBaseOptions extends SourceOptions {
  readonly since: string;
  readonly showsProgress: boolean;
}

/** `tree` is the one to be carried, whose options the older one has too. */
export async function bundleBase(options: BundleBaseOptions, tree: Manifest): Promise<Manifest> {
  const { since } = options;
  const status = statSync(since, { throwIfNoEntry: false });
  if (status?.isDirectory()) return wholeManifest(since);
  if (status?.isFile())
    return basename(since) === MANIFEST_FILE
      ? checkedManifest(reading(since, () => manifestInFile(since)))
      : manifestInBundle(since);
  return await manifestOfRevision(options, tree);
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

async function manifestOfRevision(options: BundleBaseOptions, carried: Manifest): Promise<Manifest> {
  const { summary } = carried;
  const sources = loadCheckedSources(options);
  const { history } = sources;
  if (!history.indexOf.has(summary.revision)) fail(finding('bundle-not-head', { tree: summary.revision }));
  const index = indexOfRevision(history, options.since);
  const manifest = await manifestAt(sources, {
    ...historyOptions(sources, carried, history.revisions[index]?.id ?? ''),
    dialect: summary.dialect,
    hosts: summary.hosts,
    versionLinks: undefined,
    precompressed: summary.variants.precompressed,
    showsProgress: options.showsProgress,
  });
  const [tree, given] = [summary, manifest.summary].map(({ variants }) => JSON.stringify(variants));
  if (tree !== given)
    fail(finding('bundle-configuration', { what: 'the variants', tree: tree ?? '', sources: given ?? '' }));
  return manifest;
}

/** What `build --at` is told of the history, so that it makes an older tree as a tree was made. */
function historyOptions(
  sources: Sources,
  { summary, entries }: Manifest,
  at: string,
): Required<Pick<PublicationOptions, 'at' | 'since' | 'snapshots'>> {
  const since = summary.history_since ?? 'all';
  const there = [...snapshotsIn(entries.paths())];
  const whole = publicationOf(sources, { at: summary.revision, since, snapshots: 'all' });
  const isThere = new Set(there);
  const hasAll = [...whole.snapshots].every((index) => isThere.has(idAt(whole, index)));
  // Those that are named could be others than all that an older tree has: where its history begins depends on them.
  if (hasAll && there.length === whole.snapshots.size) return { at, since, snapshots: 'all' };
  const known = graphAt(sources.history, indexOfRevision(sources.history, at)).indexOf;
  return { at, since, snapshots: there.filter((id) => known.has(id)) };
}

function* snapshotsIn(paths: Iterable<string>): Generator<string> {
  for (const path of paths) {
    const endpoint = endpointOf(path);
    const id = path.split('/').at(-1) ?? '';
    if (endpoint?.inSnapshot && endpoint.content === 'resource' && isRevisionId(id)) yield id;
  }
}

export interface BundleJob {
  readonly file: string;
  readonly tree: string;
  readonly manifest: Manifest;
  readonly head: BundleHead;
  readonly onProgress: (files: number, bytes: number) => void;
}

export interface WrittenBundle {
  /** Without bundle.json and the manifest. */
  readonly files: number;
  readonly bytes: number;
}

/** Fails when a file of the tree is not what the manifest says. */
export function writeBundle(job: BundleJob): WrittenBundle {
  const stage = openStage(job.file);
  const fresh = join(stage.next, 'bundle');
  try {
    const target = openSync(fresh, 'wx');
    let written: WrittenBundle;
    try {
      written = writeInto(target, job);
    } finally {
      closeSync(target);
    }
    putInPlace([{ from: fresh, to: job.file }]);
    return written;
  } catch (error) {
    return failToWrite(job.file, error);
  } finally {
    dropStage(stage);
  }
}

function writeInto(target: number, { tree, manifest, head, onProgress }: BundleJob): WrittenBundle {
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
    function* digested() {
      try {
        for (const chunk of read(path)) {
          digest.update(chunk);
          yield chunk;
        }
      } catch (error) {
        failToRead(path, error);
      }
    }
    tar.chunks(file, digested(), size, modified);
    const computed = digest.digest('hex');
    if (computed !== sha256) fail(finding('verify-differs', { stated: sha256, computed }, { file }));
    return size;
  };
}
