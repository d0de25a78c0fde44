/** Verifies the files of a tree. If a file has several hard links, its contents are read only once. */

import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { FieldChecks } from '../../core/api/schemas/document-schemas.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { parsedJson, parsedObject } from '../../core/model/json.ts';
import { itemAt } from '../../core/platform/lookups.ts';
import { codingOf, fileOfUrl, MANIFEST_FILE, PRETTY_FOLDER, variantFilesOf } from '../../core/tree/layout.ts';
import type { DocumentEntry, ManifestEntries, ManifestEntry } from '../../core/tree/manifest/manifest-entries.ts';
import { digestOfSource } from '../../core/tree/manifest/manifest-frame.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { expectedFiles, fileNamesOf } from '../../core/tree/tree-contents.ts';
import { decodeContent, decodedText } from '../../system/trees/content-coding.ts';
import { manifestFrom, manifestSourceIn, NO_MANIFEST } from '../../system/trees/manifest-file.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import type { TrustResult } from '../../system/trees/signed-tree.ts';
import {
  isMissingFile,
  type NoFile,
  type ReadFile,
  type TreeFile,
  type TreeFiles,
} from '../../system/trees/tree-files.ts';
import { basesIn, type ContentCheck, contentCheck, FIRST_FEED } from './verify-content.ts';

export interface Verified {
  readonly manifest: Manifest | undefined;
  /** The result of checking the signature. Set if the options require a signature. */
  readonly trusted?: TrustResult | undefined;
  readonly files: number;
  readonly findings: readonly Finding[];
}

export type TrustCheck = (manifest: Manifest) => TrustResult;

