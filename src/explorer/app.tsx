/** The frame of the page: the head with the ways to all views, and the view that the fragment names. */

import type { ComponentType } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { SNAPSHOTS_PATH, versionUrl } from '../core/api/urls.ts';
import type { AppState } from './app-state.ts';
import { type More, useMore } from './data/more.ts';
import { type DocumentReader, text } from './data/reader.ts';
import type { ShownRegistry } from './data/registry.ts';
import { fleetOf } from './fleet/fleet.ts';
import { Notice } from './parts/notice.tsx';
import { counted, dayOf, shortRevision, visible } from './parts/value.tsx';
import {
  adjust,
  fragmentOf,
  linkWithin,
  MOST_COMPARED,
  pickedRows,
  shortUids,
  usePlace,
  type ViewAddress,
  withParams,
} from './state/place.ts';
import { useKeptFocus } from './state/use-kept-focus.ts';
import { useLoaded } from './state/use-loaded.ts';
import { Nodes } from './views/nodes.tsx';

export function App({ reader, registry: newest }: { reader: DocumentReader; registry: ShownRegistry }) {
  const place = usePlace();
  const registry = useRegistryAt(reader, newest, place.params.get('at'));
  return registry ? <Shown reader={reader} registry={registry} place={place} /> : <p class="loading">Reading…</p>;
}

interface ShownProps {
  readonly reader: DocumentReader;
  readonly registry: ShownRegistry;
  readonly place: ViewAddress;
}

function Shown({ reader, registry, place }: ShownProps) {
  const fleet = useMemo(() => fleetOf(registry.table, registry.labels), [registry]);
  const speak = useRef<(text: string) => void>(undefined);
  const { uids } = registry.table;
  const { rows: picked, unknown } = useMemo(
    () => pickedRows(place.params.get('pick'), uids),
    [place.params.get('pick'), uids],
  );
  const pick = (row: number, isPicked: boolean) => {
    const rows = isPicked ? [...picked.filter((each) => each !== row), row] : picked.filter((each) => each !== row);
    const text = shortUids(
      rows.map((each) => uids[each] ?? ''),
      uids,
    );
    adjust(place.path, withParams(place.params, { pick: text === '' ? undefined : text }));
  };
  const state: AppState = {
    reader,
    registry,
    fleet,
    place,
    picked,
    pick,
    announce: useCallback((text: string) => speak.current?.(text), []),
  };
  const view = viewOf(place.path);
  const main = useRef<HTMLElement>(null);
  const more = useMore(typeof view.Show === 'string');
  const isMissing = more === 'missing';
  const Show = typeof view.Show === 'string' ? (isMissing ? Incomplete : more?.[view.Show]) : view.Show;
  useKeptFocus(
    () => document.body,
    () => headingIn(main.current),
  );
  // The bare address shows the first view: to filter there is no way to another.
  useFocusOnArrival(main, place.path || view.path, Show !== undefined);
  useEffect(() => {
    document.title = `${view.title} – ${gridName(registry)}`;
  }, [view, registry]);
  return (
    <>
      <button type="button" class="skip" onClick={() => headingIn(main.current)?.focus()}>
        Skip to the content
      </button>
      <Head state={state} here={view.path} />
      <main id="main" ref={main} class={view.path === 'nodes' ? 'wide' : undefined}>
        <Moment state={state} />
        {unknown.length > 0 ? (
          <Notice kind="info" title="Some picked nodes are not here.">
            No node has a uid that begins with {unknown.map(visible).join(', ')}: the link is of another registry, or
            the nodes are gone.
          </Notice>
        ) : null}
        {Show ? <Show state={state} /> : <p class="loading">Reading…</p>}
      </main>
      <PickedBar state={state} />
      <Spoken speak={speak} />
    </>
  );
}

/** What is announced to those who hear the page. It has a state of its own: nothing else is drawn anew for it. */
function Spoken({ speak }: { speak: { current: ((text: string) => void) | undefined } }) {
  const [said, setSaid] = useState('');
  speak.current = setSaid;
  return (
    <p class="hidden" role="status">
      {said}
    </p>
  );
}

function headingIn(main: HTMLElement | null): HTMLElement | null {
  return main?.querySelector<HTMLElement>('h1') ?? null;
}

/** After a way to another view, readers go on at its heading; not when the page has just been opened. */
function useFocusOnArrival(main: { readonly current: HTMLElement | null }, path: string, isThere: boolean): void {
  const last = useRef(path);
  useEffect(() => {
    if (last.current === path || !isThere) return;
    last.current = path;
    scrollTo(0, 0);
    headingIn(main.current)?.focus({ preventScroll: true });
  }, [path, isThere]);
}

function Incomplete() {
  return (
    <>
      <h1 tabIndex={-1}>This view cannot be shown</h1>
      <Notice kind="wrong" title="A part of the page could not be loaded.">
        There is no connection to the host, or the tree is not whole.{' '}
        <button type="button" onClick={() => location.reload()}>
          Try again
        </button>
      </Notice>
    </>
  );
}

function gridName({ grid }: ShownRegistry): string {
  return visible(text(grid['name']) || text(grid['uid']));
}

