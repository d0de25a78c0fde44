/** Reading a folder of sources. Calls are synchronous: promises cost several times more for many small files. */
import { createHash, hash } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import { mustGet } from '../../core/platform/certain.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { HISTORY_FOLDER } from '../../core/registry/layout.ts';
import type { SourceFolder } from '../../core/registry/registry.ts';
import { isWorkName } from './folder-lock.ts';
import { readSmallSource, readSource } from './plain-file.ts';
import { reading, unlessRefused } from './system-errors.ts';

export interface ReadFolder {
  readonly folder: SourceFolder;
  readonly findings: readonly Finding[];
  /** SHA-256 over the names and the texts of all files, each as it was when it was first read, and over the others. */
  readonly digest: (others: readonly string[]) => string;
  /** SHA-256, in base64, over the text of a file as it was when it was first read. */
  readonly digestOf: (file: string) => string;
}

/** The files of a folder by their names, in code-unit order, and links that cannot be followed. */
export interface FolderListing {
  readonly files: readonly string[];
  readonly findings: readonly Finding[];
}

/**
 * A folder's files, following links that stay inside it. Messages name the files below `name`. With `part`, only those of
 * that folder in it are listed.
 */
export function listFolder(root: string, name: string, part?: string): FolderListing {
  const files: string[] = [];
  const findings: Finding[] = [];
  const real = reading(name, () => realpathSync(root));
  const visit = (folder: string, prefix: string) => {
    const entries = reading(join(name, prefix), () => readdirSync(folder, { withFileTypes: true }));
    for (const entry of entries) {
      const file = prefix + entry.name;
      if (isWorkName(entry.name)) continue;
      if (entry.isDirectory()) visit(join(folder, entry.name), `${file}/`);
      else if (entry.isFile()) files.push(file);
      else if (entry.isSymbolicLink()) follow(join(folder, entry.name), file);
    }
  };
  const follow = (link: string, file: string) => {
    const place = { file: join(name, file) };
    const target = unlessRefused(() => realpathSync(link));
    if (target === undefined) findings.push(finding('link-broken', {}, place));
    else if (!isInside(target, real)) findings.push(finding('symlink-outside', { target }, place));
    else if (statSync(target).isFile()) files.push(file);
    else findings.push(finding('symlink-to-folder', { target }, place));
  };
  if (part === undefined) visit(root, '');
  else if (existsSync(join(root, part))) visit(join(root, part), `${part}/`);
  return { files: files.sort(byCodeUnit), findings };
}

/** Bytes that hold most files. */
const DIGEST_ROOM = 1 << 20;

/** What reads the files of a folder that are listed, by default now. Messages name the files below `name`. */
export function readFolder(
  root: string,
  name: string,
  limits: SourceLimits,
  { files, findings }: FolderListing = listFolder(root, name),
): ReadFolder {
  const digests = new Map<string, string>();
  const limitOf = (file: string) => (file.startsWith(`${HISTORY_FOLDER}/`) ? 'revision_bytes' : 'source_bytes');
  const keepDigest = (file: string, bytes: Uint8Array) => {
    if (!digests.has(file)) digests.set(file, hash('sha256', bytes, 'base64'));
  };
  const read = (file: string) => {
    const shown = join(name, file);
    const limit = limitOf(file);
    const bytes = reading(shown, () => readSource(`${root}/${file}`, limits[limit], shown, limit));
    keepDigest(file, bytes);
    return bytes;
  };
  const sizeOf = (file: string) => reading(join(name, file), () => statSync(join(root, file)).size);
  // Of what is only digested, nothing is kept.
  const room = lazily(() => Buffer.allocUnsafe(DIGEST_ROOM));
  const digestOf = (file: string) => {
    const most = limits[limitOf(file)];
    if (!digests.has(file)) keepDigest(file, readSmallSource(`${root}/${file}`, most, room()) ?? read(file));
    return mustGet(digests, file);
  };
  const digest = (others: readonly string[]) =>
    digestOfFiles(
      others,
      files.map((file) => [file, digestOf(file)]),
    );
  return { folder: { name, files, read, sizeOf }, findings, digest, digestOf };
}

/** SHA-256 over other texts and over files with the SHA-256 of each in base64, in code-unit order of their names. */
export function digestOfFiles(
  others: readonly string[],
  files: Iterable<readonly [file: string, sha256: string]>,
): string {
  const whole = createHash('sha256');
  for (const other of others) whole.update(`${other.length}:${other}`);
  for (const [file, sha256] of files) whole.update(`${file}\0${sha256}\n`);
  return whole.digest('hex');
}

/** Whether a path is a folder or lies inside it. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(path));
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
