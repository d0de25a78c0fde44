/** Reads a registry folder. Uses synchronous calls, because promises take several times as long for small files. */
import { createHash, hash } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { getOrThrow } from '../../core/platform/lookups.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import type { SourceFolder } from '../../core/registry/registry.ts';
import { readSmallSource, readSource } from './file-io.ts';
import { isTemporaryName } from './folder-lock.ts';
import { reading, undefinedOnSystemError } from './system-errors.ts';

export interface ReadFolder {
  readonly folder: SourceFolder;
  readonly findings: readonly Finding[];
  /** Returns one SHA-256 digest of all file names, all file contents and the texts in `others`. */
  readonly digest: (others: readonly string[]) => string;
  /** Returns the SHA-256 digest of a file's text in base64. Reads each file only once. */
  readonly digestOf: (file: string) => string;
}

/** `files` are the names of the files in code-unit order. */
export interface FolderListing {
  readonly files: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * Lists a folder or its subfolder `part`. Follows only links into the folder. `name` is the name of the folder in
 * messages.
 */
export function listFolder(root: string, name: string, part?: string): FolderListing {
  const files: string[] = [];
  const findings: Finding[] = [];
  const real = reading(name, () => realpathSync(root));
  const visit = (folder: string, prefix: string) => {
    const entries = reading(join(name, prefix), () => readdirSync(folder, { withFileTypes: true }));
    for (const entry of entries) {
      const file = prefix + entry.name;
      if (isTemporaryName(entry.name)) continue;
      const isYaml = /\.ya?ml$/.test(entry.name);
      if (entry.isDirectory() && !isYaml) visit(join(folder, entry.name), `${file}/`);
      else if (entry.isFile()) files.push(file);
      else if (entry.isSymbolicLink()) {
        // Emacs marks a file with unsaved changes by a hidden link without a target.
        if (!entry.name.startsWith('.')) follow(join(folder, entry.name), file);
      } else findings.push(finding('not-a-file', {}, { file: join(name, file) }));
    }
  };
  const follow = (link: string, file: string) => {
    const place = { file: join(name, file) };
    const target = undefinedOnSystemError(() => realpathSync(link));
    if (target === undefined) findings.push(finding('link-broken', {}, place));
    else if (!isInside(target, real)) findings.push(finding('symlink-outside', { target }, place));
    else if (statSync(target).isFile()) files.push(file);
    else findings.push(finding('symlink-to-folder', { target }, place));
  };
  if (part === undefined) visit(root, '');
  else if (lstatSync(join(root, part), { throwIfNoEntry: false })?.isSymbolicLink()) follow(join(root, part), part);
  else if (existsSync(join(root, part))) visit(join(root, part), `${part}/`);
  return { files: files.sort(byCodeUnit), findings };
}

/** Fails if a symbolic link leads from a file of the folder to a place outside of the folder. */
export function rejectLinkOutside(root: string, name: string, file: string): void {
  const target = realpathSync(join(root, file));
  if (!isInside(target, realpathSync(root))) fail(finding('symlink-outside', { target }, { file: join(name, file) }));
}

/** The size of the buffer for digests, in bytes. Most files fit into this buffer. */
const DIGEST_BUFFER = 1 << 20;

export function readFolder(
  root: string,
  name: string,
  limits: SourceLimits,
  { files, findings }: FolderListing = listFolder(root, name),
): ReadFolder {
  const digests = new Map<string, string>();
  const limitOf = (file: string) => (file.startsWith(`${HISTORY_FOLDER}/`) ? 'revision_bytes' : 'source_bytes');
  const storeDigest = (file: string, bytes: Uint8Array) => {
    if (!digests.has(file)) digests.set(file, hash('sha256', bytes, 'base64'));
  };
  const read = (file: string) => {
    const shown = join(name, file);
    const limit = limitOf(file);
    const bytes = reading(shown, () => readSource(`${root}/${file}`, limits[limit], shown, limit));
    storeDigest(file, bytes);
    return bytes;
  };
  const sizeOf = (file: string) => reading(join(name, file), () => statSync(join(root, file)).size);
  const buffer = lazily(() => Buffer.allocUnsafe(DIGEST_BUFFER));
  const digestOf = (file: string) => {
    const most = limits[limitOf(file)];
    if (!digests.has(file)) storeDigest(file, readSmallSource(`${root}/${file}`, most, buffer()) ?? read(file));
    return getOrThrow(digests, file);
  };
  const digest = (others: readonly string[]) =>
    digestOfFiles(
      others,
      files.map((file) => [file, digestOf(file)]),
    );
  return { folder: { name, files, read, sizeOf }, findings, digest, digestOf };
}

/** `files` must be sorted by name in code-unit order. Their digests are in base64. */
export function digestOfFiles(
  others: readonly string[],
  files: Iterable<readonly [file: string, sha256: string]>,
): string {
  const whole = createHash('sha256');
  for (const other of others) whole.update(`${other.length}:${other}`);
  for (const [file, sha256] of files) whole.update(`${file}\0${sha256}\n`);
  return whole.digest('hex');
}

export function isInside(path: string, folder: string): boolean {
  const below = relative(resolve(folder), resolve(path));
  return below === '' || (below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below));
}
