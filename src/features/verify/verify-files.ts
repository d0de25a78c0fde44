/**
 * Verifying the files of a tree against its manifest, each once. Names that are links to one file are read once; what is
 * kept of a document is its digest and which file it was. Where the files lie is the affair of `TreeFiles`.
 */

import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import type { Fields } from '../../core/api/schemas/document-schemas.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { parsedJson, parsedObject } from '../../core/model/json.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { CODINGS, fileOfUrl, MANIFEST_FILE, PRETTY_FOLDER, variantFilesOf } from '../../core/tree/layout.ts';
import type { DocumentEntry, ManifestEntries, ManifestEntry } from '../../core/tree/manifest/manifest-entries.ts';
import { digestOfSource } from '../../core/tree/manifest/manifest-frame.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { expectedFiles, fileNamesOf } from '../../core/tree/tree-contents.ts';
import { decodeContent, decodedText } from '../../system/trees/content-coding.ts';
import { manifestFrom, manifestSourceIn, NO_MANIFEST } from '../../system/trees/manifest-file.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import type { Trusted } from '../../system/trees/signed-tree.ts';
import { isNoFile, type NoFile, type ReadFile, type TreeFile, type TreeFiles } from '../../system/trees/tree-files.ts';
import { basesIn, type ContentCheck, contentCheck, FIRST_FEED } from './verify-content.ts';

export interface Verified {
  /** Undefined where the manifest cannot be read at all. */
  readonly manifest: Manifest | undefined;
  /** Whose it is, where that was asked. */
  readonly trusted?: Trusted | undefined;
  readonly files: number;
  readonly findings: readonly Finding[];
}

export type TrustCheck = (manifest: Manifest) => Trusted;

export interface FilesOptions {
  readonly fields: Fields;
  readonly trust?: TrustCheck | undefined;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Undefined when the manifest was another at the end than at the beginning. */
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
    checks: packagedChecks(),
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
  return isNoFile(file) ? undefined : decodedText(file.bytes);
}

interface FileCheck {
  readonly findings: Finding[];
  /** The bytes of a file, in a buffer that is used again; undefined when they are not what they should be. */
  readonly read: (file: string, sha256: string, size?: number) => Uint8Array | undefined;
  /** Checks a name that should be a link to a file known by its identity, or a copy with the same bytes. */
  readonly name: (file: string, identity: number, sha256: string) => void;
  /** A number that no other file has; NaN when the file system does not tell one. */
  readonly identity: (file: string) => number;
  readonly present: () => number;
}

function fileCheck(tree: TreeFiles): FileCheck {
  const findings: Finding[] = [];
  let present = 0;
  const report = (file: string, found: Finding) => findings.push({ ...found, place: { file } });
  /** Whether a file is there, which is told when it is not. */
  const isThere = <T extends TreeFile>(file: string, found: T | NoFile): found is T => {
    if (!isNoFile(found)) {
      present++;
      return true;
    }
    const { absent } = found;
    if (absent === undefined) report(file, finding('verify-not-a-file', {}));
    else report(file, finding('verify-missing', { reason: absent }));
    return false;
  };
  const isRight = (file: string, { bytes }: ReadFile, sha256: string, size: number | undefined) => {
    const computed = hash('sha256', bytes, 'hex');
    if (computed !== sha256) report(file, finding('verify-differs', { stated: sha256, computed }));
    else if (size !== undefined && size !== bytes.length)
      report(file, finding('verify-size', { stated: size, found: bytes.length }));
    else return true;
    return false;
  };
  let last = { file: '', identity: Number.NaN };
  return {
    findings,
    read: (file, sha256, size) => {
      const found = tree.read(file);
      const isWhole = isThere(file, found) && isRight(file, found, sha256, size);
      // Links to a damaged file are damaged too: they are read, so that each is named.
      last = { file, identity: isWhole ? found.identity : Number.NaN };
      return isWhole ? found.bytes : undefined;
    },
    name: (file, identity, sha256) => {
      const status = tree.status(file);
      if (!isThere(file, status) || status.identity === identity) return;
      const found = tree.read(file);
      if (!isNoFile(found)) isRight(file, found, sha256, undefined);
      else report(file, finding('verify-missing', { reason: found.absent ?? '' }));
    },
    identity: (file) => (last.file === file ? last.identity : Number.NaN),
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

interface KnownFile {
  readonly sha256: string;
  readonly identity: number;
}

/** Checks the files of one entry after the other. What is read of documents is kept for their aliases. */
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
    const bytes = files.read(file, sha256, size);
    const own = { sha256, identity: files.identity(file) };
    if (bytes && !isUtf8(bytes)) files.findings.push({ ...finding('verify-encoding', {}), place: { file } });
    const text = bytes && decodedText(bytes);
    for (const name of fileNamesOf(entry, summary).slice(1)) files.name(name, own.identity, sha256);
    if (text !== undefined) for (const found of content.document(entry, text)) files.findings.push(found);
    const companions = variantFilesOf(file, variants).map((name, i) => {
      const digest = itemAt(entry.variantDigests, i);
      const held = files.read(name, digest);
      const source = name.startsWith(`${PRETTY_FOLDER}/`) ? prettyOf : plain;
      if (held && text !== undefined && textIn(name, held) !== source(text))
        files.findings.push({ ...finding('verify-companion', { of: file }), place: { file: name } });
      return { sha256: digest, identity: files.identity(name) };
    });
    if (aliased.has(path)) known.set(path, [own, ...companions]);
  };

  return (entry) => {
    if (entry.alias === undefined) return document(entry);
    const [target, ...companions] = known.get(entry.alias) ?? [];
    if (!target) return;
    for (const name of fileNamesOf(entry, summary)) files.name(name, target.identity, target.sha256);
    for (const [i, name] of variantFilesOf(entry.file, variants).entries()) {
      const { identity, sha256 } = itemAt(companions, i);
      files.name(name, identity, sha256);
    }
  };
}

const plain = (text: string) => text;

/** Undefined for a text that is no JSON, which is told already. */
function prettyOf(text: string): string | undefined {
  const body = parsedJson(text);
  return body === undefined ? undefined : JSON.stringify(body, null, 2);
}

function textIn(name: string, bytes: Uint8Array): string | undefined {
  const coding = name.endsWith(CODINGS.gzip) ? 'gzip' : name.endsWith(CODINGS.br) ? 'br' : undefined;
  const plainBytes = coding === undefined ? bytes : decodeContent(coding, bytes);
  return plainBytes && decodedText(plainBytes);
}

/** The files that no entry has. Only when there are more than there should be is it worth looking which. */
function foreignFiles(tree: TreeFiles, manifest: Manifest, present: number): Finding[] {
  let there = 0;
  let others = 0;
  for (const { isFile } of tree.names()) {
    if (isFile) there++;
    else others++;
  }
  // A link to a folder could stand for files that are not there.
  if (there === present && others === 0) return [];
  const expected = new Set(expectedFiles(manifest));
  const foreign: Finding[] = [];
  for (const { name } of tree.names())
    if (!expected.has(name)) foreign.push({ ...finding('verify-foreign', {}), place: { file: name } });
  return foreign;
}
