/** Bodies and changed fields behind the rows of an index, as a store has them. */

import {
  type BodyFields,
  type FieldwiseBodies,
  fieldwiseBodies,
  wholeTexts,
} from '../../core/history/bodies/body-fields.ts';
import { fieldOf } from '../../core/model/differences/difference.ts';
import { sha256 } from '../../core/model/digest.ts';
import { isJsonObject, itemsIn, type JsonObject, parsedJson } from '../../core/model/json.ts';
import type { BodyStore, StoredBody } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { type RecentlyUsed, recentlyUsed } from '../../core/platform/recently-used.ts';
import type { Digests } from './digest-parts.ts';
import type { HistoryIndex } from './history-index.ts';
import { damaged } from './index-damaged.ts';
import type { Records } from './records.ts';

/** What of an index says what bodies were. */
interface Bodies extends Pick<HistoryIndex, 'columns'> {
  readonly digests: Pick<Digests, 'of'>;
  readonly records: Pick<Records, 'read'>;
}

/** Handles of the index are even for the body after a row's change, and odd for its fields. */
export const bodyHandle = (row: number) => 2 * row;
export const fieldsHandle = (row: number) => 2 * row + 1;
export const rowOfHandle = (handle: number) => handle >> 1;

/** Characters of JSON text. What bodies have in common is counted with each, and held once. */
const MOST_HELD = { texts: 1 << 24, fields: 1 << 24 };

/** The bodies that were asked for last, by their rows: as texts, and as their fields, from which the next ones are made. */
interface RecentBodies {
  readonly texts: RecentlyUsed<number, string>;
  readonly fields: RecentlyUsed<number, BodyFields>;
}

/** A store of what the index has and, behind that, of what is put into another. Bodies that were asked for last stay in memory. */
export function indexedStore(index: HistoryIndex, fresh: BodyStore): BodyStore {
  const first = 2 * index.rows;
  const recent = {
    texts: recentlyUsed<number, string>(MOST_HELD.texts),
    fields: recentlyUsed<number, BodyFields>(MOST_HELD.fields),
  };
  const bodies = fieldwiseBodies();
  return {
    put: (json) => fresh.put(json) + first,
    get: (handle) => {
      if (handle >= first) return fresh.get(handle - first);
      const row = rowOfHandle(handle);
      return handle === bodyHandle(row) ? bodyText(index, row, bodies, recent) : fieldsText(index, row);
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
    return this.#index.digests.of(rowOfHandle(this.handle)).toString('hex');
  }
}

/** The text of the body after a row's change. */
export function bodyOfRow(index: Bodies, row: number): string {
  return bodyText(index, row, fieldwiseBodies());
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

function bodyText(index: Bodies, row: number, bodies: FieldwiseBodies, recent?: RecentBodies): string {
  const asked = recent?.texts.get(row);
  if (asked !== undefined) return asked;
  const body = bodyFields(index, row, bodies, recent?.fields);
  const { json, canonical } = wholeTexts(body);
  if (sha256(canonical) !== index.digests.of(row).toString('hex')) return damaged('a body');
  recent?.texts.put(row, json, json.length);
  return json;
}

/** From the last body before it that is kept whole, or known, by the changes since; what lies between them is known then too. */
function bodyFields(index: Bodies, row: number, bodies: FieldwiseBodies, recent?: RecentBodies['fields']): BodyFields {
  const { before, bodyBytes } = index.columns();
  const later: number[] = [];
  let whole = row;
  let body = recent?.get(row);
  while (!body && itemAt(bodyBytes, whole) === 0) {
    later.push(whole);
    const held = itemAt(before, whole) - 1;
    // Rows stand before those that build on them, so that this ends.
    if (held < 0 || held >= whole) return damaged('what a body was before');
    whole = held;
    body = recent?.get(whole);
  }
  body ??= bodies.of(objectIn(recordAt(index, whole).body));
  recent?.put(whole, body, body.length);
  for (const each of later.reverse()) {
    const changes = itemsIn(parsedJson(fieldsText(index, each))).flatMap(fieldOf);
    body = bodies.patched(body, changes) ?? damaged('what a body became');
    recent?.put(each, body, body.length);
  }
  return body;
}

/** Of the text of a body. */
export function objectIn(text: string): JsonObject {
  const body = parsedJson(text);
  return isJsonObject(body) ? body : damaged('a body');
}
