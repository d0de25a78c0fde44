/** Reads JSON and YAML files of other registries. Reports unusual but harmless contents as issues. */

import { findingRecord } from '../../core/diagnostics/render.ts';
import { asText, isJsonObject, type Json, type JsonObject, setOwn } from '../../core/model/json.ts';
import { hasOwnFolder, type Kinds } from '../../core/model/kinds.ts';
import { gridOf, itemOf, lastSegment, parsePath, pathAbove, type Subject } from '../../core/model/resource-path.ts';
import { uidProblem } from '../../core/model/uid.ts';
import { yaml } from '../../core/platform/modules.ts';
import { type PlainTextAt, withSourceTexts } from '../../core/registry/decode.ts';
import type { QuickChecks } from '../../core/registry/quick-check.ts';
import { decodeText, halfCharacterAt, isExactNumber, readYaml } from '../../core/registry/yaml/read-yaml.ts';
import { positionsIn } from '../../core/registry/yaml/yaml-positions.ts';
import type { BlobContents } from '../../system/git/git-objects.ts';

/** The accepted extensions. If several files describe a resource, the first extension in this list wins. */
const ENDINGS = ['.json', '.yaml', '.yml'];

export type ForeignPlace =
  /** The item or the collection that the file describes. If several files describe an item, the lowest `rank` wins. */
  | { readonly subject: Subject; readonly rank: number; readonly problem?: undefined }
  | { readonly problem: 'no-resource' }
  | { readonly problem: 'bad-uid'; readonly uid: string };

/** Both `sites/x/x.json` and `sites/x.json` describe the site x. `sites/x/pdus.json` can contain all PDUs of a site. */
export function foreignPlace(path: string, gridName: string, kinds: Kinds): ForeignPlace {
  const ending = ENDINGS.findIndex((end) => path.endsWith(end));
  if (ending < 0) return { problem: 'no-resource' };
  const stem = path.slice(0, -(ENDINGS[ending] ?? '').length);
  if (stem === gridName) return { subject: gridOf(kinds), rank: ending };
  if (stem === '' || stem.endsWith('/')) return { problem: 'no-resource' };
  const above = parsePath(pathAbove(stem), kinds);
  const isOwnFolder = above && !above.isCollection && lastSegment(above.path) === lastSegment(stem);
  const subject = isOwnFolder ? above : parsePath(stem, kinds);
  if (!subject || (subject.isCollection && hasOwnFolder(subject.kind))) return { problem: 'no-resource' };
  for (const uid of subject.path.split('/').filter((_, i) => i % 2 === 1)) {
    if (uidProblem(uid, subject.kind, 'name')) return { problem: 'bad-uid', uid };
  }
  const form = subject.isCollection ? 2 : isOwnFolder === hasOwnFolder(subject.kind) ? 0 : 1;
  return { subject, rank: ending + form * ENDINGS.length };
}

export function gridFiles(gridName: string): string[] {
  return ENDINGS.map((ending) => gridName + ending);
}

export type ForeignBody =
  | { readonly body: JsonObject; readonly issues: Issue[]; readonly broken?: undefined }
  | { readonly body?: undefined; readonly broken: string };

/** The maximum depth of an imported body. The registry file of a deeper body would exceed its own depth limit. */
const MAX_DEPTH = 90;

/**
 * The path determines the type and the uid. An unquoted number becomes a text if the schema of its field requires a
 * text.
 */
export function readForeignBody(
  path: string,
  bytes: Uint8Array,
  item: Subject,
  checks: QuickChecks = () => undefined,
): ForeignBody {
  const read = readForeignObject(path, bytes);
  if (read.broken !== undefined) return read;
  const body = withIdentity(read.object, item, read.issues);
  return { body: withSchemaTexts(body, item, checks, read.plainTextAt), issues: read.issues };
}

function withSchemaTexts(
  body: JsonObject,
  { kind: { name, schema } }: Subject,
  checks: QuickChecks,
  plainTextAt: PlainTextAt,
): JsonObject {
  return checks(name)?.(body) ? body : withSourceTexts(body, schema, plainTextAt);
}

