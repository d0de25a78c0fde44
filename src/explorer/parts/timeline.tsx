/** What became of a node: its versions, those that matter to experiments first, and the difference of any two. */
import { useState } from 'preact/hooks';
import { SAME_HARDWARE } from '../../core/model/field-classes.ts';
import type { AppState } from '../app-state.ts';
import { versionBody } from '../data/compared-bodies.ts';
import { type VersionSummary, versionsOf } from '../data/nodes.ts';
import { linkWithin } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { ComparisonTable } from './comparison-table.tsx';
import { LeftOut, Read } from './read.tsx';
import { RevisionLink, Tags } from './revision.tsx';
import { counted, dayOf, shortRevision, visible } from './value.tsx';

export function Timeline({ state, path }: { state: AppState; path: string }) {
  const { reader } = state;
  const loaded = useLoaded(path, async () => ({
    versions: await versionsOf(reader, path),
    hasPast: await reader.hasPast(),
  }));
  return (
    <Read of={loaded}>
      {({ versions, hasPast }) =>
        versions ? (
          <Versions state={state} path={path} versions={versions} />
        ) : (
          <p class="absent">
            {hasPast
              ? 'This registry has no history of the node.'
              : 'The histories of nodes do not lie beside the page, since they would be too long: serve the folder, for instance with gridpress serve.'}
          </p>
        )
      }
    </Read>
  );
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
  const [isCompared, setIsCompared] = useState(false);
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
          <details class="class" onToggle={(event) => setIsCompared(event.currentTarget.open)}>
            <summary>
              What differs between {shortRevision(older)} and {shortRevision(newer)}
            </summary>
            {isCompared ? <VersionDifference state={state} path={path} ids={[older, newer]} /> : null}
          </details>
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

function VersionDifference({ state, path, ids }: { state: AppState; path: string; ids: readonly string[] }) {
  const loaded = useLoaded(`${path} ${ids.join(' ')}`, () =>
    Promise.all(ids.map((id) => versionBody(state, path, id))),
  );
  const heads = ids.map((id) => <code key={id}>{shortRevision(id)}</code>);
  return (
    <Read of={loaded}>
      {(bodies) => <ComparisonTable state={state} bodies={bodies} isWhole={false} heads={heads} />}
    </Read>
  );
}
