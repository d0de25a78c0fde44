import { dirname, resolve } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { grouped, megabytes, plural, shortId } from '../../core/diagnostics/words.ts';
import type { ManifestSummary } from '../../core/tree/manifest/manifest.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { contentsOf } from '../../core/tree/tree-contents.ts';
import { progress } from '../../system/terminal/progress.ts';
import { wholeManifest } from '../../system/trees/manifest-file.ts';
import { checkInNoTree } from '../../system/trees/output-place.ts';
import { treeDifference } from '../publish/tree-difference.ts';
import type { SourceOptions } from '../sources/load-sources.ts';
import { bundleBase } from './bundle-base.ts';
import type { BundleHead } from './bundle-head.ts';
import { writeBundle } from './bundle-writer.ts';

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
