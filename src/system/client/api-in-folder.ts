import { join } from 'node:path';
import { linkOf } from '../../core/client/pinned-reader.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { isJsonObject, jsonIn } from '../../core/model/json.ts';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import { fileOfUrl, MANIFEST_FILE } from '../../core/tree/layout.ts';
import { readPlainFile } from '../files/file-io.ts';
import { readingIfExists } from '../files/system-errors.ts';
import { readManifestSummary } from '../trees/manifest-summary.ts';
import type { PublishedApi } from './api-over-http.ts';

/** Fails if the tree has unrecorded changes. */
export function apiInFolder(folder: string): PublishedApi {
  if (readManifestSummary(folder)?.provisional)
    fail(finding('tree-provisional', {}, { file: join(folder, MANIFEST_FILE) }));
  const read = (url: string) => {
    const file = join(folder, fileOfUrl(url));
    const bytes = readingIfExists(file, () => readPlainFile(file, DOCUMENT_BYTES));
    if (bytes === undefined) return undefined;
    const body = jsonIn(bytes);
    return isJsonObject(body) ? { body, size: bytes.length } : fail(finding('site-not-json', { url: file }));
  };
  // Links can start with the base path, but the tree has no folder for the base path.
  const prefix = withoutTrailing(linkOf(read('/')?.body ?? {}, 'self') ?? '', '/');
  const below = (href: string) => (`${href}/`.startsWith(`${prefix}/`) ? href.slice(prefix.length) || '/' : href);
  return {
    get: async (href) => {
      const path = below(href);
      // No file name contains a NUL character.
      if (!path.startsWith('/') || path.split('/').includes('..') || path.includes('\0')) return undefined;
      const found = read(path);
      return found && { url: join(folder, fileOfUrl(path)), path, ...found };
    },
    format: (href) => join(folder, fileOfUrl(below(href))),
    rootPath: '/',
    refresh: () => {},
    close: () => {},
  };
}
