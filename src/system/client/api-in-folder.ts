/** Getting the documents of a tree from its folder, without a server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FetchedDocument } from '../../core/client/pinned-reader.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { parsedObject } from '../../core/model/json.ts';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';
import { fileOfUrl, MANIFEST_FILE } from '../../core/tree/layout.ts';
import { readPlainFile } from '../../system/files/plain-file.ts';
import { readingIfThere } from '../files/system-errors.ts';
import { readManifestSummary } from '../trees/manifest-file.ts';
import type { PublishedApi } from './api-over-http.ts';

export function isTreeFolder(folder: string): boolean {
  return existsSync(join(folder, MANIFEST_FILE));
}

/** Fails where the tree has changes that are not recorded. */
export function apiInFolder(folder: string): PublishedApi {
  if (readManifestSummary(folder)?.provisional)
    fail(finding('tree-provisional', {}, { file: join(folder, MANIFEST_FILE) }));
  const get = async (url: string): Promise<FetchedDocument | undefined> => {
    // Links of a tree are paths below it; nothing else is a file of it.
    if (!url.startsWith('/') || url.split('/').includes('..')) return undefined;
    const file = join(folder, fileOfUrl(url));
    const text = readingIfThere(file, () => readPlainFile(file, DOCUMENT_BYTES).toString('utf8'));
    if (text === undefined) return undefined;
    const body = parsedObject(text);
    return body ? { url: file, path: url, body } : fail(finding('site-not-json', { url: file }));
  };
  return {
    get,
    shown: (url) => join(folder, fileOfUrl(url)),
    rootPath: '/',
    refresh: () => {},
    close: () => {},
  };
}
