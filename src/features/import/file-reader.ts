/**
 * What files of a git registry say, in the order in which commits need them: the texts and digests of bodies, and what each
 * body changes in the one that was read before it for the same item. Nothing in what is asked or answered is more than
 * plain data, so that another thread can read as well.
 */

import { bodyTexts } from '../../core/history/bodies/body-texts.ts';
import { difference, type FieldChange } from '../../core/model/differences/difference.ts';
import { isInPlace } from '../../core/model/differences/in-place.ts';
import { sha256 } from '../../core/model/digest.ts';
import { fieldRules } from '../../core/model/field-classes.ts';
import { isJsonObject, type Json, type JsonObject, setOwn } from '../../core/model/json.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import { itemOf, type Subject, subjectAt } from '../../core/model/resource-path.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { recentlyUsed } from '../../core/platform/recently-used.ts';
import type { QuickChecks } from '../../core/registry/quick-check.ts';
import type { BlobContents } from '../../system/git/git-objects.ts';
import { type ForeignBody, readForeignBody, readForeignItems } from './foreign-file.ts';
import type { Oddity } from './json-oddities.ts';

/** A file to read. */
export interface FileToRead {
  readonly path: string;
  /** The path of the item that it describes; of its collection, where it holds all items of one. */
  readonly subject: string;
  readonly blob: BlobContents;
}

/** What a file says of an item: a body, or why there is none. */
export type SaidOfItem =
  | { readonly item: string; readonly read: ReadBody; readonly broken?: undefined }
  | { readonly item: string; readonly read?: undefined; readonly broken: string | undefined };

export interface ReadBody {
  readonly json: string;
  readonly digest: string;
  readonly oddities: readonly Oddity[];
  /** Undefined where nothing of the item was read before, or that is forgotten, or says the same. */
  readonly update: ReadUpdate | undefined;
}

/** What makes one body of another. */
export interface BodyUpdate {
  readonly fields: readonly FieldChange[];
  /** Whether a replay makes of the text before the text after. */
  readonly isInPlace: boolean;
}

export interface ReadUpdate extends Pick<BodyUpdate, 'isInPlace'> {
  /** The JSON text of the fields. */
  readonly fields: string;
}

/** Of each file, what it says of its item or of each of its items. */
export type FileReader = (files: readonly FileToRead[]) => readonly (readonly SaidOfItem[])[];

/** Characters of JSON text of the bodies that the next ones are compared with; as values they take some ten times as many bytes. */
const MOST_KEPT = 1 << 23;

export function fileReader(kinds: Kinds, checks: QuickChecks = () => undefined): FileReader {
  const latest = recentlyUsed<string, { readonly body: JsonObject; readonly digest: string }>(MOST_KEPT);
  const textsOf = bodyTexts();
  const saidOf = (item: Subject, one: ForeignBody): SaidOfItem => {
    const { path } = item;
    if (one.broken !== undefined) return { item: path, broken: one.broken };
    const last = latest.take(path);
    const body = last ? withFieldsOf(last.body, one.body) : one.body;
    const { json, canonical } = textsOf(body);
    const digest = sha256(canonical);
    latest.put(path, { body, digest }, json.length);
    const update = last && last.digest !== digest ? readUpdate(last.body, body, item) : undefined;
    return { item: path, read: { json, digest, oddities: one.oddities, update } };
  };
  const readOne = ({ path, subject: name, blob }: FileToRead): SaidOfItem[] => {
    if (!blob) return [{ item: name, broken: undefined }];
    if ('broken' in blob) return [{ item: name, broken: blob.broken }];
    const subject = subjectAt(name, kinds);
    if (!subject.isCollection) return [saidOf(subject, readForeignBody(path, blob.bytes, subject, checks))];
    const items = readForeignItems(path, blob.bytes, subject, checks);
    if ('broken' in items) return [{ item: name, broken: items.broken }];
    return Array.from(items, ([uid, one]) => saidOf(itemOf(subject, uid), one));
  };
  return (files) => files.map(readOne);
}

/** What makes one body of another that differs from it. */
export function bodyUpdate(before: JsonObject, after: JsonObject, { kind }: Subject): BodyUpdate {
  const fields = difference(before, after, fieldRules(kind));
  return { fields, isInPlace: isInPlace(before, after, fields) };
}

function readUpdate(before: JsonObject, after: JsonObject, item: Subject): ReadUpdate {
  const update = bodyUpdate(before, after, item);
  return { ...update, fields: JSON.stringify(update.fields) };
}

/** An update whose fields were read. */
export function updateIn({ fields, isInPlace }: ReadUpdate): BodyUpdate {
  return { fields: JSON.parse(fields), isInPlace };
}

/** A body with the values of another where the two have the same text. */
function withFieldsOf(other: JsonObject, body: JsonObject): JsonObject {
  const shared: Record<string, Json> = {};
  for (const [key, value] of Object.entries(body)) {
    const held = Object.hasOwn(other, key) ? other[key] : undefined;
    setOwn(shared, key, held !== undefined && hasSameText(held, value) ? held : value);
  }
  return shared;
}

/** Whether two values are the same in JSON, the order of keys included. */
function hasSameText(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => hasSameText(item, itemAt(b, i)));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return (
    keys.length === others.length &&
    keys.every((key, i) => key === others[i] && hasSameText(a[key] ?? null, b[key] ?? null))
  );
}
