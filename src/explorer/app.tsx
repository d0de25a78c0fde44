import type { ComponentType } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { SNAPSHOTS_PATH, versionUrl } from '../core/api/urls.ts';
import type { AppState, ViewProps } from './app-state.ts';
import { type More, useMore } from './data/more.ts';
import { type DocumentReader, text } from './data/reader.ts';
import { isDay, type ShownRegistry } from './data/registry.ts';
import { fleetOf } from './fleet/fleet.ts';
import { Menu } from './parts/menu.tsx';
import { Loading, Notice, TryAgain } from './parts/notice.tsx';
import { counted, dayOf, shortRevision, visible } from './parts/value.tsx';
import { ViewErrors } from './parts/view-errors.tsx';
import {
  fragmentOf,
  linkWithin,
  MOST_COMPARED,
  navigate,
  pickedRows,
  shortUids,
  usePlace,
  type ViewAddress,
  withParams,
} from './state/place.ts';
import { rememberScroll, scrollOf } from './state/scroll.ts';
import { useFocusFallback } from './state/use-kept-focus.ts';
import { useLoaded } from './state/use-loaded.ts';
import { Nodes } from './views/nodes.tsx';
import { Overview } from './views/overview.tsx';

export function App({ reader, registry: newest }: { reader: DocumentReader; registry: ShownRegistry }) {
  const place = usePlace();
  const registry = useShownRegistry(reader, newest, place.params);
  return registry ? <Page reader={reader} registry={registry} place={place} /> : <Loading />;
}

interface PageProps {
  readonly reader: DocumentReader;
  readonly registry: ShownRegistry;
  readonly place: ViewAddress;
}

function Page({ reader, registry, place }: PageProps) {
  const fleet = useMemo(() => fleetOf(registry.table), [registry]);
  const status = useRef<HTMLParagraphElement>(null);
  const { uids } = registry.table;
  const { rows: picked, unknown } = useMemo(
    () => pickedRows(place.params.get('pick'), uids),
    [place.params.get('pick'), uids],
  );
  const pick = (some: readonly number[], isPicked: boolean) => {
    const others = picked.filter((row) => !some.includes(row));
    const rows = isPicked ? [...others, ...some] : others;
    const text = shortUids(
      rows.map((each) => uids[each] ?? ''),
      uids,
    );
    navigate(place.path, withParams(place.params, { pick: text === '' ? undefined : text }));
  };
  const state: AppState = {
    reader,
    registry,
    fleet,
    place,
    picked,
    pick,
    announce: (text) => status.current?.replaceChildren(text),
  };
  const view = viewOf(place.path);
  const main = useRef<HTMLElement>(null);
  const [isGoing, setIsGoing] = useOnControlK();
  const more = useMore(isGoing || typeof view.Show === 'string');
  const Show = typeof view.Show !== 'string' ? view.Show : more === 'missing' ? Incomplete : more?.[view.Show];
  useFocusFallback(
    () => document.body,
    () => headingIn(main.current),
  );
  useFocusOnNewView(main, place.path, Show !== undefined);
  const title = view === NODE ? fleet.nameOf(fleet.rowOf(place.path)) || view.title : view.title;
  useEffect(() => {
    document.title = `${title} – ${gridName(registry)}`;
  }, [title, registry]);
  return (
    <>
      <button type="button" class="skip" onClick={() => headingIn(main.current)?.focus()}>
        Skip to the content
      </button>
      <Head state={state} here={view.path} />
      <main id="main" ref={main} class={view.path === 'nodes' ? 'wide' : undefined}>
        <RevisionNotice state={state} />
        {unknown.length > 0 ? (
          <Notice kind="info" title="Some picked nodes do not exist at this revision.">
            No uid starts with {unknown.map(visible).join(', ')}. The nodes were removed, or the link belongs to another
            registry.
          </Notice>
        ) : null}
        <ViewErrors address={fragmentOf(place.path, place.params)}>
          {Show ? <Show state={state} /> : <Loading />}
        </ViewErrors>
      </main>
      <PickedBar state={state} />
      {isGoing && more !== 'missing' && more ? (
        <more.Palette state={state} views={VIEWS} close={() => setIsGoing(false)} />
      ) : null}
      <p class="hidden" role="status" ref={status} />
    </>
  );
}

