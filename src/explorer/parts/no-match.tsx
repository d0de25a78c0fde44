import type { AppState } from '../app-state.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { type Filter, type Selection, selection } from '../fleet/filters.ts';
import type { SearchOutcome, WrongQuery } from '../fleet/search.ts';
import { shorterSearches } from '../fleet/shorter-searches.ts';
import type { SiteUids } from '../fleet/words.ts';
import { FiltersToDrop } from './filters-to-drop.tsx';
import { MissingFields } from './missing-fields.tsx';
import { Notice } from './notice.tsx';
import { SearchProblem } from './search-problem.tsx';
import { visible } from './value.tsx';

interface NoMatchProps {
  readonly state: AppState;
  /** The typed search. */
  readonly asked: string;
  readonly found: SearchOutcome | undefined;
  readonly siteUids: SiteUids | undefined;
  /** The message about the query. Undefined if the query is correct, or while the explorer loads more fields. */
  readonly wrong: WrongQuery | undefined;
  readonly filters: readonly Filter[];
  readonly chosen: Selection;
  readonly search: (text: string | undefined) => void;
  readonly dropFilter: (field: string) => void;
  readonly loadFields: () => void;
  readonly clear: () => void;
}

/** Explains in a single notice why no node matches. Offers to change the search or the filters. */
export function NoMatch(props: NoMatchProps) {
  const { state, asked, found, siteUids, wrong, filters, chosen, search, dropFilter, loadFields, clear } = props;
  const { fleet, registry, isLoadingFields } = state;
  const missingFields = (isSearch: boolean) => <MissingFields state={state} load={loadFields} isSearch={isSearch} />;
  const showAll = (
    <button type="button" class="link" onClick={clear}>
      Show all nodes
    </button>
  );
  const text = found?.kind === 'rows' && asked.startsWith('{') ? (found.translatedQuery ?? asked) : asked;
  const shorter = shorterSearches(text, fleet, siteUids).map(({ part, text, rows }) => ({
    label: visible(part),
    nodes: selection(fleet, filters, rows).rows.length,
    drop: () => search(text),
  }));
  if (wrong)
    return (
      <Notice kind="wrong" title="The query is wrong, so no nodes are shown.">
        <SearchProblem wrong={wrong} correct={search} />
        <FiltersToDrop drops={shorter} />
        {showAll}
        {registry.table.omittedFields.some((name) => asked.includes(name)) ? missingFields(false) : null}
      </Notice>
    );
  const drops = filters.map(({ field }) => ({
    label: fieldTitle(field),
    nodes: chosen.rowsWithout(field).length,
    drop: () => dropFilter(field),
  }));
  drops.push(...shorter);
  if (found && filters.length > 0)
    drops.push({
      label: 'the search',
      nodes: selection(fleet, filters, undefined).rows.length,
      drop: () => search(undefined),
    });
  return (
    <Notice kind="info" title={isLoadingFields ? 'Searching serial numbers and addresses…' : 'No matching nodes.'}>
      {found?.kind === 'rows' ? found.notes.map((note) => <p key={note}>{visible(note)}</p>) : null}
      <FiltersToDrop drops={drops} />
      {showAll}
      {asked === '' ? null : missingFields(true)}
    </Notice>
  );
}
