/** Nodes as exports have them: where each stands, the fields of its source, and its labels. */

import { fieldName, LABEL_PREFIX, PLACE_NAMES } from '../model/fields/field-name.ts';
import { type Json, type JsonObject, setOwn } from '../model/json.ts';
import { printableJson } from '../platform/text.ts';

export interface WholeNode {
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
  /** The fields of the source alone. */
  readonly body: JsonObject;
  readonly labels: JsonObject;
}

const BESIDE: readonly string[] = [...PLACE_NAMES, LABEL_PREFIX];

/** One object with all of it; a field that is called as what stands beside it has its name in quotation marks. */
export function nodeItem({ site, cluster, body, labels }: WholeNode): JsonObject {
  const item: Record<string, Json> = { site, cluster };
  for (const [name, value] of Object.entries(body)) {
    setOwn(item, BESIDE.includes(name) ? fieldName([name]) : name, value);
  }
  return Object.keys(labels).length > 0 ? { ...item, [LABEL_PREFIX]: labels } : item;
}

/** A line without its end (NDJSON): nothing in it ends a line for any reader, or steers a terminal. */
export function ndjsonLine(item: JsonObject): string {
  return printableJson(JSON.stringify(item));
}
