import { fieldName, LABEL_PREFIX, RESERVED_NAMES } from '../model/fields/field-name.ts';
import { type Json, type JsonObject, setOwn } from '../model/json.ts';
import { printableJson } from '../platform/text.ts';

export interface ExportedNode {
  readonly site: string;
  readonly cluster: string;
  readonly uid: string;
  /** The body contains the fields of the registry file. */
  readonly body: JsonObject;
  readonly labels: JsonObject;
}

/**
 * The result has its own fields `site`, `cluster` and `label`. So a registry field with one of these names is written
 * with quotes.
 */
export function nodeItem({ site, cluster, body, labels }: ExportedNode): JsonObject {
  const item: Record<string, Json> = { site, cluster };
  for (const [name, value] of Object.entries(body)) {
    setOwn(item, RESERVED_NAMES.includes(name) ? fieldName([name]) : name, value);
  }
  return Object.keys(labels).length > 0 ? { ...item, [LABEL_PREFIX]: labels } : item;
}

/** Returns a line of NDJSON without its newline, without line separators and without terminal controls. */
export function ndjsonLine(item: JsonObject): string {
  return printableJson(JSON.stringify(item));
}
