/** Renders the hardware of each site and cluster as tables, for documentation systems. */

import { plural } from '../../diagnostics/words.ts';
import { groupsTable, hardwareColumns, shownText, titledColumn } from '../../exports/hardware-table.ts';
import { tableLines } from '../../exports/table-lines.ts';
import { htmlText, markdownText, type TextTable } from '../../exports/text-table.ts';
import { asText } from '../../model/json.ts';
import { utcTimestamp } from '../../model/revision.ts';
import { getOrCreate } from '../../platform/lookups.ts';
import { findField } from '../../query/columns.ts';
import { tableFleet } from '../../query/table-fleet.ts';
import { clusterOfRows, type NodeTable } from '../../table/node-table.ts';
import { STYLE_PATH } from '../description/description-paths.ts';
import { siteBodies } from '../explorer/dataset.ts';
import type { View } from '../item.ts';
import { gridName, revisionAt } from '../publication.ts';
import { hardwareUrl } from './export-urls.ts';

interface SiteHardware {
  readonly name: string;
  readonly table: TextTable;
}

export function* renderHardwareMarkdown(view: View): Generator<string> {
  yield `# ${markdownText(titleOf(view))}\n\n${markdownText(stateOf(view))}\n`;
  for (const { name, table } of hardwareBySite(view)) {
    yield `\n## ${markdownText(name)}\n\n`;
    for (const line of tableLines('markdown', table)) yield `${line}\n`;
  }
}

/** Yields the lines of an HTML page with one table for each site. Documentation systems can include these tables. */
export function* renderHardwareHtml(view: View): Generator<string> {
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="gridpress-path" content="${hardwareUrl('html')}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${htmlText(titleOf(view))}</title>
<link rel="stylesheet" href="..${STYLE_PATH}">
</head>
<body>
<h1>${htmlText(titleOf(view))}</h1>
<p>${htmlText(stateOf(view))}</p>
`;
  for (const { name, table } of hardwareBySite(view)) {
    yield `<h2>${htmlText(name)}</h2>\n`;
    for (const line of tableLines('html', table)) yield `${line}\n`;
  }
  yield '</body>\n</html>\n';
}

function titleOf({ publication }: View): string {
  return `Hardware of ${shownText(gridName(publication))}`;
}

function stateOf({ publication, index }: View): string {
  const { id, date } = revisionAt(publication, index);
  return `${plural(publication.nodes().table.total, 'node')} at revision ${id} of ${utcTimestamp(date).slice(0, 10)}.`;
}

/** The column of clusters is omitted if all clusters have the same uid. */
function* hardwareBySite(view: View): Generator<SiteHardware> {
  const { nodes, labels } = view.publication;
  const { table } = nodes();
  const fleet = tableFleet(table, labels);
  const names = new Map(siteBodies(view).map(({ uid, name }) => [asText(uid), asText(name ?? uid)]));
  const hasClusters = new Set(table.clusters.map(({ cluster }) => cluster)).size > 1;
  const places = [...(hasClusters ? ['cluster'] : []), 'node_type'].map((name) => titledColumn(findField(name, fleet)));
  for (const [site, rows] of rowsBySite(table)) {
    const name = shownText(names.get(site) ?? site);
    yield { name, table: groupsTable({ rows, keys: [...places, ...hardwareColumns(fleet, rows)] }) };
  }
}

function rowsBySite(table: NodeTable): Map<string, number[]> {
  const rows = new Map<string, number[]>();
  let row = 0;
  for (const { site } of clusterOfRows(table)) getOrCreate(rows, site, (): number[] => []).push(row++);
  return rows;
}
