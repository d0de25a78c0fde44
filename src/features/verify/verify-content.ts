/**
 * What the documents of a tree say, whose bytes are what the manifest says: each against its schema and its URL, its
 * links against what there is, and its share of the history against the others'.
 */

import { dialectOf, vendorIn } from '../../core/api/dialect.ts';
import { type Content, type Endpoint, endpointOf, showsHead } from '../../core/api/endpoints.ts';
import type { Fields } from '../../core/api/schemas/document-schemas.ts';
import { feedUrl } from '../../core/api/urls.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { asText, closingQuote, type JsonObject, parsedObject } from '../../core/model/json.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import type { QuickChecks } from '../../core/registry/quick-check.ts';
import { fileOfUrl } from '../../core/tree/layout.ts';
import type { DocumentEntry } from '../../core/tree/manifest/manifest-entries.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import {
  type Bases,
  bodySchemas,
  type CheckedAnswer,
  type CheckedRequest,
  type CheckedResponse,
  checkAnswer,
  withoutBase,
} from './check-answer.ts';
import { historyCheck, type ReadVersion } from './verify-history.ts';

interface ContentOptions {
  readonly manifest: Manifest;
  readonly bases: Bases;
  /** How much is asked of the fields of resources outside snapshots: `any` where an older head was built. */
  readonly fields: Fields;
  /** Quick checks by the names of the packaged schemas; without them everything takes longer. */
  readonly checks?: QuickChecks;
}

export interface ContentCheck {
  readonly document: (document: DocumentEntry, text: string) => Finding[];
  /** What is known once all documents are. `read` gives a version document. */
  readonly atEnd: (read: ReadVersion) => Promise<Finding[]>;
}

export function contentCheck({ manifest, bases, fields, checks }: ContentOptions): ContentCheck {
  const { summary, entries } = manifest;
  const history = historyCheck(entries.targetOf, summary.history_since);
  const schemaFor = bodySchemas(summary.dialect, fields, checks);
  const vendor = vendorOf(manifest);
  const dialect = dialectOf({ dialect: summary.dialect, vendor, release: '' });

  const document = ({ path, file, endpoint, type }: DocumentEntry, text: string): Finding[] => {
    const asked = { url: path, endpoint, dialect, ...bases, schema: schemaFor(endpoint) };
    const answer = { status: 200, headers: { 'content-type': type }, body: text };
    let checked: CheckedAnswer = { findings: [], body: undefined, links: [] };
    const dead = new Set<string>();
    for (checked of checkInParts(asked, answer))
      for (const { href } of checked.links) if (!entries.has(href)) dead.add(href);
    const { body } = checked;
    const findings = [...checked.findings];
    for (const href of dead) findings.push(finding('verify-dead-link', { href }));
    if (body) findings.push(...headFinding(path, endpoint, body, summary.revision));
    if (body && endpoint.content === 'version') findings.push(...history.version(path, endpoint, body));
    if (body && endpoint.content === 'resource') history.item(path, body, text);
    return findings.map((each) => ({ ...each, place: { file } }));
  };
  const atEnd: ContentCheck['atEnd'] = async (read) =>
    await history.atEnd(async (path) => {
      const body = await read(path);
      return body && withoutBase(body, bases.basePath);
    });
  return { document, atEnd };
}

/** What can change shows the head. */
function headFinding(path: string, endpoint: Endpoint, body: JsonObject, head: string): Finding[] {
  const version = asText(body['version']);
  return showsHead(endpoint) && version !== head
    ? [finding('answer-version', { url: path, version, expected: head })]
    : [];
}

function vendorOf({ summary, entries }: Manifest): string {
  if (summary.dialect === 'current') return '';
  for (const entry of entries) {
    const vendor = entry.alias === undefined ? vendorIn(entry.type) : undefined;
    if (vendor !== undefined) return vendor;
  }
  return '';
}

export const FIRST_FEED = feedUrl('');

export const NO_BASES: Bases = { basePath: '', baseUrl: '' };

/** What the first feed says that stands before its path; nothing where it cannot be read. */
export function basesIn(text: string | undefined): Bases {
  const feed = parsedObject(text ?? '')?.['feed_url'];
  const said = typeof feed === 'string' && feed.endsWith(FIRST_FEED) ? feed.slice(0, -FIRST_FEED.length) : '';
  if (said.startsWith('/')) return { basePath: said, baseUrl: said };
  if (!URL.canParse(said)) return NO_BASES;
  return { basePath: withoutTrailing(new URL(said).pathname, '/'), baseUrl: said };
}

/** Whether a redirect of a path may lead to another: from `latest` to a version beside it. */
export function mayRedirect(path: string, to: string): boolean {
  const beside = (url: string) => url.slice(0, url.lastIndexOf('/'));
  return endpointOf(to)?.content === 'version' && beside(path) === beside(to);
}

export function aboutPath(path: string, found: Finding): Finding {
  return { ...found, place: { file: fileOfUrl(path) } };
}

/** Of UTF-16 code units. */
const PART = 1 << 20;

/** The collections that grow with a registry without being paged, of which all that is checked is checked item by item. */
const UNBOUNDED: readonly Content[] = ['resources', 'node-search', 'node-group'];

/** One answer after the other, of which the last has all findings, and all of them together all links. */
export function* checkInParts(asked: CheckedRequest, answer: CheckedResponse, length = PART): Generator<CheckedAnswer> {
  const isLong = UNBOUNDED.includes(asked.endpoint.content) && answer.body.length > length;
  for (const { body, isLast } of isLong ? partsOf(answer.body, length) : []) {
    const checked = checkAnswer(asked, { ...answer, body });
    if (checked.findings.length > 0) break;
    yield checked;
    if (isLast) return;
  }
  yield checkAnswer(asked, answer);
}

interface Part {
  readonly body: string;
  readonly isLast: boolean;
}

const HEAD = /^\{"total":(\d+),"offset":(\d+),"items":\[(?=\{)/;
const [QUOTE, COMMA, OPEN, CLOSE] = [34, 44, 123, 125];

/** None that is the last where the text is not of the form of a collection, or does not have as many items as it says. */
function* partsOf(text: string, length: number): Generator<Part> {
  const [head = '', total, offset] = HEAD.exec(text) ?? [];
  if (total === undefined) return;
  const end = text.lastIndexOf('],"version":');
  const bodyOf = (from: number, to: number, count: number) =>
    `{"total":${count},"offset":${offset},"items":[${text.slice(from, to)}${text.slice(end)}`;
  let [start, inPart, inAll] = [head.length, 0, 0];
  for (let item = start; ; ) {
    const after = endOfObject(text, item);
    if (after < 0 || after > end) return;
    inPart++;
    inAll++;
    if (after === end) {
      if (String(inAll) === total) yield { body: bodyOf(start, end, inPart), isLast: true };
      return;
    }
    if (text.charCodeAt(after) !== COMMA) return;
    if (after - start > length) {
      yield { body: bodyOf(start, after, inPart), isLast: false };
      [start, inPart] = [item, 1];
    }
    item = after + 1;
  }
}

/** Where an object that opens at `start` has closed; -1 where it does not. */
function endOfObject(text: string, start: number): number {
  if (text.charCodeAt(start) !== OPEN) return -1;
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = closingQuote(text, at);
      if (at < 0) return -1;
    } else if (code === OPEN) depth++;
    else if (code === CLOSE && --depth === 0) return at + 1;
  }
  return -1;
}
