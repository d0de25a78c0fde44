import { NODE_FACETS_PATH, NODE_TABLE_PATH, nodeRowsUrl } from '../../core/api/nodes/node-paths.ts';
import { resourceUrl } from '../../core/api/urls.ts';
import { nameColumn, type PublishedTable, tableIn, withRowNames } from '../../core/client/table-document.ts';
import { itemsIn, type Json, type JsonObject, objectsIn, textOf } from '../../core/model/json.ts';
import { type DocumentReader, number, ReadError, RevisionChangedError } from './reader.ts';

export interface ShownRegistry {
  readonly version: string;
  /** The date in ISO 8601. */
  readonly date: string;
  /** The id of the head. Items and collections always describe the head. */
  readonly newest: string;
  readonly grid: JsonObject;
  /** In a large registry, all uids are empty texts until `withUids` reads them. */
  readonly table: PublishedTable;
  readonly fields: readonly Field[];
  /** The history start. Defined only if the URL requests a day before the history start. */
  readonly start?: HistoryStart | undefined;
}

export interface HistoryStart {
  /** The date in ISO 8601. */
  readonly date: string;
  /** True if the tree omits revisions before the history start. */
  readonly isTruncated: boolean;
}

export interface Field {
  readonly name: string;
  readonly class: string;
  readonly types: readonly string[];
  readonly unit: string | undefined;
  readonly description: string | undefined;
  readonly since: string | undefined;
  readonly nodes: number;
  readonly distinct: number;
  readonly values: readonly { readonly value: Json; readonly nodes: number }[] | undefined;
  readonly range: readonly [min: number, max: number] | undefined;
}

/** The maximum number of complete nodes that the explorer loads. A node has about 10 kB. */
const MOST_WHOLE_NODES = 5_000;

/** True if the explorer can load the fields that the node table omits. */
export function canLoadAllFields({ version, newest, table }: ShownRegistry): boolean {
  return table.omittedFields.length > 0 && version === newest && table.total <= MOST_WHOLE_NODES;
}

const PARTS = [resourceUrl(''), NODE_TABLE_PATH, NODE_FACETS_PATH] as const;

/** Reads the registry. If the documents belong to different revisions, reads them again without the cache. */
export async function readShownRegistry(reader: DocumentReader, skipCache = false): Promise<ShownRegistry> {
  const [grid, body, facets] = await Promise.all(PARTS.map((path) => reader.read(path, skipCache)));
  if (!grid || !body || !facets) throw damagedTable(reader);
  const version = grid['version'];
  const isOneRevision = body['version'] === version && facets['version'] === version;
  if (!isOneRevision) {
    if (!skipCache) return readShownRegistry(reader, true);
    throw new RevisionChangedError(PUBLISHING);
  }
  const names = nameColumn(body);
  const table = tableIn(
    body['uids']
      ? body
      : names
        ? { ...body, uids: itemsIn(names['rows']).map(() => '') }
        : withRowNames(body, ...(await rowsOf(reader, body))),
  );
  if (!table) throw damagedTable(reader);
  return {
    version: textOf(version),
    newest: textOf(version),
    date: dateOf(grid),
    grid,
    table,
    fields: objectsIn(facets['fields']).map(fieldFrom),
  };
}

const PUBLISHING = 'A new revision is being published. Try again in a moment.';

function damagedTable(reader: DocumentReader): ReadError {
  return new ReadError(`${reader.urlOf(NODE_TABLE_PATH)} is missing or damaged. Build the tree again.`);
}

/** Converts epoch seconds to ISO 8601. The dialect `current` writes a string, and `legacy` writes a number. */
function dateOf({ timestamp }: JsonObject): string {
  const date = new Date(1000 * (typeof timestamp === 'string' ? Number(timestamp) : number(timestamp)));
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('.000Z', 'Z');
}

function fieldFrom({ name, class: about, types, nodes, distinct, values, min, max, ...rest }: JsonObject): Field {
  return {
    name: textOf(name),
    class: textOf(about),
    types: itemsIn(types).map(textOf),
    unit: textOf(rest['unit']) || undefined,
    description: textOf(rest['description']) || undefined,
    since: textOf(rest['since']) || undefined,
    nodes: number(nodes),
    distinct: number(distinct),
    values: Array.isArray(values)
      ? objectsIn(values).map(({ value, nodes }) => ({ value: value ?? null, nodes: number(nodes) }))
      : undefined,
    range: typeof min === 'number' && typeof max === 'number' ? [min, max] : undefined,
  };
}

/** Adds the uids of a large table. Throws a `RevisionChangedError` if they belong to another revision. */
export async function withUids(reader: DocumentReader, registry: ShownRegistry): Promise<ShownRegistry> {
  const { table, version } = registry;
  const [uids] = await rowsOf(reader, { ...table, version });
  if (uids.length !== table.total) throw damagedTable(reader);
  return { ...registry, table: { ...table, uids: uids.map(textOf) } };
}

/** Reads the uids and names of a large table from separate documents. */
async function rowsOf(
  reader: DocumentReader,
  { total, version }: { readonly total?: Json; readonly version?: Json },
): Promise<[uids: Json[], names: Json[]]> {
  const read = async (page: number) => {
    const rows = await reader.read(nodeRowsUrl(page));
    if (!rows || rows['version'] !== version) throw new RevisionChangedError(PUBLISHING);
    return rows;
  };
  const first = await read(1);
  const count = Math.ceil(number(total) / (itemsIn(first['uids']).length || Number.POSITIVE_INFINITY));
  const pages = [first, ...(await Promise.all(Array.from({ length: count - 1 }, (_, i) => read(i + 2))))];
  const all = (field: string) => pages.flatMap((page) => itemsIn(page[field]));
  return [all('uids'), all('names')];
}
