/**
 * Proving that a file is of this API though no manifest lists it: its place is one where the layout puts documents, and
 * what it says is a document that belongs at that very path. What cannot be proved so is somebody else's.
 */

import { type Dialect, dialectOf } from '../../core/api/dialect.ts';
import { type Endpoint, endpointOf, rawFormOf } from '../../core/api/endpoints.ts';
import { basePathBefore } from '../../core/api/prefixed-links.ts';
import { RAW_FORMS } from '../../core/api/raw-forms.ts';
import { latestVersionUrl, resourceUrl, versionsUrl } from '../../core/api/urls.ts';
import { DIALECTS } from '../../core/model/configuration.ts';
import { asText, isJsonObject, type JsonObject, parsedObject } from '../../core/model/json.ts';
import { isRevisionId } from '../../core/model/uid.ts';
import { CODINGS, fileOfUrl, GONE_FOLDER, namesOfUrl, PRETTY_FOLDER } from '../../core/tree/layout.ts';
import { bodySchemas, checkAnswer, selfOf } from '../verify/check-answer.ts';

export interface ProvenanceClaim {
  readonly urls: readonly string[];
  readonly isTombstone: boolean;
  readonly isPretty: boolean;
  readonly coding: keyof typeof CODINGS | undefined;
}

/** `names` are the patterns of other names that any tree may have. Undefined where the layout puts nothing of ours. */
export function provenanceClaimOf(file: string, names: readonly string[]): ProvenanceClaim | undefined {
  const coding = file.endsWith(CODINGS.gzip) ? 'gzip' : file.endsWith(CODINGS.br) ? 'br' : undefined;
  const decoded = coding === undefined ? file : file.slice(0, -CODINGS[coding].length);
  const isPretty = decoded.startsWith(`${PRETTY_FOLDER}/`);
  const isTombstone = decoded.startsWith(`${GONE_FOLDER}/`);
  const folder = isPretty ? PRETTY_FOLDER : isTombstone ? GONE_FOLDER : undefined;
  const plain = folder === undefined ? decoded : decoded.slice(folder.length + 1);
  // Only a document's file is accompanied, and not its other names.
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
  // No uid is called index.
  const isPath = (url: string) => endpointOf(url) !== undefined && !url.endsWith('/index');
  return [...new Set(candidates)].filter((url) => isPath(url) && isNamed(url));
}

export type ProvenanceProof = (claim: ProvenanceClaim, text: string) => boolean;

export function provenanceProof(): ProvenanceProof {
  const dialects = DIALECTS.map((name) => ({
    dialect: dialectOf({ dialect: name, vendor: '', release: '' }),
    schemaFor: bodySchemas(name, 'any', undefined),
  }));
  return (claim, text) => isProven(claim, text, dialects);
}

function isProven({ urls, isTombstone, isPretty }: ProvenanceClaim, text: string, dialects: readonly Known[]): boolean {
  if (isTombstone) return urls.some((url) => isTombstoneOf(url, text));
  return urls.some((url) => {
    const raw = rawFormOf(url);
    if (raw !== undefined) return text.startsWith(RAW_FORMS[raw].start) && RAW_FORMS[raw].isAt(text, url);
    const body = parsedObject(text);
    if (!body || (isPretty && JSON.stringify(body, null, 2) !== text)) return false;
    return isDocumentOf(url, body, isPretty ? JSON.stringify(body) : text, dialects);
  });
}

interface Known {
  readonly dialect: Dialect;
  readonly schemaFor: ReturnType<typeof bodySchemas>;
}

function isDocumentOf(url: string, body: JsonObject, text: string, dialects: readonly Known[]): boolean {
  const endpoint = endpointOf(url);
  if (!endpoint || !isVersioned(url, endpoint, body)) return false;
  const basePath = basePathBefore(selfOf(body) ?? '');
  return dialects.some(({ dialect, schemaFor }) => {
    const asked = { url, endpoint, dialect, basePath, baseUrl: basePath, schema: schemaFor(endpoint) };
    const headers = { 'content-type': dialect.mediaType(endpoint.form) };
    return checkAnswer(asked, { status: 200, headers, body: text }).findings.length === 0;
  });
}

/** Whether it says which revision it shows. Formats of others have no version of ours: they say where they stand. */
function isVersioned(url: string, { content }: Endpoint, body: JsonObject): boolean {
  if (content === 'feed') return asText(body['feed_url']).endsWith(url);
  if (content === 'openapi') return isRevisionId(asText(body['x-revision']));
  if (content === 'schema') return body['$id'] === url.slice(url.lastIndexOf('/') + 1).concat('.json');
  return isRevisionId(asText(body['version']));
}

function isTombstoneOf(url: string, text: string): boolean {
  const body = parsedObject(text);
  const path = url.slice(1);
  const hrefs = [versionsUrl(path), latestVersionUrl(path)];
  const links = body && Array.isArray(body['links']) ? body['links'].filter(isJsonObject) : [];
  return (
    body?.['status'] === 410 &&
    isJsonObject(body['removed']) &&
    hrefs.every((href) => links.some((link) => asText(link['href']).endsWith(href)))
  );
}
