/**
 * A stamp says that the history of a registry was replayed without a finding: the digest of its files, and the digests of
 * the bodies after its head. Each registry has one file in the cache folder of the user. Without it, or where anything
 * about it is odd, the history is replayed.
 */

import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { classRulesDigest } from '../../core/model/class-digests.ts';
import { sha256 } from '../../core/model/digest.ts';
import { isJsonObject, parsedJson } from '../../core/model/json.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import { DOCUMENT_BYTES, type SourceLimits } from '../../core/platform/limits.ts';
import { VERSION } from '../../system/files/package-version.ts';
import { digestOfFiles, isInside, type ReadFolder } from '../../system/files/read-folder.ts';
import { freshFile } from '../../system/files/replace-file.ts';
import { unlessRefused } from '../../system/files/system-errors.ts';
import { revisionFiles } from './registry-files.ts';

export interface HistoryStamp {
  /** How many revision files there are, in code-unit order of their names. */
  readonly files: number;
  /** Of these files, and of the program and the rules by which they were replayed. */
  readonly digest: string;
  /** The identifier of the head of these files. */
  readonly head: string;
  /** The digests of the bodies after the head, by the paths of their resources. */
  readonly bodies: ReadonlyMap<string, string>;
}

export interface StampRules {
  readonly kinds: Kinds;
  readonly limits: SourceLimits;
}

/** The digest of the first revision files of a registry. */
export function stampDigest({ folder, digestOf }: ReadFolder, count: number, { kinds, limits }: StampRules): string {
  const rules = kinds.all.map((kind) => [kind.name, kind.collection ?? '', classRulesDigest(kind)]);
  const files = revisionFiles(folder).slice(0, count);
  return digestOfFiles(
    [JSON.stringify([VERSION, rules, limits])],
    files.map((file) => [file, digestOf(file)]),
  );
}

/** Undefined where there is none that can be trusted. */
export function readStamp(registry: string): HistoryStamp | undefined {
  return unlessRefused(() => {
    const file = stampFile(registry);
    const text = file === undefined ? undefined : readOwnFile(file);
    return text === undefined ? undefined : stampOf(text);
  });
}

/** Replaces the stamp of a registry, where the system allows it. */
export function writeStamp(registry: string, { bodies, ...rest }: HistoryStamp): void {
  unlessRefused(() => {
    mkdirSync(cacheFolder(), { recursive: true, mode: 0o700 });
    const file = stampFile(registry);
    if (file === undefined) return;
    const from = freshFile(file);
    try {
      writeFileSync(from, JSON.stringify({ ...rest, bodies: [...bodies] }), { flag: 'wx', mode: 0o600 });
      renameSync(from, file);
    } finally {
      rmSync(from, { force: true });
    }
  });
}

function cacheFolder(): string {
  const { XDG_CACHE_HOME: cache = '' } = process.env;
  return join(isAbsolute(cache) ? cache : join(homedir(), '.cache'), 'gridpress');
}

/** Undefined where the folder is not there, or others can write to it. */
function stampFile(registry: string): string | undefined {
  const folder = cacheFolder();
  const status = lstatSync(folder);
  const root = realpathSync(registry);
  const isSafe = status.isDirectory() && isOwn(status) && !isInside(realpathSync(folder), root);
  return isSafe ? join(folder, `${sha256(root).slice(0, 32)}.json`) : undefined;
}

/** Whether nobody else can write to a file or a folder. Systems without users do not tell. */
function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  const user = process.geteuid?.();
  return user === undefined || (uid === user && (mode & 0o077) === 0);
}

function readOwnFile(path: string): string | undefined {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0));
  try {
    const status = fstatSync(file);
    if (!status.isFile() || !isOwn(status) || status.size > DOCUMENT_BYTES) return undefined;
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

function stampOf(text: string): HistoryStamp | undefined {
  const value = parsedJson(text);
  if (!isJsonObject(value)) return undefined;
  const { files, digest, head, bodies } = value;
  if (typeof files !== 'number' || typeof digest !== 'string' || typeof head !== 'string') return undefined;
  if (!Array.isArray(bodies)) return undefined;
  const pairs = bodies.flatMap((pair): (readonly [string, string])[] => {
    const [path, body] = Array.isArray(pair) ? pair : [];
    return typeof path === 'string' && typeof body === 'string' ? [[path, body]] : [];
  });
  return { files, digest, head, bodies: new Map(pairs) };
}
