import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AppState } from '../app-state.ts';
import { type FleetHistory, historyOf, historyStart, MOST_NODES_WITH_HISTORY } from '../data/history.ts';
import { lastDayOf } from '../data/last-day.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { countsIn, facetColumn, parameterOf } from '../fleet/filters.ts';
import { pastNodes, removalOf } from '../fleet/past-nodes.ts';
import { placeTitle, siteTitle } from '../fleet/site-titles.ts';
import { isUidStart } from '../fleet/word-conditions.ts';
import { linkToView, linkWithin } from '../state/place.ts';
import { scrollToSection } from '../state/scroll.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { counted, dayOf, shortRevision, valueText, visible } from './value.tsx';

interface PaletteView {
  readonly path: string;
  /** The id of a section of the view. */
  readonly section?: string;
  readonly title: string;
  /** A description, which the dialog shows next to the title. The default is the text `view`. */
  readonly about?: string;
}

interface PaletteProps {
  readonly state: AppState;
  readonly views: readonly PaletteView[];
  readonly close: () => void;
}

/** A dialog that opens a node, a type, a view, a revision or a date by name. The focus stays in the input. */
export function Palette({ state, views, close }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const { reader, registry, fleet } = state;
  const loaded = useLoaded('history', async () =>
    fleet.table.total > MOST_NODES_WITH_HISTORY ? undefined : historyOf(reader, registry),
  );
  const history = loaded.kind === 'done' ? loaded.value : undefined;
  const entries = useMemo(() => entriesFor(state, views, history, typed), [fleet, views, history, typed]);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  useLayoutEffect(
    () => dialog.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }),
    [active, entries],
  );
  const onKey = (event: KeyboardEvent) => {
    // After the key Escape, the browser would first clear the text of the search field.
    if (event.key === 'Escape') {
      event.preventDefault();
      // This call returns the focus immediately. The event `close` can come after another palette opens.
      dialog.current?.close();
      close();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setActive((active + step + entries.length) % Math.max(1, entries.length));
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Go to"
      onClose={() => dialog.current && close()}
      onKeyDown={onKey}
      // A click outside of the form is a click on the dialog itself, which includes its backdrop.
      onClick={(event) => event.target === event.currentTarget && close()}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const entry = entries[active];
          close();
          if (entry) {
            showSection(entry);
            location.hash = entry.href;
          }
        }}
      >
        <label class="hidden" for="palette">
          A node, a type, a field, a view, a revision or a date
        </label>
        <input
          id="palette"
          type="search"
          // biome-ignore lint/a11y/noRedundantRoles: the role is implied only if the input has a list
          role="combobox"
          list={undefined}
          aria-expanded="true"
          aria-controls="entries"
          aria-activedescendant={`entry-${active}`}
          autoComplete="off"
          placeholder="A node, type, field, view or 2025-03"
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setActive(0);
          }}
        />
      </form>
      <div id="entries" role="listbox" aria-label="Entries">
        {entries.map((entry, i) => (
          <div key={`${entry.href} ${entry.text}`} class="entry">
            <a
              id={`entry-${i}`}
              role="option"
              aria-selected={i === active}
              aria-label={`${entry.text}, ${entry.about}`}
              tabIndex={-1}
              href={entry.href}
              onClick={() => {
                close();
                showSection(entry);
              }}
            >
              {entry.text}
            </a>{' '}
            <span class="absent">{entry.about}</span>
          </div>
        ))}
      </div>
      <p class="absent">↑ ↓ to choose, Enter to open, Esc to close</p>
    </dialog>
  );
}

interface Entry {
  readonly href: string;
  readonly text: string;
  readonly about: string;
  readonly section?: string | undefined;
}

function showSection({ section }: Entry): void {
  if (section !== undefined) scrollToSection(section);
}

const MOST_NODE_ENTRIES = 8;
const MOST_FIELDS = 6;
const MOST_OTHERS = 4;
/** The sections of views that have an entry. */
const SECTIONS: readonly PaletteView[] = [
  { path: 'hardware', section: 'racks', title: 'Racks', about: 'in Hardware' },
  { path: 'hardware', section: 'firmware', title: 'Firmware that differs (drift)', about: 'in Hardware' },
  { path: 'time', section: 'months', title: 'Changes over time (heat map)', about: 'in Time' },
  { path: 'time', section: 'between', title: 'Compare with another revision', about: 'in Time' },
  { path: 'sites', title: 'Map', about: 'in Sites' },
];
/** The fields whose values the palette lists as entries. */
const LISTED = ['site', 'node_type', 'label.gpu', 'label.cpu'];

