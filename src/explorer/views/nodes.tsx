import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ViewProps } from '../app-state.ts';
import { useMore } from '../data/more.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { type Filter, filtersIn, parameterOf, parseBound, type Range, selection } from '../fleet/filters.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Profiles } from '../fleet/profiles.ts';
import type { SearchOutcome } from '../fleet/search.ts';
import { type Lines, linesOf } from '../fleet/table-lines.ts';
import { columnsOf, MOST_COLUMNS, sortAfterClick, sortingsOf } from '../fleet/table-params.ts';
import type { SiteUids } from '../fleet/words.ts';
import { Checkbox } from '../parts/checkbox.tsx';
import { Facets } from '../parts/facets.tsx';
import { Menu, MorePart } from '../parts/menu.tsx';
import { ROWS_PER_PAGE, TableOfNodes } from '../parts/node-table.tsx';
import { Loading, Notice } from '../parts/notice.tsx';
import { SearchBox } from '../parts/search-box.tsx';
import { Select } from '../parts/select.tsx';
import { counted, valueText } from '../parts/value.tsx';
import { navigate, navigateByTyping, withParams } from '../state/place.ts';
import { useKeptPlace } from '../state/use-kept-place.ts';
import { useKeptState } from '../state/use-kept-state.ts';
import type { Params } from '../state/view-params.ts';

