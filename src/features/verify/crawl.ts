/**
 * The crawl: from the root, the changes, all nodes and the explorer, every link of every body is followed until nothing new is found. Whatever answers (the
 * server of a tree, a host far away) is reached through one function, so that this stays free of input and output.
 */

import { badgeUrl } from '../../core/api/deep-and-badge-paths.ts';
import { LINKS_PATH } from '../../core/api/description/description-paths.ts';
import type { Dialect } from '../../core/api/dialect.ts';
import { type Endpoint, endpointOf, showsHead } from '../../core/api/endpoints.ts';
import { EXPLORER_PATHS } from '../../core/api/explorer/explorer-paths.ts';
import { NODES_PATH } from '../../core/api/nodes/node-paths.ts';
import type { Fields } from '../../core/api/schemas/document-schemas.ts';
import { changesUrl, resourceUrl, SNAPSHOTS_PATH, versionsUrl } from '../../core/api/urls.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { sha256 } from '../../core/model/digest.ts';
import { asText, type JsonObject } from '../../core/model/json.ts';
import { ANY_COLLECTION, NODE } from '../../core/model/kinds.ts';
import { joinPath, pathAbove } from '../../core/model/resource-path.ts';
import { certain } from '../../core/platform/certain.ts';
import type { QuickChecks } from '../../core/registry/quick-check.ts';
import {
  type Bases,
  bodySchemas,
  type CheckedResponse,
  checkAnswer,
  type FoundLink,
  itemsOf,
  selfOf,
  type Unanswered,
} from './check-answer.ts';
import { NO_BASES } from './verify-content.ts';

export interface CrawlOptions {
  readonly fetch: (url: string) => Promise<CheckedResponse | Unanswered>;
  readonly dialect: Dialect;
  readonly bases?: Bases;
  /** Where to begin; by default at the root, and at what no link of the root leads to. */
  readonly starts?: readonly string[];
  /**
   * Whether that which no link leads to is asked for too: the snapshots, and the histories of collections, whose
   * paths follow from those of the items in them.
   */
  readonly isThorough?: boolean;
  readonly concurrency?: number;
  /** How much is asked of the fields of resources outside snapshots: `any` where an older head is published. */
  readonly fields?: Fields;
  /** Quick checks by the names of the packaged schemas; without them everything takes longer. */
  readonly checks?: QuickChecks;
  readonly follows?: (url: string) => boolean;
  readonly onProgress?: (done: number, known: number) => void;
  /** Told of the body of each URL that is a JSON object. */
  readonly onBody?: (url: string, body: JsonObject) => void;
  readonly isOver?: () => boolean;
}

export interface CrawlReport {
  readonly asked: number;
  readonly endpoints: ReadonlyMap<string, number>;
  readonly links: number;
  readonly findings: readonly Finding[];
}

const CONCURRENCY = 16;
const START = 'the start';

export async function crawl(options: CrawlOptions): Promise<CrawlReport> {
  const {
    fetch,
    starts = [resourceUrl(''), changesUrl(''), NODES_PATH, LINKS_PATH, EXPLORER_PATHS.page],
    concurrency = CONCURRENCY,
    onProgress = () => {},
    isOver = () => false,
  } = options;
  const survey = newSurvey(options);
  for (const start of starts) survey.found({ href: start, type: undefined }, START);
  let done = 0;
  await inParallel(survey.waiting, concurrency, async (visit) => {
    if (isOver()) return;
    const { url, from } = visit;
    const answer = await fetch(url);
    if ('unreachable' in answer) survey.say(finding('link-unreachable', { url, from, reason: answer.unreachable }));
    else survey.answered(visit, answer);
    onProgress(++done, survey.waiting.length);
  });
  return survey.report();
}

/** Works on a list that grows meanwhile, so many entries at once, until all are done. */
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

interface Survey {
  readonly waiting: readonly Visit[];
  readonly found: (link: FoundLink, from: string) => void;
  readonly answered: (visit: Visit, answer: CheckedResponse) => void;
  readonly say: (finding: Finding) => void;
  readonly report: () => CrawlReport;
}

