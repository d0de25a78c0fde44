/** One line of a manifest's documents -> the entry that it is, or what is wrong with it. */
import { endpointOf } from '../../api/endpoints.ts';
import { type JsonObject, parsedObject } from '../../model/json.ts';
import { fileOfUrl, type Variants, variantFilesOf } from '../layout.ts';
import type { ManifestEntries, ManifestEntry } from './manifest-entries.ts';

/** An entry that any tree may have, or a reason as in "has no path or no file". */
export function readLine(text: string, variants: Variants): ManifestEntry | string {
  const line = parsedObject(text);
  if (!line) return 'is no JSON object';
  const { path, file, cache, alias_of: alias, sha256, size, type, modified, companions = [] } = line;
  if (typeof path !== 'string' || typeof file !== 'string') return 'has no path or no file';
  const endpoint = DOTS.test(path) ? undefined : endpointOf(path);
  if (!endpoint) return `has ${path}, which is no path of the API`;
  if (file !== fileOfUrl(path)) return `has ${file} for ${path}, whose file is ${fileOfUrl(path)}`;
  if (cache !== 'mutable' && cache !== 'immutable') return `lacks a cache class for ${path}`;
  const unknown = unknownField(line, typeof alias === 'string' ? ALIAS_FIELDS : DOCUMENT_FIELDS);
  if (unknown !== undefined) return `has the field ${unknown}, which is none of an entry like that of ${path}`;
  if (typeof alias === 'string') return { path, file, endpoint, cache, alias };
  if (!isDigest(sha256) || typeof size !== 'number' || typeof type !== 'string')
    return `lacks a digest, a size or a type for ${path}`;
  if (typeof modified !== 'number') return `lacks a time for ${path}`;
  const expected = variantFilesOf(file, variants).length;
  if (!Array.isArray(companions) || companions.length !== expected)
    return `has ${Array.isArray(companions) ? companions.length : 0} companions of ${path} instead of ${expected}`;
  if (!companions.every(isDigest)) return `lacks a digest of a companion of ${path}`;
  const variantDigests: readonly string[] = companions;
  return { path, file, endpoint, cache, sha256, size, type, modified, variantDigests, alias: undefined };
}

const ALIAS_FIELDS = new Set(['path', 'file', 'alias_of', 'cache']);
const DOCUMENT_FIELDS = new Set(['path', 'file', 'sha256', 'size', 'type', 'cache', 'modified', 'companions']);

/** Manifests of newer builds may have more: what such an entry means is not known. */
function unknownField(line: JsonObject, known: ReadonlySet<string>): string | undefined {
  for (const field in line) if (!known.has(field)) return field;
  return undefined;
}

export function misplacement({ path, alias }: ManifestEntry, known: ManifestEntries): string | undefined {
  if (known.has(path)) return `has ${path} a second time`;
  if (alias !== undefined && known.targetOf(alias) !== alias)
    return `has ${path} as an alias of ${alias}, which is no document before it`;
  return undefined;
}

const SHA_256 = /^[0-9a-f]{64}$/;

function isDigest(value: unknown): value is string {
  return typeof value === 'string' && SHA_256.test(value);
}

/** A segment that leads elsewhere. */
const DOTS = /(?:^|\/)\.\.?(?:\/|$)/;

/** Whether a file of this name lies in the tree, and is named in one way. */
export function isInTree(file: string): boolean {
  return !DOTS.test(file) && !file.split('/').includes('') && !file.includes('\\');
}