/** Maps the uids of a collection's items to their bodies. In the file, items can omit their type and uid. */
export function readForeignItems(
  path: string,
  bytes: Uint8Array,
  collection: Subject,
  checks: QuickChecks = () => undefined,
): ReadonlyMap<string, ForeignBody> | { readonly broken: string } {
  const read = readForeignObject(path, bytes);
  if (read.broken !== undefined) return read;
  const itemBody = (value: JsonObject, item: Subject): ForeignBody => {
    const issues: Issue[] = [];
    const body = withIdentity(value, item, issues);
    const plainTextAt: PlainTextAt = (place) => read.plainTextAt([lastSegment(item.path), ...place]);
    return {
      body: withSchemaTexts(body, item, checks, plainTextAt),
      issues: issues.filter(({ code }) => code !== 'identity'),
    };
  };
  const items = new Map<string, ForeignBody>();
  for (const [uid, value] of Object.entries(read.object)) {
    if (!isJsonObject(value)) items.set(uid, { broken: `its item "${uid}" is not an object` });
    else items.set(uid, itemBody(value, itemOf(collection, uid)));
  }
  const [first] = items.values();
  if (first?.broken === undefined) first?.issues.push(...read.issues);
  return items;
}

/** `broken` is the reason why a file is unreadable, or undefined if the file's blob is missing. */
export type ListedUids =
  | { readonly uids: readonly string[] }
  | { readonly uids?: undefined; readonly broken: string | undefined };

export function listedUids(path: string, collection: Subject, blob: BlobContents): ListedUids {
  if (!blob) return { broken: undefined };
  if ('broken' in blob) return blob;
  const items = readForeignItems(path, blob.bytes, collection);
  return 'broken' in items ? items : { uids: [...items.keys()] };
}

type ForeignObject =
  | {
      readonly object: JsonObject;
      readonly issues: Issue[];
      readonly plainTextAt: PlainTextAt;
      readonly broken?: undefined;
    }
  | { readonly broken: string };

function readForeignObject(path: string, bytes: Uint8Array): ForeignObject {
  const text = decodeText(path, bytes);
  if (text.findings)
    return { broken: text.findings[0]?.code === 'not-utf8' ? 'it is not UTF-8' : 'it has a NUL character' };
  const isJson = path.endsWith('.json');
  const read = isJson ? parseJson(text.value) : parseYaml(path, text.value);
  if (isJson && halfCharacterAt(text.value) !== undefined)
    return { broken: 'a text escapes half of a character (a lone surrogate)' };
  if (read.broken !== undefined)
    return /^(<{7}|>{7}) /m.test(text.value) ? { broken: 'it contains merge conflict markers' } : read;
  if (isDeeperThan(read.value, MAX_DEPTH)) return { broken: 'its values are nested too deeply' };
  const { value, issues } = isJson ? jsonIssues(text.value, read.value) : { ...read, issues: [] };
  if (!isJsonObject(value)) return { broken: 'it is not an object' };
  return { object: value, issues, plainTextAt: positionsIn(path, text.value).plainTextAt };
}

function isDeeperThan(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}

type Parsed = { readonly value: Json; readonly broken?: undefined } | { readonly broken: string };

function parseJson(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { broken: `it is not JSON (${jsonReason(error, text)})` };
  }
}

