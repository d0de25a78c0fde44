/** Reads `/nodes/table`, which stores nodes in columns. Separate pages contain the uids of a large table. */

import { NODE_TABLE_PATH } from '../api/nodes/node-paths.ts';
import type { LabelName } from '../labels/label-fields.ts';
import { type Label, type Labelling, type LabelValue, labelling } from '../labels/labels.ts';
import { itemsIn, type Json, type JsonObject } from '../model/json.ts';
import { getOrCreate } from '../platform/lookups.ts';
import type { Base } from './base-url.ts';
import { linkOf, type PinnedReader } from './pinned-reader.ts';
import { type LabelledColumns, type PublishedTable, tableIn, withRowNames } from './table-document.ts';

/** Returns undefined if the table is missing or invalid. */
export async function publishedTable(
  pinned: PinnedReader,
  { pathOnServer, resolve }: Base,
): Promise<PublishedTable | undefined> {
  const fetched = await pinned.findPinned(pathOnServer(NODE_TABLE_PATH));
  if (fetched?.body['type'] !== 'table') return undefined;
  const first = linkOf(fetched.body, 'item');
  return tableIn(first === undefined ? fetched.body : await withPages(fetched.body, pinned, resolve, first));
}

async function withPages(
  table: JsonObject,
  pinned: PinnedReader,
  resolve: Base['resolve'],
  first: string,
): Promise<JsonObject> {
  const uids: Json[] = [];
  const names: Json[] = [];
  for (let href: string | undefined = first; href !== undefined; ) {
    const { body }: { readonly body: JsonObject } = await pinned.getLinked(resolve(href));
    for (const uid of itemsIn(body['uids'])) uids.push(uid);
    for (const name of itemsIn(body['names'])) names.push(name);
    href = linkOf(body, 'next');
  }
  return withRowNames(table, uids, names);
}

/**
 * Uses published labels, because the label rules are not published. Other values get labels from built-in rules.
 * Compares only the spellings of values, because the table omits fields such as serials.
 */
export function publishedLabelling(published: readonly LabelledColumns[]): Labelling {
  const { spellings } = labelling(undefined);
  const keyOf = (name: LabelName, value: Json) =>
    JSON.stringify(spellings(name, value).map(({ spelling }) => spelling));
  const known = new Map<LabelName, ReadonlyMap<string, Label>>();
  return labelling(undefined, (name, value) => {
    const labels = getOrCreate(known, name, () => labelsBy((each) => keyOf(name, each), name, published));
    const key = labels.size === 0 ? '' : keyOf(name, value);
    return labels.has(key) ? { label: labels.get(key) } : undefined;
  });
}

function labelsBy(
  keyOf: (value: Json) => string,
  label: LabelName,
  published: readonly LabelledColumns[],
): ReadonlyMap<string, Label> {
  const found = new Map<string, Label>();
  for (const { columns, labels } of published) {
    for (const { column, values } of labels.find(({ name }) => name === label)?.of ?? []) {
      const spelled = columns.find(({ name }) => name === column)?.values ?? [];
      for (const [i, value] of spelled.entries()) found.set(keyOf(value), labelIn(values[i] ?? null));
    }
  }
  return found;
}

function labelIn(value: Json): Label {
  if (Array.isArray(value)) return value.filter(isLabel);
  return isLabel(value) ? value : undefined;
}

function isLabel(value: Json): value is LabelValue {
  return typeof value === 'string' || typeof value === 'number';
}
