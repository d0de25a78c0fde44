import { useEffect, useMemo, useState } from 'preact/hooks';
import { changesUrl, feedUrl } from '../../core/api/urls.ts';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import type { AppState, ViewProps } from '../app-state.ts';
import { historyOf } from '../data/history.ts';
import { type Change, readChanges, type VersionSummary, versionsOf } from '../data/nodes.ts';
import { ReadError } from '../data/reader.ts';
import { typesInHistory, typesInTable } from '../fleet/node-types.ts';
import { Checkbox } from '../parts/checkbox.tsx';
import { firstLine, RevisionLink, Tags } from '../parts/links.tsx';
import { Loading, Notice } from '../parts/notice.tsx';
import { LeftOut } from '../parts/read.tsx';
import { counted, dayOf, visible } from '../parts/value.tsx';
import { linkWithin, navigate, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';

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
          {revisions.kind === 'failed' ? <Notice kind="wrong" title={revisions.problem} /> : null}
          <Feed state={state} revisions={revisions.kind === 'done' ? (revisions.value ?? []) : []} />
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

/** The number of changes that are loaded before filters apply. */
const CHANGES_PER_LOAD = 300;
/** Older changes are loaded with filters until this many match, or until `MOST_LOADED_UNASKED` changes are loaded. */
const FEWEST_SHOWN = 20;
const MOST_LOADED_UNASKED = 6_000;

interface LoadedChanges {
  readonly changes: readonly Change[];
  /** The number of changes in completely loaded revisions. A page can end within a revision. */
  readonly whole: number;
  readonly older: string | undefined;
  readonly problem: string;
}

function Feed({ state, revisions }: ViewProps & { readonly revisions: readonly VersionSummary[] }) {
  const [read, setRead] = useState<LoadedChanges>({ changes: [], whole: 0, older: changesUrl(''), problem: '' });
  const [isLoadingChanges, setIsLoadingChanges] = useState(true);
  const loadMore = async () => {
    setIsLoadingChanges(true);
    setRead(await readMore(state, read));
    setIsLoadingChanges(false);
  };
  useEffect(() => {
    void loadMore();
  }, []);
  const { params } = state.place;
  const [classes, sites, types] = [params.getAll('class'), params.getAll('site'), params.getAll('type')];
  const { types: typesOf, names: typeNames, isLoading: isLoadingTypes } = useTypes(state, types.length > 0);
  const isLoading = isLoadingChanges || isLoadingTypes;
  const shown = read.changes
    .slice(0, read.whole)
    .filter(
      (change) =>
        (classes.length === 0 || change.classes.some((name) => classes.includes(name))) &&
        (sites.length === 0 || sites.includes(change.path.split('/')[1] ?? '')) &&
        (types.length === 0 || typesOf.get(change.path)?.some((name) => types.includes(name)) === true),
    );
  const isFiltered = classes.length + sites.length + types.length > 0;
  const isShort =
    isFiltered && shown.length < FEWEST_SHOWN && read.changes.length < MOST_LOADED_UNASKED && read.problem === '';
  useEffect(() => {
    if (isShort && !isLoading && read.older !== undefined) void loadMore();
  }, [isShort, isLoading, read]);
  const byRevision = Map.groupBy(shown, ({ revision }) => revision);
  const known = new Map(revisions.map((version) => [version.id, version]));
  const siteNames = [...new Set(state.fleet.table.clusters.map(({ site }) => site))];
  return (
    <>
      <Choice state={state} name="class" label="Classes" values={FIELD_CLASSES} />
      <Choice state={state} name="site" label="Sites" values={siteNames} />
      <Choice state={state} name="type" label="Node types" values={typeNames} />
      {read.problem === '' ? null : <Notice kind="wrong" title={read.problem} />}
      <ol class="revisions">
        {[...byRevision].map(([id, changes]) => (
          <RevisionEntry key={id} state={state} id={id} changes={changes} about={known.get(id)} />
        ))}
      </ol>
      {shown.length === 0 && !isLoading ? <Notice kind="info" title="No matching changes." /> : null}
      {isLoading ? <Loading /> : null}
      {read.older === undefined && revisions.at(-1)?.isCut ? <LeftOut /> : null}
      {read.older !== undefined && !isLoading ? (
        <button type="button" onClick={() => void loadMore()}>
          Load older changes
        </button>
      ) : null}
    </>
  );
}

/** Returns the types of nodes by path. Loads past types only if the reader filters by type. */
function useTypes({ reader, registry, fleet }: AppState, isFiltered: boolean) {
  const now = useMemo(() => typesInTable(fleet), [fleet]);
  const past = useLoaded(`types ${isFiltered}`, async () => {
    const history = isFiltered ? await historyOf(reader, registry) : undefined;
    return history && typesInHistory(history);
  });
  const types = (past.kind === 'done' && past.value) || now;
  const names = useMemo(() => [...new Set([...types.values()].flat())].sort(byCodeUnit), [types]);
  return { types, names, isLoading: isFiltered && past.kind === 'loading' };
}

const MOST_PAGES = 20;

async function readMore({ reader }: AppState, before: LoadedChanges): Promise<LoadedChanges> {
  const changes = [...before.changes];
  let { older, whole } = before;
  try {
    for (let pages = 0; older !== undefined && whole < before.whole + CHANGES_PER_LOAD; pages++) {
      // A revision of many pages is shown in parts.
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

/** The index of the first change of the last revision. */
function startOfLastRevision(changes: readonly Change[]): number {
  return changes.findLastIndex(({ revision }) => revision !== changes.at(-1)?.revision) + 1;
}

const FEW = 10;

interface ChoiceProps extends ViewProps {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
}

function Choice({ state, name, label, values }: ChoiceProps) {
  const { params } = state.place;
  const chosen = params.getAll(name);
  // A link can name values that this registry does not have. The reader must be able to remove them.
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
          {visible(value)}
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
}

const LISTED_FIRST = 50;

function RevisionEntry({ state, id, changes, about }: RevisionEntryProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? changes : changes.slice(0, LISTED_FIRST);
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
          {summaryOf(changes)} <Tags names={classes} />
        </summary>
        {isOpen ? (
          <ul class="rows">
            {shown.map((change) => (
              <li key={change.path}>
                <Resource state={state} change={change} />
              </li>
            ))}
          </ul>
        ) : null}
        {isOpen && !isWhole && changes.length > LISTED_FIRST ? (
          <button type="button" class="link" onClick={() => setIsWhole(true)}>
            All {changes.length}
          </button>
        ) : null}
      </details>
    </li>
  );
}

function summaryOf(changes: readonly Change[]): string {
  const actions = Map.groupBy(changes, ({ action }) => action);
  return [...actions].map(([action, some]) => `${counted(some.length, 'resource')} ${action}`).join(', ');
}

function Resource({ state, change }: ViewProps & { readonly change: Change }) {
  const { fleet, place } = state;
  const { path, action, classes, revision } = change;
  const row = fleet.rowOf(path);
  const isNode = /\/nodes\/[^/]+$/.test(path);
  const name = row >= 0 ? fleet.nameOf(row) : path.split('/').at(-1);
  const href = isNode ? linkWithin(place, path) : state.reader.urlOf(`/${path}/versions/${revision}`);
  return (
    <>
      {action} <a href={href}>{isNode ? name : path || 'the grid'}</a>{' '}
      <span class="absent">
        {path.split('/')[1]} {classes.join(', ')}
      </span>
    </>
  );
}
