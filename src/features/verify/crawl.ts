/** Crawls an API through the caller's request function, so this module does no input or output itself. */

import { LINKS_PATH } from '../../core/api/description/description-paths.ts';
import type { Dialect } from '../../core/api/dialect.ts';
import { type Endpoint, endpointOf, showsHead } from '../../core/api/endpoints.ts';
import { EXPLORER_PATHS } from '../../core/api/explorer/explorer-paths.ts';
import { NODES_PATH } from '../../core/api/nodes/node-paths.ts';
import type { FieldChecks } from '../../core/api/schemas/document-schemas.ts';
import { badgeUrl, changesUrl, resourceUrl, SNAPSHOTS_PATH, versionsUrl } from '../../core/api/urls.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { sha256 } from '../../core/model/digest.ts';
import { asText, type JsonObject } from '../../core/model/json.ts';
import { ANY_COLLECTION, NODE } from '../../core/model/kinds.ts';
import { joinPath, pathAbove } from '../../core/model/resource-path.ts';
import { append } from '../../core/platform/append.ts';
import { assertDefined } from '../../core/platform/lookups.ts';
import type { QuickChecks } from '../../core/registry/quick-check.ts';
import {
  type Bases,
  bodySchemas,
  type CheckedResponse,
  checkAnswer,
  type FailedRequest,
  type FoundLink,
  itemsOf,
  selfOf,
} from './check-response.ts';
import { mayRedirect, NO_BASES } from './verify-content.ts';

export interface CrawlOptions {
  /** Returns undefined if the crawl ended before the response arrived. */
  readonly fetch: (url: string) => Promise<CheckedResponse | FailedRequest | undefined>;
  readonly dialect: Dialect;
  readonly bases?: Bases;
  /** The first paths of the crawl. The default is the root and some documents without a link from the root. */
  readonly starts?: readonly string[];
  /** Whether to request documents without incoming links, such as snapshots and histories of collections. */
  readonly includesUnlinked?: boolean;
  readonly concurrency?: number;
  readonly fields?: FieldChecks;
  readonly checks?: QuickChecks;
  readonly follows?: (url: string) => boolean;
  /** The maximum number of requested documents per endpoint. */
  readonly sample?: number | undefined;
  /**
   * The maximum memory for URLs, in bytes. Without this limit, a hostile service could fill the memory with invented
   * links.
   */
  readonly linkBytes?: number;
  readonly onProgress?: (done: number, known: number) => void;
  readonly onBody?: (url: string, body: JsonObject) => void;
  readonly isStopped?: () => boolean;
}

export interface CrawlReport {
  readonly asked: number;
  readonly endpoints: ReadonlyMap<string, number>;
  readonly links: number;
  readonly findings: readonly Finding[];
}

const CONCURRENCY = 16;
/** The default of `linkBytes`. A tree with a million documents needs less memory. */
const LINK_BYTES = 700_000_000;
/** The memory in bytes that each URL needs in addition to its characters. */
const BYTES_PER_URL = 500;
const MAX_FINDINGS = 500_000;
const START = 'the start';

export async function crawl(options: CrawlOptions): Promise<CrawlReport> {
  const {
    fetch,
    starts = [resourceUrl(''), changesUrl(''), NODES_PATH, LINKS_PATH, EXPLORER_PATHS.page],
    concurrency = CONCURRENCY,
    onProgress = () => {},
    isStopped = () => false,
  } = options;
  const survey = newSurvey(options);
  for (const start of starts) survey.found({ href: start, type: undefined }, START);
  let done = 0;
  await inParallel(survey.waiting, concurrency, async (visit) => {
    if (isStopped() || survey.isFull()) return;
    const { url, from } = visit;
    const answer = await fetch(url);
    if (!answer) return;
    if ('unreachable' in answer) survey.report(finding('link-unreachable', { url, from, reason: answer.unreachable }));
    else survey.answered(visit, answer);
    onProgress(++done, survey.waiting.length);
  });
  const { findings, ...result } = survey.result();
  const stop = survey.isFull() ? [finding('crawl-endless', { asked: done })] : [];
  return { ...result, findings: [...findings.slice(0, MAX_FINDINGS), ...stop], asked: done };
}

function inParallel<T>(list: readonly T[], most: number, work: (entry: T) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    let next = 0;
    let running = 0;
    const start = () => {
      for (let entry = list[next]; entry !== undefined && running < most; entry = list[next]) {
        next++;
        running++;
        work(entry).then(() => {
          running--;
          start();
        }, reject);
      }
      if (running === 0) resolve();
    };
    start();
  });
}

interface Visit {
  readonly url: string;
  readonly from: string;
  readonly endpoint: Endpoint;
}

