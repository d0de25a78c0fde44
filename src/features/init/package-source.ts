/**
 * Until gridpress is on npm, projects contain its package file. Clones of a project install gridpress from this file.
 */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import fg from 'fast-glob';
import { isJsonObject, itemsIn, parsedObject } from '../../core/model/json.ts';
import { VERSION } from '../../system/files/package-version.ts';
import { reading } from '../../system/files/system-errors.ts';
import { tarWriter } from '../../system/tar/tar-writer.ts';

export interface PackageSource {
  /** The version, URL or file of gridpress in `package.json`. */
  readonly spec: string;
  /** A package file to write into the project. */
  readonly file?: { readonly name: string; readonly bytes: () => Uint8Array };
}

/** Matches the path of a package file, and no URL. */
const PACKAGE_FILE = /^[^:]*\.tgz$/;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FOLDER = 'vendor';

/** By default, uses the running version of gridpress. */
export function packageSource(given: string | undefined): PackageSource {
  if (given === undefined)
    return isPublished() ? { spec: `^${VERSION}` } : inProject(`gridpress-${VERSION}.tgz`, packed);
  const isFile = existsSync(given) ? statSync(given).isFile() : PACKAGE_FILE.test(given);
  if (!isFile) return { spec: given };
  return inProject(basename(given), () => reading(given, () => readFileSync(given)));
}

function inProject(name: string, bytes: () => Uint8Array): PackageSource {
  const file = `${FOLDER}/${name}`;
  return { spec: `file:${file}`, file: { name: file, bytes } };
}

const ownPackage = () => parsedObject(readFileSync(join(ROOT, 'package.json'), 'utf8')) ?? {};

/** The `package.json` of gridpress has the field `repository` only in versions on npm. */
function isPublished(): boolean {
  return isJsonObject(ownPackage()['repository']);
}

/** npm always adds these files to a package. */
const ALWAYS = ['package.json', 'LICENSE'];

function packed(): Uint8Array {
  // A pattern is a file, a folder, or an exclusion that begins with "!".
  const patterns = [...ALWAYS, ...itemsIn(ownPackage()['files']).map(String)];
  const files = fg.sync(
    patterns.flatMap((pattern) => [pattern, `${pattern}/**`]),
    // Without `suppressErrors`, a pattern for a path below a file causes an error.
    { cwd: ROOT, dot: true, suppressErrors: true },
  );
  const chunks: Uint8Array[] = [];
  const tar = tarWriter((bytes) => chunks.push(Buffer.from(bytes)));
  for (const file of files.sort()) tar.file(`package/${file}`, readFileSync(join(ROOT, file)), 0);
  tar.end();
  return gzipSync(Buffer.concat(chunks));
}
