import type { Dialect } from '../../core/api/dialect.ts';
import { type Endpoint, endpointOf } from '../../core/api/endpoints.ts';
import { isRaw, RAW_FORMS } from '../../core/api/raw-forms.ts';
import { followsRules, lastFields, lastItemFields } from '../../core/api/schemas/body-rules.ts';
import { type FieldChecks, schemaNameOf, schemaOf } from '../../core/api/schemas/document-schemas.ts';
import { linkOf } from '../../core/client/pinned-reader.ts';
import { type Finding, finding } from '../../core/diagnostics/finding.ts';
import {
  asText,
  isCompactJson,
  isJsonObject,
  type Json,
  type JsonObject,
  objectsIn,
  parsedJson,
} from '../../core/model/json.ts';
import { pathAbove } from '../../core/model/resource-path.ts';
import { isRevisionId } from '../../core/model/uid.ts';
import { append } from '../../core/platform/append.ts';
import { type Lazy, lazily } from '../../core/platform/on-demand.ts';
import type { QuickCheck, QuickChecks } from '../../core/registry/quick-check.ts';
import { firstProblems, schemaProblems } from '../../core/registry/schema-problems.ts';

export interface CheckedResponse {
  readonly status: number;
  /** The response headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface FailedRequest {
  readonly unreachable: string;
}

/** `check` quickly tests whether a body is valid. `schema` also describes the errors. */
interface BodySchema {
  readonly schema: Lazy<Parameters<typeof schemaProblems>[0]>;
  readonly check: QuickCheck | undefined;
}

export interface Bases {
  /**
   * The path prefix of links. Some formats always use this prefix. The others use it only if `prefixed_links` is set.
   */
  readonly basePath: string;
  /** The prefix of URLs in JSON Feeds: the base path, or a URL that ends with the base path. */
  readonly baseUrl: string;
}

export interface CheckedRequest extends Bases {
  readonly url: string;
  readonly endpoint: Endpoint;
  readonly dialect: Dialect;
  readonly schema: BodySchema;
}

export interface FoundLink {
  readonly href: string;
  /** The media type of the target. Only legacy links contain a media type. */
  readonly type: string | undefined;
}

export interface CheckedAnswer {
  readonly findings: readonly Finding[];
  readonly body: JsonObject | undefined;
  readonly links: readonly FoundLink[];
}

export function checkAnswer(asked: CheckedRequest, { headers, body: text }: CheckedResponse): CheckedAnswer {
  const findings: Finding[] = [];
  const { url, basePath } = asked;
  const { form } = asked.endpoint;
  const expected = asked.dialect.mediaType(form);
  const type = headers['content-type'] ?? 'none';
  if (!isMediaType(type, expected)) findings.push(finding('answer-media-type', { url, type, expected }));
  if (isRaw(form)) {
    const { start, referencesIn } = RAW_FORMS[form];
    if (!text.startsWith(start)) findings.push(finding('answer-raw', { url, expected: start.trim() }));
    const links = referencesIn(text).map((reference) => referenced(reference, basePath));
    return { findings, body: undefined, links };
  }
  const parsed = parsedJson(text);
  if (asked.endpoint.content === 'targets' && parsed !== undefined) {
    return { findings: [...findings, ...schemaFindings(asked, parsed)], body: undefined, links: [] };
  }
  if (!isJsonObject(parsed)) {
    return { findings: [...findings, finding('answer-not-json', { url })], body: undefined, links: [] };
  }
  const body = withoutBase(parsed, basePath);
  if (!isCompactJson(text)) findings.push(finding('answer-not-compact', { url }));
  append(findings, schemaFindings(asked, body));
  const { content } = asked.endpoint;
  if (content === 'openapi' || content === 'schema') return { findings, body, links: [] };
  append(findings, orderFindings(asked, body));
  if (content === 'feed') return { findings, body, links: referencesOfFeed(asked, body) };
  append(findings, identityFindings(asked, body));
  return { findings, body, links: linksIn(body) };
}

function schemaFindings({ url, endpoint, schema: { check, schema } }: CheckedRequest, body: Json): Finding[] {
  const isKnown = check !== undefined;
  if (isKnown && check(body) && (!isJsonObject(body) || followsRules(endpoint, body))) return [];
  return (isKnown ? firstProblems : schemaProblems)(schema(), body).map(({ path, message }) =>
    finding('answer-schema', { url, field: path.map(String).join('.'), problem: message }),
  );
}

export function bodySchemas(
  dialect: Dialect['name'],
  fields: FieldChecks,
  checks: QuickChecks | undefined,
): (endpoint: Endpoint) => BodySchema {
  const known = new Map<Endpoint, BodySchema>();
  return (endpoint) => {
    const existing = known.get(endpoint);
    if (existing) return existing;
    const expected = endpoint.inSnapshot ? 'any' : fields;
    const schema = {
      schema: lazily(() => schemaOf(endpoint, dialect, expected)),
      check: checks?.(schemaNameOf(endpoint, dialect, expected)),
    };
    known.set(endpoint, schema);
    return schema;
  };
}

/** Ignores `charset=utf-8`, because hosts may add this parameter to a media type. */
function isMediaType(type: string, expected: string): boolean {
  if (type === expected) return true;
  const plain = (text: string) => text.toLowerCase().replaceAll(' ', '');
  return plain(type) === plain(expected) || plain(type) === `${plain(expected)};charset=utf-8`;
}

export function itemsOf(body: JsonObject): readonly JsonObject[] {
  return objectsIn(body['items']);
}

function orderFindings({ url, endpoint, dialect }: CheckedRequest, body: JsonObject): Finding[] {
  const findings: Finding[] = [];
  const check = (fields: readonly string[], expected: readonly string[], where: string) => {
    const first = fields.length - expected.length;
    if (!expected.every((field, i) => fields[first + i] === field))
      findings.push(finding('answer-field-order', { url, where, expected }));
  };
  check(Object.keys(body), lastFields(endpoint, dialect.name), '');
  if (endpoint.form === 'collection')
    for (const [i, item] of itemsOf(body).entries()) check(Object.keys(item), lastItemFields(endpoint), `items.${i}`);
  return findings;
}

function identityFindings({ url, endpoint }: CheckedRequest, body: JsonObject): Finding[] {
  const self = selfOf(body) ?? 'nothing';
  const uid = body['uid'];
  const isVersion = endpoint.content === 'version' || endpoint.content === 'latest-version';
  const findings: Finding[] = [];
  // Some URLs return an older version, such as `latest` and revisions that did not change the resource.
  const isSelf =
    self === url ||
    (isVersion && self === `${pathAbove(url)}/${asText(uid)}`) ||
    (isPaged(endpoint) && isPageOf(self, url)) ||
    (endpoint.content === 'named-node' && endpointOf(self)?.content === 'resource');
  if (!isSelf) findings.push(finding('answer-self', { url, self }));
  const shown = isVersion ? uid : snapshotOf(endpoint, url);
  if (shown !== undefined && body['version'] !== shown) {
    findings.push(finding('answer-version', { url, version: asText(body['version']), expected: asText(shown) }));
  }
  return findings;
}

function isPaged({ content }: Endpoint): boolean {
  return content === 'changes' || content === 'node-page';
}

function isPageOf(self: string, url: string): boolean {
  const page = endpointOf(self);
  return page !== undefined && isPaged(page) && pathAbove(pathAbove(self)) === url;
}

function snapshotOf({ inSnapshot }: Endpoint, url: string): string | undefined {
  return inSnapshot ? url.split('/').find(isRevisionId) : undefined;
}

export function selfOf(body: JsonObject): string | undefined {
  return linkOf(body, 'self');
}

function linksIn(body: JsonObject): FoundLink[] {
  const lists = [body['links'], ...itemsOf(body).map(({ links }) => links), body['changes'], body['mementos']];
  return lists
    .flatMap(objectsIn)
    .flatMap(({ href, type }) =>
      typeof href === 'string' ? [{ href, type: typeof type === 'string' ? type : undefined }] : [],
    );
}

function referencesOfFeed({ baseUrl }: CheckedRequest, body: JsonObject): FoundLink[] {
  const references = [body['home_page_url'], body['feed_url'], ...itemsOf(body).map(({ url }) => url)];
  return references.map((reference) => referenced(asText(reference), baseUrl));
}

function referenced(reference: string, basePath: string): FoundLink {
  return { href: withoutBasePath(reference, basePath), type: undefined };
}

export function withoutBase(body: JsonObject, basePath: string): JsonObject {
  if (basePath === '') return body;
  const entries = Object.entries(body).map(([key, value]): [string, Json] => [
    key,
    key === 'href' && typeof value === 'string' ? withoutBasePath(value, basePath) : valueWithoutBase(value, basePath),
  ]);
  return Object.fromEntries(entries);
}

function valueWithoutBase(value: Json, basePath: string): Json {
  if (Array.isArray(value)) return value.map((item) => valueWithoutBase(item, basePath));
  return isJsonObject(value) ? withoutBase(value, basePath) : value;
}

/** Removes the base path from a reference. Returns other references unchanged. */
function withoutBasePath(reference: string, basePath: string): string {
  if (reference === basePath) return '/';
  return reference.startsWith(`${basePath}/`) ? reference.slice(basePath.length) : reference;
}
