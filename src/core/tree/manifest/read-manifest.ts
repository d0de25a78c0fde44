/**
 * Reads a manifest in chunks. Reports and skips entries with paths that no build writes, so that no file outside the
 * tree is read. Rejects manifests above the size limit before they fill the memory.
 */

import { endpointOf } from '../../api/endpoints.ts';
import { type Finding, fail, finding } from '../../diagnostics/finding.ts';
import { type JsonObject, parsedObject } from '../../model/json.ts';
import { type RunningDigest, runningDigest } from '../../platform/digests.ts';
import type { QuickChecks } from '../../registry/quick-check.ts';
import { fileOfUrl, MANIFEST_FILE, type Variants, variantFilesOf } from '../layout.ts';
import { isReservedPath } from '../site-files.ts';
import { urlOfRequest } from '../url-forms.ts';
import { LINE_SEPARATOR, type ManifestSummary, SECTION } from './manifest.ts';
import { entryTable, type ManifestEntries, type ManifestEntry } from './manifest-entries.ts';
import {
  chunksUpTo,
  lastIndexOfText,
  MANIFEST_CHUNK_BYTES,
  type ManifestFrame,
  type ManifestSource,
  manifestEndOf,
  readFrame,
  textOf,
} from './manifest-frame.ts';

export interface Manifest {
  readonly summary: ManifestSummary;
  readonly entries: ManifestEntries;
  readonly files: ManifestSummary['files'];
  readonly findings: readonly Finding[];
  /** The digest of all bytes of the manifest. If the manifest contains a claim, the digest covers the claim, too. */
  readonly sha256: string;
  readonly signedSize: number;
  /** Reads the manifest again, without the signature. Each chunk is valid until the next chunk is read. */
  readonly unsigned: () => Iterable<Uint8Array>;
}

type Report = (found: Finding) => void;

export const MANIFEST_LIMITS = { bytes: 2 ** 31, entries: 10_000_000 } as const;
const MAX_REPORTED_LINES = 1000;

/** Returns undefined if the source is not a manifest of this format. The optional `checks` speed up reading. */
export function readManifest(source: ManifestSource, checks?: QuickChecks): Manifest | undefined {
  const frame = readFrame(source, checks);
  if (!frame) return undefined;
  if (source.size > MANIFEST_LIMITS.bytes) reject(`has ${source.size} bytes`);
  const [findings, lineFindings]: [Finding[], Finding[]] = [[], []];
  const reportTo = (list: Finding[]) => (found: Finding) => list.push({ ...found, place: { file: MANIFEST_FILE } });
  const report = reportTo(findings);
  const { variants } = frame.summary;
  const summary = { ...frame.summary, variants: { ...variants, names: validNames(variants.names, report) } };
  if (summary.provisional) report(finding('tree-provisional', {}));
  const { entries, computed } = readEntries({ ...frame, summary }, source, reportTo(lineFindings));
  const { isRegular, signed } = manifestEndOf(frame);
  if (!isRegular)
    report(finding('verify-manifest', { reason: 'it does not end in its digest, its seal and its signature' }));
  for (const name of ['digest', 'seal'] as const) {
    const stated = summary[name];
    if (isRegular && stated !== undefined && stated !== computed[name])
      report(finding('verify-manifest-digest', { name, stated, computed: computed[name] }));
  }
  findings.push(...lineFindings);
  const files = validFiles(summary, entries, report);
  const signedSize = frame.end + signed.length;
  const unsigned = () => unsignedChunks(source, signedSize);
  return { summary, entries, files, findings, sha256: computed.whole, signedSize, unsigned };
}

function reject(what: string): never {
  const { bytes, entries } = MANIFEST_LIMITS;
  return fail(finding('manifest-too-large', { what, bytes, entries }, { file: MANIFEST_FILE }));
}

function readEntries(frame: ManifestFrame, source: ManifestSource, report: Report) {
  const { summary, start, end, tail } = frame;
  const [documents, sealed] = [runningDigest(), runningDigest()];
  for (const chunk of chunksUpTo(source, Math.min(start, end))) sealed.update(chunk);
  const entries = entryTable();
  const counts = { documents: 0, aliases: 0 };
  let [line, invalid] = [0, 0];
  for (const text of linesIn(source, frame, [documents, sealed])) {
    line++;
    const entry = readLine(text, summary.variants);
    const reason = typeof entry === 'string' ? entry : misplacement(entry, entries);
    if (reason !== undefined && ++invalid <= MAX_REPORTED_LINES) report(finding('verify-line', { line, reason }));
    if (typeof entry === 'string') continue;
    counts[entry.alias === undefined ? 'documents' : 'aliases']++;
    if (reason === undefined) entries.add(entry);
    if (entries.size > MANIFEST_LIMITS.entries) reject(`lists more than ${MANIFEST_LIMITS.entries} entries`);
  }
  if (invalid > MAX_REPORTED_LINES)
    report(finding('verify-manifest', { reason: `${invalid - MAX_REPORTED_LINES} more of its entries are` }));
  for (const what of ['documents', 'aliases'] as const) {
    const [stated, found] = [summary.counts[what], counts[what]];
    if (stated !== found) report(finding('verify-count', { what, stated, found }));
  }
  const { files, sealed: sealedTail } = manifestEndOf(frame);
  documents.update(files);
  const whole = sealed.copy();
  whole.update(tail);
  sealed.update(sealedTail);
  const computed = { digest: documents.end(), seal: sealed.end(), whole: whole.end() };
  return { entries, computed };
}

