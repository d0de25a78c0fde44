import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { AppState } from '../app-state.ts';
import { isDay } from '../data/registry.ts';
import { linkWithin } from '../state/place.ts';
import { fieldTitle, visible } from './value.tsx';

interface PaletteProps {
  readonly state: AppState;
  readonly views: readonly { readonly path: string; readonly title: string }[];
  readonly close: () => void;
}

/** Goes to a view, a node, a field or a date by its name. Enter opens the first entry; arrow keys choose another. */
export function Palette({ state, views, close }: PaletteProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const entries = useMemo(() => entriesFor(state, views, typed), [state.fleet, views, typed]);
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const stops = [...(dialog.current?.querySelectorAll<HTMLElement>('input, a') ?? [])];
    const at = stops.findIndex((stop) => stop.matches(':focus'));
    stops[(at + step + stops.length) % stops.length]?.focus();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Go to" onClose={close} onKeyDown={move}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (entries[0]) location.hash = entries[0].href;
          close();
        }}
      >
        <label class="hidden" for="palette">
          A node, a field, a view or a date
        </label>
        <input
          id="palette"
          type="search"
          autoComplete="off"
          placeholder="A node, a field, a view, or a date such as 2025-03-01"
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </form>
      <ul class="rows">
        {entries.map(({ href, text, about }) => (
          <li key={href}>
            <a href={href} onClick={close}>
              {text}
            </a>{' '}
            <span class="absent">{about}</span>
          </li>
        ))}
      </ul>
    </dialog>
  );
}

interface Entry {
  readonly href: string;
  readonly text: string;
  readonly about: string;
}

const MOST_NODES = 8;
const MOST_FIELDS = 6;

function entriesFor({ fleet, registry, place }: AppState, views: PaletteProps['views'], typed: string): Entry[] {
  const wanted = typed.trim().toLowerCase();
  const has = (text: string) => text.toLowerCase().includes(wanted);
  const found: Entry[] = views
    .filter(({ title }) => has(title))
    .map(({ path, title }) => ({ href: linkWithin(place, path), text: title, about: 'view' }));
  if (wanted === '') return found;
  if (isDay(wanted))
    found.unshift({ href: linkWithin(place, 'nodes', { at: wanted }), text: `The nodes at ${wanted}`, about: 'date' });
  const rows = fleet.table.uids.flatMap((uid, row) => (has(fleet.nameOf(row)) || has(uid) ? [row] : []));
  const order = fleet.orderOf();
  const sorted = rows.sort((a, b) => (order[a] ?? 0) - (order[b] ?? 0));
  const nodes = sorted.slice(0, MOST_NODES).map((row) => {
    return { href: linkWithin(place, fleet.pathOf(row)), text: fleet.nameOf(row), about: fleet.placeOf(row).site };
  });
  const fields = registry.fields
    .filter(({ name }) => has(name) || has(fieldTitle(name)))
    .slice(0, MOST_FIELDS)
    .map(({ name }) => ({ href: linkWithin(place, 'fields', { q: name }), text: visible(name), about: 'field' }));
  const words = {
    href: linkWithin(place, 'nodes', { q: typed.trim() }),
    text: visible(typed.trim()),
    about: 'search nodes',
  };
  return [...found, ...nodes, ...fields, words];
}
