/** Verifies documents over HTTP. The command `probe` checks variants and error documents. */

import { isUtf8 } from 'node:buffer';
import type { FieldChecks } from '../../core/api/schemas/document-schemas.ts';
import { Failure, type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import { sha256 } from '../../core/model/digest.ts';
import { parsedObject } from '../../core/model/json.ts';
import { isoTimestamp } from '../../core/model/revision.ts';
import { append } from '../../core/platform/append.ts';
import { MANIFEST_FILE } from '../../core/tree/layout.ts';
import { type Claim, isLeaseValid } from '../../core/tree/manifest/manifest.ts';
import type { ManifestEntry } from '../../core/tree/manifest/manifest-entries.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { otherForms } from '../../core/tree/url-forms.ts';
import type { ApiOverHttp, FetchedBytes } from '../../system/client/api-over-http.ts';
import { splitClaim } from '../../system/trees/claimed-manifest.ts';
import { decodedText } from '../../system/trees/content-coding.ts';
import { manifestInBytes } from '../../system/trees/manifest-file.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { basesIn, contentCheck, FIRST_FEED, mayRedirect, withPlaceOf } from './verify-content.ts';
import { aliasedDocuments, type TrustCheck, type Verified } from './verify-files.ts';

export interface UrlOptions {
  readonly fields: FieldChecks;
  readonly trust?: TrustCheck | undefined;
  readonly checksOtherPaths: boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The maximum number of simultaneous checks. The HTTP client has a lower limit for simultaneous requests. */
const MOST_SIMULTANEOUS_CHECKS = 8;

/** Returns undefined if the manifest changed during the verification. */
export async function verifyUrl(site: ApiOverHttp, options: UrlOptions): Promise<Verified | undefined> {
  const base = site.rootPath.replace(/\/$/, '');
  const { body: before, now } = await manifestAt(site, base);
  const manifest = manifestInBytes(before);
  const claim = manifest ? manifest.summary.claim : splitClaim(Buffer.from(before)).claim;
  if (!manifest) {
    if (claim && isLeaseValid(claim, now)) return fail(underWay(site.format(site.rootPath), claim));
    return fail(finding('site-not-json', { url: site.format(`${base}/${MANIFEST_FILE}`) }));
  }
  const trusted = options.trust?.(manifest);
  const findings = [...manifest.findings];
  const reader = documentReader(site, base, manifest);
  const feed = await reader.textAt(FIRST_FEED);
  const content = contentCheck({ manifest, bases: basesIn(feed), fields: options.fields, checks: packagedChecks });
  // A claim can be forged, so a claim excuses only findings about mutable documents.
  let isExcusable = manifest.findings.length === 0 && (trusted?.findings ?? []).length === 0;
  let done = 0;
  await inParallel(manifest.entries, async (entry) => {
    const found = await reader.checked(entry);
    if (typeof found !== 'string') {
      findings.push(found);
      if (entry.cache === 'immutable') isExcusable = false;
    } else if (entry.alias === undefined) append(findings, content.document(entry, found));
    if (options.checksOtherPaths && typeof found === 'string')
      append(findings, await formFindings(site, base, entry, found));
    options.onProgress?.(++done, manifest.entries.size);
  });
  append(findings, await content.atEnd(async (path) => parsedObject((await reader.textAt(path)) ?? '')));
  const { body: after } = await manifestAt(site, base);
  if (Buffer.compare(before, after) !== 0) return undefined;
  if (isExcusable && findings.length > 0 && claim?.purpose === 'publish' && isLeaseValid(claim, now))
    return fail(underWay(site.format(site.rootPath), claim));
  return { manifest, trusted, files: done + 1, findings };
}

function underWay(place: string, { revision, until }: Claim): Finding {
  return finding('verify-under-way', { place, revision, until: isoTimestamp(until) });
}

async function formFindings(site: ApiOverHttp, base: string, entry: ManifestEntry, text: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const form of otherForms(entry.path)) {
    const answer = await fetchOrReason(site, base + form);
    const says = typeof answer === 'string' ? answer : formProblem(answer, text);
    if (says !== undefined) findings.push(withPlaceOf(entry.path, finding('verify-form', { form, says })));
  }
  return findings;
}

function formProblem({ status, body }: FetchedBytes, text: string): string | undefined {
  if (status !== 200) return `its status is ${status}`;
  return decodedText(body) === text ? undefined : 'it is a different document';
}

async function manifestAt(site: ApiOverHttp, base: string): Promise<FetchedBytes> {
  const answer = await site.fetch(`${base}/${MANIFEST_FILE}`);
  const { url, status } = answer;
  return status === 200 ? answer : fail(finding('verify-no-manifest', { url, status }));
}

function documentReader(site: ApiOverHttp, base: string, { entries }: Manifest) {
  const digests = new Map<string, string>();
  const aliased = aliasedDocuments(entries);
  const textAt = async (path: string): Promise<string | undefined> => {
    const { status, body } = await site.fetch(base + path);
    return status === 200 ? decodedText(body) : undefined;
  };
  const checked = async (entry: ManifestEntry): Promise<string | Finding> => {
    const { path } = entry;
    const stated = entry.alias === undefined ? entry.sha256 : (digests.get(entry.alias) ?? '');
    if (entry.alias === undefined && aliased.has(path)) digests.set(path, stated);
    const answer = await fetchOrReason(site, base + path);
    if (typeof answer === 'string') return withPlaceOf(path, finding('verify-missing', { reason: answer }));
    if (answer.status !== 200)
      return withPlaceOf(path, finding('verify-missing', { reason: `its status is ${answer.status}` }));
    const at = answer.path.slice(base.length);
    if (at !== path && !mayRedirect(path, at))
      return withPlaceOf(path, finding('verify-missing', { reason: `it redirects to ${at}` }));
    const computed = sha256(answer.body);
    if (computed !== stated) return withPlaceOf(path, finding('verify-differs', { stated, computed }));
    if (!isUtf8(answer.body)) return withPlaceOf(path, finding('verify-encoding', {}));
    return decodedText(answer.body);
  };
  return { textAt, checked };
}

/** Returns the response, or the reason for a missing response. Throws failures that concern all documents. */
async function fetchOrReason(site: ApiOverHttp, path: string) {
  try {
    return await site.fetch(path);
  } catch (error) {
    const isOfOne = error instanceof Failure && error.findings.every(({ code }) => code === 'site-redirects');
    if (isOfOne) return 'it redirects too often';
    throw error;
  }
}

async function inParallel<T>(list: Iterable<T>, work: (entry: T) => Promise<void>): Promise<void> {
  const entries = list[Symbol.iterator]();
  const worker = async () => {
    for (let next = entries.next(); next.done !== true; next = entries.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: MOST_SIMULTANEOUS_CHECKS }, worker));
}
