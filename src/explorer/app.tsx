import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { textOf } from '../core/model/json.ts';
import type { AppState, ViewProps } from './app-state.ts';
import { type More, useMore } from './data/more.ts';
import type { DocumentReader } from './data/reader.ts';
import { canLoadAllFields, type ShownRegistry } from './data/registry.ts';
import { fleetOf } from './fleet/fleet.ts';
import { pickedRows, pickText } from './fleet/picks.ts';
import { siteTitle } from './fleet/site-titles.ts';
import { Menu } from './parts/menu.tsx';
import { Loading, Notice, TryAgain } from './parts/notice.tsx';
import { listed, shortRevision, visible } from './parts/value.tsx';
import { ViewErrors } from './parts/view-errors.tsx';
import { fragmentOf, linkToView, linkWithin, navigate, usePlace, type ViewAddress, withParams } from './state/place.ts';
import { restoreScroll } from './state/scroll.ts';
import { useFocusFallback } from './state/use-kept-focus.ts';
import { useLoaded } from './state/use-loaded.ts';
import { Nodes } from './views/nodes.tsx';
import { Overview } from './views/overview.tsx';

export function App({ reader, registry: newest }: { reader: DocumentReader; registry: ShownRegistry }) {
  const place = usePlace();
  const { registry, ...fields } = useShownRegistry(reader, newest, place);
  return registry ? <Page reader={reader} registry={registry} {...fields} place={place} /> : <Loading />;
}

interface PageProps {
  readonly reader: DocumentReader;
  readonly registry: ShownRegistry;
  readonly isLoadingRevision: boolean;
  readonly isLoadingFields: boolean;
  readonly loadFields: () => void;
  /** Defined if the revision or the fields in the URL could not be loaded. */
  readonly problem: { readonly title: string; readonly reason: string } | undefined;
  readonly place: ViewAddress;
}

function Page({ reader, registry, isLoadingRevision, isLoadingFields, loadFields, problem, place }: PageProps) {
  const fleet = useMemo(() => fleetOf(registry.table), [registry]);
  const status = useRef<HTMLParagraphElement>(null);
  const { rows: picked, unknown } = useMemo(
    () => pickedRows(place.params.get('pick'), fleet),
    [place.params.get('pick'), fleet],
  );
  const pick = (some: readonly number[], isPicked: boolean) => {
    const others = picked.filter((row) => !some.includes(row));
    const rows = isPicked ? new Set([...others, ...some]) : others;
    navigate(place.path, withParams(place.params, { pick: pickText(rows, fleet) || undefined }));
  };
  const state: AppState = {
    reader,
    registry,
    isLoadingRevision,
    isLoadingFields,
    loadFields,
    fleet,
    place,
    picked,
    pick,
    announce: (text) => status.current?.replaceChildren(text),
  };
  const view = viewOf(place.path);
  const main = useRef<HTMLElement>(null);
  const [isGoing, setIsGoing] = useOnControlK();
  const at = place.params.get('at');
  const hasBar = picked.length > 0 && place.path !== 'compare';
  const more = useMore(isGoing || hasBar || at !== null || typeof view.Show === 'string');
  const parts = more === 'missing' ? undefined : more;
  const Show =
    typeof view.Show !== 'string'
      ? view.Show
      : more === 'missing'
        ? Incomplete
        : fleet.hasUids
          ? parts?.[view.Show]
          : undefined;
  useFocusFallback(
    () => document.body,
    () => headingIn(main.current),
  );
  useFocusOnNewView(main, place, Show !== undefined);
  const title =
    view === NODE
      ? fleet.nameOf(fleet.rowOf(place.path)) || view.title
      : view === SITE
        ? siteTitle(siteIn(place.path))
        : view.title;
  useEffect(() => {
    document.title = `${title} – ${gridName(registry)}`;
  }, [title, registry]);
  return (
    <>
      <button type="button" class="skip" onClick={() => headingIn(main.current)?.focus()}>
        Skip to the content
      </button>
      <Head state={state} here={view.path} goTo={() => setIsGoing(true)} />
      <main id="main" ref={main} class={view.Show === Nodes ? 'wide' : undefined}>
        {parts && at !== null && !problem ? <parts.RevisionNotice state={state} at={at} /> : null}
        {problem ? (
          <Notice kind="wrong" title={problem.title}>
            {problem.reason} <TryAgain />
          </Notice>
        ) : null}
        {more === 'missing' && at !== null ? (
          <Notice kind="wrong" title={`Revision ${at} cannot be shown.`}>
            A part of the page could not be loaded. The page shows the latest revision. <TryAgain />
          </Notice>
        ) : null}
        {fleet.hasUids && unknown.length > 0 ? (
          <Notice kind="info" title="Some picked nodes do not exist at this revision.">
            Not found: {listed(unknown)}. The nodes were removed, or the link belongs to another registry.
          </Notice>
        ) : null}
        <ViewErrors address={fragmentOf(place.path, place.params)}>
          {Show ? <Show state={state} /> : <Loading />}
        </ViewErrors>
      </main>
      {parts && hasBar ? <parts.PickedBar state={state} /> : null}
      {parts && isGoing && fleet.hasUids ? (
        <parts.Palette state={state} views={VIEWS} close={() => setIsGoing(false)} />
      ) : null}
      <p class="hidden" role="status" ref={status} />
    </>
  );
}

