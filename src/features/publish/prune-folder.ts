import { lstatSync, readdirSync, readFileSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dialectOf } from '../../core/api/dialect.ts';
import { basePathBefore, type Endpoint, endpointOf, rawFormOf } from '../../core/api/endpoints.ts';
import { RAW_FORMS } from '../../core/api/raw-forms.ts';
import { latestVersionUrl, resourceUrl, versionsUrl } from '../../core/api/urls.ts';
import { fail, finding } from '../../core/diagnostics/finding.ts';
import { HOSTS } from '../../core/hosts/all.ts';
import { DIALECTS } from '../../core/model/configuration.ts';
import {
  asText,
  byCodeUnit,
  isJsonObject,
  itemsIn,
  type Json,
  objectsIn,
  parsedDocument,
  parsedObject,
} from '../../core/model/json.ts';
import { isRevisionId } from '../../core/model/uid.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import {
  CODINGS,
  codingOf,
  fileOfUrl,
  GONE_FOLDER,
  INDEX_NAME,
  namesOfUrl,
  PRETTY_FOLDER,
} from '../../core/tree/layout.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { expectedFiles } from '../../core/tree/tree-contents.ts';
import { reasonOf, systemCode } from '../../system/files/system-errors.ts';
import { progress } from '../../system/terminal/progress.ts';
import { decodeContent } from '../../system/trees/content-coding.ts';
import { readIntactManifest } from '../../system/trees/manifest-file.ts';
import { readManifestSummary } from '../../system/trees/manifest-summary.ts';
import { closeStage, openStage } from '../../system/trees/staging.ts';
import { folderFiles } from '../../system/trees/tree-files.ts';
import { bodySchemas, checkAnswer, selfOf } from '../verify/check-response.ts';
import { MAX_DELETES, type Pruned, type PruneItem, type PruneOptions } from './publish-options.ts';

/** Fails if the tree is incomplete, if another process writes to it, or if too many files would be removed. */
export function pruneFolder(
  options: Pick<PruneOptions, 'destination' | 'dryRun' | 'maxDeletes' | 'showsProgress'>,
): Pruned {
  const { destination: folder, maxDeletes = MAX_DELETES.folder, dryRun, showsProgress } = options;
  // Checks the folder before the stage is created, so that a folder without a tree causes a failure.
  if (!readManifestSummary(folder)) readIntactManifest(folder);
  // The stage locks the tree against other processes.
  const stage = dryRun ? undefined : openStage(folder);
  try {
    const names = [...new Set([INDEX_NAME, ...HOSTS.flatMap(({ variants }) => variants.names)])];
    const { own, foreign } = unlistedFiles(folder, readIntactManifest(folder), names);
    if (!dryRun && own.length > maxDeletes) fail(finding('prune-too-many', { found: own.length, limit: maxDeletes }));
    const shown = progress('Removing', own.length, showsProgress);
    try {
      if (!dryRun) removeFiles(folder, own, shown.at);
    } finally {
      shown.end();
    }
    const removed = own.map((name) => ({ name, reason: 'the manifest does not list it' }));
    return { destination: folder, dryRun, removed, left: foreign, requests: 0 };
  } finally {
    if (stage) closeStage(stage);
  }
}

interface Unlisted {
  readonly own: readonly string[];
  readonly foreign: readonly PruneItem[];
}

function unlistedFiles(folder: string, manifest: Manifest, names: readonly string[]): Unlisted {
  const listed = new Set(expectedFiles(manifest));
  const proof = provenanceProof();
  const own: string[] = [];
  const foreign: PruneItem[] = [];
  const found = [...folderFiles(folder).names()].filter(({ name }) => !listed.has(name));
  for (const { name: file, isFile } of found.sort((a, b) => byCodeUnit(a.name, b.name))) {
    const reason = isFile
      ? foreignReason(join(folder, file), provenanceClaimOf(file, names), proof)
      : 'it is a link or a device';
    if (reason === undefined) own.push(file);
    else foreign.push({ name: file, reason });
  }
  return { own, foreign };
}

function foreignReason(
  path: string,
  claim: ProvenanceClaim | undefined,
  isProven: ProvenanceProof,
): string | undefined {
  if (!claim) return 'no document has this path';
  const other = 'it does not contain the document of its path';
  try {
    const bytes = readFileSync(path);
    const decoded = claim.coding === undefined ? bytes : decodeContent(claim.coding, bytes);
    if (!decoded) return other;
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(decoded);
    return isProven(claim, text) ? undefined : other;
  } catch (error) {
    if (error instanceof TypeError) return other;
    return `it cannot be read: ${reasonOf(error)}`;
  }
}

function removeFiles(folder: string, files: readonly string[], onProgress: (done: number) => void): void {
  const emptied = new Set<string>();
  for (const [i, file] of files.entries()) {
    removing(file, () => {
      const status = lstatSync(join(folder, file), { throwIfNoEntry: false });
      if (status?.isFile()) unlinkSync(join(folder, file));
    });
    emptied.add(dirname(file));
    onProgress(i + 1);
  }
  for (const below of emptied) removeIfEmpty(folder, below);
}

