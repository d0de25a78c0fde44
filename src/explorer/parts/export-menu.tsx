import { useMemo, useState } from 'preact/hooks';
import { bibtexText, publishedReference } from '../../core/api/citation.ts';
import { badgeUrl, snapshotUrl } from '../../core/api/urls.ts';
import { Failure } from '../../core/diagnostics/finding.ts';
import { cellText, csvLine } from '../../core/exports/csv.ts';
import {
  type ReasonedReservation,
  type ReservableNode,
  reservableNodes,
  reservationsOf,
  spreadFindings,
} from '../../core/exports/reservations.ts';
import {
  needsUrl,
  type Reservation,
  type SnippetName,
  SPREADS,
  type Spread,
} from '../../core/exports/snippet-context.ts';
import type { TableForm } from '../../core/exports/text-table.ts';
import { lockOf, lockText, type Origin } from '../../core/lock/lock-format.ts';
import { nodeNameOf } from '../../core/model/uid.ts';
import { findField } from '../../core/query/columns.ts';
import type { AppState } from '../app-state.ts';
import { loadExports } from '../data/exports.ts';
import { tableBody, wholeNodes } from '../data/nodes.ts';
import { ReadError, writtenDataset } from '../data/reader.ts';
import { siteUids } from '../data/search-further.ts';
import { readSites } from '../data/sites.ts';
import { queryOfFilters } from '../fleet/filter-queries.ts';
import { filtersIn } from '../fleet/filters.ts';
import { profilesOf } from '../fleet/profiles.ts';
import { messageOf, renderedFinding, search } from '../fleet/search.ts';
import { fragmentOf, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { Checkbox } from './checkbox.tsx';
import { SearchNotes } from './search-notes.tsx';
import { Select } from './select.tsx';
import { ScrollRegion } from './table.tsx';
import { counted, dayOf, visible } from './value.tsx';

interface ExportMenuProps {
  readonly state: AppState;
  /** The nodes of the table in the displayed order, or only the picked nodes. */
  readonly rows: readonly number[];
  readonly columns: readonly string[];
}

interface Export {
  readonly label: string;
  readonly file: string;
  readonly type: string;
  readonly make: () => string | Promise<string>;
  readonly isOff?: boolean;
}

const NDJSON = 'application/x-ndjson';

export function ExportMenu({ state, rows: all, columns }: ExportMenuProps) {
  const { picked } = state;
  const isPicked = new Set(picked);
  const shown = new Set(all);
  const rows =
    picked.length === 0 ? all : [...all.filter((row) => isPicked.has(row)), ...picked.filter((row) => !shown.has(row))];
  const [problem, setProblem] = useState('');
  const { version, newest } = state.registry;
  const isPast = version !== newest;
  const start = version.slice(0, 8);
  const { omittedFields } = state.registry.table;
  const exports: readonly Export[] = [
    { label: 'CSV', file: `nodes-${start}.csv`, type: 'text/csv', make: () => csvText(state, rows, columns) },
    { label: 'NDJSON', file: `nodes-${start}.ndjson`, type: NDJSON, make: () => ndjsonText(state, rows) },
    { label: 'Uids', file: `uids-${start}.txt`, type: 'text/plain', make: () => uidsText(state, rows) },
    {
      label: 'Markdown',
      file: `nodes-${start}.md`,
      type: 'text/markdown',
      make: () => documentTable(state, rows, 'markdown'),
    },
    {
      label: 'LaTeX',
      file: `nodes-${start}.tex`,
      type: 'application/x-tex',
      make: () => documentTable(state, rows, 'latex'),
    },
    {
      label: 'Lock file',
      file: 'gridpress.lock',
      type: 'application/json',
      make: () => lockOfRows(state, rows),
      isOff: isPast,
    },
  ];
  const saveExport = async ({ file, type, make }: Export) => {
    try {
      save(file, type, await make());
      setProblem('');
      state.announce(`${file} was saved.`);
    } catch (error) {
      if (!(error instanceof ReadError || error instanceof Failure)) throw error;
      setProblem(error.message);
    }
  };
  return (
    <>
      <p class="absent">
        {picked.length === 0 ? counted(rows.length, 'node') : counted(rows.length, 'picked node')} as a file:
      </p>
      <p class="buttons">
        {exports.map((each) => (
          <button
            type="button"
            key={each.label}
            disabled={rows.length === 0 || each.isOff}
            onClick={() => void saveExport(each)}
          >
            {each.label}
          </button>
        ))}
      </p>
      {omittedFields.length === 0 ? null : (
        <p class="absent">CSV and NDJSON do not contain {omittedFields.map(visible).join(', ')}: see “Columns”.</p>
      )}
      {isPast ? <p class="absent">{LOCK_OF_PAST}</p> : null}
      {problem === '' ? null : <p role="alert">{problem}</p>}
      {/* The rows are sorted, because `gridpress find` reserves nodes in the order of the node table. */}
      <UseAndCite state={state} rows={rows.toSorted((a, b) => a - b)} columns={columns} />
      <p>
        <a href={permalink(state)}>Permalink</a> <span class="absent">to this view at this revision</span>
      </p>
    </>
  );
}

/** Downloads a text as a file. */
function save(file: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

type Choice = SnippetName | 'find' | 'lock' | 'citation' | 'bibtex' | 'badge';

const PURPOSES: Readonly<Record<Choice, string>> = {
  ...{ 'python-chi': 'Reserve', openstack: 'Reserve', oar: 'Reserve', execo: 'Reserve', enoslib: 'Reserve' },
  slurm: 'Reserve',
  ...{ ssh: 'Connect', ansible: 'Connect', terraform: 'Connect' },
  ...{ curl: 'Analyse', pandas: 'Analyse', duckdb: 'Analyse', r: 'Analyse', find: 'Analyse' },
  ...{ lock: 'Cite', citation: 'Cite', bibtex: 'Cite', badge: 'Cite' },
};
const CHOICES = Map.groupBy(Object.keys(PURPOSES).filter(isChoice), (name) => PURPOSES[name]);

function isChoice(name: string): name is Choice {
  return Object.hasOwn(PURPOSES, name);
}

/** The maximum number of uids in a command. Shells limit the length of a command. */
const MOST_NODES_IN_CODE = 2_000;

interface UseProps {
  readonly state: AppState;
  readonly rows: readonly number[];
  /** The columns of the table of nodes. Undefined on the page of a node. */
  readonly columns?: readonly string[];
}

export function UseAndCite({ state, rows, columns = [] }: UseProps) {
  const { registry, place } = state;
  const [choice, setChoice] = useState<Choice>('python-chi');
  const [request, setRequest] = useState<PageRequest>({ count: MOST_NODES_IN_CODE, spread: '', isSameHardware: false });
  const chosen = useMemo(() => chosenNodes(state, rows, request), [state.fleet, rows.join(), request]);
  const key = `${choice} ${chosen.rows.join()} ${rows.length} ${registry.version} ${chosen.problem} ${place.params} ${columns.join()}`;
  const loaded = useLoaded(key, () => textOf(state, choice, chosen, rows.length, columns));
  const badge = rows.length === 1 ? badgeOf(state, rows[0] ?? 0) : undefined;
  const shown = loaded.kind === 'done' ? loaded.value : '…';
  const needsNodes = choice !== 'citation' && choice !== 'bibtex';
  const problem = loaded.kind === 'failed' ? loaded.problem : needsNodes ? chosen.problem : '';
  return (
    <div class="use">
      {rows.length > 1 ? <Request rows={rows} request={request} change={setRequest} /> : null}
      {[...CHOICES].map(([purpose, choices]) => (
        <fieldset key={purpose} class="classes tabs">
          <legend>{purpose}</legend>
          {choices
            .filter((name) => name !== 'badge' || badge)
            .map((name) => (
              <button type="button" key={name} aria-pressed={name === choice} onClick={() => setChoice(name)}>
                {name}
              </button>
            ))}
        </fieldset>
      ))}
      {choice === 'badge' && badge ? (
        <p>
          <img src={badge.url} alt="The badge of this node" height="20" />
        </p>
      ) : null}
      <SearchNotes notes={chosen.warnings} />
      {problem !== '' ? (
        <p class="notice" role="status">
          {problem}{' '}
          {loaded.kind !== 'failed' || registry.version === registry.newest ? null : (
            <a href={fragmentOf(place.path, withParams(place.params, { at: undefined }))}>Show latest</a>
          )}
        </p>
      ) : (
        <div class="code">
          <ScrollRegion label={choice}>
            <pre>{shown}</pre>
          </ScrollRegion>
          <CopyButton content={shown} announce={state.announce} />
        </div>
      )}
      {loaded.kind === 'done' && (choice === 'python-chi' || choice === 'openstack') ? (
        <Reasons reservations={chosen.reservations} />
      ) : null}
    </div>
  );
}

interface PageRequest {
  readonly count: number;
  readonly spread: Spread | '';
  readonly isSameHardware: boolean;
}

interface RequestProps {
  readonly rows: readonly number[];
  readonly request: PageRequest;
  readonly change: (request: PageRequest) => void;
}

/** Lets the user choose some of the found nodes, like the option `--reserve` of `gridpress find`. */
function Request({ rows, request, change }: RequestProps) {
  const most = Math.min(rows.length, MOST_NODES_IN_CODE);
  return (
    <p class="choosers">
      <label>
        Use{' '}
        <input
          type="number"
          min={1}
          max={most}
          value={Math.min(request.count, most)}
          onInput={({ currentTarget: { valueAsNumber } }) => {
            if (valueAsNumber >= 1) change({ ...request, count: Math.floor(valueAsNumber) });
          }}
        />{' '}
        of {counted(rows.length, 'node')}
        {rows.length > MOST_NODES_IN_CODE ? `, at most ${MOST_NODES_IN_CODE}` : ''}
      </label>
      <Select
        label="taken"
        value={request.spread}
        options={[['', 'in order'], ...SPREADS.map((spread) => [spread, `in turn from each ${spread}`] as const)]}
        choose={(spread) => change({ ...request, spread: SPREADS.find((name) => name === spread) ?? '' })}
      />
      <Checkbox checked={request.isSameHardware} change={(isSameHardware) => change({ ...request, isSameHardware })}>
        Same hardware
      </Checkbox>
    </p>
  );
}

interface ChosenNodes {
  readonly rows: readonly number[];
  readonly reservations: readonly ReasonedReservation[];
  /** Explains why too few nodes match the request. Empty if enough nodes match. */
  readonly problem: string;
  readonly warnings: readonly string[];
}

function chosenNodes({ fleet }: AppState, rows: readonly number[], request: PageRequest): ChosenNodes {
  if (rows.length === 0) return { rows, reservations: [], problem: 'No matching nodes.', warnings: [] };
  const nodes = reservableNodes(fleet.query);
  const rowOf = new Map(nodes.map((node, row) => [node, row]));
  const hardwareOf = (node: ReservableNode) => String(profilesOf(fleet.table).profileByRow[rowOf.get(node) ?? 0]);
  try {
    const reservations = reservationsOf(
      nodes,
      rows.flatMap((row) => nodes[row] ?? []),
      {
        count: Math.min(request.count, rows.length, MOST_NODES_IN_CODE),
        spread: request.spread === '' ? undefined : request.spread,
        hardwareOf: request.isSameHardware ? hardwareOf : undefined,
      },
    );
    const chosen = reservations.flatMap(({ nodes }) => nodes);
    const findings = spreadFindings(chosen, request.spread || undefined, request.isSameHardware);
    const warnings = findings.map((found) => {
      const { problem, hint } = renderedFinding(found) ?? { problem: '', hint: '' };
      return `${problem} ${hint}`;
    });
    return { rows: chosen.map((node) => rowOf.get(node) ?? 0), reservations, problem: '', warnings };
  } catch (error) {
    return { rows: [], reservations: [], problem: messageText(error), warnings: [] };
  }
}

function Reasons({ reservations }: Pick<ChosenNodes, 'reservations'>) {
  const reasons = new Set(reservations.map(({ property, reason }) => `Reserved by ${property}: ${reason}.`));
  return (
    <ul class="absent">
      {[...reasons].map((reason) => (
        <li key={reason}>{visible(reason)}</li>
      ))}
    </ul>
  );
}

async function textOf(
  state: AppState,
  choice: Choice,
  chosen: ChosenNodes,
  found: number,
  columns: readonly string[],
): Promise<string> {
  const { rows, reservations, problem } = chosen;
  if (choice === 'citation') return citation(state).text;
  if (choice === 'bibtex') return citation(state).bibtex;
  if (problem !== '') return '';
  if (choice === 'badge') return badgeOf(state, rows[0] ?? 0)?.markdown ?? '';
  const isTruncated = rows.length === MOST_NODES_IN_CODE && rows.length < found;
  const note = isTruncated
    ? `${choice === 'duckdb' ? '--' : '#'} The first ${MOST_NODES_IN_CODE} of ${found} nodes.\n`
    : '';
  if (choice === 'lock') return note + (await lockCommand(state, rows));
  if (choice === 'find') return await findCommand(state, rows, columns);
  try {
    return note + (await snippetText(state, choice, reservations));
  } catch (error) {
    throw error instanceof ReadError ? error : new ReadError(messageText(error));
  }
}

function messageText(error: unknown): string {
  const { problem, hint } = messageOf(error);
  return `${problem} ${hint}`;
}

/** Returns the badge of a node. Older revisions, trees without badges, and offline copies have no badges. */
function badgeOf({ reader, registry, fleet }: AppState, row: number) {
  const hasBadges = document.querySelector('meta[name=gridpress-badges]') !== null;
  if (!hasBadges || reader.isLocal || registry.version !== registry.newest) return undefined;
  const path = fleet.pathOf(row);
  const url = reader.urlOf(badgeUrl(path)).replace(/\.json$/, '');
  const page = `${location.href.split('#')[0]}${fragmentOf(path)}`;
  return { url, markdown: `[![Hardware unchanged since](${url})](${page})\n` };
}

async function lockCommand(state: AppState, rows: readonly number[]): Promise<string> {
  const uids = rows.map((row) => state.fleet.table.uids[row]).join(' ');
  const from = state.reader.isLocal ? 'FOLDER' : await shownBaseUrl(state);
  return `gridpress lock --from ${from} -o gridpress.lock ${uids}\ngridpress verify-lock gridpress.lock\n`;
}

/** Returns a command that finds the displayed nodes. It contains the user's search if possible, or else the uids. */
async function findCommand(state: AppState, rows: readonly number[], columns: readonly string[]): Promise<string> {
  const { fleet, place, reader, picked } = state;
  const from = reader.isLocal ? 'FOLDER' : await shownBaseUrl(state);
  const asked = place.params.get('q') ?? '';
  const found = search(fleet, asked, await siteUids(reader));
  const question = found?.kind === 'rows' ? (found.translatedQuery ?? asked) : '';
  const isQuestion = place.path === 'nodes' && picked.length === 0;
  const [uid = '', ...others] = rows.map((row) => fleet.table.uids[row] ?? '');
  const query = isQuestion
    ? queryOfFilters(filtersIn(place.params, fleet), question, fleet)
    : others.length === 0
      ? uid
      : `uid IN (${[uid, ...others].map((each) => `'${each}'`).join(', ')})`;
  return `gridpress find${query ? ` ${inDoubleQuotes(query)}` : ''} --from ${from}${tableOptions(place.params, columns)}\n`;
}

/** Returns options for columns and sort order. Uses only the first sort field, because `gridpress find` accepts one. */
function tableOptions(params: URLSearchParams, columns: readonly string[]): string {
  if (columns.length === 0) return '';
  const [sort = ''] = (params.get('sort') ?? '').split(',');
  return ` --columns ${columns.join(',')}${sort === '' ? '' : ` --sort ${sort}`}`;
}

/** Quotes a text for a shell. Queries contain single quotes, so this function uses double quotes. */
function inDoubleQuotes(text: string): string {
  return `"${text.replaceAll(/[\\"$`]/g, '\\$&')}"`;
}