/** Returns a state that becomes true when the user presses Ctrl-K, or Command-K on a Mac. */
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

/** Moves the focus to the heading when the user opens another view, but not when the page loads. */
function useFocusOnNewView(
  main: { readonly current: HTMLElement | null },
  place: ViewAddress,
  isLoaded: boolean,
): void {
  const last = useRef<ViewAddress>(undefined);
  useLayoutEffect(() => {
    if (last.current === place || !isLoaded || !main.current) return undefined;
    const isNewView = last.current !== undefined && last.current.path !== place.path;
    last.current = place;
    if (isNewView) headingIn(main.current)?.focus({ preventScroll: true });
    return restoreScroll(main.current, isNewView);
  }, [place, isLoaded]);
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
  return visible(textOf(grid['name']) || textOf(grid['uid']));
}

interface HeadProps extends ViewProps {
  readonly here: string;
  readonly goTo: () => void;
}

function Head({ state, here, goTo }: HeadProps) {
  const { registry, place, picked } = state;
  const { version } = registry;
  const nav = useRef<HTMLElement>(null);
  // On narrow screens, the navigation scrolls sideways. This effect scrolls to the link of the current view.
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]:not([aria-current=false])');
    if (current) nav.current?.scrollTo(current.offsetLeft - current.offsetWidth, 0);
  }, [here]);
  const linkTo = ({ path, title }: ExplorerView) => (
    <li key={path}>
      <a href={linkToView(place, path)} aria-current={path === here ? 'page' : undefined}>
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
        <a class="revision" href={linkWithin(place, `versions/${version}`)} title={`Revision ${version}`}>
          <code>{shortRevision(version)}</code>
        </a>
      </p>
      <nav aria-label="Views" ref={nav}>
        <ul>
          {MAIN_VIEWS.map(linkTo)}
          <li>
            <Menu key={here} label="More" isCurrent={OTHER_VIEWS.some(({ path }) => path === here)}>
              <ul>{OTHER_VIEWS.map(linkTo)}</ul>
            </Menu>
          </li>
        </ul>
      </nav>
      <button type="button" title="Go to a node, field, view or date (Ctrl-K)" onClick={goTo}>
        Go to…
      </button>
    </header>
  );
}

interface ExplorerView {
  readonly path: string;
  readonly title: string;
  /** A component, or the name of a component in the second script. */
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

const NODE: ExplorerView = { path: 'nodes', title: 'Node', Show: 'NodeView' };
const SITE: ExplorerView = { path: 'sites', title: 'Site', Show: 'SiteView' };
const REVISION: ExplorerView = { path: 'changes', title: 'Revision', Show: 'Revision' };
const NOT_FOUND: ExplorerView = { path: 'not-found', title: 'Page not found', Show: 'NotFound' };

function viewOf(path: string): ExplorerView {
  if (/^sites\/[^/]+\/clusters\/[^/]+\/nodes\/[^/]+$/.test(path)) return NODE;
  if (/^versions\/\w+$/.test(path)) return REVISION;
  if (path.startsWith('sites/')) return SITE;
  return VIEWS.find((view) => view.path === path) ?? NOT_FOUND;
}

function siteIn(path: string): string {
  return path.split('/')[1] ?? '';
}

const ALL_FIELDS = 'all fields';

/** Returns the registry at the revision in `at`, or the newest one. Loads omitted fields that the URL names. */
function useShownRegistry(reader: DocumentReader, newest: ShownRegistry, place: ViewAddress) {
  const [isFieldWanted, setIsFieldWanted] = useState(false);
  const at = place.params.get('at');
  const isPast = at !== null && !newest.version.startsWith(at);
  const isFieldNamed = needsAllFields(newest, place);
  const wanted = isPast ? at : isFieldWanted || isFieldNamed ? ALL_FIELDS : '';
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
  // The explorer shows the previous revision until the requested revision is loaded.
  else if (isReady && loaded.kind === 'done') last.current = loaded.value ?? newest;
  const isLoading = more !== 'missing' && (!isReady || loaded.kind === 'loading');
  return {
    registry: last.current,
    isLoadingRevision: isPast && isLoading,
    isLoadingFields: wanted === ALL_FIELDS && isLoading,
    loadFields: () => setIsFieldWanted(true),
    problem:
      loaded.kind === 'failed' && (isPast || isFieldNamed)
        ? {
            title: isPast ? `Revision ${at} cannot be shown.` : 'Some fields cannot be shown.',
            reason: isPast ? `${loaded.problem} The page shows the latest revision.` : loaded.problem,
          }
        : undefined,
  };
}

/** True if the URL requests all fields, or names a field that the node table omits. */
function needsAllFields(registry: ShownRegistry, { path, params }: ViewAddress): boolean {
  if (params.has('fields')) return true;
  // The view of fields shows no values, only descriptions of fields.
  if (path === 'fields' || !canLoadAllFields(registry)) return false;
  return [...params]
    .flat()
    .some((text) => text.split(/[^\w.]+/).some((word) => registry.table.omittedFields.includes(word)));
}
