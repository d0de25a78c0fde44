/** Reads `/nodes/table`, which stores nodes in columns. Separate pages contain the uids of a large table. */

import { NODE_TABLE_PATH } from '../api/nodes/node-paths.ts';
import type { LabelName } from '../labels/label-fields.ts';
import { type Label, type Labelling, type LabelValue, labelling } from '../labels/labels.ts';
import { canonicalJson, itemsIn, type Json, type JsonObject } from '../model/json.ts';
import { lazily } from '../platform/on-demand.ts';
import type { Base } from './base-url.ts';
import { linkOf, type PinnedReader } from './pinned-reader.ts';
import { type PublishedLabel, type PublishedTable, tableIn, withRowNames } from './table-document.ts';

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

/** Uses published labels. Values without a published label, such as past values, get labels from built-in rules. */
export function publishedLabelling(table: PublishedTable | undefined): Labelling {
  const known = new Map((table?.labels ?? []).map(({ name, of }) => [name, lazily(() => labelsBy(of, table))]));
  return labelling(undefined, (name: LabelName, value: Json) => {
    const labels = known.get(name)?.();
    const key = labels && canonicalJson(value);
    return key !== undefined && labels?.has(key) ? { label: labels.get(key) } : undefined;
  });
}

/** Maps canonical JSON of column values to labels. */
function labelsBy(of: PublishedLabel['of'], table: PublishedTable | undefined): ReadonlyMap<string, Label> {
  const labels = new Map<string, Label>();
  for (const { column, values } of of) {
    const found = table?.columns.find((each) => each.name === column)?.values ?? [];
    for (const [i, value] of found.entries()) labels.set(canonicalJson(value), labelIn(values[i] ?? null));
  }
  return labels;
}

function labelIn(value: Json): Label {
  if (Array.isArray(value)) return value.filter(isLabel);
  return isLabel(value) ? value : undefined;
}

function isLabel(value: Json): value is LabelValue {
  return typeof value === 'string' || typeof value === 'number';
}
