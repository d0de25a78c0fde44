/** What became of a node: its versions, those that matter to experiments first, and the difference of any two. */
import { useMemo, useState } from 'preact/hooks';
import { SAME_HARDWARE } from '../../core/model/field-classes.ts';
import type { JsonObject } from '../../core/model/json.ts';
import type { AppState } from '../app-state.ts';
import { versionBody } from '../data/compared-bodies.ts';
import { type VersionSummary, versionsOf } from '../data/nodes.ts';
import { compared } from '../fleet/comparison.ts';
import { counted, dayOf, shortRevision, visible } from '../format/values.ts';
import { linkWithin } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { ComparisonTable } from './compare/comparison-table.tsx';
import { Notice } from './notice.tsx';
import { RevisionLink, Tags } from './revision.tsx';
import { LeftOut, LeftOutFields } from './time/left-out.tsx';

interface TimelineProps {
  readonly state: AppState;
  readonly path: string;
  /** The body now; undefined where the node is gone, or not read yet. */
  readonly now: JsonObject | undefined;
}

export function Timeline({ state, path }: TimelineProps) {
  const { reader } = state;
  const loaded = useLoaded(path, async () => ({
    versions: await versionsOf(reader, path),
    hasPast: await reader.hasPast(),
  }));
  if (loaded.kind === 'loading') return <p class="loading">Reading…</p>;
  if (loaded.kind === 'failed') return <Notice kind="wrong" title={loaded.problem} />;
  const { versions, hasPast } = loaded.value;
  if (!versions) {
    return (
      <p class="absent">
        {hasPast
          ? 'This registry has no history of the node.'
          : 'The histories of nodes do not lie beside the page, since they would be too long: serve the folder, for instance with gridpress serve.'}
      </p>
    );
  }
  return <Versions state={state} path={path} versions={versions} />;
}

function Versions({ state, path, versions }: { state: AppState; path: string; versions: readonly VersionSummary[] }) {
  const [isWhole, setIsWhole] = useState(false);
  // What changes nothing that an experiment runs on is noise to most, and one click away.
  const isTelling = ({ classes }: VersionSummary, i: number) =>
    i === versions.length - 1 || SAME_HARDWARE.some((name) => classes.includes(name));
  const telling = versions.filter(isTelling);
  const shown = isWhole ? versions : telling;
  const [older, setOlder] = useState(versions.at(-1)?.id ?? '');
  const [newer, setNewer] = useState(versions[0]?.id ?? '');
  const radio = (side: string, id: string, chosen: string, choose: (id: string) => void) => (
    <input
      type="radio"
      name={side}
      aria-label={`Compare ${side === 'older' ? 'from' : 'to'} ${shortRevision(id)}`}
      checked={id === chosen}
      onChange={() => choose(id)}
    />
  );
  return (
    <>
      <p>
        {counted(versions.length, 'version')}, {telling.length} of them about hardware, components or firmware.{' '}
        <label>
          <input type="checkbox" checked={isWhole} onChange={() => setIsWhole(!isWhole)} /> All of them
        </label>{' '}
        <a href={state.reader.urlOf(`/${path}/versions`)}>JSON</a>
      </p>
      {versions.length > 1 ? (
        <p class="absent">Choose two to compare: the left circle for what it was, the right one for what it became.</p>
      ) : null}
      <ol class="timeline">
        {shown.map((version) => (
          <li key={version.id}>
            <span class="radios">
              {radio('older', version.id, older, setOlder)}
              {radio('newer', version.id, newer, setNewer)}
            </span>
            <time dateTime={version.date}>{dayOf(version.date)}</time>{' '}
            <span class="what">
              {visible(version.message.split('\n')[0] ?? '')} <Tags names={version.classes} />
            </span>{' '}
            <span class="absent">
              {visible(version.author)} <RevisionLink reader={state.reader} id={version.id} path={path} />
            </span>
          </li>
        ))}
      </ol>
      {versions.at(-1)?.isCut ? <LeftOut /> : null}
      {versions.length > 1 && older !== newer ? (
        <>
          <VersionDifference state={state} path={path} older={older} newer={newer} />
          <ThenAndNow state={state} path={path} past={[older, newer].filter((id) => id !== versions[0]?.id)} />
        </>
      ) : null}
    </>
  );
}

interface ThenAndNowProps {
  readonly state: AppState;
  readonly path: string;
  readonly past: readonly string[];
}

/** Of a node that is there now, the way to the comparison: a permalink to versions of it. */
function ThenAndNow({ state: { fleet, place }, path, past }: ThenAndNowProps) {
  const pick = fleet.table.uids[fleet.rowOf(path)];
  if (pick === undefined) return null;
  const link = linkWithin(place, 'compare', { pick, was: past.map(shortRevision).join() });
  return <a href={link}>Compare {past.length > 1 ? 'them' : 'it'} with what it is now</a>;
}

function VersionDifference({
  state,
  path,
  older,
  newer,
}: {
  state: AppState;
  path: string;
  older: string;
  newer: string;
}) {
  const [isWanted, setIsWanted] = useState(false);
  const heads = [older, newer].map((id) => <code key={id}>{shortRevision(id)}</code>);
  return (
    <details class="class" onToggle={(event) => setIsWanted(event.currentTarget.open)}>
      <summary>
        What differs between {shortRevision(older)} and {shortRevision(newer)}
      </summary>
      {isWanted ? <LoadedDifference state={state} path={path} older={older} newer={newer} heads={heads} /> : null}
    </details>
  );
}

interface LoadedDifferenceProps {
  readonly state: AppState;
  readonly path: string;
  readonly older: string;
  readonly newer: string;
  readonly heads: Parameters<typeof ComparisonTable>[0]['heads'];
}

function LoadedDifference({ state, path, older, newer, heads }: LoadedDifferenceProps) {
  const loaded = useLoaded(`${path} ${older} ${newer}`, () =>
    Promise.all([older, newer].map((id) => versionBody(state, path, id))),
  );
  const bodies = loaded.kind === 'done' ? loaded.value : undefined;
  const comparison = useMemo(() => bodies && compared(bodies, false), [bodies]);
  if (loaded.kind === 'failed') return <Notice kind="wrong" title={loaded.problem} />;
  if (!bodies || !comparison) return <p class="loading">Reading…</p>;
  return (
    <>
      <ComparisonTable comparison={comparison} heads={heads} />
      <LeftOutFields state={state} bodies={bodies} />
    </>
  );
}
