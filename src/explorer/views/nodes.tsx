import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ViewProps } from '../app-state.ts';
import { useMore } from '../data/more.ts';
import { canLoadAllFields } from '../data/registry.ts';
import { type Filter, filtersIn, parameterOf, type Range, selection } from '../fleet/filters.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Profiles } from '../fleet/profiles.ts';
import { columnsOf, type Lines, linesOf, sortAfterClick, sortingsOf } from '../fleet/table-lines.ts';
import { Checkbox } from '../parts/checkbox.tsx';
import { Facets } from '../parts/facets.tsx';
import { Menu, MorePart } from '../parts/menu.tsx';
import { ROWS_PER_PAGE, TableOfNodes } from '../parts/node-table.tsx';
import { Loading, Notice } from '../parts/notice.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { Select } from '../parts/select.tsx';
import { counted, fieldTitle, valueText, visible } from '../parts/value.tsx';
import { navigate, navigateByTyping, withParams } from '../state/place.ts';

export function Nodes({ state }: ViewProps) {
  const { fleet, registry, place } = state;
  const { params } = place;
  const isNarrow = useMedia(NARROW);
  const isFolded = useMedia(FOLDED);
  const changed = (changes: Parameters<typeof withParams>[1]) => withParams(params, { page: undefined, ...changes });
  const set = (changes: Parameters<typeof withParams>[1]) => navigate('nodes', changed(changes));
  const asked = params.get('q') ?? '';
  const more = useMore(true);
  const isMissing = more === 'missing';
  const profiles = isMissing ? undefined : more?.profilesOf(fleet.table);
  const found = useMemo(() => (isMissing ? undefined : more?.search(fleet, asked)), [more, fleet, asked]);
  const complete = useMemo(
    () => (text: string) => (isMissing || !more ? [] : more.completions(fleet.query, text)),
    [more, fleet],
  );
  const filters = useMemo(() => filtersIn(params, fleet), [params, fleet]);
  const rowsFound = found?.kind === 'rows' ? found.rows : undefined;
  const chosen = useMemo(() => selection(fleet, filters, rowsFound), [fleet, filters, rowsFound]);
  const isGrouped = params.has('group');
  const sortings = sortingsOf(params.get('sort'));
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const lines = useMemo(
    () => linesOf(fleet, chosen.rows, sortings, isGrouped ? profiles : undefined, opened),
    [fleet, chosen, params.get('sort'), isGrouped, profiles, opened],
  );
  const open = (row: number) =>
    setOpened(new Set(opened.has(row) ? [...opened].filter((one) => one !== row) : [...opened, row]));
  const columns = useMemo(() => columnsOf(fleet, params.get('columns')), [fleet, params.get('columns')]);
  const isPaged = params.has('pages') || isNarrow;
  const lastPage = Math.max(0, Math.ceil(lines.length / ROWS_PER_PAGE) - 1);
  const page = isPaged ? Math.min(lastPage, Math.max(0, Number(params.get('page') ?? 1) - 1 || 0)) : undefined;
  const status = useMemo(() => statusOf(fleet, chosen.rows, profiles), [fleet, chosen, profiles]);
  useEffect(() => state.announce(status), [status]);

  const change = (field: string, texts: readonly string[], range: Range | undefined) =>
    set({ [parameterOf(field)]: [...texts, ...(range ? [rangeText(range, field)] : [])] });
  const sort = (field: string, isAdded: boolean) =>
    set({ sort: sortAfterClick(sortings, field, isAdded) || undefined });
  const clear = () => navigate('nodes', cleared(params, filters));
  const missingFields = (isSearch: boolean) => (
    <MissingFields state={state} load={() => set({ fields: 'all' })} isSearch={isSearch} />
  );
  const isWrong = found?.kind === 'wrong';
  return (
    <div class="nodes-view">
      <h1 class="hidden" tabIndex={-1}>
        Nodes
      </h1>
      <FacetPanel isFolded={isFolded} count={filters.length}>
        <Facets fleet={fleet} filters={filters} chosen={chosen} change={change} fields={registry.fields} />
      </FacetPanel>
      <div class="results">
        <SearchBox
          asked={asked}
          found={isWrong && state.isLoadingFields ? undefined : found}
          isMissing={isMissing && asked !== ''}
          complete={complete}
          ask={(text) => navigateByTyping('nodes', changed({ q: text === '' ? undefined : text }))}
        />
        {isMissing || !more ? null : (
          <more.OtherForms
            query={more.queryOfFilters(filters, found?.kind === 'rows' ? (found.words ?? asked) : '', fleet)}
            isQuery={filters.length === 0 && found?.kind === 'rows' && found.words === undefined}
            filtersOf={more.filtersOfQuery}
            write={(query) => navigate('nodes', withParams(cleared(params, filters), { q: query }))}
            filter={(all) => set({ q: undefined, ...all })}
          />
        )}
        {isWrong && registry.table.leftOut.some((name) => asked.includes(name)) ? missingFields(false) : null}
        <ActiveFilters filters={filters} change={change} clear={clear} />
        <div class="bar">
          <p class="status">{status}</p>
          {state.isLoadingFields ? <Loading /> : null}
          <Checkbox checked={isGrouped} change={(isChecked) => set({ group: isChecked ? 'hardware' : undefined })}>
            Group by hardware
          </Checkbox>
          {isNarrow ? null : (
            <Checkbox checked={isPaged} change={(isChecked) => set({ pages: isChecked ? '100' : undefined })}>
              Pages of {ROWS_PER_PAGE}
            </Checkbox>
          )}
          {isNarrow ? (
            <Select
              label="Sort by"
              value={params.get('sort')?.split(',')[0] ?? ''}
              options={[
                ['', 'Site and name'],
                ...columns.flatMap((name) => [
                  [name, `${fieldTitle(name)} ▲`] as const,
                  [`-${name}`, `${fieldTitle(name)} ▼`] as const,
                ]),
              ]}
              choose={(text) => set({ sort: text === '' ? undefined : text })}
            />
          ) : null}
          <Menu label="Columns">
            <MorePart
              show={({ ColumnChoice }) => (
                <ColumnChoice
                  columns={columns}
                  fields={registry.fields}
                  choose={(names) => set({ columns: names.length === 0 ? undefined : names.join(',') })}
                />
              )}
            />
            {missingFields(false)}
          </Menu>
          <Menu label="Export">
            <MorePart show={({ ExportMenu }) => <ExportMenu state={state} rows={rowsIn(lines)} columns={columns} />} />
          </Menu>
        </div>
        {fleet.table.total === 0 ? (
          <Notice kind="info" title="The registry has no nodes at this revision." />
        ) : chosen.rows.length === 0 ? (
          <Notice kind="info" title="No matching nodes.">
            {isMissing || !more ? null : (
              <more.FiltersToDrop
                drops={[
                  ...filters.map(({ field }) => ({
                    label: fieldTitle(field),
                    nodes: chosen.rowsWithout(field).length,
                    drop: () => change(field, [], undefined),
                  })),
                  ...(rowsFound && filters.length > 0
                    ? [
                        {
                          label: 'the search',
                          nodes: selection(fleet, filters, undefined).rows.length,
                          drop: () => set({ q: undefined }),
                        },
                      ]
                    : []),
                ]}
              />
            )}
            <button type="button" class="link" onClick={clear}>
              Show all nodes
            </button>
            {asked === '' ? null : missingFields(true)}
          </Notice>
        ) : (
          <TableOfNodes
            state={state}
            lines={lines}
            columns={columns}
            showAll={params.has('columns') || isNarrow ? undefined : () => set({ columns: columns.join(',') })}
            sortings={sortings}
            sort={sort}
            isGrouped={isGrouped}
            open={open}
            opened={opened}
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
  const all = counted(fleet.table.total, 'node');
  const nodes = rows.length === fleet.table.total ? all : `${rows.length} of ${all}`;
  return profiles && rows.length > 0 ? `${nodes}, ${counted(profiles.countOf(rows), 'hardware profile')}` : nodes;
}

function rangeText({ from, to }: Range, field: string): string {
  return [from, to].map((bound) => valueText(bound, field).replaceAll(/[\s\u202f]/g, '')).join('..');
}

function cleared(params: URLSearchParams, filters: readonly Filter[]): URLSearchParams {
  const fields = filters.map(({ field }) => [parameterOf(field), undefined] as const);
  return withParams(params, { ...Object.fromEntries(fields), q: undefined, page: undefined });
}

/** Returns the rows in the order of the table. */
function rowsIn(lines: Lines): number[] {
  return lines.slice(0, lines.length).flatMap(({ members, isMember }) => (isMember ? [] : members));
}

interface MissingFieldsProps extends ViewProps {
  readonly load: () => void;
  /** Whether a search without a match asks, which did not look into these fields. */
  readonly isSearch: boolean;
}

/** Names the fields that are not in the table, such as serials, and offers to load them. */
function MissingFields({ state: { registry, place, isLoadingFields }, load, isSearch }: MissingFieldsProps) {
  const { leftOut } = registry.table;
  if (leftOut.length === 0 || isLoadingFields) return null;
  const canLoad = canLoadAllFields(registry);
  const isWanted = place.params.has('fields');
  return (
    <p>
      {isWanted && canLoad ? 'These fields could not be loaded: ' : 'These fields are not loaded: '}
      {leftOut.map(visible).join(', ')}.{' '}
      {canLoad ? (
        <button type="button" class="link" onClick={load} disabled={isWanted}>
          {isSearch ? 'Search these fields too' : 'Load all fields'}
        </button>
      ) : (
        <>
          <code>gridpress find</code> searches them.
        </>
      )}
    </p>
  );
}

interface FacetPanelProps {
  readonly isFolded: boolean;
  readonly count: number;
  readonly children: ComponentChildren;
}

/** Shows the first rows before the facets. */
let hasPainted = false;

function FacetPanel({ isFolded, count, children }: FacetPanelProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isReady, setIsReady] = useState(hasPainted);
  // Effects run after the first paint.
  useEffect(() => {
    hasPainted = true;
    setIsReady(true);
  }, []);
  if (!isFolded) {
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
  return valueText(text !== '' && String(Number(text)) === text ? Number(text) : text, field);
}

function rangeWords({ from, to }: Range, field: string): string {
  if (from === undefined) return `at most ${valueText(to, field)}`;
  return to === undefined
    ? `at least ${valueText(from, field)}`
    : `${valueText(from, field)} to ${valueText(to, field)}`;
}

interface PagesProps {
  /** The page number, counted from 0. */
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

/** Matches narrow screens, on which tables would scroll sideways. Rows become cards there. */
const NARROW = '(max-width: 40rem)';
/** Matches screens on which the filters would take the width of the table. They are folded there. */
const FOLDED = '(max-width: 60rem)';
