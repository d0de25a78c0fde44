/** Reads bundles. Findings name the file in the tree, not the bundle file. */

import { closeSync } from 'node:fs';
import { basename } from 'node:path';
import { type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import { tooLargeReason } from '../../core/diagnostics/words.ts';
import { LISTING_BYTES } from '../../core/platform/limits.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { contentsOf, headTime, type TreeContent } from '../../core/tree/tree-contents.ts';
import { type Chunks, digestOf, openPlainFile } from '../../system/files/file-io.ts';
import { reading } from '../../system/files/system-errors.ts';
import { readTar, type TarEntry, type TarIndex } from '../../system/tar/tar-reader.ts';
import { clampTime, paddingOf } from '../../system/tar/tar-writer.ts';
import { manifestFrom, NO_MANIFEST } from '../../system/trees/manifest-file.ts';
import type { FilesOptions, Verified } from '../verify/verify-files.ts';
import { BUNDLE_FILE, type BundleHead, contentsInBundle, readBundleText } from './bundle-head.ts';
import { kindOfFile } from './kind-of-file.ts';

export interface Bundle {
  readonly head: BundleHead | undefined;
  readonly manifest: Manifest | undefined;
  readonly files: number;
  readonly read: (content: { readonly file: string }) => Chunks | undefined;
  /** Checks every file against the manifest. */
  readonly check: (onProgress: (done: number, bytes: number) => void) => Finding[];
  readonly close: () => void;
}

/** Checks that a bundle is complete and unchanged. Does not check the contents of documents. */
export function verifyBundle(path: string, { trust, onProgress }: Omit<FilesOptions, 'fields'>): Verified {
  const bundle = openBundle(path);
  try {
    const { manifest, files } = bundle;
    const trusted = manifest && trust?.(manifest);
    return { manifest, trusted, files, findings: bundle.check((done) => onProgress?.(done, files)) };
  } finally {
    bundle.close();
  }
}

/** Fails if the file is not a bundle. The function `check` of the returned bundle reports damaged contents. */
export function openBundle(path: string): Bundle {
  const kind = kindOfFile(path);
  if (kind === 'other') fail(finding('file-of-no-kind', { file: path }));
  if (kind === 'archive') fail(finding('bundle-is-archive', { file: path }));
  const name = basename(path);
  const { file } = reading(path, () => openPlainFile(path));
  const tar = reading(path, () => readTar(file, name));
  const headBytes = tar.read(BUNDLE_FILE, LISTING_BYTES);
  const read = headBytes && readBundleText(headBytes.toString('utf8'));
  const head = read && 'to' in read ? read : undefined;
  const entry = tar.entries.get(MANIFEST_FILE);
  const manifest = entry && manifestFrom({ size: entry.size, read: (from, length) => tar.chunk(entry, from, length) });
  const check: Bundle['check'] = (onProgress) => {
    if (!head || !manifest) {
      const next = [BUNDLE_FILE, MANIFEST_FILE][tar.entries.size] ?? name;
      return [...tarFindings(tar, next), ...beginningFindings(tar, read, manifest)];
    }
    const findings = [...manifest.findings, ...headFindings(head, manifest)];
    // Stops here, because a damaged manifest does not list the expected files.
    if (findings.length > 0) return [...tarFindings(tar, name), ...findings];
    return fileFindings({ tar, name, head, manifest }, onProgress);
  };
  return {
    head,
    manifest,
    check,
    files: tar.entries.size,
    read: ({ file }) => {
      const entry = tar.entries.get(file);
      return entry && tar.chunks(entry);
    },
    close: () => closeSync(file),
  };
}

const bundleDamage = (file: string, reason: string) => finding('bundle-damaged', { reason }, { file });

function beginningFindings(
  { entries, findings }: TarIndex,
  read: ReturnType<typeof readBundleText> | undefined,
  manifest: Manifest | undefined,
): Finding[] {
  const { size = 0 } = entries.get(BUNDLE_FILE) ?? {};
  if (size > LISTING_BYTES) return [bundleDamage(BUNDLE_FILE, tooLargeReason(size, LISTING_BYTES))];
  if (!read) return findings.length > 0 ? [] : [bundleDamage(BUNDLE_FILE, 'it is missing')];
  if ('reason' in read) return [bundleDamage(BUNDLE_FILE, read.reason)];
  const isThere = entries.has(MANIFEST_FILE);
  if (manifest || (!isThere && findings.length > 0)) return [];
  const reason = isThere ? NO_MANIFEST : 'it is missing';
  return [bundleDamage(MANIFEST_FILE, reason)];
}

function headFindings({ to }: BundleHead, { summary, sha256: computed }: Manifest): Finding[] {
  if (computed !== to.manifest)
    return [bundleDamage(MANIFEST_FILE, `it has the digest ${computed} instead of ${to.manifest}`)];
  const { revision, serial = 0, digest } = summary;
  const isSame = revision === to.revision && serial === to.serial && digest === to.digest;
  return isSame ? [] : [bundleDamage(BUNDLE_FILE, 'it describes another tree than the manifest')];
}

interface Checked {
  readonly tar: TarIndex;
  readonly name: string;
  readonly head: BundleHead;
  readonly manifest: Manifest;
}

function fileFindings({ tar, name, head, manifest }: Checked, onProgress: (done: number, bytes: number) => void) {
  const modified = headTime(manifest);
  const first = [BUNDLE_FILE, MANIFEST_FILE].map((file) => ({ file, sha256: '', size: undefined, modified }));
  const expected = [...first, ...contentsInBundle(head, contentsOf(manifest))];
  const findings: Finding[] = listedFindings(head, expected);
  const known = new Set(expected.map(({ file }) => file));
  let bytes = 0;
  let at = 0;
  for (const entry of tar.entries.values()) {
    if (!known.has(entry.name)) {
      findings.push(bundleDamage(entry.name, 'it is not expected here'));
      continue;
    }
    for (; expected[at] && expected[at]?.file !== entry.name; at++)
      findings.push(bundleDamage(expected[at]?.file ?? '', 'it is in the wrong position'));
    const content = expected[at++];
    const reason = content && entryProblem(tar, entry, content);
    if (reason !== undefined) findings.push(bundleDamage(entry.name, reason));
    bytes += entry.size;
    onProgress(at, bytes);
  }
  const rest = expected.slice(at);
  const damages = tarFindings(tar, rest[0]?.file ?? name);
  const missing = damages.length > 0 ? [] : rest.map(({ file }) => bundleDamage(file, 'it is missing'));
  return [...damages, ...findings, ...missing];
}

function listedFindings({ files }: BundleHead, expected: readonly TreeContent[]): Finding[] {
  const brought = expected.slice(2).map(({ file }) => file);
  return files === null || files.join('\n') === brought.join('\n')
    ? []
    : [bundleDamage(BUNDLE_FILE, 'it lists files that the manifest does not contain, or in another order')];
}

function entryProblem(tar: TarIndex, entry: TarEntry, content: TreeContent): string | undefined {
  const { sha256: stated, size, modified } = content;
  if (entry.target !== undefined) return 'it is a link';
  if (entry.modified !== clampTime(modified)) return `it has the time ${entry.modified} instead of ${modified}`;
  if (stated === '') return undefined;
  if ((size ?? entry.size) !== entry.size) return `it has ${entry.size} bytes instead of ${size}`;
  const computed = digestOf(tar.chunks(entry));
  return computed === stated ? undefined : `it has the digest ${computed} instead of ${stated}`;
}

/** A corrupt header ends the tar file. The finding names the next expected file. */
function tarFindings(tar: TarIndex, next: string): Finding[] {
  return tar.findings.map((each) => (isPadding(tar, each) ? each : { ...each, place: { file: next } }));
}

/** Whether the damaged bytes are the padding after an entry. */
function isPadding({ entries }: TarIndex, { code, args, place }: Finding): boolean {
  const entry = entries.get(place?.file ?? '');
  return (
    code === 'tar-damaged' && entry !== undefined && args.at === entry.offset + entry.size && paddingOf(entry.size) > 0
  );
}
