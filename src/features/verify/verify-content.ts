/**
 * What the documents of a tree say, whose bytes are what the manifest says: each against its schema and its URL, its
 * links against what there is, and its share of the history against the others'.
 */
import { dialectOf, vendorIn } from '../../core/api/dialect.ts';
import { type Endpoint, endpointOf, showsHead } from '../../core/api/endpoints.ts';
import type { Fields } from '../../core/api/schemas/document-schemas.ts';
import { feedUrl } from '../../core/api/urls.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import { asText, type JsonObject, parsedObject } from '../../core/model/json.ts';
import { withoutTrailing } from '../../core/platform/without-trailing.ts';
import type { QuickChecks } from '../../core/registry/quick-check.ts';
import { fileOfUrl } from '../../core/tree/layout.ts';
import type { DocumentEntry } from '../../core/tree/manifest/manifest-entries.ts';
import type { Manifest } from '../../core/tree/manifest/read-manifest.ts';
import { type Bases, bodySchemas, type CheckedAnswer, withoutBase } from './check-answer.ts';
import { checkInParts } from './check-in-parts.ts';
import type { ReadVersion } from './recent-bodies.ts';
import { historyCheck } from './verify-history.ts';

export interface ContentOptions {
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