function CopyButton({ content, announce }: { content: string; announce: (text: string) => void }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(content);
    setIsCopied(true);
    announce('Copied.');
    setTimeout(() => setIsCopied(false), 2000);
  };
  // Some browsers offer no clipboard to a page from a folder or over plain HTTP.
  if (!('clipboard' in navigator)) return null;
  return (
    <button type="button" onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}

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

export function ndjsonText({ fleet }: AppState, rows: readonly number[]): string {
  return rows
    .map((row) => {
      const { site, cluster } = fleet.placeOf(row);
      return `${JSON.stringify({ site, cluster, ...tableBody(fleet, row) })}\n`;
    })
    .join('');
}

/** Returns the table that `gridpress find` writes for these nodes, for example for a paper. */
async function documentTable({ fleet, registry, place }: AppState, rows: readonly number[], form: TableForm) {
  const { tableText } = await loadExports();
  const { version: id, date } = registry;
  return tableText(form, fleet.query, { rows, isSorted: place.params.has('sort'), revision: { id, date } });
}

export function uidsText({ fleet }: AppState, rows: readonly number[]): string {
  return rows.map((row) => `${fleet.table.uids[row] ?? ''}\n`).join('');
}

const LOCK_OF_PAST =
  'A lock file needs the latest revision. Choose “Show latest”, or build this revision with gridpress build --at and lock that tree.';

