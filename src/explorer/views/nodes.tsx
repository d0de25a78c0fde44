/** The nodes: facets and a query beside the table of those that pass both, and the ways out of it. */

import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { AppState } from '../app-state.ts';
import { useMore } from '../data/more.ts';
import { type Filter, filtersIn, parameterOf, type Range, selection } from '../fleet/filters.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Profiles } from '../fleet/profiles.ts';
import { columnsOf, linesOf, sortingOf } from '../fleet/table-lines.ts';
import { Facets } from '../parts/facets.tsx';
import { MoreMenu } from '../parts/menu.tsx';
import { ROWS_PER_PAGE, TableOfNodes } from '../parts/node-table.tsx';
import { Notice } from '../parts/notice.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { counted, fieldTitle, valueText } from '../parts/value.tsx';
import { adjust, withParams } from '../state/place.ts';

export function Nodes({ state }: { state: AppState }) {
  const { fleet, registry, place } = state;
  const { params } = place;
  const isNarrow = useMedia(NARROW);
  const set = (changes: Parameters<typeof withParams>[1]) =>
    adjust('nodes', withParams(params, { page: undefined, ...changes }));
  const asked = params.get('q') ?? '';
  const more = useMore(true);
  const isMissing = more === 'missing';
  const profiles = isMissing ? undefined : more?.profilesOf(fleet.table);
  const found = useMemo(() => (isMissing ? undefined : more?.search(fleet, asked)), [more, fleet, asked]);
  const filters = useMemo(() => filtersIn(params), [params]);
  const rowsFound = found?.kind === 'rows' ? found.rows : undefined;
  const chosen = useMemo(() => selection(fleet, filters, rowsFound), [fleet, filters, rowsFound]);
  const isGrouped = params.has('group');
  const sorting = sortingOf(params.get('sort'));
  const lines = useMemo(
    () => linesOf(fleet, chosen.rows, sorting, isGrouped ? profiles : undefined),
    [fleet, chosen, params.get('sort'), isGrouped, profiles],
  );
  const columns = useMemo(() => columnsOf(fleet, params.get('columns')), [fleet, params.get('columns')]);
  const isPaged = params.has('pages') || isNarrow;
  const lastPage = Math.max(0, Math.ceil(lines.length / ROWS_PER_PAGE) - 1);
  const page = isPaged ? Math.min(lastPage, Math.max(0, Number(params.get('page') ?? 1) - 1 || 0)) : undefined;
  const status = useMemo(() => statusOf(fleet, chosen.rows, profiles), [fleet, chosen, profiles]);
  useEffect(() => state.announce(status), [status]);

  const change = (field: string, texts: readonly string[], range: Range | undefined) =>
    set({ [parameterOf(field)]: [...texts, ...(range ? [rangeText(range, field)] : [])] });
  const sort = (field: string) => {
    const isSorted = sorting?.field === field;
    set({ sort: isSorted ? (sorting.isDescending ? undefined : `-${field}`) : field });
  };
  const nothing = chosen.rows.length === 0;
  return (
    <div class="nodes-view">
      <h1 class="hidden" tabIndex={-1}>
        Nodes
      </h1>
      <FacetPanel isNarrow={isNarrow} count={filters.length}>
        <Facets fleet={fleet} filters={filters} chosen={chosen} change={change} fields={registry.fields} />
      </FacetPanel>
      <div class="results">
        <SearchBox asked={asked} found={found} ask={(text) => set({ q: text === '' ? undefined : text })} />
        <ActiveFilters filters={filters} change={change} clear={() => adjust('nodes', cleared(params))} />
        <div class="bar">
          <p class="status">{status}</p>
          <label>
            <input
              type="checkbox"
              checked={isGrouped}
              onChange={() => set({ group: isGrouped ? undefined : 'hardware' })}
            />{' '}
            Group by hardware
          </label>
          {isNarrow ? null : (
            <label>
              <input type="checkbox" checked={isPaged} onChange={() => set({ pages: isPaged ? undefined : '100' })} />{' '}
              Pages of {ROWS_PER_PAGE}
            </label>
          )}
          <MoreMenu
            label="Columns"
            show={({ ColumnChoice }) => (
              <ColumnChoice
                columns={columns}
                fields={registry.fields}
                choose={(names) => set({ columns: names.length === 0 ? undefined : names.join(',') })}
              />
            )}
          />
          <MoreMenu
            label="Take along"
            show={({ TakeAlong }) => <TakeAlong state={state} rows={chosen.rows} columns={columns} />}
          />
        </div>
        {nothing ? (
          <Notice kind="info" title={fleet.table.total > 0 ? 'No node is like that.' : 'There are no nodes.'}>
            {fleet.table.total > 0 ? (
              <>
                Take a filter away, or ask for less.{' '}
                <button type="button" class="link" onClick={() => adjust('nodes', cleared(params))}>
                  Show all nodes
                </button>
              </>
            ) : (
              'The registry has none at this revision.'
            )}
          </Notice>
        ) : (
          <TableOfNodes
            state={state}
            lines={lines}
            columns={columns}
            sorting={sorting}
            sort={sort}
            isGrouped={isGrouped}
            page={page}
            isNarrow={isNarrow}
          />
        )}
        {page === undefined ? null : (
          <Pages page={page} last={lastPage} go={(next) => set({ page: String(next + 1) })} />
        )}
      </div>
    </div>
  );
}

