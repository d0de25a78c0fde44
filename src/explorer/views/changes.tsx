import { useEffect, useMemo, useState } from 'preact/hooks';
import { changesUrl, feedUrl } from '../../core/api/urls.ts';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import type { AppState, ViewProps } from '../app-state.ts';
import { historyOf, idsUntil, MOST_NODES_WITH_HISTORY } from '../data/history.ts';
import { type Change, readChanges, readRevision, type VersionSummary, versionsOf } from '../data/nodes.ts';
import { type DocumentReader, linkTo, ReadError } from '../data/reader.ts';
import { changedFields } from '../fleet/changed-fields.ts';
import { type TypesByPath, typesInHistory, typesInTable } from '../fleet/node-types.ts';
import { siteTitle } from '../fleet/site-titles.ts';
import { ChangeGroups, changesOfRevision, changesSummary, groupsOf } from '../parts/change-groups.tsx';
import { Checkbox } from '../parts/checkbox.tsx';
import { firstLine, RevisionLink, Tags } from '../parts/links.tsx';
import { Loading, Notice } from '../parts/notice.tsx';
import { LeftOut, Read, ReadProblem } from '../parts/read.tsx';
import { dayOf, visible } from '../parts/value.tsx';
import { linkWithin, navigate, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import type { ParamName } from '../state/view-params.ts';

export function Changes({ state }: ViewProps) {
  const { reader } = state;
  const revisions = useLoaded('versions', () => versionsOf(reader, ''));
  return (
    <>
      <h1 tabIndex={-1}>Changes</h1>
      {revisions.kind === 'done' && !revisions.value ? (
        <NoHistory state={state} />
      ) : (
        <>
          <p>
            Subscribe: <a href={reader.urlOf(feedUrl('')).replace(/\.json$/, '.atom')}>Atom</a>,{' '}
            <a href={reader.urlOf(feedUrl(''))}>JSON Feed</a>. For programs:{' '}
            <a href={reader.urlOf(changesUrl(''))}>all changes</a>.
          </p>
          <Feed
            state={state}
            revisions={revisions.kind === 'done' ? (revisions.value ?? []) : []}
            isLoadingRevisions={revisions.kind === 'loading'}
            problem={revisions.kind === 'failed' ? revisions.problem : ''}
          />
        </>
      )}
    </>
  );
}

function NoHistory({ state: { reader } }: ViewProps) {
  if (!reader.isLocal) return <Notice kind="info" title="This tree contains no history." />;
  return (
    <Notice kind="info" title="Not included in the offline copy, because it is too long.">
      Serve the folder with <code>gridpress serve</code>. The other views show the current state.
    </Notice>
  );
}

/** The number of changes that the view loads in one step, including changes that the filters hide. */
const CHANGES_PER_LOAD = 300;
/** If filters apply, the view loads changes until this number matches, but at most `MOST_LOADED_UNASKED` changes. */
const FEWEST_SHOWN = 20;
const MOST_LOADED_UNASKED = 6_000;

interface LoadedChanges {
  readonly changes: readonly Change[];
  /** The number of loaded changes to show. Omits the last revision if the next page can contain more of its changes. */
  readonly whole: number;
  readonly older: string | undefined;
  readonly problem: string;
}

const NOTHING_LOADED: LoadedChanges = { changes: [], whole: 0, older: changesUrl(''), problem: '' };
/** The loaded changes. After the button Back, the view shows them again, so that the scroll position stays valid. */
const loadedBefore = new WeakMap<DocumentReader, LoadedChanges>();

interface FeedProps extends ViewProps {
  readonly revisions: readonly VersionSummary[];
  readonly isLoadingRevisions: boolean;
  /** Explains why the list of revisions could not be loaded. Empty if there is no problem. */
  readonly problem: string;
}

function Feed({ state, revisions, isLoadingRevisions, problem }: FeedProps) {
  const [read, setRead] = useState(() => loadedBefore.get(state.reader) ?? NOTHING_LOADED);
  const [isLoadingChanges, setIsLoadingChanges] = useState(read === NOTHING_LOADED);
  const loadMore = async () => {
    setIsLoadingChanges(true);
    const more = await readMore(state, read);
    if (more.problem === '') loadedBefore.set(state.reader, more);
    setRead(more);
    setIsLoadingChanges(false);
  };
  useEffect(() => {
    if (read === NOTHING_LOADED) void loadMore();
  }, []);
  const { params } = state.place;
  const [classes, sites, types] = [params.getAll('class'), params.getAll('site'), params.getAll('type')];
  const past = usePast(state, types.length > 0);
  const { types: typesOf, until } = past ?? {};
  const isLoading = isLoadingChanges || !past;
  const shown = read.changes
    .slice(0, read.whole)
    .filter(
      (change) =>
        (until?.has(change.revision) ?? true) &&
        (classes.length === 0 || change.classes.some((name) => classes.includes(name))) &&
        (sites.length === 0 || sites.includes(change.path.split('/')[1] ?? '')) &&
        (types.length === 0 || typesOf?.get(change.path)?.some((name) => types.includes(name)) === true),
    );
  const isFiltered = classes.length + sites.length + types.length > 0;
  const isReached = !until || read.changes.some(({ revision }) => until.has(revision));
  const isShort =
    ((isFiltered && shown.length < FEWEST_SHOWN && read.changes.length < MOST_LOADED_UNASKED) || !isReached) &&
    read.problem === '';
  useEffect(() => {
    if (isShort && !isLoading && read.older !== undefined) void loadMore();
  }, [isShort, isLoading, read]);
  const oldest = read.older === undefined ? undefined : read.changes.at(-1)?.date;
  const since = oldest === undefined ? '' : ` since ${dayOf(oldest)}`;
  // If the host is not reachable, both documents are missing. The view shows a single notice.
  const failure = read.problem || problem;
  const byRevision = Map.groupBy(shown, ({ revision }) => revision);
  const known = new Map(revisions.map((version) => [version.id, version]));
  // Filters and messages that appear later than the changes would move the page.
  if (!past || isLoadingRevisions || (isLoadingChanges && read === NOTHING_LOADED)) return <Loading />;
  return (
    <>
      <Choice state={state} name="class" label="Classes" values={FIELD_CLASSES} />
      <Choice state={state} name="site" label="Sites" values={past.sites} titleOf={siteTitle} />
      <Choice state={state} name="type" label="Node types" values={past.typeNames} />
      {failure === '' ? null : <ReadProblem problem={failure} />}
      <ol class="revisions">
        {[...byRevision].map(([id, changes]) => (
          <RevisionEntry
            key={id}
            state={state}
            id={id}
            changes={changes}
            about={known.get(id)}
            fields={past.fields?.get(id)}
          />
        ))}
      </ol>
      {shown.length === 0 && !isLoading && failure === '' ? (
        <Notice kind="info" title={`No matching changes${since}.`} />
      ) : null}
      {isLoading ? <Loading /> : null}
      {read.older === undefined && revisions.at(-1)?.isTruncated ? <LeftOut /> : null}
      {read.older !== undefined && !isLoading ? (
        <button type="button" onClick={() => void loadMore()}>
          Load older changes
        </button>
      ) : null}
    </>
  );
}

interface Past {
  /** All sites of current and removed nodes, or only of current nodes if the explorer has no history. */
  readonly sites: readonly string[];
  readonly typeNames: readonly string[];
  readonly types: TypesByPath;
  /** The first-parent line of the shown revision. Undefined if the explorer shows the newest revision. */
  readonly until: ReadonlySet<string> | undefined;
  /** The changed fields by revision. Undefined without the history. */
  readonly fields?: ReturnType<typeof changedFields>;
}

/** Returns the values of the filters. Returns undefined until the history is loaded. */
function usePast({ reader, registry, fleet }: AppState, isNeeded: boolean): Past | undefined {
  const { version, newest } = registry;
  const isWanted = isNeeded || version !== newest || fleet.table.total <= MOST_NODES_WITH_HISTORY;
  const loaded = useLoaded(`history ${isWanted}`, async () => (isWanted ? historyOf(reader, registry) : undefined));
  return useMemo(() => {
    if (loaded.kind === 'loading') return undefined;
    const history = loaded.kind === 'done' ? loaded.value : undefined;
    const types = history ? typesInHistory(history) : typesInTable(fleet);
    const sites = [...fleet.table.clusters, ...(history?.nodes ?? [])].map(({ site }) => site);
    return {
      sites: [...new Set(sites)].sort((a, b) => byCodeUnit(siteTitle(a), siteTitle(b))),
      typeNames: [...new Set([...types.values()].flat())].sort(byCodeUnit),
      types,
      until: history && version !== newest ? idsUntil(history, version) : undefined,
      ...(history ? { fields: changedFields(history) } : {}),
    };
  }, [loaded, fleet, version]);
}

const MOST_PAGES = 20;

async function readMore({ reader }: AppState, before: LoadedChanges): Promise<LoadedChanges> {
  const changes = [...before.changes];
  let { older, whole } = before;
  try {
    for (let pages = 0; older !== undefined && whole < before.whole + CHANGES_PER_LOAD; pages++) {
      // A revision that fills many pages appears before its last page is loaded.
      if (pages >= MOST_PAGES) return { changes, whole: changes.length, older, problem: '' };
      const page = await readChanges(reader, older);
      changes.push(...(page?.changes ?? []));
      older = page?.older;
      whole = older === undefined ? changes.length : startOfLastRevision(changes);
    }
    return { changes, whole, older, problem: '' };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return { changes, whole, older, problem: error.message };
  }
}

function startOfLastRevision(changes: readonly Change[]): number {
  return changes.findLastIndex(({ revision }) => revision !== changes.at(-1)?.revision) + 1;
}

const FEW = 16;

interface ChoiceProps extends ViewProps {
  readonly name: ParamName<'changes'>;
  readonly label: string;
  readonly values: readonly string[];
  readonly titleOf?: (value: string) => string;
}

function Choice({ state, name, label, values, titleOf = visible }: ChoiceProps) {
  const { params } = state.place;
  const chosen = params.getAll(name);
  // A link can choose values that this registry does not contain. The user must be able to remove these values.
  const offered = [...new Set([...values, ...chosen])];
  const toggle = (value: string, isChosen: boolean) => {
    const next = isChosen ? [...chosen, value] : chosen.filter((other) => other !== value);
    navigate('changes', withParams(params, { [name]: next }));
  };
  const choice = (
    <fieldset class="classes">
      <legend class={offered.length > FEW ? 'hidden' : undefined}>{label}</legend>
      {offered.map((value) => (
        <Checkbox key={value} checked={chosen.includes(value)} change={(isChosen) => toggle(value, isChosen)}>
          {titleOf(value)}
        </Checkbox>
      ))}
    </fieldset>
  );
  if (offered.length <= FEW) return choice;
  return (
    <details class="class">
      <summary>
        {label} {chosen.length > 0 ? <span class="badge">{chosen.length}</span> : null}
      </summary>
      {choice}
    </details>
  );
}

interface RevisionEntryProps extends ViewProps {
  readonly id: string;
  readonly changes: readonly Change[];
  readonly about: VersionSummary | undefined;
  /** Maps the path of a node to its changed fields. Undefined without the history. */
  readonly fields: ReadonlyMap<string, readonly string[]> | undefined;
}

function RevisionEntry({ state, id, changes, about, fields }: RevisionEntryProps) {
  const [isOpen, setIsOpen] = useState(false);
  const classes = [...new Set(changes.flatMap((change) => change.classes))];
  const date = changes[0]?.date ?? '';
  return (
    <li>
      <p>
        <time dateTime={date}>{dayOf(date)}</time>{' '}
        <span class="what">
          <a href={linkWithin(state.place, `versions/${id}`)}>{firstLine(about?.message ?? '') || 'Revision'}</a>
        </span>{' '}
        <span class="absent">
          {about ? visible(about.author) : ''} <RevisionLink state={state} id={id} />
        </span>
      </p>
      <details class="class" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary>
          {changesSummary(changes, ({ path }) => fields?.get(path) ?? [])} <Tags names={classes} />
        </summary>
        {isOpen ? <Details state={state} id={id} changes={changes} /> : null}
      </details>
    </li>
  );
}

function Details({ state, id, changes }: ViewProps & { readonly id: string; readonly changes: readonly Change[] }) {
  const loaded = useLoaded(id, () => readRevision(state.reader, id));
  const paths = new Set(changes.map(({ path }) => path));
  return (
    <Read of={loaded}>
      {(read) => {
        if (!read) return null;
        const shown = changesOfRevision(read).filter(({ path }) => paths.has(path));
        const parent = linkTo(read, 'predecessor-version')?.split('/').at(-1);
        return <ChangeGroups state={state} groups={groupsOf(shown)} id={id} parent={parent} />;
      }}
    </Read>
  );
}