/** Yields the manifest lines of the documents, without separators. Updates `digests` with every byte that is read. */
export function* linesIn(
  { read }: ManifestSource,
  { start, end }: ManifestFrame,
  digests: readonly RunningDigest[],
): Generator<string> {
  for (let from = start; from < end; ) {
    const chunk = read(from, Math.min(MANIFEST_CHUNK_BYTES, end - from));
    if (chunk.length === 0) return;
    const isLast = from + chunk.length >= end;
    // The next chunk starts with the incomplete line after the last separator.
    const whole = isLast ? chunk.length : lastIndexOfText(chunk, LINE_SEPARATOR) + LINE_SEPARATOR.length;
    if (whole < LINE_SEPARATOR.length && !isLast) reject(`has an entry of more than ${MANIFEST_CHUNK_BYTES} bytes`);
    const bytes = chunk.subarray(0, whole);
    for (const digest of digests) digest.update(bytes);
    const text = textOf(bytes);
    for (let at = 0; at < text.length; ) {
      const next = text.indexOf(LINE_SEPARATOR, at);
      const to = next < 0 ? text.length : next;
      yield text.slice(at, to);
      at = to + LINE_SEPARATOR.length;
    }
    from += whole;
  }
}

function* unsignedChunks(source: ManifestSource, end: number): Generator<Uint8Array> {
  yield* chunksUpTo(source, end);
  yield new TextEncoder().encode(SECTION.end);
}

const NAME_PATTERN = /^\{path\}./;

/** A valid file-name pattern gives each document its own file inside the tree. */
function validNames(names: readonly string[], report: Report): string[] {
  return names.filter((name, i) => {
    const isValid = NAME_PATTERN.test(name) && isInTree(name.replace('{path}', 'x')) && names.indexOf(name) === i;
    if (!isValid) report(finding('verify-manifest', { reason: `${name} is no name of documents` }));
    return isValid;
  });
}

function validFiles({ files }: ManifestSummary, entries: ManifestEntries, report: Report): ManifestSummary['files'] {
  const known = new Set<string>();
  return files.filter(({ file }) => {
    const isDocument = entries.has(urlOfRequest(`/${file}`) ?? '');
    const isValid = isInTree(file) && !isReservedPath(file) && !isDocument && !known.has(file);
    known.add(file);
    if (!isValid) report(finding('verify-manifest', { reason: `${file} is no file of a tree` }));
    return isValid;
  });
}

/** Returns a valid entry, or the reason why the entry is invalid, such as "has no path or no file". */
function readLine(text: string, variants: Variants): ManifestEntry | string {
  const line = parsedObject(text);
  if (!line) return 'is no JSON object';
  const {
    path,
    file,
    cache,
    alias_of: alias,
    sha256,
    size,
    type,
    modified,
    variant_digests: variantDigests = [],
  } = line;
  if (typeof path !== 'string' || typeof file !== 'string') return 'has no path or no file';
  const endpoint = DOTS.test(path) ? undefined : endpointOf(path);
  if (!endpoint) return `has ${path}, which is no path of the API`;
  if (file !== fileOfUrl(path)) return `has ${file} for ${path}, whose file is ${fileOfUrl(path)}`;
  if (cache !== 'mutable' && cache !== 'immutable') return `lacks a cache class for ${path}`;
  const unknown = unknownField(line, typeof alias === 'string' ? ALIAS_FIELDS : DOCUMENT_FIELDS);
  if (unknown !== undefined) return `has the field ${unknown}, which is unknown in the entry of ${path}`;
  if (typeof alias === 'string') return { path, file, endpoint, cache, alias };
  if (!isDigest(sha256) || typeof size !== 'number' || typeof type !== 'string')
    return `lacks a digest, a size or a type for ${path}`;
  if (typeof modified !== 'number') return `lacks a time for ${path}`;
  const expected = variantFilesOf(file, variants).length;
  if (!Array.isArray(variantDigests) || variantDigests.length !== expected)
    return `has ${Array.isArray(variantDigests) ? variantDigests.length : 0} digests of variants of ${path} instead of ${expected}`;
  if (!variantDigests.every(isDigest)) return `lacks a digest of a variant of ${path}`;
  return { path, file, endpoint, cache, sha256, size, type, modified, variantDigests, alias: undefined };
}

const ALIAS_FIELDS = new Set(['path', 'file', 'alias_of', 'cache']);
const DOCUMENT_FIELDS = new Set(['path', 'file', 'sha256', 'size', 'type', 'cache', 'modified', 'variant_digests']);

/** A newer version of gridpress can write fields that this version does not know. */
function unknownField(line: JsonObject, known: ReadonlySet<string>): string | undefined {
  for (const field in line) if (!known.has(field)) return field;
  return undefined;
}

function misplacement({ path, alias }: ManifestEntry, known: ManifestEntries): string | undefined {
  if (known.has(path)) return `has ${path} a second time`;
  if (alias !== undefined && known.targetOf(alias) !== alias)
    return `has ${path} as an alias of ${alias}, which is no document before it`;
  return undefined;
}

const SHA_256 = /^[0-9a-f]{64}$/;

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && SHA_256.test(value);
}

const DOTS = /(?:^|\/)\.\.?(?:\/|$)/;

/** A control character or a backslash, which have a meaning for some file systems. */
const UNSAFE = /[\p{Cc}\\]/u;

function isInTree(file: string): boolean {
  return !DOTS.test(file) && !file.split('/').includes('') && !UNSAFE.test(file);
}
