/** What others' programs read: nodes as tables, as lines of JSON, as an inventory and as targets; and all changes. */
import { ansibleInventory } from '../../exports/ansible-inventory.ts';
import { changeLines } from '../../exports/change-lines.ts';
import { HOST_FIELDS, type ToldInRow, toldInRows } from '../../exports/hosts.ts';
import { headLine, type NodeColumn, nodeColumns, nodeLine } from '../../exports/node-columns.ts';
import { ndjsonLine, nodeItem, type WholeNode } from '../../exports/whole-node.ts';
import type { ChangeFeed } from '../../history/change-feed.ts';
import type { JsonObject } from '../../model/json.ts';
import { itemAt } from '../../platform/certain.ts';
import type { Facet } from '../../table/facets.ts';
import { nodesIn, type PlacedNode } from '../../table/node-survey.ts';
import type { NodeTable } from '../../table/node-table.ts';
import type { View } from '../item.ts';
import { idAt, type Publication } from '../publication.ts';
import { sourceFields } from '../written-fields.ts';

/** What is exported: the nodes of a view, or of one of its sites. */
export interface Exported {
  readonly view: View;
  readonly site: string | undefined;
  /** What is made once for all sites. */
  readonly writing: ExportWriting;
}

/** How nodes are written of the columns that they are in. */
export interface ExportWriting {
  readonly toldInRow: ToldInRow | undefined;
  readonly columns: readonly NodeColumn[];
}

export function exportWriting({ nodes, labels }: Publication, facets: readonly Facet[]): ExportWriting {
  return { toldInRow: toldInRows(nodes(), labels), columns: nodeColumns(facets) };
}

/** The same nodes as those that log in to them, or watch them, are told of them. */
export type ExportedHosts = readonly WholeNode[];

/** Of bodies they have only what hosts are told of. */
export function exportedHosts(exported: Exported): ExportedHosts {
  const { labels } = exported.view.publication;
  const { toldInRow } = exported.writing;
  return Array.from(placedNodes(exported), (node) => {
    const { site, cluster, uid } = node;
    if (toldInRow) return { site, cluster, uid, ...toldInRow(node.row) };
    const body = bodyOf(exported, node);
    const told = Object.entries(body).filter(([name]) => HOST_FIELDS.includes(name));
    return { site, cluster, uid, body: Object.fromEntries(told), labels: labels.of(body) };
  });
}

/** An object in each line (NDJSON). */
export function renderNodeLines(exported: Exported, hosts: ExportedHosts): Iterable<string> {
  return lines(exported, hosts, (host, node) => ndjsonLine(nodeItem({ ...host, body: bodyOf(exported, node) })));
}

/** A table (CSV): of all fields by which nodes are searched, those that the API calls its own in items included. */
export function* renderNodeCells(exported: Exported, hosts: ExportedHosts): Generator<string> {
  const { store } = exported.view.publication;
  const { columns } = exported.writing;
  yield `${headLine(columns)}\n`;
  yield* lines(exported, hosts, (host, { resource }) =>
    nodeLine(columns, { ...host, body: JSON.parse(store.get(resource.body.handle)) }),
  );
}

export function renderInventory({ publication, index }: View, hosts: ExportedHosts): Iterable<string> {
  return ansibleInventory(hosts, idAt(publication, index));
}

/** `feed` is that of all changes; there may be none. */
export function* renderChangeLines({ history, store }: Publication, feed: ChangeFeed | undefined): Generator<string> {
  for (const line of changeLines(history, feed, store)) yield `${line}\n`;
}

function* lines(
  exported: Exported,
  hosts: ExportedHosts,
  lineOf: (host: WholeNode, node: RowNode) => string,
): Generator<string> {
  let i = 0;
  for (const node of placedNodes(exported)) yield `${lineOf(itemAt(hosts, i++), node)}\n`;
}

interface RowNode extends PlacedNode {
  /** Its row in the table of all nodes. */
  readonly row: number;
}

function* placedNodes({ view, site }: Exported): Generator<RowNode> {
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

function bodyOf({ view }: Exported, { resource }: PlacedNode): JsonObject {
  return sourceFields(JSON.parse(view.publication.store.get(resource.body.handle)));
}
