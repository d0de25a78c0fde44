/** Verifies archives. Compresses the tar file again, because no checksum covers all bits of a gzip file. */

import { closeSync, createReadStream, createWriteStream, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Failure, type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import { tooLargeReason } from '../../core/diagnostics/words.ts';
import { LISTING_BYTES } from '../../core/platform/limits.ts';
import { TREE_FOLDER } from '../../core/tree/names.ts';
import { chunkReader, digestOf } from '../../system/files/file-io.ts';
import { codeOf, reasonOf } from '../../system/files/system-errors.ts';
import { gzipMember, isCompressed } from '../../system/tar/gzip.ts';
import { BLOCK, decodeHeader } from '../../system/tar/tar-header.ts';
import { readTar, type TarIndex } from '../../system/tar/tar-reader.ts';
import type { NoFile, TreeFiles } from '../../system/trees/tree-files.ts';
import { type FilesOptions, type Verified, verifyFiles } from '../verify/verify-files.ts';
import { digestOfFile, indexIn } from './archive-folder.ts';
import { verifyBag } from './verify-bag.ts';

const COMPRESSED = '.gz';

export async function verifyArchive(path: string, options: FilesOptions): Promise<Verified | undefined> {
  try {
    const inIndex = indexFindings(path);
    const verified =
      path.endsWith(COMPRESSED) || isCompressed(path)
        ? await verifyCompressed(path, options)
        : await verifyTar(path, basename(path), options);
    return verified && { ...verified, findings: [...inIndex, ...verified.findings] };
  } catch (error) {
    if (error instanceof Failure) throw error;
    return fail(finding('archive-unreadable', { file: path, reason: reasonOf(error) }));
  }
}

async function verifyCompressed(path: string, options: FilesOptions): Promise<Verified | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'gridpress-verify-'));
  const name = basename(path);
  const problem = (reason: string) => finding('archive-compressed', { reason }, { file: name });
  try {
    const tar = join(folder, 'tar');
    const reason = await expand(path, tar);
    if (reason !== undefined) return { manifest: undefined, files: 0, findings: [problem(reason)] };
    const verified = await verifyTar(tar, name.slice(0, -COMPRESSED.length), options);
    if (!verified) return undefined;
    if (!verified.manifest)
      return {
        ...verified,
        findings: [problem('the tar file in it is damaged; gridpress read it up to the damage'), ...verified.findings],
      };
    if (digestOf(compressed(tar)) === digestOfFile(path)) return verified;
    const other = problem('the tar file in it is intact, but gridpress compresses it to different bytes');
    return { ...verified, findings: [other, ...verified.findings] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function* compressed(tar: string): Generator<Uint8Array> {
  for (const chunk of chunkReader()(tar)) yield gzipMember(chunk);
}

const MOST_TIMES = 100;
const LEAST_BYTES = 1 << 20;

/** Decompresses a file. Returns the reason if its content cannot be decompressed. Throws system errors. */
async function expand(path: string, out: string): Promise<string | undefined> {
  const most = LEAST_BYTES + MOST_TIMES * statSync(path).size;
  let size = 0;
  let start: Buffer = Buffer.alloc(0);
  const bounded = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (start.length < BLOCK) start = Buffer.concat([start, chunk]).subarray(0, BLOCK);
      if (size > most) throw new TooLarge();
      yield chunk;
    }
  };
  try {
    await pipeline(createReadStream(path), createGunzip(), bounded, createWriteStream(out));
    return undefined;
  } catch (error) {
    if (error instanceof TooLarge) {
      // If the data is not a tar file, reports this problem instead of the size.
      const header = decodeHeader(start);
      return 'reason' in header
        ? header.reason
        : 'it expands to more than a hundred times its size, unlike every archive';
    }
    if (codeOf(error)?.startsWith('Z_')) return 'it cannot be decompressed completely';
    throw error;
  }
}

class TooLarge extends Error {}

async function verifyTar(path: string, name: string, options: FilesOptions): Promise<Verified | undefined> {
  const file = openSync(path, 'r');
  try {
    const index = readTar(file, name);
    // Stops at a corrupt header, because all files after the header would be reported as missing.
    if (!index.isComplete) return { manifest: undefined, files: index.entries.size, findings: index.findings };
    const bag = verifyBag(index);
    const folder = `${bag.name}/${TREE_FOLDER}/`;
    const verified = await verifyFiles(archivedTreeFiles(index, folder), options);
    if (!verified) return undefined;
    const inTree = verified.findings.map((found) =>
      found.place ? { ...found, place: { ...found.place, file: folder + found.place.file } } : found,
    );
    const findings = [...index.findings, ...bag.findings, ...inTree];
    const revision = verified.manifest?.summary.revision;
    if (revision !== undefined && revision !== bag.revision)
      findings.push(
        finding('archive-bag', { reason: `it contains the tree of revision ${revision}` }, { file: bag.name }),
      );
    return { ...verified, files: index.entries.size, findings };
  } finally {
    closeSync(file);
  }
}

function indexFindings(path: string): Finding[] {
  const name = basename(path);
  const listed = indexIn(dirname(path)).flatMap(({ tar, gzip }) => [tar, gzip]);
  const stated = listed.find(({ file }) => file === name);
  if (!stated) return [];
  const size = statSync(path).size;
  const differing = (what: string, expected: string, found: string) =>
    finding('archive-index-differs', { what, stated: expected, found }, { file: name });
  if (size !== stated.size) return [differing('size', String(stated.size), String(size))];
  const sha256 = digestOfFile(path);
  return sha256 === stated.sha256 ? [] : [differing('digest', stated.sha256, sha256)];
}

const ABSENT: NoFile = { absent: 'the archive does not contain it' };

/** `folder` ends with a slash. */
function archivedTreeFiles(index: TarIndex, folder: string): TreeFiles {
  const entryOf = (name: string) => index.entries.get(folder + name);
  return {
    names: function* () {
      for (const name of index.entries.keys())
        if (name.startsWith(folder)) yield { name: name.slice(folder.length), isFile: true };
    },
    // Only a link has the same offset as another entry, because every file has its own header.
    status: (name) => {
      const entry = entryOf(name);
      return entry ? { identity: entry.offset, size: entry.size } : ABSENT;
    },
    read: (name) => {
      const entry = entryOf(name);
      if (entry && entry.size > LISTING_BYTES) return { absent: tooLargeReason(entry.size, LISTING_BYTES) };
      const bytes = index.read(folder + name, LISTING_BYTES);
      return entry && bytes ? { identity: entry.offset, size: entry.size, bytes } : ABSENT;
    },
    chunk: (name, from, length) => {
      const entry = entryOf(name);
      if (!entry) return ABSENT;
      return { identity: entry.offset, size: entry.size, bytes: index.chunk(entry, from, length) };
    },
  };
}