function newSurvey({
  dialect,
  bases = NO_BASES,
  fields = 'typed',
  checks,
  includesUnlinked = false,
  follows = () => true,
  sample = Number.POSITIVE_INFINITY,
  linkBytes = LINK_BYTES,
  onBody = () => {},
}: CrawlOptions) {
  /** The known URLs, each with its visit. A URL that matches no endpoint has no visit. */
  const known = new Map<string, Visit | undefined>();
  const waiting: Visit[] = [];
  const endpoints = new Map<string, number>();
  const findings: Finding[] = [];
  const agreement = newAgreement((url) => known.get(url));
  let links = 0;
  let room = linkBytes;

  const sampled = new Map<string, number>();
  const isSampled = ({ template }: Endpoint): boolean => {
    const count = (sampled.get(template) ?? 0) + 1;
    sampled.set(template, count);
    return count <= sample;
  };
  const schemaFor = bodySchemas(dialect.name, fields, checks);
  const found = ({ href, type }: FoundLink, from: string) => {
    links++;
    if (!known.has(href)) {
      room -= href.length + BYTES_PER_URL;
      const endpoint = endpointOf(href);
      const visit = endpoint && { url: href, from, endpoint };
      known.set(href, visit);
      if (!visit) findings.push(finding('link-no-endpoint', { url: href, from }));
      else if (follows(href) && isSampled(visit.endpoint)) waiting.push(visit);
    }
    const target = known.get(href)?.endpoint;
    const expected = target && dialect.mediaType(target.form).split(';')[0];
    if (type !== undefined && expected !== undefined && type !== expected)
      findings.push(finding('link-type', { url: href, from, type, expected }));
  };

  const answered = ({ url, from, endpoint }: Visit, answer: CheckedResponse) => {
    endpoints.set(endpoint.template, (endpoints.get(endpoint.template) ?? 0) + 1);
    const target = endpoint.content === 'latest-version' ? redirectTarget(answer) : undefined;
    if (target !== undefined) {
      if (mayRedirect(url, target)) found({ href: target, type: undefined }, url);
      else findings.push(finding('link-redirect', { url, from, target }));
      return;
    }
    if (answer.status === 404 && isOptional(endpoint.content, from)) return;
    if (answer.status !== 200) {
      findings.push(finding('link-status', { url, from, status: answer.status }));
      return;
    }
    const checked = checkAnswer({ url, endpoint, dialect, ...bases, schema: schemaFor(endpoint) }, answer);
    append(findings, checked.findings);
    for (const link of checked.links) found(link, url);
    if (includesUnlinked) for (const href of unlinked(url, endpoint, dialect)) found({ href, type: undefined }, url);
    if (checked.body) onBody(url, checked.body);
    if (checked.body) append(findings, agreement.check(url, endpoint, checked.body));
  };

  return {
    waiting,
    found,
    answered,
    report: (found: Finding) => findings.push(found),
    isFull: () => room < 0 || findings.length > MAX_FINDINGS,
    result: () => ({ endpoints, links, findings: [...findings, ...agreement.atEnd()] }),
  };
}

function isOptional(content: Endpoint['content'], from: string): boolean {
  return content === 'badge' || (content === 'explorer' && from === START);
}

/** Returns the paths that must exist if this document exists. No document links to these paths. */
function unlinked(
  url: string,
  { content, kind, subject, inSnapshot }: Endpoint,
  { answersUnlinked }: Dialect,
): string[] {
  if (content === 'resource') {
    const collections = kind.children.flatMap((child) =>
      child.onlyIfAny && child.collection !== ANY_COLLECTION && answersUnlinked(child)
        ? [assertDefined(child.collection)]
        : [],
    );
    const below = collections.map((name) => resourceUrl(joinPath(url.slice(1), name)));
    if (kind.name === NODE.name && !inSnapshot) return [...below, badgeUrl(url.slice(1))];
    return url === resourceUrl('') ? [SNAPSHOTS_PATH, ...below] : below;
  }
  // An empty collection to which no document links may have no history.
  const mayBeNew = kind.onlyIfAny && answersUnlinked(kind);
  if (content === 'resources' && !inSnapshot && !mayBeNew) return [versionsUrl(url.slice(1))];
  if (content !== 'versions' || subject !== 'item') return [];
  const path = pathAbove(url).slice(1);
  const own = path === '' ? [] : [pathAbove(path)];
  const collections = kind.children.filter(({ onlyIfAny }) => !onlyIfAny);
  return [...own, ...collections.map(({ collection }) => joinPath(path, assertDefined(collection)))].map(versionsUrl);
}

const TEMPORARY_REDIRECT = 307;

function redirectTarget({ status, headers }: CheckedResponse): string | undefined {
  if (status !== TEMPORARY_REDIRECT) return undefined;
  return (headers['location'] ?? '').replace(/^https?:\/\/[^/]+/, '');
}

/** Checks that all documents agree on the head, on items and on version URLs. */
function newAgreement(known: (url: string) => object | undefined) {
  let head: string | undefined;
  const digests = new Map<string, string>();
  const listed = new Set<object | undefined>();
  /** URLs that returned the version of an earlier revision. */
  const aliases = new Map<string, string>();

  const sameItem = (item: JsonObject, url: string): Finding[] => {
    const self = selfOf(item) ?? url;
    const digest = sha256(JSON.stringify(item));
    const other = digests.get(self);
    digests.set(self, digest);
    return other === undefined || other === digest ? [] : [finding('answer-item-differs', { url: self })];
  };

  const check = (url: string, endpoint: Endpoint, body: JsonObject) => {
    const { content } = endpoint;
    const self = selfOf(body);
    if (content === 'version' && self !== undefined && self !== url && mayRedirect(url, self)) aliases.set(url, self);
    if (content === 'versions' || content === 'version-page')
      for (const item of itemsOf(body)) listed.add(known(selfOf(item) ?? url));
    const findings: Finding[] = [];
    if (showsHead(endpoint)) {
      const version = asText(body['version']);
      head ??= version;
      if (version !== head) findings.push(finding('answer-version', { url, version, expected: head }));
    }
    if (content === 'resource') append(findings, sameItem(body, url));
    if (content === 'resources')
      append(
        findings,
        itemsOf(body).flatMap((item) => sameItem(item, url)),
      );
    return findings;
  };

  const atEnd = () =>
    [...aliases].flatMap(([url, self]) => (listed.has(known(url)) ? [finding('answer-self', { url, self })] : []));
  return { check, atEnd };
}
