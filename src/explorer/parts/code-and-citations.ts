/** The code, commands and citations that a user can copy. */

import { bibtexText, publishedReference } from '../../core/api/citation.ts';
import { badgeUrl, snapshotUrl } from '../../core/api/urls.ts';
import { needsUrl, type Reservation, type SnippetName } from '../../core/exports/snippet-context.ts';
import type { AppState } from '../app-state.ts';
import { loadExports } from '../data/exports.ts';
import { ReadError, writtenDataset } from '../data/reader.ts';
import { siteUids } from '../data/search-further.ts';
import { readSites } from '../data/sites.ts';
import { queryOfFilters } from '../fleet/filter-queries.ts';
import { filtersIn } from '../fleet/filters.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { isUidShared, nodeArgument } from '../fleet/picks.ts';
import { search } from '../fleet/search.ts';
import { atParam } from '../state/at-param.ts';
import { fragmentOf } from '../state/place.ts';
import type { Params } from '../state/view-params.ts';
import { baseUrl } from './exported-files.ts';
import { dayOf } from './value.tsx';

export async function lockCommand(state: AppState, rows: readonly number[]): Promise<string> {
  const nodes = rows.map((row) => nodeArgument(row, state.fleet)).join(' ');
  return `gridpress lock ${await sourceOptions(state)} -o gridpress.lock ${nodes}\ngridpress verify-lock gridpress.lock\n`;
}

/**
 * Returns the options with which a command reads the shown revision. A page that was opened from a folder has no base
 * URL.
 */
async function sourceOptions(state: AppState): Promise<string> {
  const { reader, registry } = state;
  if (!reader.isLocal) return `--from ${await shownBaseUrl(state)}`;
  const at = atParam(registry.newest, registry.version);
  return `--from FOLDER${at === undefined ? '' : ` --at ${at}`}`;
}

/** Returns a command that finds the displayed nodes. It contains the user's search if possible, or else the uids. */
export async function findCommand(
  state: AppState,
  rows: readonly number[],
  columns: readonly string[],
): Promise<string> {
  const { fleet, place, reader, picked } = state;
  const asked = place.params.get('q') ?? '';
  const found = search(fleet, asked, await siteUids(reader));
  const question = found?.kind === 'rows' ? (found.translatedQuery ?? asked) : '';
  const isQuestion = place.path === 'nodes' && picked.length === 0;
  const query = isQuestion ? queryOfFilters(filtersIn(place.params, fleet), question, fleet) : queryOfRows(rows, fleet);
  return `gridpress find${query ? ` ${inDoubleQuotes(query)}` : ''} ${await sourceOptions(state)}${tableOptions(place.params, columns)}\n`;
}

/** Returns a query for exactly these nodes. It contains the site and the cluster of a node whose uid is not unique. */
function queryOfRows(rows: readonly number[], fleet: Fleet): string {
  const isShared = (row: number) => isUidShared(row, fleet);
  const uidOf = (row: number) => `'${fleet.table.uids[row]}'`;
  const [uid, ...others] = rows.filter((row) => !isShared(row)).map(uidOf);
  const own = others.length > 0 ? `uid IN (${[uid, ...others].join(', ')})` : `uid = ${uid}`;
  const shared = rows.filter(isShared).map((row) => {
    const { site, cluster } = fleet.placeOf(row);
    const condition = `site = '${site}' AND cluster = '${cluster}' AND uid = ${uidOf(row)}`;
    return rows.length > 1 ? `(${condition})` : condition;
  });
  return [...(uid === undefined ? [] : [own]), ...shared].join(' OR ');
}

/** Returns options for columns and sort order. Uses only the first sort field, because `gridpress find` accepts one. */
function tableOptions(params: Params, columns: readonly string[]): string {
  if (columns.length === 0) return '';
  const [sort = ''] = (params.get('sort') ?? '').split(',');
  return ` --columns ${shellWord(columns.join(','))}${sort === '' ? '' : ` --sort ${shellWord(sort)}`}`;
}

/** Quotes a text unless it contains only characters without a special meaning in shells. */
function shellWord(text: string): string {
  return /^[\w.,-]+$/.test(text) ? text : inDoubleQuotes(text);
}

/** Quotes a text for a shell. Queries contain single quotes, so this function uses double quotes. */
function inDoubleQuotes(text: string): string {
  return `"${text.replaceAll(/[\\"$`]/g, '\\$&')}"`;
}

export async function snippetText(
  state: AppState,
  name: SnippetName,
  reservations: readonly Reservation[],
): Promise<string> {
  const { reader, registry } = state;
  if (!needsUrl(name) && registry.version !== registry.newest) {
    throw new ReadError(
      `This needs the latest revision. The nodes are shown as of ${dayOf(registry.date)}, and some can have changed or been removed since.`,
    );
  }
  if (reader.isLocal && registry.version !== registry.newest) {
    throw new ReadError(
      'This needs the URL of a snapshot. Use “find” or “lock”, or serve the folder with gridpress serve.',
    );
  }
  const names = new Map((await readSites(reader)).map((site) => [site.uid, site.name]));
  const base = reader.isLocal || !needsUrl(name) ? undefined : await shownBaseUrl(state);
  const { snippet } = await loadExports();
  const { clusters } = state.fleet.table;
  return `${snippet(name, reservations, names, base, {}, { clusters }).join('\n')}\n`;
}

/** Returns the base URL of the API at the shown revision. An older revision has the URL of its snapshot. */
async function shownBaseUrl(state: AppState): Promise<string> {
  const { version, newest } = state.registry;
  if (version === newest) return baseUrl(state);
  const path = snapshotUrl(version);
  if (!(await state.reader.read(path))) {
    throw new ReadError(`This needs a snapshot of revision ${version.slice(0, 8)}, which the tree does not contain.`);
  }
  return new URL(path.slice(1), baseUrl(state)).href;
}

/** Returns the badge of a node. Older revisions, trees without badges, and offline copies have no badges. */
export function badgeOf({ reader, registry, fleet }: AppState, row: number) {
  const hasBadges = document.querySelector('meta[name=gridpress-badges]') !== null;
  if (!hasBadges || reader.isLocal || registry.version !== registry.newest) return undefined;
  const path = fleet.pathOf(row);
  const url = reader.urlOf(badgeUrl(path)).replace(/\.json$/, '');
  const page = `${location.href.split('#')[0]}${fragmentOf(path)}`;
  return { url, markdown: `[![Hardware unchanged since](${url})](${page})\n` };
}

export function permalink({ registry }: AppState): string {
  const [page = '', fragment = ''] = location.href.split('#');
  const view = fragment.replace(/([?&])at=[^&]*&?/, '$1').replace(/[?&]$/, '') || '/nodes';
  return `${page}#${view}${view.includes('?') ? '&' : '?'}at=${registry.version}`;
}

export function citation(state: AppState): { readonly text: string; readonly bibtex: string } {
  const { version: id, date, grid } = state.registry;
  const reference = publishedReference(writtenDataset(), grid);
  const authors = reference.authors.map(({ name }) => name).join(', ');
  const link = permalink(state);
  return {
    text: `${authors}: ${reference.title}, revision ${id} (${date.slice(0, 10)}). ${link}`,
    bibtex: bibtexText(reference, { id, date }, link),
  };
}
