/** Getting the documents of a tree from its folder, without a server. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FetchedDocument } from '../../core/client/pinned-reader.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { isJsonObject } from '../../core/model/json.ts';
import { fileOfUrl, MANIFEST_FILE } from '../../core/tree/layout.ts';
import { reasonOf, systemCode } from '../files/system-errors.ts';
import type { PublishedApi } from './api-over-http.ts';

export function isTreeFolder(folder: string): boolean {
  return existsSync(join(folder, MANIFEST_FILE));
}

export function apiInFolder(folder: string): PublishedApi {
  const get = async (url: string): Promise<FetchedDocument | undefined> => {
    // Links of a tree are paths below it; nothing else is a file of it.
    if (!url.startsWith('/') || url.split('/').includes('..')) return undefined;
    const file = join(folder, fileOfUrl(url));
    const body = parsed(textOf(file));
    if (body === undefined) return undefined;
    return isJsonObject(body)
      ? { url: file, path: url, body }
      : fail(finding('site-not-json', { url: file }));
  };
  return {
    get,
    shown: (url) => join(folder, fileOfUrl(url)),
    rootPath: '/',
    refresh: () => {},
    close: () => {},
  };
}

/** Undefined where there is no such file. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return undefined;
    return fail(finding('read-failed', { file, reason: reasonOf(error) }));
  }
}

/** Undefined for no text, null for one that is no JSON. */
function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
