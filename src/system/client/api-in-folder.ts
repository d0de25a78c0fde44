import { join } from 'node:path';
import { linkOf } from '../../core/client/pinned-reader.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { parsedObject } from '../../core/model/json.ts';
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
    return readingIfExists(file, () => readPlainFile(file, DOCUMENT_BYTES).toString('utf8'));
  };
  // Links can start with the base path, but the tree has no folder for the base path.
  const prefix = withoutTrailing(linkOf(parsedObject(read('/') ?? '') ?? {}, 'self') ?? '', '/');
  const below = (href: string) => (`${href}/`.startsWith(`${prefix}/`) ? href.slice(prefix.length) || '/' : href);
  return {
    get: async (href) => {
      const path = below(href);
      if (!path.startsWith('/') || path.split('/').includes('..')) return undefined;
      const url = join(folder, fileOfUrl(path));
      const text = read(path);
      if (text === undefined) return undefined;
      const body = parsedObject(text);
      return body ? { url, path, body } : fail(finding('site-not-json', { url }));
    },
    format: (href) => join(folder, fileOfUrl(below(href))),
    rootPath: '/',
    refresh: () => {},
    close: () => {},
  };
}