/** Returns the lock file that `gridpress lock` writes for these nodes. */
export async function lockOfRows(state: AppState, rows: readonly number[]): Promise<string> {
  const { reader, fleet, registry } = state;
  const { version: id, newest, date } = registry;
  if (!(await reader.hasPast()))
    throw new ReadError(
      'A lock file needs whole nodes. The offline copy does not include them, because they are too long. Serve the folder with gridpress serve, or run gridpress lock.',
    );
  if (id !== newest) throw new ReadError(LOCK_OF_PAST);
  const nodes = await wholeNodes(reader, fleet, rows, id);
  const states = nodes.map(({ row, body, latest }) => ({
    path: fleet.pathOf(row),
    uid: fleet.table.uids[row] ?? '',
    body,
    latest,
    name: nodeNameOf(body),
  }));
  return lockText(lockOf(originOf(state), { id, date }, states));
}

/** Returns the tree's URL or absolute path. A relative path would depend on the location of the lock file. */
function originOf(state: AppState): Origin {
  const place = baseUrl(state);
  if (!state.reader.isLocal) return { kind: 'url', place };
  const path = decodeURIComponent(new URL(place).pathname).replace(/^\/(?=[A-Z]:)/i, '');
  return { kind: 'tree', place: path };
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

export function baseUrl({ reader }: AppState): string {
  return new URL('.', reader.urlOf('/')).href;
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
  const names = new Map((await readSites(reader)).map((site) => [site.uid, site.name]));
  const base = reader.isLocal || !needsUrl(name) ? undefined : await shownBaseUrl(state);
  const { snippet } = await loadExports();
  return `${snippet(name, reservations, names, base).join('\n')}\n`;
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