/** Returns V8's error message with a line and a column, and without quoted input. */
function jsonReason(error: unknown, json: string): string {
  const message = error instanceof Error ? error.message : '';
  const [, reason = message, position] = /^(.*?)(?:, ".*|(?: in JSON)? at position (\d+).*)$/s.exec(message) ?? [];
  if (position === undefined) return reason;
  const before = json.slice(0, Number(position)).split('\n');
  return `${reason}, line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function parseYaml(path: string, text: string): Parsed {
  const read = readYaml(path, text);
  if (!read.findings) return { value: read.value };
  const [reason] = read.findings.map((one) => {
    const { message, line, column } = findingRecord(one);
    return `${String(message).replace(/\.$/, '')}, line ${line}, column ${column}`;
  });
  return { broken: `it is not YAML that a registry can hold (${reason})` };
}

/**
 * Sets the uid from the path, and also a missing type. Adds issues if the uid or the type is missing or does not match
 * the path.
 */
function withIdentity(source: JsonObject, item: Subject, issues: Issue[]): JsonObject {
  const type = item.kind.name;
  const uid = item.path === '' ? source['uid'] : lastSegment(item.path);
  const body: Record<string, Json> = {};
  const missing = ['type', 'uid'].filter((field) => source[field] === undefined || source[field] === null);
  if (missing.includes('type')) setOwn(body, 'type', type);
  if (missing.includes('uid')) setOwn(body, 'uid', uid ?? type);
  for (const [key, value] of Object.entries(source)) {
    if (!missing.includes(key)) setOwn(body, key, key === 'uid' && uid !== undefined ? uid : value);
  }
  if (missing.length > 0) issues.push({ code: 'identity', fields: missing });
  if (body['uid'] !== source['uid'] && !missing.includes('uid')) {
    issues.push({ code: 'uid', uid: asText(source['uid']) });
  }
  if (!item.kind.types.includes(asText(body['type']))) issues.push({ code: 'type', type: asText(body['type']) });
  return body;
}

export type Issue =
  | { readonly code: 'duplicate-key'; readonly key: string }
  | { readonly code: 'large-number'; readonly field: string; readonly text: string }
  | { readonly code: 'uid'; readonly uid: string }
  | { readonly code: 'identity'; readonly fields: readonly string[] }
  | { readonly code: 'type'; readonly type: string };

const [QUOTE, SPACE] = [34, 32];

function jsonIssues(text: string, value: Json): { value: Json; issues: Issue[] } {
  const seen = surveyValue(value);
  if (seen.isExact && seen.keys === countKeysIn(text)) return { value, issues: [] };
  const issues: Issue[] = [];
  const document = yaml().parseDocument(text, {
    version: '1.2',
    schema: 'json',
    uniqueKeys: false,
    logLevel: 'silent',
  });
  const kept = document.errors.length > 0 ? value : withExactNumbers(document.contents, value, '', issues);
  return { value: kept, issues };
}

interface Survey {
  keys: number;
  isExact: boolean;
}

function surveyValue(value: Json, seen: Survey = { keys: 0, isExact: true }): Survey {
  if (typeof value === 'number') {
    seen.isExact &&= Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
  } else if (Array.isArray(value)) {
    for (const item of value) surveyValue(item, seen);
  } else if (isJsonObject(value)) {
    for (const item of Object.values(value)) surveyValue(item, seen);
    seen.keys += Object.keys(value).length;
  }
  return seen;
}

/**
 * Counts the keys of a JSON text by counting quotation marks before colons. The count is too high if a string contains
 * `\":`. Returns undefined if whitespace precedes a colon.
 */
function countKeysIn(text: string): number | undefined {
  let count = 0;
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    const before = text.charCodeAt(at - 1);
    if (before === QUOTE) count++;
    else if (before <= SPACE && text.slice(0, at).trimEnd().endsWith('"')) return undefined;
  }
  return count;
}

function withExactNumbers(node: unknown, value: Json, field: string, issues: Issue[]): Json {
  const { isMap, isScalar, isSeq } = yaml();
  if (isScalar(node) && typeof value === 'number') {
    const source = node.source ?? String(value);
    if (Number.isFinite(value) && (isExactNumber(String(value)) || !Number.isInteger(value))) return value;
    issues.push({ code: 'large-number', field, text: source });
    return source;
  }
  if (isSeq(node) && Array.isArray(value)) {
    return value.map((item, i) => withExactNumbers(node.items[i], item, `${field}[${i}]`, issues));
  }
  if (!isMap(node) || !isJsonObject(value)) return value;
  const seen = new Map<string, unknown>();
  for (const pair of node.items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    if (seen.has(key)) issues.push({ code: 'duplicate-key', key });
    seen.set(key, pair.value);
  }
  const result: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    setOwn(result, key, withExactNumbers(seen.get(key), item, field === '' ? key : `${field}.${key}`, issues));
  }
  return result;
}
