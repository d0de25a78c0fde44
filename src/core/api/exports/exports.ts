import { CHANGE_COLUMNS, changeLines } from '../../exports/change-lines.ts';
import { cellText } from '../../exports/csv.ts';
import { ansibleInventory, HOST_FIELDS, type HostRowReader, hostRowReader } from '../../exports/host-exports.ts';
import { headLine, type NodeColumn, nodeColumns, nodeLine } from '../../exports/node-columns.ts';
import { type ExportedNode, ndjsonLine, nodeItem } from '../../exports/whole-node.ts';
import type { ChangeFeed } from '../../history/change-feed.ts';
import { describedField } from '../../model/fields/field-descriptions.ts';
import type { JsonObject } from '../../model/json.ts';
import { epochSeconds, isoTimestamp } from '../../model/revision.ts';
import { itemAt } from '../../platform/lookups.ts';
import { printableJson } from '../../platform/text.ts';
import type { Facet } from '../../table/facets.ts';
import { nodesIn, type PlacedNode } from '../../table/node-survey.ts';
import type { NodeTable } from '../../table/node-table.ts';
import { type Link, toCollection, toItem } from '../dialect.ts';
import type { View } from '../item.ts';
import { NODES_PATH } from '../nodes/node-paths.ts';
import { documentEnd, idAt, type Publication, revisionAt } from '../publication.ts';
import { sourceFields } from '../written-fields.ts';
import {
  CHANGE_EXPORT_PATH,
  DATA_PACKAGE_PATH,
  hardwareUrl,
  inventoryUrl,
  nodeExportUrl,
  pathInPackage,
  targetsUrl,
} from './export-urls.ts';

interface NodeExport {
  readonly view: View;
  readonly site: string | undefined;
  readonly shared: SharedExportData;
}

interface SharedExportData {
  readonly toldInRow: HostRowReader | undefined;
  readonly columns: readonly NodeColumn[];
}

export function sharedExportData({ nodes, labels }: Publication, facets: readonly Facet[]): SharedExportData {
  return { toldInRow: hostRowReader(nodes(), labels), columns: nodeColumns(facets) };
}

type ExportedHosts = readonly ExportedNode[];

/** Returns each node with its labels. The body contains only the fields in `HOST_FIELDS`. */
export function exportedHosts(exported: NodeExport): ExportedHosts {
  const { labels } = exported.view.publication;
  const { toldInRow } = exported.shared;
  return Array.from(placedNodes(exported), (node) => {
    const { site, cluster, uid } = node;
    if (toldInRow) return { site, cluster, uid, ...toldInRow(node.row) };
    const body = bodyOf(exported, node);
    const fields = Object.entries(body).filter(([name]) => HOST_FIELDS.includes(name));
    return { site, cluster, uid, body: Object.fromEntries(fields), labels: labels.of(body) };
  });
}

export function renderNodeNdjson(exported: NodeExport, hosts: ExportedHosts): Iterable<string> {
  return lines(exported, hosts, (host, node) => ndjsonLine(nodeItem({ ...host, body: bodyOf(exported, node) })));
}

/** Yields CSV with one column for each field that queries accept. */
export function* renderNodeCsv(exported: NodeExport, hosts: ExportedHosts): Generator<string> {
  const { store } = exported.view.publication;
  const { columns } = exported.shared;
  yield `${headLine(columns)}\n`;
  yield* lines(exported, hosts, (host, { resource }) =>
    nodeLine(columns, { ...host, body: JSON.parse(store.get(resource.body.handle)) }),
  );
}

export function renderInventory({ publication, index }: View, hosts: ExportedHosts): Iterable<string> {
  return ansibleInventory(hosts, idAt(publication, index));
}

/** `feed` contains all changes of the registry. Undefined if there are no changes. */
export function* renderChangeCsv({ history, store }: Publication, feed: ChangeFeed | undefined): Generator<string> {
  for (const line of changeLines(history, feed, store)) yield `${line}\n`;
}

function* lines(
  exported: NodeExport,
  hosts: ExportedHosts,
  lineOf: (host: ExportedNode, node: RowNode) => string,
): Generator<string> {
  let i = 0;
  for (const node of placedNodes(exported)) yield `${lineOf(itemAt(hosts, i++), node)}\n`;
}

interface RowNode extends PlacedNode {
  readonly row: number;
}

