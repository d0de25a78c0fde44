import { renderDataPackage } from '../../api/exports/data-package.ts';
import {
  CHANGE_EXPORT_PATH,
  DATA_PACKAGE_PATH,
  inventoryUrl,
  nodeExportUrl,
  targetsUrl,
} from '../../api/exports/export-urls.ts';
import {
  exportedHosts,
  exportWriting,
  renderChangeLines,
  renderInventory,
  renderNodeCells,
  renderNodeLines,
} from '../../api/exports/exports.ts';
import type { View } from '../../api/item.ts';
import { prometheusTargets } from '../../exports/prometheus-targets.ts';
import type { ChangeFeed } from '../../history/change-feed.ts';
import { membersOf } from '../../model/state.ts';
import { type Lazy, lazily } from '../../platform/on-demand.ts';
import type { Facet } from '../../table/facets.ts';
import { nodesIn } from '../../table/node-survey.ts';
import { inParts, type PlannedDocument } from './planned.ts';

export function* exportDocuments(
  view: View,
  facets: Lazy<readonly Facet[]>,
  feed: ChangeFeed | undefined,
  modified: number,
): Generator<PlannedDocument> {
  const { publication, state } = view;
  if (!publication.hasExports || !state) return;
  const common = { cache: 'mutable', modified } as const;
  const writing = lazily(() => exportWriting(publication, facets()));
  const isWhole = [...nodesIn(state)].length <= publication.mostFoundNodes;
  const sites = isWhole ? undefined : [...membersOf(state, 'sites').keys()];
  for (const site of sites ?? [undefined]) {
    const exported = lazily(() => ({ view, site, writing: writing() }));
    const hosts = lazily(() => exportedHosts(exported()));
    const files: readonly Omit<PlannedDocument, keyof typeof common>[] = [
      { url: nodeExportUrl('ndjson', site), form: 'ndjson', ...inParts(() => renderNodeLines(exported(), hosts())) },
      { url: nodeExportUrl('csv', site), form: 'csv', ...inParts(() => renderNodeCells(exported(), hosts())) },
      { url: inventoryUrl(site), form: 'yaml', ...inParts(() => renderInventory(view, hosts())) },
      { url: targetsUrl(site), form: 'item', ...inParts(() => prometheusTargets(hosts())) },
    ];
    yield* files.map((file) => ({ ...common, ...file }));
  }
  yield { ...common, url: CHANGE_EXPORT_PATH, form: 'csv', ...inParts(() => renderChangeLines(publication, feed)) };
  yield {
    ...common,
    url: DATA_PACKAGE_PATH,
    form: 'item',
    body: () => renderDataPackage(view, sites, writing().columns),
  };
}
