import { useState } from 'preact/hooks';
import { SAME_HARDWARE } from '../../core/model/field-classes.ts';
import type { AppState } from '../app-state.ts';
import { versionBody } from '../data/compared-bodies.ts';
import { type VersionSummary, versionsOf } from '../data/nodes.ts';
import { pickText } from '../fleet/picks.ts';
import { linkWithin } from '../state/place.ts';
import { type Loaded, useLoaded } from '../state/use-loaded.ts';
import { Checkbox } from './checkbox.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { firstLine, RevisionLink, Tags } from './links.tsx';
import { LeftOut, Read } from './read.tsx';
import { counted, dayOf, shortRevision, visible } from './value.tsx';

interface TimelineProps {
  readonly state: AppState;
  readonly path: string;
}

interface LoadedVersions {
  readonly versions: readonly VersionSummary[] | undefined;
  readonly hasPast: boolean;
}

export function useVersions({ reader }: AppState, path: string): Loaded<LoadedVersions> {
  return useLoaded(path, async () => ({ versions: await versionsOf(reader, path), hasPast: await reader.hasPast() }));
}

export function Timeline({ state, path, of }: TimelineProps & { readonly of: Loaded<LoadedVersions> }) {
  return (
    <Read of={of}>
      {({ versions, hasPast }) =>
        versions ? (
          <Versions state={state} path={path} versions={versions} />
        ) : (
          <p class="absent">
            {hasPast
              ? 'This tree contains no history of the node.'
              : 'Not included in the offline copy, because it is too long. Serve the folder with gridpress serve.'}
          </p>
        )
      }
    </Read>
  );
}

function Versions({ state, path, versions }: TimelineProps & { readonly versions: readonly VersionSummary[] }) {
  const [isExpanded, setIsExpanded] = useState(false);
  // At first, the explorer hides versions that changed only classes with little effect on experiments.
  const relevant = versions.filter(
    ({ classes }, i) => i === 0 || i === versions.length - 1 || SAME_HARDWARE.some((name) => classes.includes(name)),
  );
  const [older, setOlder] = useState(versions.at(-1)?.id ?? '');
  const [newer, setNewer] = useState(versions[0]?.id ?? '');
  const [isCompared, setIsCompared] = useState(false);
  const dateOf = (id: string) => dayOf(versions.find((version) => version.id === id)?.date ?? '') || shortRevision(id);
  const radio = (side: string, id: string, chosen: string, choose: (id: string) => void) => (
    <label>
      <input
        type="radio"
        name={side}
        aria-label={`Compare ${side} ${shortRevision(id)}`}
        checked={id === chosen}
        onChange={() => choose(id)}
      />
    </label>
  );
  return (
    <>
      <p>
        {counted(versions.length, 'version')} (<a href={state.reader.urlOf(`/${path}/versions`)}>JSON</a>).{' '}
        {isExpanded || relevant.length === versions.length
          ? null
          : 'The newest, the oldest, and those with changes of hardware, components or firmware are shown. '}
        {relevant.length === versions.length ? null : (
          <Checkbox checked={isExpanded} change={setIsExpanded}>
            Show all versions
          </Checkbox>
        )}
      </p>
      <Strip state={state} path={path} versions={isExpanded ? versions : relevant} />
      {versions.length > 1 ? <p class="absent">Choose two versions to compare.</p> : null}
      <p class="radios absent" aria-hidden="true">
        <span>from</span>
        <span>to</span>
      </p>
      <ol class="timeline">
        {(isExpanded ? versions : relevant).map((version) => (
          <li key={version.id}>
            <span class="radios">
              {radio('from', version.id, older, setOlder)}
              {radio('to', version.id, newer, setNewer)}
            </span>
            <a href={linkWithin(state.place, path, { at: shortRevision(version.id) })}>
              <span class="hidden">The node at </span>
              <time dateTime={version.date}>{dayOf(version.date)}</time>
            </a>{' '}
            <span class="what">
              <a href={linkWithin(state.place, `versions/${version.id}`)}>{firstLine(version.message) || 'Revision'}</a>{' '}
              <Tags names={version.classes} />
            </span>{' '}
            <span class="absent">
              {visible(version.author)} <RevisionLink state={state} id={version.id} path={path} />
            </span>
          </li>
        ))}
      </ol>
      {versions.at(-1)?.isTruncated ? <LeftOut /> : null}
      {versions.length > 1 && older !== newer ? (
        <>
          <details class="class" onToggle={(event) => setIsCompared(event.currentTarget.open)}>
            <summary>
              Differences between {dateOf(older)} and {dateOf(newer)}
            </summary>
            {isCompared ? <VersionDifference state={state} path={path} ids={[older, newer]} /> : null}
          </details>
          <CompareLink state={state} path={path} past={[older, newer].filter((id) => id !== versions[0]?.id)} />
        </>
      ) : null}
    </>
  );
}

/** A line from the first version to the newest one. Each mark links to the node at the time of a version. */
function Strip({ state: { place }, path, versions }: TimelineProps & { readonly versions: readonly VersionSummary[] }) {
  const times = versions.map(({ date }) => Date.parse(date) || 0);
  const [from, to] = [Math.min(...times), Math.max(...times)];
  if (from === to) return null;
  return (
    <div class="strip">
      {versions.map(({ id, date, message, classes }, i) => (
        <a
          key={id}
          class={SAME_HARDWARE.some((name) => classes.includes(name)) ? 'strong' : undefined}
          href={linkWithin(place, path, { at: shortRevision(id) })}
          title={`${dayOf(date)}: ${firstLine(message)}`}
          style={{ left: `${(100 * ((times[i] ?? from) - from)) / (to - from)}%` }}
        >
          <span class="hidden">The node at {dayOf(date)}</span>
        </a>
      ))}
      <span>{dayOf(versions.at(-1)?.date ?? '')}</span>
      <span>{dayOf(versions[0]?.date ?? '')}</span>
    </div>
  );
}

/** Links to a comparison of earlier versions with the current node. Shows no link for a removed node. */
function CompareLink({ state: { fleet, place }, path, past }: TimelineProps & { readonly past: readonly string[] }) {
  const row = fleet.rowOf(path);
  if (row < 0) return null;
  const link = linkWithin(place, 'compare', { pick: pickText([row], fleet), was: past.map(shortRevision).join() });
  return <a href={link}>Compare {past.length > 1 ? 'both ' : ''}with the current state</a>;
}

function VersionDifference({ state, path, ids }: TimelineProps & { readonly ids: readonly string[] }) {
  const loaded = useLoaded(`${path} ${ids.join(' ')}`, () =>
    Promise.all(ids.map((id) => versionBody(state, path, id))),
  );
  const heads = ids.map((id) => <code key={id}>{shortRevision(id)}</code>);
  return (
    <Read of={loaded}>
      {(bodies) => <ComparisonTable state={state} bodies={bodies} hasEqualFields={false} heads={heads} />}
    </Read>
  );
}