function* placedNodes({ view, site }: NodeExport): Generator<RowNode> {
  let row = site === undefined ? 0 : rowsBefore(site, view.publication.nodes().table);
  for (const node of nodesIn(view.state, site)) yield { row: row++, ...node };
}

function rowsBefore(site: string, { clusters }: NodeTable): number {
  let rows = 0;
  for (const cluster of clusters) {
    if (cluster.site === site) break;
    rows += cluster.nodes;
  }
  return rows;
}

function bodyOf({ view }: NodeExport, { resource }: PlacedNode): JsonObject {
  return sourceFields(JSON.parse(view.publication.store.get(resource.body.handle)));
}

/** `sites` contains the uids of the sites if each site has its own exports. Otherwise `sites` is undefined. */
export function renderDataPackage(
  { publication, index }: View,
  sites: readonly string[] | undefined,
  columns: readonly NodeColumn[],
): string {
  const parts = sites ?? [undefined];
  const links: Link[] = [
    toItem('self', DATA_PACKAGE_PATH),
    toCollection('parent', NODES_PATH),
    { rel: 'item', href: CHANGE_EXPORT_PATH, form: 'csv' },
    { rel: 'item', href: hardwareUrl('markdown'), form: 'markdown' },
    { rel: 'item', href: hardwareUrl('html'), form: 'html' },
    ...parts.flatMap((site): Link[] => [
      { rel: 'item', href: nodeExportUrl('csv', site), form: 'csv' },
      { rel: 'item', href: nodeExportUrl('ndjson', site), form: 'ndjson' },
      { rel: 'item', href: inventoryUrl(site), form: 'yaml' },
      toItem('item', targetsUrl(site)),
    ]),
  ];
  const body = {
    type: 'exports',
    uid: 'exports',
    profile: 'data-package',
    name: 'exports',
    title: 'The nodes of a testbed, and what changed',
    created: isoTimestamp(epochSeconds(revisionAt(publication, index).date)),
    resources: [
      ...parts.flatMap((site) => nodeResources(site, columns)),
      tableResource('changes', CHANGE_EXPORT_PATH, 'Every change, the oldest first.', CHANGE_COLUMNS),
    ],
  };
  return `${printableJson(JSON.stringify(body)).slice(0, -1)}${documentEnd(publication, index, links)}`;
}

function nodeResources(site: string | undefined, columns: readonly NodeColumn[]) {
  const suffix = site === undefined ? '' : `-${site.toLowerCase()}`;
  const fields = columns.map(columnField);
  const table = tableResource(`nodes${suffix}`, nodeExportUrl('csv', site), 'A node in each line.', fields);
  return [
    { ...table, schema: { ...table.schema, primaryKey: ['site', 'cluster', 'uid'] } },
    {
      profile: 'data-resource',
      name: `node-objects${suffix}`,
      description: 'The same nodes, whole: a JSON object in each line.',
      path: pathInPackage(nodeExportUrl('ndjson', site)),
      format: 'ndjson',
      mediatype: 'application/x-ndjson',
      encoding: 'utf-8',
    },
  ];
}

function tableResource(name: string, url: string, description: string, fields: readonly object[]) {
  return {
    profile: 'tabular-data-resource',
    name,
    description,
    path: pathInPackage(url),
    format: 'csv',
    mediatype: 'text/csv',
    encoding: 'utf-8',
    schema: { fields, missingValues: [''] },
  };
}

/** Describes a column. The `name` must equal the name in the header line of the CSV file. */
function columnField({ name: column, content, facet }: NodeColumn) {
  const name = cellText(column);
  const { text, unit } = (facet.path ? describedField('node', facet.path) : facet.described) ?? {};
  const description = text === undefined ? {} : { description: text };
  if (content === 'length') return { name, type: 'integer', description: `How many items there are in ${facet.name}.` };
  const type = content === 'list' ? 'array' : typeOf(facet.types);
  const isNumeric = facet.types.includes('number');
  return { name, type, ...description, ...(isNumeric && unit !== undefined ? { unit } : {}), class: facet.class };
}

/** Returns the Table Schema type that fits all values of these JSON types. */
function typeOf(types: readonly string[]): string {
  const [only, ...others] = types.filter((type) => ['string', 'number', 'boolean'].includes(type));
  if (only === undefined) return 'any';
  return others.length > 0 ? 'any' : only;
}