function entriesFor(
  state: AppState,
  views: PaletteProps['views'],
  history: FleetHistory | undefined,
  typed: string,
): Entry[] {
  const { registry, place } = state;
  const wanted = typed.trim().toLowerCase();
  const has = (text: string) => text.toLowerCase().includes(wanted);
  const entriesOf = (some: PaletteProps['views']): Entry[] =>
    some
      .filter(({ title }) => has(title))
      .map(({ path, title, section, about = 'view' }) => ({
        href: linkToView(place, path),
        text: title,
        about,
        section,
      }));
  if (wanted === '') return entriesOf(views);
  const found = entriesOf([...views, ...SECTIONS]);
  const fields = registry.fields
    .filter(({ name }) => has(name) || has(fieldTitle(name)))
    .slice(0, MOST_FIELDS)
    .map(({ name }) => ({ href: linkWithin(place, 'fields', { q: name }), text: visible(name), about: 'field' }));
  const words = {
    href: linkWithin(place, 'nodes', { q: typed.trim() }),
    text: visible(typed.trim()),
    about: 'search nodes',
  };
  return [
    ...dateEntries(state, history, wanted),
    ...found,
    ...valueEntries(state, wanted),
    ...nodeEntries(state, wanted),
    ...(history ? [...removedEntries(state, history, wanted), ...revisionEntries(state, history, wanted)] : []),
    ...fields,
    words,
  ];
}

const YEAR_LENGTH = '2023'.length;
const MONTH_LENGTH = '2023-05'.length;
const NODE_PATH = /^sites\/.*\/nodes\/[^/]+$/;

/** Returns an entry for a date. The link keeps the filters of the view of nodes, or opens the displayed node. */
function dateEntries({ place }: AppState, history: FleetHistory | undefined, wanted: string): Entry[] {
  const day = lastDayOf(wanted);
  if (day === undefined) return [];
  const start = history && historyStart(history);
  const first = dayOf(start?.date ?? '');
  if (day < first) {
    const text = start?.isTruncated ? `This tree contains revisions since ${first}` : `The registry begins on ${first}`;
    return [{ href: linkToView(place, 'nodes', { at: first }), text, about: 'date' }];
  }
  const period = wanted.length === YEAR_LENGTH ? wanted : day.slice(0, MONTH_LENGTH);
  const isNode = NODE_PATH.test(place.path);
  const shown = isNode ? 'This node' : 'The nodes';
  const text = day === wanted ? `${shown} at ${day}` : `${shown} at the end of ${period}`;
  return [{ href: linkToView(place, isNode ? place.path : 'nodes', { at: day }), text, about: 'date' }];
}

function valueEntries({ fleet, place }: AppState, wanted: string): Entry[] {
  const all = LISTED.flatMap((field) => {
    const column = facetColumn(fleet, field);
    const counts = countsIn(column, fleet.table.uids.keys());
    return column.texts.flatMap((value, i) => {
      const text = valueText(value, field);
      const isWanted = [value, text].some((each) => each.toLowerCase().includes(wanted));
      return isWanted ? [{ field, value, text, nodes: counts[i] ?? 0 }] : [];
    });
  });
  return equalFirst(all, wanted)
    .slice(0, MOST_OTHERS)
    .map(({ field, value, text, nodes }) => ({
      href:
        field === 'site'
          ? linkWithin(place, `sites/${value}`)
          : linkWithin(place, 'nodes', { [parameterOf(field)]: value }),
      text,
      about: `${fieldTitle(field)}, ${counted(nodes, 'node')}`,
    }));
}

/** Returns entries of nodes. A text matches uids by the rule for words in a search. */
function nodeEntries({ fleet, place }: AppState, wanted: string): Entry[] {
  const isWanted = (uid: string, row: number) =>
    fleet.nameOf(row).toLowerCase().includes(wanted) || (isUidStart(wanted, fleet) && uid.startsWith(wanted));
  const order = fleet.orderOf();
  const rows = fleet.table.uids
    .flatMap((uid, row) => (isWanted(uid, row) ? [{ row, text: fleet.nameOf(row) }] : []))
    .sort((a, b) => (order[a.row] ?? 0) - (order[b.row] ?? 0));
  return equalFirst(rows, wanted)
    .slice(0, MOST_NODE_ENTRIES)
    .map(({ row, text }) => ({ href: linkWithin(place, fleet.pathOf(row)), text, about: placeTitle(row, fleet) }));
}

function removedEntries({ fleet, place }: AppState, history: FleetHistory, wanted: string): Entry[] {
  const removed = pastNodes(history).flatMap((node) => {
    const removal = removalOf(node);
    const isWanted = removal !== undefined && fleet.rowOf(node.path) < 0 && node.name.toLowerCase().includes(wanted);
    return isWanted ? [{ ...node, text: node.name, day: dayOf(history.revisions[removal]?.date ?? '') }] : [];
  });
  return equalFirst(removed, wanted)
    .slice(0, MOST_OTHERS)
    .map(({ path, text, site, day }) => ({
      href: linkWithin(place, path),
      text,
      about: `${siteTitle(site)}, removed on ${day}`,
    }));
}

/** The minimum length of a text that can match the id of a revision. */
const SHORTEST_ID = 4;

function revisionEntries({ place }: AppState, { revisions }: FleetHistory, wanted: string): Entry[] {
  if (wanted.length < SHORTEST_ID) return [];
  return revisions
    .filter(({ id }) => id.startsWith(wanted))
    .slice(0, MOST_OTHERS)
    .map(({ id, date }) => ({
      href: linkWithin(place, `versions/${id}`),
      text: shortRevision(id),
      about: `revision of ${dayOf(date)}`,
    }));
}

function equalFirst<T extends { readonly text: string }>(all: readonly T[], wanted: string): T[] {
  const isEqual = ({ text }: T) => Number(text.toLowerCase() === wanted);
  return all.toSorted((a, b) => isEqual(b) - isEqual(a));
}