function removeIfEmpty(folder: string, below: string): void {
  for (let at = below; at !== '.'; at = dirname(at)) {
    const path = join(folder, at);
    if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) continue;
    if (readdirSync(path).length > 0) return;
    removing(at, () => rmdirSync(path));
  }
}

function removing(file: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    fail(finding('prune-failed', { file, reason: reasonOf(error) }));
  }
}

/** The document that a file must contain. Pruning keeps a file with other contents. */
interface ProvenanceClaim {
  readonly urls: readonly string[];
  readonly isTombstone: boolean;
  readonly isPretty: boolean;
  readonly coding: ReturnType<typeof codingOf>;
}

/** `names` are patterns such as `{path}/index.json`. Returns undefined if the file has no valid path of a document. */
export function provenanceClaimOf(file: string, names: readonly string[]): ProvenanceClaim | undefined {
  const coding = codingOf(file);
  const decoded = coding === undefined ? file : file.slice(0, -CODINGS[coding].length);
  const isPretty = decoded.startsWith(`${PRETTY_FOLDER}/`);
  const isTombstone = decoded.startsWith(`${GONE_FOLDER}/`);
  const folder = isPretty ? PRETTY_FOLDER : isTombstone ? GONE_FOLDER : undefined;
  const plain = folder === undefined ? decoded : decoded.slice(folder.length + 1);
  // Only the main file of a document has variants.
  const isOther = folder !== undefined || coding !== undefined;
  const urls = urlsOf(plain, isOther ? [] : names);
  return urls.length > 0 ? { urls, isTombstone, isPretty, coding } : undefined;
}

function urlsOf(file: string, names: readonly string[]): string[] {
  const variants = { names, pretty: false, precompressed: false };
  const candidates = [
    ...[resourceUrl(''), `/${file}`, `/${file.replace(/\.json$/, '')}`],
    ...names.flatMap((name) => {
      const end = name.replace('{path}', '');
      return file.endsWith(end) ? [`/${file.slice(0, -end.length)}`] : [];
    }),
  ];
  const isNamed = (url: string) => fileOfUrl(url) === file || namesOfUrl(url, variants).includes(file);
  // Excludes paths that end with `/index`, because `index` is not a valid uid.
  const isPath = (url: string) => endpointOf(url) !== undefined && !url.endsWith('/index');
  return [...new Set(candidates)].filter((url) => isPath(url) && isNamed(url));
}

type ProvenanceProof = (claim: ProvenanceClaim, text: string) => boolean;

export function provenanceProof(): ProvenanceProof {
  const dialects = DIALECTS.map((name) => ({
    dialect: dialectOf({ dialect: name, vendor: '', release: '' }),
    schemaFor: bodySchemas(name, 'any', undefined),
  }));
  const isDocumentOf = (url: string, body: Json, text: string) => {
    const endpoint = endpointOf(url);
    if (!endpoint || !isVersioned(url, endpoint, body)) return false;
    const self = isJsonObject(body) ? (selfOf(body) ?? '') : '';
    const basePath = url === resourceUrl('') ? withoutTrailing(self, '/') : basePathBefore(self);
    return dialects.some(({ dialect, schemaFor }) => {
      const asked = { url, endpoint, dialect, basePath, baseUrl: basePath, schema: schemaFor(endpoint) };
      const headers = { 'content-type': dialect.mediaType(endpoint.form) };
      return checkAnswer(asked, { status: 200, headers, body: text }).findings.length === 0;
    });
  };
  return ({ urls, isTombstone, isPretty }, text) =>
    urls.some((url) => {
      if (isTombstone) return isTombstoneOf(url, text);
      const raw = rawFormOf(url);
      if (raw !== undefined) return text.startsWith(RAW_FORMS[raw].start) && RAW_FORMS[raw].isDocumentAt(text, url);
      const body = parsedDocument(text);
      if (body === undefined || (isPretty && JSON.stringify(body, null, 2) !== text)) return false;
      return isDocumentOf(url, body, isPretty ? JSON.stringify(body) : text);
    });
}

/** A document contains its revision. A feed or a schema contains its own URL, and a target its uid instead. */
function isVersioned(url: string, { content }: Endpoint, body: Json): boolean {
  if (content === 'targets')
    return itemsIn(body).every(
      (target) => isJsonObject(target) && isJsonObject(target['labels']) && '__meta_gridpress_uid' in target['labels'],
    );
  if (!isJsonObject(body)) return false;
  if (content === 'feed') return asText(body['feed_url']).endsWith(url);
  if (content === 'openapi') return isRevisionId(asText(body['x-revision']));
  if (content === 'schema') return body['$id'] === url.slice(url.lastIndexOf('/') + 1).concat('.json');
  return isRevisionId(asText(body['version']));
}

function isTombstoneOf(url: string, text: string): boolean {
  const body = parsedObject(text);
  const path = url.slice(1);
  const hrefs = [versionsUrl(path), latestVersionUrl(path)];
  const links = objectsIn(body?.['links']);
  return (
    body?.['status'] === 410 &&
    isJsonObject(body['removed']) &&
    hrefs.every((href) => links.some((link) => asText(link['href']).endsWith(href)))
  );
}
