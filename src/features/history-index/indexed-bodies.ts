/** Bodies and changed fields behind the rows of an index, as a store has them. */

import { fieldOf } from '../../core/model/difference.ts';
import { bodyDigest } from '../../core/model/digest.ts';
import { isJsonObject, itemsIn, type JsonObject, parsedJson } from '../../core/model/json.ts';
import { patch } from '../../core/model/patch.ts';
import type { BodyStore, StoredBody } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/certain.ts';
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

/** A store of what the index has and, behind that, of what is put into another. Bodies that were asked for stay in memory. */
export function indexedStore(index: HistoryIndex, fresh: BodyStore): BodyStore {
  const first = 2 * index.rows;
  const texts = new Map<number, string>();
  return {
    put: (json) => fresh.put(json) + first,
    get: (handle) => {
      if (handle >= first) return fresh.get(handle - first);
      const row = rowOfHandle(handle);
      return handle === bodyHandle(row) ? bodyText(index, row, texts) : fieldsText(index, row);
    },
  };
}

/** The body after a row's change; its digest is only looked up where somebody asks. */
export function indexedBody(index: HistoryIndex, row: number): StoredBody {
  return {
    handle: bodyHandle(row),
    get digest() {
      return index.digests().toString('hex', row * DIGEST_BYTES, (row + 1) * DIGEST_BYTES);
    },
  };
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
function bodyText(index: Bodies, row: number, known: Map<number, string> | undefined): string {
  const asked = known?.get(row);
  if (asked !== undefined) return asked;
  const { before, bodyBytes } = index.columns();
  const later: number[] = [];
  let whole = row;
  while (itemAt(bodyBytes, whole) === 0 && !known?.has(whole)) {
    later.push(whole);
    const held = itemAt(before, whole) - 1;
    // Rows stand before those that build on them, so that this ends.
    if (held < 0 || held >= whole) return damaged('what a body was before');
    whole = held;
  }
  let text = known?.get(whole) ?? recordAt(index, whole).body;
  let body = objectIn(text);
  for (const each of later.reverse()) {
    const patched = patch(body, itemsIn(parsedJson(fieldsText(index, each))).flatMap(fieldOf));
    if (patched.conflict) return damaged('what a body became');
    body = patched.body;
    if (known || each === row) text = JSON.stringify(body);
    known?.set(each, text);
  }
  if (bodyDigest(body) !== index.digestToProve(row).toString('hex')) return damaged('a body');
  known?.set(row, text);
  return text;
}

/** Of the text of a body. */
export function objectIn(text: string): JsonObject {
  const body = parsedJson(text);
  return isJsonObject(body) ? body : damaged('a body');
}
