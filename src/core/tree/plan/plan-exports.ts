/** The part of the plan that is for others' programs: all nodes together, or those of each site where they are too many. */
import { renderDataPackage } from '../../api/exports/data-package.ts';
import {
  CHANGE_EXPORT_PATH,
  DATA_PACKAGE_PATH,
  inventoryUrl,
  nodeExportUrl,
  targetsUrl,
} from '../../api/exports/export-urls.ts';
import {
  exportedColumns,
  renderChangeLines,
  renderInventory,
  renderNodeCells,
  renderNodeLines,
  renderTargets,
} from '../../api/exports/exports.ts';
import type { View } from '../../api/item.ts';
import type { ChangeFeed } from '../../history/change-feed.ts';
import { membersOf } from '../../model/state.ts';
import { lazily } from '../../platform/on-demand.ts';
import { nodesIn } from '../../table/nodes-in.ts';
import type { PlannedDocument } from './planned.ts';

export function* exportDocuments(
  view: View,
  feed: ChangeFeed | undefined,
  modified: number,
): Generator<PlannedDocument> {
  const { publication, state } = view;
  if (!publication.hasExports || !state) return;
  const common = { cache: 'mutable', modified } as const;
  const columns = lazily(() => exportedColumns(publication));
  const isWhole = [...nodesIn(state)].length <= publication.mostFoundNodes;
  const sites = isWhole ? undefined : [...membersOf(state, 'sites').keys()];
  for (const site of sites ?? [undefined]) {
    const exported = { view, site };
    const files: readonly Pick<PlannedDocument, 'url' | 'form' | 'body'>[] = [
      { url: nodeExportUrl('ndjson', site), form: 'ndjson', body: () => renderNodeLines(exported) },
      { url: nodeExportUrl('csv', site), form: 'csv', body: () => renderNodeCells(exported, columns()) },
      { url: inventoryUrl(site), form: 'yaml', body: () => renderInventory(exported) },
      { url: targetsUrl(site), form: 'item', body: () => renderTargets(exported) },
    ];
    yield* files.map((file) => ({ ...common, ...file }));
  }
  yield {
    ...{ ...common, url: CHANGE_EXPORT_PATH, form: 'csv' },
    body: () => renderChangeLines(publication, feed),
  };
  yield {
    ...{ ...common, url: DATA_PACKAGE_PATH, form: 'item' },
    body: () => renderDataPackage(view, sites, columns()),
  };
}
