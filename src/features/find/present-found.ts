import { type Finding, fail, finding } from '../../core/diagnostics/finding.ts';
import { plural } from '../../core/diagnostics/words.ts';
import {
  fieldColumn,
  groupsTable,
  hardwareColumns,
  MAX_VALUES,
  type NodeTableColumn,
  nodeGroups,
  titledColumn,
  WIDEST_CELL,
} from '../../core/exports/hardware-table.ts';
import { captionOf, DOCUMENT_SORT, NAME_FIELDS, nodesDocument } from '../../core/exports/nodes-document.ts';
import type { ReasonedReservation } from '../../core/exports/reservations.ts';
import {
  type FleetFacts,
  needsUrl,
  type Reservation,
  reservationByUid,
  type Schedule,
  SNIPPET_NAMES,
  type SnippetName,
} from '../../core/exports/snippet-context.ts';
import { tableLines } from '../../core/exports/table-lines.ts';
import { TABLE_FORMS, type TableForm, type TextTable } from '../../core/exports/text-table.ts';
import { ndjsonLine, nodeItem } from '../../core/exports/whole-node.ts';
import type { Labelling } from '../../core/labels/labels.ts';
import type { NodeState } from '../../core/lock/lock-format.ts';
import { type Json, type JsonObject, setOwn } from '../../core/model/json.ts';
import { nodePlace } from '../../core/model/node-path.ts';
import { findField, type NamedField, type QueryFleet } from '../../core/query/columns.ts';
import { namedField } from '../../core/query/named-field.ts';
import { type ClusterRows, newClusterRows } from '../../core/table/node-table.ts';
import { alignedLines, summaryLineOf } from './describe-found.ts';
import { type FindOptions, type Found, find } from './find.ts';
import type { FleetSource } from './fleet-source.ts';

/** `table` is for the terminal, and `TABLE_FORMS` are for papers. `ndjson` prints one JSON object per line. */
export type FoundForm = 'table' | 'json' | 'ndjson' | 'csv' | 'uids' | TableForm | SnippetName;

export interface PresentOptions extends FindOptions {
  readonly form: FoundForm;
  /** The fields to show. The default depends on `form`. */
  readonly columns?: readonly string[] | undefined;
  /** Whether the items of `json` contain only the default columns of `table`. */
  readonly usualColumns?: boolean | undefined;
  /** The fields that group the nodes. Only tables and `json` can contain groups. */
  readonly groupBy?: readonly string[] | undefined;
  /** The time of a reservation, for a snippet that reserves nodes. */
  readonly schedule?: Schedule | undefined;
}

export interface PresentedNodes {
  readonly record: object;
  /** The lines of the output. Empty if `form` is `json`. */
  readonly lines: Iterable<string>;
  /** The note after the output: the number of nodes, the revision and the lock file. */
  readonly note: string;
  readonly findings: readonly Finding[];
}

/** The command warns if a table for a paper has more rows than this number. A page of a paper has about 50 lines. */
const MOST_DOCUMENT_ROWS = 50;

export async function presentFound(options: PresentOptions): Promise<PresentedNodes> {
  const shown = options.form === 'csv' ? 'all' : [...(options.columns ?? []), ...(options.groupBy ?? [])];
  const isDocument = TABLE_FORMS.some((form) => form === options.form);
  const usualSort = isDocument ? DOCUMENT_SORT : undefined;
  return await find({ usualSort, ...options }, shown, async (found, source) => {
    const isLong = isDocument && !options.groupBy && found.rows.length > MOST_DOCUMENT_ROWS;
    const advice = isLong ? [finding('table-long', { nodes: found.rows.length })] : [];
    const findings = [...found.findings, ...pastFindings(found, source, options.form), ...advice];
    return {
      record: options.form === 'json' ? await recordOf(found, source, options) : {},
      lines: await linesOf(found, source, options),
      note: summaryLineOf(found) + noteOnReservations(found, options),
      findings,
    };
  });
}

/**
 * If the nodes are from an earlier revision than the head, warns about reservations and snippets. Fails for a snippet
 * that reads API documents, because these documents describe the head.
 */
function pastFindings({ reservations }: Found, { isPast, revision }: FleetSource, form: FoundForm): Finding[] {
  if (!isPast || !revision) return [];
  const { id } = revision;
  if (isSnippet(form) && needsUrl(form)) return fail(finding('snippet-earlier', { snippet: form, id }));
  return isSnippet(form) || reservations ? [finding('request-earlier', { id })] : [];
}