function statusOf(fleet: Fleet, rows: readonly number[], profiles: Profiles | undefined): string {
  const found = profiles?.countOf(rows);
  const all = fleet.table.total;
  const nodes = rows.length === all ? counted(all, 'node') : `${rows.length} of ${counted(all, 'node')}`;
  return !found ? nodes : `${nodes}, ${counted(found, 'hardware profile')}`;
}

function rangeText({ from, to }: Range, field: string): string {
  const side = (bound: number | undefined) =>
    bound === undefined ? '' : valueText(bound, field).replaceAll(/[\s\u202f]/g, '');
  return `${side(from)}..${side(to)}`;
}

/** Without filters and query; what is picked and how it is shown stays. */
function cleared(params: URLSearchParams): URLSearchParams {
  const gone = filtersIn(params).map(({ field }) => [parameterOf(field), undefined] as const);
  return withParams(params, { ...Object.fromEntries(gone), q: undefined, page: undefined });
}

interface FacetPanelProps {
  readonly isNarrow: boolean;
  readonly count: number;
  readonly children: ComponentChildren;
}

/** Whether the page has shown anything yet: the first rows do not wait for the filters beside them. */
let hasPainted = false;

function FacetPanel({ isNarrow, count, children }: FacetPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isReady, setIsReady] = useState(hasPainted);
  // Effects run once what was rendered is painted.
  useEffect(() => {
    hasPainted = true;
    setIsReady(true);
  }, []);
  if (!isNarrow) {
    return (
      <aside class="facets" aria-label="Filters">
        {isReady ? children : null}
      </aside>
    );
  }
  return (
    <details class="facets" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>Filters{count > 0 ? ` (${count})` : ''}</summary>
      {isOpen ? children : null}
    </details>
  );
}

/** What is filtered by, each with a button that takes it away. */
interface ActiveFiltersProps {
  readonly filters: readonly Filter[];
  readonly change: (field: string, texts: readonly string[], range: Range | undefined) => void;
  readonly clear: () => void;
}

function ActiveFilters({ filters, change, clear }: ActiveFiltersProps) {
  if (filters.length === 0) return null;
  const chip = (field: string, text: string, remove: () => void) => (
    <li key={`${field} ${text}`}>
      <button type="button" class="chip" onClick={remove} aria-label={`Remove ${fieldTitle(field)}: ${text}`}>
        {fieldTitle(field)}: {text} <span aria-hidden="true">×</span>
      </button>
    </li>
  );
  return (
    <ul class="chips" aria-label="Filters in use">
      {filters.flatMap(({ field, texts, range }) => [
        ...texts.map((text) => {
          const others = texts.filter((other) => other !== text);
          return chip(field, shownText(text, field), () => change(field, others, range));
        }),
        ...(range ? [chip(field, rangeWords(range, field), () => change(field, texts, undefined))] : []),
      ])}
      <li>
        <button type="button" class="link" onClick={clear}>
          Clear all
        </button>
      </li>
    </ul>
  );
}

function shownText(text: string, field: string): string {
  return text !== '' && String(Number(text)) === text ? valueText(Number(text), field) : valueText(text, field);
}

function rangeWords({ from, to }: Range, field: string): string {
  if (from === undefined) return `at most ${valueText(to, field)}`;
  return to === undefined
    ? `at least ${valueText(from, field)}`
    : `${valueText(from, field)} to ${valueText(to, field)}`;
}

/** Going from page to page. */

interface PagesProps {
  /** From 0 on. */
  readonly page: number;
  readonly last: number;
  readonly go: (page: number) => void;
}

function Pages({ page, last, go }: PagesProps) {
  if (last === 0) return null;
  const button = (label: string, to: number) => (
    <button type="button" disabled={to < 0 || to > last || to === page} onClick={() => go(to)}>
      {label}
    </button>
  );
  return (
    <nav class="paging" aria-label="Pages of the table">
      {button('First', 0)}
      {button('Previous', page - 1)}
      <span>
        Page {page + 1} of {last + 1}
      </span>
      {button('Next', page + 1)}
      {button('Last', last)}
    </nav>
  );
}

/** Whether a media query is true of the page now. */
function useMedia(query: string): boolean {
  const [is, setIs] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const follow = () => setIs(list.matches);
    list.addEventListener('change', follow);
    return () => list.removeEventListener('change', follow);
  }, [query]);
  return is;
}

/** Tables would have to be scrolled sideways: rows become cards. */
const NARROW = '(max-width: 40rem)';
