/** What changed, the newest first, by revision; filtered by class, by site and by the type of nodes. */

import { useEffect, useMemo, useState } from 'preact/hooks';
import { changesUrl, feedUrl } from '../../core/api/urls.ts';
import { FIELD_CLASSES } from '../../core/model/field-classes.ts';
import { byCodeUnit } from '../../core/model/json.ts';
import type { AppState } from '../app-state.ts';
import { historyOf } from '../data/history.ts';
import { type Change, readChanges, type VersionSummary, versionsOf } from '../data/nodes.ts';
import { ReadError } from '../data/reader.ts';
import { typesInHistory, typesInTable } from '../fleet/node-types.ts';
import { Notice } from '../parts/notice.tsx';
import { LeftOut } from '../parts/read.tsx';
import { RevisionLink, Tags } from '../parts/revision.tsx';
import { counted, dayOf, visible } from '../parts/value.tsx';
import { adjust, linkWithin, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';

export function Changes({ state }: { state: AppState }) {
  const { reader } = state;
  const revisions = useLoaded('versions', () => versionsOf(reader, ''));
  return (
    <>
      <h1 tabIndex={-1}>Changes</h1>
      {revisions.kind === 'done' && !revisions.value ? (
        <Untold state={state} />
      ) : (
        <>
          <p>
            Subscribe: <a href={reader.urlOf(feedUrl('')).replace(/\.json$/, '.atom')}>Atom</a>,{' '}
            <a href={reader.urlOf(feedUrl(''))}>JSON Feed</a>; for programs,{' '}
            <a href={reader.urlOf(changesUrl(''))}>all changes</a>.
          </p>
          {revisions.kind === 'failed' ? <Notice kind="wrong" title={revisions.problem} /> : null}
          <Feed state={state} revisions={revisions.kind === 'done' ? (revisions.value ?? []) : []} />
        </>
      )}
    </>
  );
}

function Untold({ state: { reader } }: { state: AppState }) {
  if (!reader.isLocal) return <Notice kind="info" title="This registry has no changes to read." />;
  return (
    <Notice kind="info" title="The changes do not lie beside the page, since they would be too long.">
      Serve the folder, for instance with <code>gridpress serve</code>. What the registry is now is in the other views.
    </Notice>
  );
}

const AT_A_TIME = 300;

interface Read {
  readonly changes: readonly Change[];
  readonly older: string | undefined;
  readonly problem: string;
  readonly isReading: boolean;
}

function Feed({ state, revisions }: { state: AppState; revisions: readonly VersionSummary[] }) {
  const [read, setRead] = useState<Read>({ changes: [], older: changesUrl(''), problem: '', isReading: true });
  const more = async (before: Read) => {
    setRead({ ...before, isReading: true });
    setRead({ ...(await readMore(state, before)), isReading: false });
  };
  useEffect(() => {
    void more(read);
  }, []);
  const { params } = state.place;
  const [classes, sites, types] = [params.getAll('class'), params.getAll('site'), params.getAll('type')];
  const { known: typesOf, all: typeNames, isReading: readsTypes } = useTypes(state, types.length > 0);
  const isReading = read.isReading || readsTypes;
  const shown = read.changes.filter(
    (change) =>
      (classes.length === 0 || change.classes.some((name) => classes.includes(name))) &&
      (sites.length === 0 || sites.includes(change.path.split('/')[1] ?? '')) &&
      (types.length === 0 || typesOf.get(change.path)?.some((name) => types.includes(name)) === true),
  );
  const byRevision = Map.groupBy(shown, ({ revision }) => revision);
  const known = new Map(revisions.map((version) => [version.id, version]));
  const siteNames = [...new Set(state.fleet.table.clusters.map(({ site }) => site))];
  return (
    <>
      <Choice state={state} name="class" label="Classes" values={FIELD_CLASSES} />
      <Choice state={state} name="site" label="Sites" values={siteNames} />
      <Choice state={state} name="type" label="Types of nodes" values={typeNames} />
      {read.problem === '' ? null : <Notice kind="wrong" title={read.problem} />}
      <ol class="revisions">
        {[...byRevision].map(([id, changes]) => (
          <RevisionEntry key={id} state={state} id={id} changes={changes} about={known.get(id)} />
        ))}
      </ol>
      {shown.length === 0 && !isReading ? (
        <Notice kind="info" title="None of the changes that were read is like that." />
      ) : null}
      {isReading ? <p class="loading">Reading…</p> : null}
      {read.older === undefined && revisions.at(-1)?.isCut ? <LeftOut /> : null}
      {read.older !== undefined && !isReading ? (
        <button type="button" onClick={() => void more(read)}>
          Read older changes
        </button>
      ) : null}
    </>
  );
}

/** The types that each node ever had, by their paths; those of nodes that are gone once somebody asks for a type. */
function useTypes({ reader, registry, fleet }: AppState, isAsked: boolean) {
  const now = useMemo(() => typesInTable(fleet), [fleet]);
  const past = useLoaded(`types ${isAsked}`, async () => {
    const history = isAsked ? await historyOf(reader, registry) : undefined;
    return history && typesInHistory(history);
  });
  const known = (past.kind === 'done' && past.value) || now;
  const all = useMemo(() => [...new Set([...known.values()].flat())].sort(byCodeUnit), [known]);
  return { known, all, isReading: isAsked && past.kind === 'loading' };
}

async function readMore(
  { reader }: AppState,
  { changes: before, older: start }: Read,
): Promise<Omit<Read, 'isReading'>> {
  const changes = [...before];
  let older = start;
  try {
    while (older !== undefined && changes.length < before.length + AT_A_TIME) {
      const page = await readChanges(reader, older);
      changes.push(...(page?.changes ?? []));
      older = page?.older;
    }
    return { changes, older, problem: '' };
  } catch (error) {
    if (!(error instanceof ReadError)) throw error;
    return { changes, older, problem: error.message };
  }
}

/** More values than these are folded: they would stand between the reader and the changes. */
const FEW = 10;

interface ChoiceProps {
  readonly state: AppState;
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
}

function Choice({ state, name, label, values }: ChoiceProps) {
  const { params } = state.place;
  const chosen = params.getAll(name);
  // What a link asks for is there to be taken away, though nothing here is like that.
  const offered = [...values, ...chosen.filter((value) => !values.includes(value))];
  const toggle = (value: string) => {
    const next = chosen.includes(value) ? chosen.filter((other) => other !== value) : [...chosen, value];
    adjust('changes', withParams(params, { [name]: next }));
  };
  const choice = (
    <fieldset class="classes">
      <legend class={offered.length > FEW ? 'hidden' : undefined}>{label}</legend>
      {offered.map((value) => (
        <label key={value}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} /> {visible(value)}
        </label>
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

/** A revision in the feed: what it says of itself, and what it changed. */
interface RevisionEntryProps {
  readonly state: AppState;
  readonly id: string;
  readonly changes: readonly Change[];
  readonly about: VersionSummary | undefined;
}

const LISTED_FIRST = 50;

export function RevisionEntry({ state, id, changes, about }: RevisionEntryProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  const message = visible((about?.message ?? '').split('\n')[0] ?? '');
  const shown = isWhole ? changes : changes.slice(0, LISTED_FIRST);
  const classes = [...new Set(changes.flatMap((change) => change.classes))];
  return (
    <li>
      <p>
        <time dateTime={changes[0]?.date}>{dayOf(changes[0]?.date ?? '')}</time>{' '}
        <strong>{message || 'Revision'}</strong>{' '}
        <span class="absent">
          {about ? visible(about.author) : ''} <RevisionLink reader={state.reader} id={id} />
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

function Resource({ state, change }: { state: AppState; change: Change }) {
  const { fleet, place } = state;
  const { path, action, classes } = change;
  const row = fleet.rowOf(path);
  const isNode = /\/nodes\/[^/]+$/.test(path);
  const name = row >= 0 ? fleet.nameOf(row) : path.split('/').at(-1);
  return (
    <>
      {action}{' '}
      {isNode ? (
        <a href={linkWithin(place, path)}>{name}</a>
      ) : (
        <a href={state.reader.urlOf(`/${path}/versions/${change.revision}`)}>{path || 'the grid'}</a>
      )}{' '}
      <span class="absent">
        {path.split('/')[1]} {classes.join(', ')}
      </span>
    </>
  );
}
