import { byCodeUnit } from '../../core/model/json.ts';
import { countsIn, facetColumn } from './filters.ts';
import type { Fleet } from './fleet.ts';
import { TYPE } from './node-types.ts';
import { gpuTest } from './summary.ts';

export interface ValueCount {
  readonly text: string;
  readonly nodes: number;
}

export interface SiteSummary {
  readonly site: string;
  readonly rows: readonly number[];
  readonly withGpu: number;
  readonly types: readonly ValueCount[];
}

/** Returns the sites that contain nodes. The site with the most nodes comes first. */
export function siteSummaries(fleet: Fleet): SiteSummary[] {
  const bySite = Map.groupBy(fleet.table.uids.keys(), (row) => fleet.placeOf(row).site);
  const hasGpu = gpuTest(fleet);
  return [...bySite]
    .map(([site, rows]) => ({ site, rows, withGpu: rows.filter(hasGpu).length, types: valueCounts(fleet, TYPE, rows) }))
    .sort((a, b) => b.rows.length - a.rows.length || byCodeUnit(a.site, b.site));
}

/** Counts the values of a field in some rows. The most frequent value comes first. */
export function valueCounts(fleet: Fleet, field: string, rows: readonly number[]): ValueCount[] {
  const column = facetColumn(fleet, field);
  const counts = countsIn(column, rows);
  return column.texts
    .map((text, i) => ({ text, nodes: counts[i] ?? 0 }))
    .filter(({ nodes }) => nodes > 0)
    .sort((a, b) => b.nodes - a.nodes || byCodeUnit(a.text, b.text));
}