/** What is known so far: which URLs there are, what was wrong, and what bodies must agree on. */
function newSurvey({
  dialect,
  bases = NO_BASES,
  fields = 'typed',
  checks,
  isThorough = false,
  follows = () => true,
  onBody = () => {},
}: CrawlOptions): Survey {
  /** Every URL that was found, whether it is asked for or not; undefined where no endpoint answers it. */
  const known = new Map<string, Visit | undefined>();
  const waiting: Visit[] = [];
  const endpoints = new Map<string, number>();
  const findings: Finding[] = [];
  const agreement = newAgreement((url) => known.get(url));
  let links = 0;

  const schemaFor = bodySchemas(dialect.name, fields, checks);
  const found = ({ href, type }: FoundLink, from: string) => {
    links++;
    if (!known.has(href)) {
      const endpoint = endpointOf(href);
      const visit = endpoint && { url: href, from, endpoint };
      known.set(href, visit);
      if (!visit) findings.push(finding('link-no-endpoint', { url: href, from }));
      else if (follows(href)) waiting.push(visit);
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
      if (isVersionBeside(target, url)) found({ href: target, type: undefined }, url);
      else findings.push(finding('link-redirect', { url, from, target }));
      return;
    }
    // Whoever wants no explorer and no badges has none.
    if (answer.status === 404 && isOptional(endpoint.content, from)) return;
    if (answer.status !== 200) {
      findings.push(finding('link-status', { url, from, status: answer.status }));
      return;
    }
    const checked = checkAnswer({ url, endpoint, dialect, ...bases, schema: schemaFor(endpoint) }, answer);
    findings.push(...checked.findings);
    for (const link of checked.links) found(link, url);
    if (isThorough) for (const href of unlinked(url, endpoint, dialect)) found({ href, type: undefined }, url);
    if (checked.body) onBody(url, checked.body);
    if (checked.body) findings.push(...agreement.check(url, endpoint, checked.body));
  };

  return {
    waiting,
    found,
    answered,
    say: (said) => findings.push(said),
    report: () => ({ asked: waiting.length, endpoints, links, findings: [...findings, ...agreement.atEnd()] }),
  };
}

function isOptional(content: Endpoint['content'], from: string): boolean {
  return content === 'badge' || (content === 'explorer' && from === START);
}

/** What a document lets know of though it does not link to it. */
function unlinked(
  url: string,
  { content, kind, subject, inSnapshot }: Endpoint,
  { answersUnlinked }: Dialect,
): string[] {
  if (content === 'resource') {
    const held = kind.children.flatMap((child) =>
      child.onlyIfAny && child.collection !== ANY_COLLECTION && answersUnlinked(child)
        ? [certain(child.collection)]
        : [],
    );
    const below = held.map((name) => resourceUrl(joinPath(url.slice(1), name)));
    if (kind.name === NODE.name && !inSnapshot) return [...below, badgeUrl(url.slice(1))];
    return url === resourceUrl('') ? [SNAPSHOTS_PATH, ...below] : below;
  }
  // What has no members and no link may never have had a history.
  const mayBeNew = kind.onlyIfAny && answersUnlinked(kind);
  if (content === 'resources' && !inSnapshot && !mayBeNew) return [versionsUrl(url.slice(1))];
  if (content !== 'versions' || subject !== 'item') return [];
  const path = pathAbove(url).slice(1);
  const own = path === '' ? [] : [pathAbove(path)];
  const held = kind.children.filter(({ onlyIfAny }) => !onlyIfAny);
  return [...own, ...held.map(({ collection }) => joinPath(path, certain(collection)))].map(versionsUrl);
}

const TEMPORARY_REDIRECT = 307;

function redirectTarget({ status, headers }: CheckedResponse): string | undefined {
  if (status !== TEMPORARY_REDIRECT) return undefined;
  return (headers['location'] ?? '').replace(/^https?:\/\/[^/]+/, '');
}

interface Agreement {
  readonly check: (url: string, endpoint: Endpoint, body: JsonObject) => Finding[];
  readonly atEnd: () => Finding[];
}

/**
 * What several bodies must agree on: the head, a resource alone and in its collection, who a version is. `known` gives what
 * is known of a URL that was found, which stands for it: another copy of each text would take as much memory again.
 */
function newAgreement(known: (url: string) => object | undefined): Agreement {
  let head: string | undefined;
  const digests = new Map<string, string>();
  /** The versions that histories list, and the URLs that answered with another version than their own. */
  const listed = new Set<object | undefined>();
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
    if (content === 'version' && self !== undefined && self !== url && isVersionBeside(self, url))
      aliases.set(url, self);
    if (content === 'versions' || content === 'version-page')
      for (const item of itemsOf(body)) listed.add(known(selfOf(item) ?? url));
    const findings: Finding[] = [];
    if (showsHead(endpoint)) {
      const version = asText(body['version']);
      head ??= version;
      if (version !== head) findings.push(finding('answer-version', { url, version, expected: head }));
    }
    if (content === 'resource') findings.push(...sameItem(body, url));
    if (content === 'resources') findings.push(...itemsOf(body).flatMap((item) => sameItem(item, url)));
    return findings;
  };

  const atEnd = () =>
    [...aliases].flatMap(([url, self]) => (listed.has(known(url)) ? [finding('answer-self', { url, self })] : []));
  return { check, atEnd };
}

/** Whether a path is a version of the same subject as another: `R/versions/{v}` beside `R/versions/latest`. */
function isVersionBeside(target: string, url: string): boolean {
  return endpointOf(target)?.content === 'version' && pathAbove(target) === pathAbove(url);
}