function Head({ state, here }: { state: AppState; here: string }) {
  const { registry, reader, place } = state;
  return (
    <header>
      <p class="brand">
        <a href={linkWithin(place, 'nodes')}>{gridName(registry)}</a>
        <a
          class="revision"
          href={reader.urlOf(versionUrl('', registry.version))}
          title={`Revision ${registry.version}`}
        >
          <code>{shortRevision(registry.version)}</code>
        </a>
      </p>
      <nav aria-label="Views">
        <ul>
          {VIEWS.map(({ path, title }) => (
            <li key={path}>
              <a href={linkWithin(place, path)} aria-current={path === here ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </header>
  );
}

/** At which revision everything is, where it is not the newest; a link of another one must not pass for a citation of this one. */
function Moment({ state }: { state: AppState }) {
  const { registry, reader, place } = state;
  const { version, date, newest } = registry;
  const at = place.params.get('at');
  if (at === null) return null;
  const toNewest = (
    <a href={fragmentOf(place.path, withParams(place.params, { at: undefined }))}>Go on to the newest</a>
  );
  if (version.startsWith(at) && version === newest) return null;
  if (version.startsWith(at)) {
    return (
      <p class="notice moment">
        <strong>
          As of {dayOf(date)}, at revision {shortRevision(version)}.
        </strong>{' '}
        {toNewest}
      </p>
    );
  }
  return (
    <Notice
      kind="info"
      title={`This link is of revision ${visible(at)}; what is shown is revision ${shortRevision(version)}.`}
    >
      The history that this page can read has no such revision. <a href={reader.urlOf(SNAPSHOTS_PATH)}>Snapshots</a>{' '}
      have whole revisions, where they are built. {toNewest}
    </Notice>
  );
}

/** The views by the paths that they have in the fragment. */
interface ExplorerView {
  readonly path: string;
  readonly title: string;
  /** What shows it; the name of it where it comes with the second script. */
  readonly Show: ComponentType<{ state: AppState }> | ViewName;
}

type ViewName = {
  [Name in keyof More]: More[Name] extends ComponentType<{ state: AppState }> ? Name : never;
}[keyof More];

const VIEWS: readonly ExplorerView[] = [
  { path: 'nodes', title: 'Nodes', Show: Nodes },
  { path: 'compare', title: 'Compare', Show: 'Compare' },
  { path: 'time', title: 'Time', Show: 'Time' },
  { path: 'changes', title: 'Changes', Show: 'Changes' },
  { path: 'sites', title: 'Sites', Show: 'Sites' },
  { path: 'statistics', title: 'Statistics', Show: 'Statistics' },
  { path: 'experiment', title: 'My experiment', Show: 'Experiment' },
  { path: 'fields', title: 'Fields', Show: 'Fields' },
];

const NODE: ExplorerView = { path: 'node', title: 'Node', Show: 'NodeView' };
const NOWHERE: ExplorerView = { path: '', title: 'Not found', Show: 'Nowhere' };

function viewOf(path: string): ExplorerView {
  if (path === '') return VIEWS[0] ?? NOWHERE;
  if (/^sites\/[^/]+\/clusters\/[^/]+\/nodes\/[^/]+$/.test(path)) return NODE;
  if (/^sites\/[^/]+$/.test(path)) return VIEWS.find((view) => view.path === 'sites') ?? NOWHERE;
  return VIEWS.find((view) => view.path === path) ?? NOWHERE;
}

/** What was picked, wherever the reader is: the way to the comparison. */
function PickedBar({ state }: { state: AppState }) {
  const { picked, fleet, place } = state;
  if (picked.length === 0 || place.path === 'compare') return null;
  const isMany = picked.length > MOST_COMPARED;
  return (
    <section class="picked-bar" aria-label="Picked nodes">
      <span>{counted(picked.length, 'node')} picked</span>
      <span class="names">{picked.slice(0, MOST_COMPARED).map(fleet.nameOf).join(', ')}</span>
      {picked.length < 2 || isMany ? (
        <span class="absent">{isMany ? `At most ${MOST_COMPARED} can be compared` : 'Pick one more to compare'}</span>
      ) : (
        <a class="button" href={linkWithin(place, 'compare')}>
          Compare
        </a>
      )}
      <button type="button" onClick={() => adjust(place.path, withParams(place.params, { pick: undefined }))}>
        Clear
      </button>
    </section>
  );
}

/** Undefined while it is read for the first time; the newest where there is no such revision to show. */
function useRegistryAt(reader: DocumentReader, newest: ShownRegistry, at: string | null): ShownRegistry | undefined {
  const wanted = at === null || newest.version.startsWith(at) ? '' : at;
  const more = useMore(wanted !== '');
  const isReady = more !== undefined && more !== 'missing';
  const loaded = useLoaded(`${wanted} ${isReady}`, async () =>
    isReady && wanted !== '' ? more.registryAt(reader, newest, wanted) : undefined,
  );
  const last = useRef<ShownRegistry | undefined>(wanted === '' ? newest : undefined);
  if (wanted === '' || more === 'missing' || loaded.kind === 'failed') last.current = newest;
  // From one moment to the next the page shows the last one for as long as it takes.
  else if (isReady && loaded.kind === 'done') last.current = loaded.value ?? newest;
  return last.current;
}