/** Whether the reader pressed Ctrl-K, or Command-K. */
function useOnControlK() {
  const pressed = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      pressed[1](true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return pressed;
}

function headingIn(main: HTMLElement | null): HTMLElement | null {
  return main?.querySelector<HTMLElement>('h1') ?? null;
}

/** Moves the focus to the heading when the reader opens another view, but not when the page loads. */
function useFocusOnNewView(main: { readonly current: HTMLElement | null }, path: string, isLoaded: boolean): void {
  const last = useRef(path);
  useEffect(() => {
    const remember = () => rememberScroll('page', scrollY);
    addEventListener('scroll', remember, { passive: true });
    return () => removeEventListener('scroll', remember);
  }, []);
  useEffect(() => {
    if (last.current === path || !isLoaded) return;
    last.current = path;
    scrollTo(0, scrollOf('page'));
    headingIn(main.current)?.focus({ preventScroll: true });
  }, [path, isLoaded]);
}

function Incomplete() {
  return (
    <>
      <h1 tabIndex={-1}>This view cannot be shown</h1>
      <Notice kind="wrong" title="A part of the page could not be loaded.">
        There is no connection to the host, or the tree is incomplete. <TryAgain />
      </Notice>
    </>
  );
}

function gridName({ grid }: ShownRegistry): string {
  return visible(text(grid['name']) || text(grid['uid']));
}

function Head({ state, here }: ViewProps & { here: string }) {
  const { registry, reader, place, picked } = state;
  const { version } = registry;
  const linkTo = ({ path, title }: ExplorerView) => (
    <li key={path}>
      <a href={linkWithin(place, path)} aria-current={path === here ? 'page' : undefined}>
        {title}
        {path === 'compare' && picked.length > 0 ? <span class="badge">{picked.length}</span> : null}
      </a>
    </li>
  );
  return (
    <header>
      <p class="brand">
        <a href={linkWithin(place, '')}>
          <img src="icon.svg" alt="" />
          {gridName(registry)}
        </a>
        <a class="revision" href={reader.urlOf(versionUrl('', version))} title={`Revision ${version}`}>
          <code>{shortRevision(version)}</code>
        </a>
      </p>
      <nav aria-label="Views">
        <ul>
          {MAIN_VIEWS.map(linkTo)}
          <li>
            <Menu key={here} label="More" isCurrent={OTHER_VIEWS.some(({ path }) => path === here)}>
              <ul>{OTHER_VIEWS.map(linkTo)}</ul>
            </Menu>
          </li>
        </ul>
      </nav>
    </header>
  );
}

function RevisionNotice({ state }: ViewProps) {
  const { registry, reader, place } = state;
  const { version, date, newest } = registry;
  const at = place.params.get('at');
  const isShown = at !== null && (version.startsWith(at) || (isDay(at) && dayOf(date) <= at));
  if (at === null || (isShown && version === newest)) return null;
  const latest = <a href={fragmentOf(place.path, withParams(place.params, { at: undefined }))}>Show latest</a>;
  if (isShown) {
    return (
      <p class="notice">
        <strong>
          As of {dayOf(date)}, revision {shortRevision(version)}.
        </strong>{' '}
        {latest}
      </p>
    );
  }
  return (
    <Notice
      kind="info"
      title={`Revision ${visible(at)} is not available. The page shows revision ${shortRevision(version)}.`}
    >
      It may have a <a href={reader.urlOf(SNAPSHOTS_PATH)}>snapshot</a>. {latest}
    </Notice>
  );
}

interface ExplorerView {
  readonly path: string;
  readonly title: string;
  /** A component, or its name in the second script. */
  readonly Show: ComponentType<ViewProps> | ViewName;
}

type ViewName = {
  [Name in keyof More]: More[Name] extends ComponentType<ViewProps> ? Name : never;
}[keyof More];

const MAIN_VIEWS: readonly ExplorerView[] = [
  { path: '', title: 'Overview', Show: Overview },
  { path: 'nodes', title: 'Nodes', Show: Nodes },
  { path: 'time', title: 'Time', Show: 'Time' },
  { path: 'changes', title: 'Changes', Show: 'Changes' },
  { path: 'sites', title: 'Sites', Show: 'Sites' },
  { path: 'compare', title: 'Compare', Show: 'Compare' },
];
const OTHER_VIEWS: readonly ExplorerView[] = [
  { path: 'hardware', title: 'Hardware', Show: 'Hardware' },
  { path: 'statistics', title: 'Statistics', Show: 'Statistics' },
  { path: 'experiment', title: 'Check a lock file', Show: 'LockCheck' },
  { path: 'fields', title: 'Fields', Show: 'Fields' },
];
const VIEWS = [...MAIN_VIEWS, ...OTHER_VIEWS];

const NODE: ExplorerView = { path: 'node', title: 'Node', Show: 'NodeView' };
const REVISION: ExplorerView = { path: 'changes', title: 'Revision', Show: 'Revision' };
const NOT_FOUND: ExplorerView = { path: 'not-found', title: 'Page not found', Show: 'NotFound' };

function viewOf(path: string): ExplorerView {
  if (/^sites\/[^/]+\/clusters\/[^/]+\/nodes\/[^/]+$/.test(path)) return NODE;
  if (/^versions\/\w+$/.test(path)) return REVISION;
  const name = path.replace(/^sites\/.+$/, 'sites');
  return VIEWS.find((view) => view.path === name) ?? NOT_FOUND;
}

function PickedBar({ state }: ViewProps) {
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
      <button type="button" onClick={() => navigate(place.path, withParams(place.params, { pick: undefined }))}>
        Clear
      </button>
    </section>
  );
}

const ALL_FIELDS = 'all fields';

/** The registry as of the revision that `at` names, or the newest one with all fields. */
function useShownRegistry(reader: DocumentReader, newest: ShownRegistry, params: URLSearchParams) {
  const at = params.get('at');
  const isPast = at !== null && !newest.version.startsWith(at);
  const wanted = isPast ? at : params.has('fields') ? ALL_FIELDS : '';
  const more = useMore(wanted !== '');
  const isReady = more !== undefined && more !== 'missing';
  const loaded = useLoaded(`${wanted} ${isReady}`, async () =>
    !isReady || wanted === ''
      ? undefined
      : isPast
        ? more.registryAt(reader, newest, wanted)
        : more.withAllFields(reader, newest),
  );
  const last = useRef<ShownRegistry | undefined>(wanted === '' ? newest : undefined);
  if (wanted === '' || more === 'missing' || loaded.kind === 'failed') last.current = newest;
  // Shows the previous revision until another revision is loaded.
  else if (isReady && loaded.kind === 'done') last.current = loaded.value ?? newest;
  return last.current;
}
