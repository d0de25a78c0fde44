/** Describes the nodes of a lock file for the section "experimental setup" of a paper. */

import { bibtexText } from '../../core/api/citation.ts';
import { versionUrl } from '../../core/api/urls.ts';
import { failAll, finding } from '../../core/diagnostics/finding.ts';
import { formatCount, plural } from '../../core/diagnostics/words.ts';
import { groupsTable, hardwareColumns, shownText, titledColumn } from '../../core/exports/hardware-table.ts';
import { tableLines } from '../../core/exports/table-lines.ts';
import { latexText, markdownText, type SetupForm, type TextTable } from '../../core/exports/text-table.ts';
import type { Lock, Origin } from '../../core/lock/lock-format.ts';
import { getOrCreate } from '../../core/platform/lookups.ts';
import { withoutTrailing } from '../../core/platform/text.ts';
import { findField, type QueryFleet } from '../../core/query/columns.ts';
import { originOf, type ReachOptions } from '../lock/node-source.ts';
import { placeOf, readLock } from '../lock/verify-lock.ts';
import { alignedLines } from './describe-found.ts';
import { find } from './find.ts';

export interface SetupOptions extends ReachOptions {
  readonly file: string;
  /** The default is the origin in the lock file. */
  readonly against?: string | undefined;
  /** Called before a request to a server that comes from the lock file, not from the user. */
  readonly onNamed?: (place: string) => void;
  readonly form: SetupForm;
}

/** Describes the nodes as of the revision of the lock file, or cites this revision. Fails if a node is unknown there. */
export async function describeSetup(options: SetupOptions): Promise<string> {
  const { file, against, form } = options;
  const lock = readLock(file);
  const origin = against === undefined ? placeOf(lock.from, file) : originOf(against);
  if (against === undefined && origin.kind === 'url') options.onNamed?.(origin.place);
  return await find({ ...options, from: origin.place, at: lock.revision.id }, [], async ({ fleet }, source) => {
    const url = addressOf(origin, lock);
    if (form === 'bibtex') return `${bibtexText(await source.reference(), lock.revision, url)}\n`;
    const rows = rowsOf(lock, fleet, file);
    const names = await source.siteNames();
    const sites = new Set(lock.nodes.map(({ path }) => siteOf(path)));
    const places = [...(sites.size > 1 ? ['site'] : []), 'node_type'].map((name) =>
      titledColumn(findField(name, fleet)),
    );
    const table = groupsTable('', rows, [...places, ...hardwareColumns(fleet, rows)], []);
    return writeSetup(form, { lock, counts: countsBySite(lock, names), url, table });
  });
}

function rowsOf(lock: Lock, fleet: QueryFleet, file: string): number[] {
  const uids = findField('uid', fleet);
  const rows = new Map(Array.from({ length: fleet.total }, (_, row) => [String(uids.valuesOf(row)[0]), row]));
  const missing = lock.nodes.filter(({ uid }) => !rows.has(uid));
  if (missing.length > 0)
    failAll(missing.map(({ path }) => finding('setup-node', { path, revision: lock.revision.id }, { file })));
  return lock.nodes.flatMap(({ uid }) => rows.get(uid) ?? []);
}

function siteOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function countsBySite(lock: Lock, names: ReadonlyMap<string, string>): string {
  const counts = new Map<string, { nodes: number }>();
  for (const { path } of lock.nodes) getOrCreate(counts, siteOf(path), () => ({ nodes: 0 })).nodes++;
  const isOne = counts.size === 1;
  const parts = [...counts].map(
    ([site, { nodes }]) => `${isOne ? '' : `${formatCount(nodes)} `}at ${shownText(names.get(site) ?? site)}`,
  );
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
}

/** The URL of the revision in an API. A folder has no URL. */
function addressOf({ kind, place }: Origin, { revision }: Lock): string | undefined {
  return kind === 'url' ? `${withoutTrailing(place, '/')}${versionUrl('', revision.id)}` : undefined;
}

interface Setup {
  readonly lock: Lock;
  readonly counts: string;
  readonly url: string | undefined;
  readonly table: TextTable;
}

function writeSetup(form: Exclude<SetupForm, 'bibtex'>, { lock, counts, url, table }: Setup): string {
  const { id, date } = lock.revision;
  const nodes = plural(lock.nodes.length, 'node');
  const state = `revision ${id}${date === undefined ? '' : ` of ${date.slice(0, 10)}`}`;
  const isOne = lock.nodes.length === 1;
  const caption = `Hardware of the ${isOne ? 'node' : nodes}, at ${state}.`;
  const escaped = { text: (text: string) => text, markdown: markdownText, latex: latexText }[form];
  const reference = form === 'latex' ? 'Table~\\ref{tab:hardware}' : 'The table';
  const link =
    url === undefined ? '' : ` (${form === 'latex' ? `\\url{${url}}` : form === 'markdown' ? `<${url}>` : url})`;
  const paragraph = `${escaped(`The experiment ran on ${nodes}${counts.startsWith('at ') ? ' ' : ': '}${counts}.`)} ${reference}${escaped(` lists ${isOne ? 'its' : 'their'} hardware at ${state} of the registry`)}${link}.`;
  const lines =
    form === 'text'
      ? alignedLines([table.head.map(({ text }) => text), ...table.rows])
      : tableLines(form, { ...table, caption: form === 'latex' ? caption : '' });
  return `${[paragraph, '', ...lines].join('\n')}\n`;
}