export function Nodes({ state }: ViewProps) {
  const { fleet, registry, place } = state;
  const { params } = place;
  const isNarrow = useMedia(NARROW);
  const isFolded = useMedia(FOLDED);
  const changed = (changes: Parameters<typeof withParams>[1]) => withParams(params, { page: undefined, ...changes });
  const set = (changes: Parameters<typeof withParams>[1]) => navigate('nodes', changed(changes));
  const typed = params.get('q') ?? '';
  const asked = typed.trim();
  const more = useMore(true);
  const isMissing = more === 'missing';
  const profiles = isMissing ? undefined : more?.profilesOf(fleet.table);
  const [siteUids, setSiteUids] = useState<SiteUids>();
  const found = useMemo(
    () => (isMissing || !fleet.hasUids ? undefined : more?.search(fleet, asked, siteUids)),
    [more, fleet, asked, siteUids],
  );
  useEffect(() => {
    if (found && !isMissing) void more?.searchFurther(state, found, siteUids).then(setSiteUids);
  }, [found]);
  const complete = useMemo(
    () => (text: string) => (isMissing || !more ? [] : more.completions(fleet.query, text)),
    [more, fleet],
  );
  const filters = useMemo(() => filtersIn(params, fleet), [params, fleet]);
  const [isTyping, setIsTyping] = useState(false);
  const wrong = found?.kind === 'wrong' && !isTyping && !state.isLoadingFields ? found : undefined;
  const answer = useAnswer(fleet, found, isTyping);
  const rowsFound = answer.rows;
  const chosen = useMemo(() => selection(fleet, filters, rowsFound), [fleet, filters, rowsFound]);
  const isGrouped = params.has('group') && !isMissing;
  // A search or a filter on uids needs the uids. Searching and grouping need the second script.
  const isPending = ((asked || params.has('uid')) && !(more && fleet.hasUids)) || (isGrouped && !more);
  const sortings = sortingsOf(params.get('sort'));
  const [opened, setOpened] = useKeptState<ReadonlySet<number>>('groups', new Set());
  const lines = useMemo(
    () => linesOf(fleet, chosen.rows, sortings, isGrouped ? profiles : undefined, opened),
    [fleet, chosen, params.get('sort'), isGrouped, profiles, opened],
  );
  const open = (row: number) =>
    setOpened(new Set(opened.has(row) ? [...opened].filter((one) => one !== row) : [...opened, row]));
  const columns = useMemo(
    () => columnsOf(fleet, params.get('columns'), isGrouped),
    [fleet, params.get('columns'), isGrouped],
  );
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const hide = params.has('columns') || isNarrow ? undefined : setHidden;
  const isPaged = params.has('pages') || isNarrow;
  const lastPage = Math.max(0, Math.ceil(lines.length / ROWS_PER_PAGE) - 1);
  const page = isPaged ? Math.min(lastPage, Math.max(0, Number(params.get('page') ?? 1) - 1 || 0)) : undefined;
  const status = useMemo(
    () => (wrong ? 'No result' : isPending ? 'Searching…' : statusOf(fleet, chosen.rows, profiles)),
    [fleet, chosen, profiles, isPending, wrong],
  );
  useEffect(() => state.announce(status), [status]);

  const change = (field: string, texts: readonly string[], range: Range | undefined) =>
    set({ [parameterOf(field)]: [...texts, ...(range ? [rangeText(range, field)] : [])] });
  const sort = (field: string, isAdded: boolean) =>
    set({ sort: sortAfterClick(sortings, field, isAdded) || undefined });
  const clear = () => navigate('nodes', cleared(params, filters));
  const parts = isMissing ? undefined : more;
  const loadFields = () => set({ fields: 'all' });
  const grouping = (
    <Checkbox checked={isGrouped} change={(isChecked) => set({ group: isChecked ? 'hardware' : undefined })}>
      Group by hardware
    </Checkbox>
  );
  const translatedQuery = found?.kind === 'rows' ? found.translatedQuery : undefined;
  return (
    <div class="nodes-view">
      <h1 class="hidden" tabIndex={-1}>
        Nodes
      </h1>
      <div class="asked">
        <SearchBox
          asked={typed}
          isWrong={wrong !== undefined}
          isMissing={isMissing && asked !== ''}
          complete={complete}
          ask={(text) => navigateByTyping('nodes', changed({ q: text === '' ? undefined : text }))}
          type={setIsTyping}
        />
        {parts ? <parts.SkipToResults /> : null}
      </div>
      <FacetPanel isFolded={isFolded} isReady={!isPending} count={filters.length}>
        <Facets fleet={fleet} filters={filters} chosen={chosen} change={change} fields={registry.fields} />
      </FacetPanel>
      <div class="results">
        <div class="question">
          {/* The empty lines reserve space, so that the table does not move when their content appears. */}
          {parts ? (
            <parts.ActiveFilters filters={filters} change={change} clear={clear} />
          ) : filters.length > 0 ? (
            <p class="chips" />
          ) : null}
          {asked !== '' || filters.length > 0 ? (
            <p class="forms">
              {!parts || isPending || found?.kind === 'wrong' || found?.rows.length === 0 ? null : (
                <parts.OtherForms
                  query={parts.queryOfFilters(filters, translatedQuery ?? asked, fleet)}
                  isQuery={filters.length === 0 && translatedQuery === undefined}
                  filtersOf={parts.filtersOfQuery}
                  write={(query) => navigate('nodes', withParams(cleared(params, filters), { q: query }))}
                  filter={(all) => set({ q: undefined, ...all })}
                />
              )}
            </p>
          ) : null}
        </div>
        <div class="bar">
          <div class="found menus">
            <p class="status">{status}</p>
            {hide && hidden.length > 0 && chosen.rows.length > 0 ? (
              <button type="button" onClick={() => set({ columns: columns.join(',') })}>
                +{counted(hidden.length, 'column')}
                <span class="hidden">: {hidden.map(fieldTitle).join(', ')}</span>
              </button>
            ) : null}
          </div>
          {state.isLoadingFields ? <Loading /> : null}
          {isNarrow ? null : grouping}
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
                ['', isGrouped ? 'Number of nodes' : 'Site and name'],
                ...columns.flatMap((name) => [
                  [name, `${fieldTitle(name)} ▲`] as const,
                  [`-${name}`, `${fieldTitle(name)} ▼`] as const,
                ]),
              ]}
              choose={(text) => set({ sort: text === '' ? undefined : text })}
            />
          ) : null}
          <div class="menus">
            <Menu label="Columns">
              {isNarrow ? grouping : null}
              <MorePart
                show={({ ColumnChoice }) => (
                  <ColumnChoice
                    columns={columns}
                    fields={registry.fields}
                    choose={(names) => set({ columns: names.length === 0 ? undefined : names.join(',') })}
                  />
                )}
              />
              {parts ? <parts.MissingFields state={state} load={loadFields} isSearch={false} /> : null}
            </Menu>
            <Menu label="Export" isDisabled={(chosen.rows.length === 0 && state.picked.length === 0) || !fleet.hasUids}>
              <MorePart
                show={({ ExportMenu }) => <ExportMenu state={state} rows={rowsIn(lines)} columns={columns} />}
              />
            </Menu>
          </div>
        </div>
        {parts && !state.isLoadingFields ? (
          <parts.SearchNotes notes={parts.columnNotes(fleet, params.get('columns'))} />
        ) : null}
        {parts && found?.kind === 'rows' && chosen.rows.length > 0 ? <parts.SearchNotes notes={found.notes} /> : null}
        {parts && isGrouped ? <parts.GroupDifferences state={state} rows={chosen.rows} columns={columns} /> : null}
        {fleet.table.total === 0 ? (
          <Notice kind="info" title="The registry has no nodes at this revision." />
        ) : isPending ? (
          <Loading />
        ) : chosen.rows.length === 0 ? (
          parts ? (
            <parts.NoMatch
              state={state}
              asked={asked}
              found={found}
              siteUids={siteUids}
              wrong={wrong}
              filters={filters}
              chosen={chosen}
              search={(q) => set({ q })}
              dropFilter={(field) => change(field, [], undefined)}
              loadFields={loadFields}
              clear={clear}
            />
          ) : (
            <Notice kind="info" title="No matching nodes." />
          )
        ) : (
          <TableOfNodes
            state={state}
            lines={lines}
            columns={columns.slice(0, MOST_COLUMNS)}
            rows={chosen.rows}
            hide={hide}
            asked={(translatedQuery ?? asked).split(/[^\w.]+/)}
            isStale={answer.isStale || (isMissing && asked !== '')}
            sortings={sortings}
            sort={sort}
            isGrouped={isGrouped}
            open={open}
            opened={opened}
            page={page}
            isNarrow={isNarrow}
          />
        )}
        {page === undefined || !parts ? null : (
          <parts.Pages page={page} last={lastPage} go={(next) => set({ page: String(next + 1) })} />
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
  const boundText = (bound: number | undefined) => {
    const text = valueText(bound, field).replaceAll(/[\s\u202f]/g, '');
    // A rounded bound could exclude the value that the user chooses.
    return parseBound(text, field) === bound ? text : bound;
  };
  return [from, to].map(boundText).join('..');
}

function cleared(params: Params, filters: readonly Filter[]): Params {
  const fields = filters.map(({ field }) => [parameterOf(field), undefined] as const);
  return withParams(params, { ...Object.fromEntries(fields), q: undefined, page: undefined });
}

/** Returns the rows in the order of the table. */
function rowsIn(lines: Lines): number[] {
  return lines.slice(0, lines.length).flatMap(({ members, isMember }) => (isMember ? [] : members));
}

interface Answer {
  /** Undefined if no search restricts the rows. */
  readonly rows: readonly number[] | undefined;
  /** True if the rows are the result of an earlier search. */
  readonly isStale: boolean;
}

const NO_ROWS: readonly number[] = [];

/** Returns the found rows. While the user types, returns the previous rows instead of an empty result. */
function useAnswer(fleet: Fleet, found: SearchOutcome | undefined, isTyping: boolean): Answer {
  const last = useRef<{ readonly fleet: Fleet; readonly rows: readonly number[] | undefined }>(undefined);
  const rows = found?.kind === 'wrong' ? NO_ROWS : found?.rows;
  const isEmpty = rows?.length === 0;
  if (!isEmpty) last.current = { fleet, rows };
  if (!isEmpty || !isTyping) return { rows, isStale: false };
  return { rows: last.current?.fleet === fleet ? last.current.rows : undefined, isStale: true };
}

interface FacetPanelProps {
  readonly isFolded: boolean;
  readonly isReady: boolean;
  readonly count: number;
  readonly children: ComponentChildren;
}

/** False until the first rows are visible. The facets appear after the rows. */
let hasPainted = false;

function FacetPanel({ isFolded, isReady, count, children }: FacetPanelProps) {
  const [isOpen, setIsOpen] = useKeptState('filters', false);
  const [isPainted, setIsPainted] = useState(hasPainted);
  // Effects run after the first paint.
  useEffect(() => {
    hasPainted = true;
    setIsPainted(true);
  }, []);
  const kept = useKeptPlace();
  if (!isFolded) {
    return (
      <aside class="facets" aria-label="Filters" {...kept}>
        {isReady && isPainted ? children : null}
      </aside>
    );
  }
  return (
    <details class="facets" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)} {...kept}>
      <summary>Filters{count > 0 ? ` (${count})` : ''}</summary>
      {isOpen && isReady ? <div class="columns">{children}</div> : null}
    </details>
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

/** Matches narrow screens, where rows become cards, because a table would scroll sideways. */
const NARROW = '(max-width: 40rem)';
/** Matches screens without space for filters next to the table. The explorer collapses the filters on these screens. */
const FOLDED = '(max-width: 60rem)';
