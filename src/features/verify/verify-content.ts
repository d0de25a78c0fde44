import { dialectOf, vendorIn } from '../../core/api/dialect.ts';
import { type Content, endpointOf, showsHead } from '../../core/api/endpoints.ts';
import type { FieldChecks } from '../../core/api/schemas/document-schemas.ts';
import { feedUrl } from '../../core/api/urls.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { asText, closingQuote, parsedObject } from '../../core/model/json.ts';
import { pathAbove } from '../../core/model/resource-path.ts';
import { append } from '../../core/platform/append.ts';
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
} from './check-response.ts';
import { historyCheck, type ReadVersion } from './verify-history.ts';

interface ContentOptions {
  readonly manifest: Manifest;
  readonly bases: Bases;
  readonly fields: FieldChecks;
  readonly checks?: QuickChecks;
}

export type ContentCheck = ReturnType<typeof contentCheck>;

export function contentCheck({ manifest, bases, fields, checks }: ContentOptions) {
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
    const version = asText(body?.['version']);
    if (body && showsHead(endpoint) && version !== summary.revision)
      findings.push(finding('answer-version', { url: path, version, expected: summary.revision }));
    if (body && endpoint.content === 'version') append(findings, history.version(path, endpoint, body));
    if (body && endpoint.content === 'resource') history.item(path, body, text);
    return findings.map((each) => ({ ...each, place: { file } }));
  };
  /** Compares documents after all documents were read. `read` returns a version document. */
  const atEnd = async (read: ReadVersion): Promise<Finding[]> =>
    await history.atEnd(async (path) => {
      const body = await read(path);
      return body && withoutBase(body, bases.basePath);
    });
  return { document, atEnd };
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

export function basesIn(text: string | undefined): Bases {
  const feed = parsedObject(text ?? '')?.['feed_url'];
  const base = typeof feed === 'string' && feed.endsWith(FIRST_FEED) ? feed.slice(0, -FIRST_FEED.length) : '';
  if (base.startsWith('/')) return { basePath: base, baseUrl: base };
  if (!URL.canParse(base)) return NO_BASES;
  return { basePath: withoutTrailing(new URL(base).pathname, '/'), baseUrl: base };
}

/** Allows redirects from `R/versions/latest` to `R/versions/{v}`. */
export function mayRedirect(path: string, to: string): boolean {
  return endpointOf(to)?.content === 'version' && pathAbove(path) === pathAbove(to);
}

export function withPlaceOf(path: string, found: Finding): Finding {
  return { ...found, place: { file: fileOfUrl(path) } };
}

const PART_CODE_UNITS = 1 << 20;

/** Documents of these kinds list all items on one page, so they can be long. */
const UNBOUNDED: readonly Content[] = ['resources', 'node-search', 'node-group'];

/** Checks a long document in parts, to limit memory. The last result contains all findings. */
export function* checkInParts(
  asked: CheckedRequest,
  answer: CheckedResponse,
  length = PART_CODE_UNITS,
): Generator<CheckedAnswer> {
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

/** Splits a collection into parts. If the collection is invalid, no part has `isLast: true`. */
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

/** Returns the position after the end of a JSON object, or -1 if the object is incomplete. */
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
