/** Bodies and changed fields behind the rows of an index, as a store has them. */

import { bodyTexts, type Texts } from '../../core/history/body-texts.ts';
import { fieldOf } from '../../core/model/differences/difference.ts';
import { patch } from '../../core/model/differences/patch.ts';
import { sha256 } from '../../core/model/digest.ts';
import { canonicalJson, isJsonObject, itemsIn, type JsonObject, parsedJson } from '../../core/model/json.ts';
import type { BodyStore, StoredBody } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { type RecentlyUsed, recentlyUsed } from '../../core/platform/recently-used.ts';
import { DIGEST_BYTES } from './columns.ts';
import type { HistoryIndex } from './history-index.ts';
import { damaged } from './index-damaged.ts';
import type { Records } from './records.ts';

/** What of an index says what bodies were. */
interface Bodies extends Pick<HistoryIndex, 'columns' | 'digestToProve'> {
  readonly records: Pick<Records, 'read'>;
}

/** Handles of the index are even for the body after a row's change, and odd for its fields. */
export const bodyHandle = (row: number) => 2 * row;
export const fieldsHandle = (row: number) => 2 * row + 1;
export const rowOfHandle = (handle: number) => handle >> 1;

/** Characters of JSON text; as values they take some ten times as many bytes. */
const MOST_HELD = { texts: 1 << 25, values: 1 << 22 };

/** The bodies that were asked for last, by their rows: as texts, and fewer as values, from which the next ones are made. */
interface RecentBodies {
  readonly texts: RecentlyUsed<number, string>;
  readonly values: RecentlyUsed<number, JsonObject>;
  readonly textsOf: (body: JsonObject) => Texts;
}

/** A store of what the index has and, behind that, of what is put into another. Bodies that were asked for last stay in memory. */
export function indexedStore(index: HistoryIndex, fresh: BodyStore): BodyStore {
  const first = 2 * index.rows;
  const recent: RecentBodies = {
    texts: recentlyUsed(MOST_HELD.texts),
    values: recentlyUsed(MOST_HELD.values),
    textsOf: bodyTexts(),
  };
  return {
    put: (json) => fresh.put(json) + first,
    get: (handle) => {
      if (handle >= first) return fresh.get(handle - first);
      const row = rowOfHandle(handle);
      return handle === bodyHandle(row) ? bodyText(index, row, recent) : fieldsText(index, row);
    },
  };
}

/** The body after a row's change; its digest is only looked up where somebody asks. */
export class IndexedBody implements StoredBody {
  readonly handle: number;
  readonly #index: HistoryIndex;

  constructor(index: HistoryIndex, row: number) {
    this.handle = bodyHandle(row);
    this.#index = index;
  }

  get digest(): string {
    const at = rowOfHandle(this.handle) * DIGEST_BYTES;
    return this.#index.digests().toString('hex', at, at + DIGEST_BYTES);
  }
}

/** The text of the body after a row's change. */
export function bodyOfRow(index: Bodies, row: number): string {
  return bodyText(index, row, undefined);
}

function recordAt(index: Bodies, row: number): { readonly fields: string; readonly body: string } {
  const { at, fieldBytes, bodyBytes, check } = index.columns();
  const length = itemAt(fieldBytes, row);
  const record = index.records.read(itemAt(at, row), length + itemAt(bodyBytes, row), itemAt(check, row));
  return { fields: record.toString('utf8', 0, length), body: record.toString('utf8', length) };
}

function fieldsText(index: Bodies, row: number): string {
  return recordAt(index, row).fields;
}

/** From the last body before it that is kept whole, or known, by the changes since; what lies between them is known then too. */
function bodyText(index: Bodies, row: number, recent: RecentBodies | undefined): string {
  const asked = recent?.texts.get(row);
  if (asked !== undefined) return asked;
  const { before, bodyBytes } = index.columns();
  const later: number[] = [];
  let whole = row;
  let body: JsonObject | undefined;
  while (!body && itemAt(bodyBytes, whole) === 0) {
    later.push(whole);
    const held = itemAt(before, whole) - 1;
    // Rows stand before those that build on them, so that this ends.
    if (held < 0 || held >= whole) return damaged('what a body was before');
    whole = held;
    body = recent && recentBody(recent, whole);
  }
  body ??= objectIn(recordAt(index, whole).body);
  const textsOf = recent?.textsOf ?? textsAnew;
  let texts = textsOf(body);
  for (const each of later.reverse()) {
    const patched = patch(body, itemsIn(parsedJson(fieldsText(index, each))).flatMap(fieldOf));
    if (patched.conflict) return damaged('what a body became');
    body = patched.body;
    if (!recent && each !== row) continue;
    texts = textsOf(body);
    if (recent) hold(recent, each, body, texts.json);
  }
  if (sha256(texts.canonical) !== index.digestToProve(row).toString('hex')) return damaged('a body');
  if (recent) hold(recent, row, body, texts.json);
  return texts.json;
}

function recentBody({ texts, values }: RecentBodies, row: number): JsonObject | undefined {
  const value = values.get(row);
  const text = value ? undefined : texts.get(row);
  return text === undefined ? value : objectIn(text);
}

function hold({ texts, values }: RecentBodies, row: number, body: JsonObject, text: string): void {
  texts.put(row, text, text.length);
  values.put(row, body, text.length);
}

function textsAnew(body: JsonObject): Texts {
  return { json: JSON.stringify(body), canonical: canonicalJson(body) };
}

/** Of the text of a body. */
export function objectIn(text: string): JsonObject {
  const body = parsedJson(text);
  return isJsonObject(body) ? body : damaged('a body');
}