export interface FilesOptions {
  readonly fields: FieldChecks;
  readonly trust?: TrustCheck | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Returns undefined if the manifest changed during the verification. */
export async function verifyFiles(tree: TreeFiles, options: FilesOptions): Promise<Verified | undefined> {
  const source = manifestSourceIn(tree);
  const manifest = source && manifestFrom(source);
  if (!manifest) {
    const found = finding('verify-manifest', { reason: NO_MANIFEST }, { file: MANIFEST_FILE });
    return { manifest, files: 0, findings: [found] };
  }
  const trusted = options.trust?.(manifest);
  const content = contentCheck({
    manifest,
    bases: basesIn(textAt(tree, FIRST_FEED)),
    fields: options.fields,
    checks: packagedChecks,
  });
  const files = fileCheck(tree);
  const documents = documentCheck(files, manifest, content);
  let done = 0;
  for (const entry of manifest.entries) {
    documents(entry);
    options.onProgress?.(++done, manifest.entries.size);
  }
  for (const { file, sha256, size } of manifest.files) files.read(file, sha256, size);
  const history = await content.atEnd((path) => parsedObject(textAt(tree, path) ?? ''));
  const foreign = foreignFiles(tree, manifest, files.present() + 1);
  const after = manifestSourceIn(tree);
  if (!after || digestOfSource(after) !== manifest.sha256) return undefined;
  return {
    manifest,
    trusted,
    files: files.present() + 1,
    findings: [...manifest.findings, ...files.findings, ...history, ...foreign],
  };
}

function textAt(tree: TreeFiles, path: string): string | undefined {
  const file = tree.read(fileOfUrl(path));
  return isMissingFile(file) ? undefined : decodedText(file.bytes);
}

/** A file that the manifest lists. `identity` is NaN for a damaged file. */
interface KnownFile {
  readonly sha256: string;
  readonly identity: number;
}

interface FileCheck {
  readonly findings: Finding[];
  /** `bytes` is undefined if the file is missing or damaged. The next call can overwrite `bytes`. */
  readonly read: (file: string, sha256: string, size?: number) => KnownFile & { readonly bytes?: Uint8Array };
  /** Checks a second name of a known file. The second name must be a hard link to the file or a copy of it. */
  readonly name: (file: string, known: KnownFile) => void;
  readonly present: () => number;
}

function fileCheck(tree: TreeFiles): FileCheck {
  const findings: Finding[] = [];
  let present = 0;
  const exists = <T extends TreeFile>(file: string, found: T | NoFile): found is T => {
    if (!isMissingFile(found)) {
      present++;
      return true;
    }
    const { absent } = found;
    findings.push(
      absent === undefined
        ? finding('verify-not-a-file', {}, { file })
        : finding('verify-missing', { reason: absent }, { file }),
    );
    return false;
  };
  const isIntact = (file: string, { bytes }: ReadFile, sha256: string, size: number | undefined) => {
    const computed = hash('sha256', bytes, 'hex');
    if (computed !== sha256) findings.push(finding('verify-differs', { stated: sha256, computed }, { file }));
    else if (size !== undefined && size !== bytes.length)
      findings.push(finding('verify-size', { stated: size, found: bytes.length }, { file }));
    else return true;
    return false;
  };
  return {
    findings,
    read: (file, sha256, size) => {
      const found = tree.read(file);
      if (!exists(file, found) || !isIntact(file, found, sha256, size)) return { sha256, identity: Number.NaN };
      return { sha256, identity: found.identity, bytes: found.bytes };
    },
    name: (file, { identity, sha256 }) => {
      const status = tree.status(file);
      if (!exists(file, status) || status.identity === identity) return;
      const found = tree.read(file);
      if (!isMissingFile(found)) isIntact(file, found, sha256, undefined);
      else findings.push(finding('verify-missing', { reason: found.absent ?? '' }, { file }));
    },
    present: () => present,
  };
}

export function aliasedDocuments(entries: ManifestEntries): ReadonlySet<string> {
  const aliased = new Set<string>();
  for (const path of entries.paths()) {
    const target = entries.targetOf(path);
    if (target !== undefined && target !== path) aliased.add(target);
  }
  return aliased;
}

/** Checks documents. Remembers the files of documents with aliases, because each alias is compared with its file. */
function documentCheck(
  files: FileCheck,
  { summary, entries }: Manifest,
  content: ContentCheck,
): (entry: ManifestEntry) => void {
  const { variants } = summary;
  const aliased = aliasedDocuments(entries);
  const known = new Map<string, readonly KnownFile[]>();

  const document = (entry: DocumentEntry) => {
    const { path, file, sha256, size } = entry;
    const { bytes, identity } = files.read(file, sha256, size);
    const own = { sha256, identity };
    if (bytes && !isUtf8(bytes)) files.findings.push(finding('verify-encoding', {}, { file }));
    const text = bytes && decodedText(bytes);
    for (const name of fileNamesOf(entry, summary).slice(1)) files.name(name, own);
    if (text !== undefined) for (const found of content.document(entry, text)) files.findings.push(found);
    const variantFiles = variantFilesOf(file, variants).map((name, i) => {
      const { bytes, ...variant } = files.read(name, itemAt(entry.variantDigests, i));
      const source = name.startsWith(`${PRETTY_FOLDER}/`) ? prettyOf : plain;
      if (bytes && text !== undefined && textIn(name, bytes) !== source(text))
        files.findings.push(finding('verify-variant', { of: file }, { file: name }));
      return variant;
    });
    if (aliased.has(path)) known.set(path, [own, ...variantFiles]);
  };

  return (entry) => {
    if (entry.alias === undefined) return document(entry);
    const [target, ...targetVariants] = known.get(entry.alias) ?? [];
    if (!target) return;
    for (const name of fileNamesOf(entry, summary)) files.name(name, target);
    for (const [i, name] of variantFilesOf(entry.file, variants).entries()) files.name(name, itemAt(targetVariants, i));
  };
}

const plain = (text: string) => text;

/** Returns undefined for a text that is not JSON. Another check reports this text. */
function prettyOf(text: string): string | undefined {
  const body = parsedJson(text);
  return body === undefined ? undefined : JSON.stringify(body, null, 2);
}

function textIn(name: string, bytes: Uint8Array): string | undefined {
  const coding = codingOf(name);
  const plainBytes = coding === undefined ? bytes : decodeContent(coding, bytes);
  return plainBytes && decodedText(plainBytes);
}

/**
 * Finds files that the manifest does not list. Compares names only if the number of files differs from the manifest.
 */
function foreignFiles(tree: TreeFiles, manifest: Manifest, present: number): Finding[] {
  let files = 0;
  let others = 0;
  for (const { isFile } of tree.names()) {
    if (isFile) files++;
    else others++;
  }
  // A symbolic link in place of a folder can make the numbers equal, so `others` must be 0.
  if (files === present && others === 0) return [];
  const expected = new Set(expectedFiles(manifest));
  const foreign: Finding[] = [];
  for (const { name } of tree.names())
    if (!expected.has(name)) foreign.push(finding('verify-foreign', {}, { file: name }));
  return foreign;
}