function noteOnReservations({ reservations, rows, lock }: Found, options: PresentOptions): string {
  if (!reservations) return '';
  const isListed = options.form === 'table' ? listsReservations(options) : isSnippet(options.form);
  const isLocked = typeof lock === 'string' && reservations.some(({ property }) => property === 'node_type');
  return [
    isListed ? `${plural(reservations.length, 'reservation')} for ${plural(rows.length, 'node')}.\n` : '',
    isLocked ? `${REPLACED}\n` : '',
  ].join('');
}

const REPLACED =
  'The scheduler can give you other nodes of a requested type. Lock the nodes that you get with "gridpress lock".';

function isSnippet(form: FoundForm): form is SnippetName {
  return SNIPPET_NAMES.some((name) => name === form);
}

function listsReservations({ columns, groupBy }: PresentOptions): boolean {
  return !columns && !groupBy;
}

async function recordOf(found: Found, source: FleetSource, options: PresentOptions): Promise<object> {
  const { total, nodes, revision, lock, rows, reservations } = found;
  const { groupBy, columns } = options;
  const contents = async () =>
    groupBy ? groupsOf(found, groupBy, options) : { items: await itemsOf(found, source, options) };
  return {
    total,
    nodes,
    ...(revision ? { revision } : {}),
    ...(reservations ? { reserved: rows.length } : {}),
    ...(lock === undefined ? {} : { lock }),
    ...(reservations ? { reservations: await reservationRecords(reservations) } : {}),
    // Omits the list of nodes, because the reservations contain the names of the nodes.
    ...(reservations && !groupBy && !columns ? {} : await contents()),
  };
}

async function linesOf(found: Found, source: FleetSource, options: PresentOptions): Promise<Iterable<string>> {
  const { rows, fleet } = found;
  switch (options.form) {
    case 'json':
      return [];
    case 'ndjson':
      return (await itemsOf(found, source, options)).map(ndjsonLine);
    case 'csv': {
      const { csvLines } = await import('./found-csv.ts');
      return csvLines(found, source, options.columns);
    }
    case 'uids': {
      const uid = namedField('uid', fleet);
      return rows.map((row) => textOf(uid, row));
    }
    case 'table': {
      if (found.reservations && listsReservations(options)) {
        const { reservationLines } = await import('./reserve.ts');
        return reservationLines(found.reservations);
      }
      const { head, rows } = tableOf(found, options);
      return rows.length === 0 ? [] : alignedLines([head.map(({ text }) => text), ...rows]);
    }
    case 'markdown':
    case 'latex':
    case 'html':
      return tableLines(options.form, tableOf({ ...found, ...(await source.publicFleet?.()) }, options));
    default:
      return await snippetLines(options.form, found, source, options);
  }
}

async function reservationRecords(reservations: readonly ReasonedReservation[]): Promise<readonly object[]> {
  const { reservationRecord } = await import('./reserve.ts');
  return reservations.map(reservationRecord);
}

function groupsOf(found: Found, groupBy: readonly string[], options: PresentOptions): object {
  const fields = fieldsNamed(groupBy, found);
  const groups = nodeGroups(found.rows, [...fields.map(titledColumn), ...fields.map(exactColumn)], groupOrder(options));
  return { groups: groups.map(({ rows }) => ({ ...partialItem(fields, rows[0] ?? 0), nodes: rows.length })) };
}

/** If `choice` is set, `sort` selects the nodes of a reservation, and the rows have the order of the reservations. */
function groupOrder({ sort, choice }: PresentOptions): 'keys' | 'rows' {
  return sort === undefined || choice ? 'keys' : 'rows';
}

/** Separates values that a table rounds to one text. Equal texts and numbers stay in one group, as with `=`. */
function exactColumn(field: NamedField): NodeTableColumn {
  const exact = (value: Json) => (typeof value === 'object' ? value : String(value));
  return { ...titledColumn(field), textOf: (row) => JSON.stringify(field.valuesOf(row).map(exact)) };
}

