/** What can be taken along of a selection, as texts: made by the modules that the command line runs. */
import { resourceUrl } from '../../core/api/urls.ts';
import { cellText, csvLine } from '../../core/exports/csv.ts';
import { snippet } from '../../core/exports/snippet.ts';
import type { SnippetName } from '../../core/exports/snippet-context.ts';
import { lockOf, lockText, type Origin } from '../../core/lock/lock-format.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import { findField } from '../../core/query/columns.ts';
import type { AppState } from '../app-state.ts';
import { tableBody, wholeNodes } from './nodes.ts';
import { ReadError, text } from './reader.ts';

/** Of the columns that are shown, with what tells nodes apart before them. */
export function csvText({ fleet }: AppState, rows: readonly number[], columns: readonly string[]): string {
  const names = [...new Set(['uid', 'site', ...columns])];
  const fields = names.map((name) => findField(name, fleet.query));
  const cells = (row: number) =>
    fields.map(({ valuesOf }) => {
      const values = valuesOf(row);
      return cellText(values.length > 1 ? values : values[0]);
    });
  return [names, ...rows.map(cells)].map((line) => `${csvLine(line)}\n`).join('');
}

/** A line for each node: where it is, and its body as far as the table knows it. */
export function ndjsonText({ fleet }: AppState, rows: readonly number[]): string {
  return rows
    .map((row) => `${JSON.stringify({ ...fleet.placeOf(row), nodes: undefined, ...tableBody(fleet, row) })}\n`)
    .join('');
}

export function uidsText({ fleet }: AppState, rows: readonly number[]): string {
  return rows.map((row) => `${fleet.table.uids[row] ?? ''}\n`).join('');
}

/** The lock that `gridpress lock` takes of the same nodes. It needs whole bodies. */
export async function lockOfRows(state: AppState, rows: readonly number[]): Promise<string> {
  const { reader, fleet, registry } = state;
  if (!(await reader.hasPast()))
    throw new ReadError(
      'Locks hold digests of whole nodes, which do not lie beside the page since they would be too long: serve the folder, or run gridpress lock.',
    );
  if (registry.version !== registry.newest)
    throw new ReadError(
      'Locks are of the newest revision: go on to it, or lock a tree that gridpress build --at makes.',
    );
  const nodes = await wholeNodes(reader, fleet, rows, registry.version);
  const states = nodes.map(({ row, body, latest }) => ({
    path: fleet.pathOf(row),
    uid: fleet.table.uids[row] ?? '',
    body,
    latest,
    name: nodeNameOf(body),
  }));
  return lockText(lockOf(originOf(state), revisionOf(state), states));
}

function revisionOf({ registry: { version: id, date } }: AppState) {
  return { id, date };
}

/** A folder is named by its whole path: where a browser saves the lock, no page knows. */
function originOf(state: AppState): Origin {
  const place = baseUrl(state);
  if (!state.reader.isLocal) return { kind: 'url', place };
  const path = decodeURIComponent(new URL(place).pathname).replace(/^\/(?=[A-Z]:)/i, '');
  return { kind: 'tree', place: path };
}

export function baseUrl({ reader }: AppState): string {
  return new URL('.', reader.urlOf('/')).href;
}

export async function snippetText(state: AppState, name: SnippetName, rows: readonly number[]): Promise<string> {
  const { fleet, reader } = state;
  const sites = await reader.read(resourceUrl('sites'));
  const names = new Map<string, string>();
  for (const site of Array.isArray(sites?.['items']) ? sites['items'] : []) {
    names.set(text(site['uid']), text(site['name']));
  }
  const nodes = rows.map((row) => ({ ...fleet.placeOf(row), uid: fleet.table.uids[row] ?? '' }));
  return `${snippet(name, nodes, names, reader.isLocal ? undefined : baseUrl(state)).join('\n')}\n`;
}

/** The same view of the same revision, whenever it is opened. */
export function permalink({ registry }: AppState): string {
  const [fragment = ''] = location.href.split('#').slice(1);
  const kept = fragment.replace(/([?&])at=[^&]*&?/, '$1').replace(/[?&]$/, '');
  return `${location.href.split('#')[0]}#${kept === '' ? '/nodes' : kept}${kept.includes('?') ? '&' : '?'}at=${registry.version}`;
}

export interface CitationTexts {
  readonly text: string;
  readonly bibtex: string;
}

export function citation(state: AppState): CitationTexts {
  const { registry } = state;
  const { id, date } = revisionOf(state);
  const name = text(registry.grid['name']) || text(registry.grid['uid']);
  const title = `Registry of the testbed ${name}`;
  const link = permalink(state);
  const year = date.slice(0, 4);
  return {
    text: `${title}, revision ${id} (${date.slice(0, 10)}). ${link}`,
    bibtex: [
      `@misc{${name.replaceAll(/[^A-Za-z0-9]/g, '')}-${id.slice(0, 8)},`,
      `  title = {${escapedTex(title)}},`,
      `  year = {${year}},`,
      `  note = {Revision ${id}},`,
      `  howpublished = {\\url{${link}}},`,
      '}',
    ].join('\n'),
  };
}

function escapedTex(value: string): string {
  return value.replaceAll(/[\\{}$&#^_%~]/g, (sign) => (sign === '\\' ? '' : `\\${sign}`));
}
