import { join } from 'node:path';
import { type FetchedDocument, linkOf } from '../../core/client/pinned-reader.ts';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { parsedObject } from '../../core/model/json.ts';
import { DOCUMENT_BYTES } from '../../core/platform/limits.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import { fileOfUrl, MANIFEST_FILE } from '../../core/tree/layout.ts';
import { readPlainFile } from '../files/plain-file.ts';
import { readingIfThere } from '../files/system-errors.ts';
import { readManifestSummary } from '../trees/manifest-summary.ts';
import type { PublishedApi } from './api-over-http.ts';

/** Fails where the tree has changes that are not recorded. */
export function apiInFolder(folder: string): PublishedApi {
  if (readManifestSummary(folder)?.provisional)
    fail(finding('tree-provisional', {}, { file: join(folder, MANIFEST_FILE) }));
  const read = (url: string) => {
    const file = join(folder, fileOfUrl(url));
    return readingIfThere(file, () => readPlainFile(file, DOCUMENT_BYTES).toString('utf8'));
  };
  // Links may begin with what stands before every path on the host, which is no folder of the tree.
  const prefix = withoutTrailing(linkOf(parsedObject(read('/') ?? '') ?? {}, 'self') ?? '', '/');
  const below = (href: string) => (`${href}/`.startsWith(`${prefix}/`) ? href.slice(prefix.length) || '/' : href);
  const get = async (href: string): Promise<FetchedDocument | undefined> => {
    const url = below(href);
    // Links of a tree are paths below it; nothing else is a file of it.
    if (!url.startsWith('/') || url.split('/').includes('..')) return undefined;
    const file = join(folder, fileOfUrl(url));
    const text = read(url);
    if (text === undefined) return undefined;
    const body = parsedObject(text);
    return body ? { url: file, path: url, body } : fail(finding('site-not-json', { url: file }));
  };
  return {
    get,
    shown: (href) => join(folder, fileOfUrl(below(href))),
    rootPath: '/',
    refresh: () => {},
    close: () => {},
  };
}