/** Tables of groups, and tables of nodes for documents, have additional columns for the hardware. */
function tableOf(found: Found, options: PresentOptions): TextTable {
  const { groupBy, columns, form } = options;
  const { rows, fleet, revision } = found;
  const widest = form === 'table' ? WIDEST_CELL : undefined;
  // The table of groups cuts the values itself, because nodes with different values belong to different groups.
  const columnOf = (field: NamedField) =>
    widest === undefined ? titledColumn(field) : fieldColumn(field, groupBy ? Number.POSITIVE_INFINITY : widest);
  const given = columns && fieldsNamed(columns, found).map(columnOf);
  if (groupBy) {
    const others = given ?? hardwareColumns(fleet, rows, columnOf);
    const keys = fieldsNamed(groupBy, found).map(columnOf);
    const most = form === 'table' ? MAX_VALUES : undefined;
    const caption = captionOf(rows.length, revision);
    return groupsTable({ caption, rows, keys, others, most, widest, order: groupOrder(options) });
  }
  const shown = given ?? (form === 'table' ? usualColumns(found).map(columnOf) : undefined);
  return nodesDocument(fleet, rows, revision, shown);
}

async function itemsOf(found: Found, source: FleetSource, options: PresentOptions): Promise<readonly JsonObject[]> {
  const columns = options.columns ? fieldsNamed(options.columns, found) : options.usualColumns && usualColumns(found);
  if (columns) return found.rows.map((row) => partialItem(columns, row));
  return (await source.nodesAt(found.rows)).map((node) => wholeItem(node, source.labels));
}

function fieldsNamed(names: readonly string[], { fleet }: Found): NamedField[] {
  return names.map((name) => namedField(name, fleet));
}

/** Returns the default columns: name, site, type, the fields in the query, and uid. */
function usualColumns({ fields, fleet }: Found): NamedField[] {
  const names = new Set([...NAME_FIELDS, ...fields].filter((name) => name !== 'uid'));
  return [...names, 'uid'].map((name) => findField(name, fleet)).filter(({ hasValues }) => hasValues);
}

function textOf({ valuesOf }: NamedField, row: number): string {
  return String(valuesOf(row)[0] ?? '');
}

function reservationsByUid({ rows, fleet }: Found): readonly Reservation[] {
  if (rows.length === 0) return [];
  const [site, cluster, uid] = [namedField('site', fleet), namedField('cluster', fleet), namedField('uid', fleet)];
  const name = findField('node_name', fleet);
  return rows.map((row) => {
    const place = { site: textOf(site, row), cluster: textOf(cluster, row), uid: textOf(uid, row) };
    return reservationByUid({ ...place, name: textOf(name, row) || place.uid });
  });
}

async function snippetLines(
  name: SnippetName,
  found: Found,
  { origin, siteNames }: FleetSource,
  { schedule }: PresentOptions,
): Promise<Iterable<string>> {
  const reservations = found.reservations ?? reservationsByUid(found);
  if (reservations.length === 0) return [];
  const { snippet } = await import('../../core/exports/snippet.ts');
  const baseUrl = origin.kind === 'url' ? origin.place : undefined;
  return snippet(name, reservations, await siteNames(), baseUrl, schedule, name === 'oar' ? await oarFacts(found) : {});
}

async function oarFacts({ fleet, rows, asked }: Found): Promise<FleetFacts> {
  const { oarProperties } = await import('../../core/exports/oar-properties.ts');
  return { clusters: clustersOf(fleet), oarProperties: asked && oarProperties(asked, fleet, rows) };
}

function clustersOf(fleet: QueryFleet): readonly ClusterRows[] {
  const [site, cluster] = [namedField('site', fleet), namedField('cluster', fleet)];
  const clusters = newClusterRows();
  for (let row = 0; row < fleet.total; row++) clusters.add({ site: textOf(site, row), cluster: textOf(cluster, row) });
  return clusters.all;
}

function wholeItem({ path, body }: NodeState, labels: Labelling): JsonObject {
  return nodeItem({ ...nodePlace(path), body, labels: labels.of(body) });
}

/** Several values of a field form a list. Fields without a value are omitted. */
function partialItem(fields: readonly NamedField[], row: number): JsonObject {
  const item: Record<string, Json> = {};
  for (const { name, valuesOf } of fields) {
    const values = valuesOf(row);
    const [only] = values;
    if (only !== undefined) setOwn(item, name, values.length === 1 ? only : values);
  }
  return item;
}
