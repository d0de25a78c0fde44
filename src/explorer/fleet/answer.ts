import type { Params } from '../state/view-params.ts';
import { filtersIn, selection } from './filters.ts';
import type { Fleet } from './fleet.ts';
import { profilesOf } from './profiles.ts';
import { search } from './search.ts';
import { linesOf } from './table-lines.ts';
import { sortingsOf } from './table-params.ts';
import type { SiteUids } from './words.ts';

/** Returns the rows that the view of nodes shows. Returns no rows without a search, a filter or a sort order. */
export function answerOf(fleet: Fleet, params: Params, siteUids: SiteUids | undefined): readonly number[] {
  const filters = filtersIn(params, fleet);
  const found = search(fleet, params.get('q') ?? '', siteUids);
  const isAsked = found !== undefined || filters.length > 0 || params.has('sort');
  if (!isAsked || found?.kind === 'wrong') return [];
  const { rows } = selection(fleet, filters, found?.rows);
  const profiles = params.has('group') ? profilesOf(fleet.table) : undefined;
  const lines = linesOf(fleet, rows, sortingsOf(params.get('sort')), profiles, new Set());
  return lines.slice(0, lines.length).flatMap(({ members }) => members);
}
