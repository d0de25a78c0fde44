/** What others' programs read: nodes as tables, as lines of JSON, as an inventory and as targets; and all changes. */
import { ansibleInventory } from '../../exports/ansible-inventory.ts';
import { changeLines } from '../../exports/change-lines.ts';
import { csvLine } from '../../exports/csv.ts';
import { headLine, type NodeColumn, nodeCells, nodeColumns } from '../../exports/node-columns.ts';
import { prometheusTargets } from '../../exports/prometheus-targets.ts';
import { ndjsonLine, nodeItem, type WholeNode } from '../../exports/whole-node.ts';
import type { ChangeFeed } from '../../history/change-feed.ts';
import { facetsOf } from '../../table/facets.ts';
import { labelColumns } from '../../table/label-columns.ts';
import { nodesIn } from '../../table/nodes-in.ts';
import type { View } from '../item.ts';
import { idAt, type Publication } from '../publication.ts';
import { sourceFields } from '../written-fields.ts';

/** What is exported: the nodes of a view, or of one of its sites. */
export interface Exported {
  readonly view: View;
  readonly site: string | undefined;
}

/** The columns of all nodes of the head. */
export function exportedColumns({ nodes, labels }: Publication): NodeColumn[] {
  const survey = nodes();
  return nodeColumns(facetsOf(survey, labelColumns(survey.table.columns, labels)));
}

/** An object in each line (NDJSON). */
export function renderNodeLines(exported: Exported): string {
  return lines(exported, (node) => ndjsonLine(nodeItem(node)));
}

/** A table (CSV). */
export function renderNodeCells(exported: Exported, columns: readonly NodeColumn[]): string {
  return `${headLine(columns)}\n${lines(exported, (node) => csvLine(nodeCells(columns, node)))}`;
}

export function renderInventory(exported: Exported): string {
  const { publication, index } = exported.view;
  return ansibleInventory([...wholeNodes(exported)], idAt(publication, index));
}

export function renderTargets(exported: Exported): string {
  return prometheusTargets([...wholeNodes(exported)]);
}

/** `feed` is that of all changes; there may be none. */
export function renderChangeLines({ history, store }: Publication, feed: ChangeFeed | undefined): string {
  let text = '';
  for (const line of changeLines(history, feed, store)) text += `${line}\n`;
  return text;
}

function lines(exported: Exported, lineOf: (node: WholeNode) => string): string {
  let text = '';
  for (const node of wholeNodes(exported)) text += `${lineOf(node)}\n`;
  return text;
}

function* wholeNodes({ view, site }: Exported): Generator<WholeNode> {
  const { store, labels } = view.publication;
  for (const node of nodesIn(view.state)) {
    if (site !== undefined && node.site !== site) continue;
    const body = sourceFields(JSON.parse(store.get(node.resource.body.handle)));
    yield { site: node.site, cluster: node.cluster, uid: node.uid, body, labels: labels.of(body) };
  }
}
