/** Nodes side by side, now and then, and what most of their type have, as `gridpress diff` pairs their fields. */

import type { AppState } from '../app-state.ts';
import {
  type ComparedBody,
  type ComparedColumn,
  comparedBodies,
  comparedColumns,
  revisionsIn,
} from '../data/compared-bodies.ts';
import { versionsOf } from '../data/nodes.ts';
import { typeOf } from '../fleet/node-types.ts';
import { ComparisonTable } from '../parts/comparison-table.tsx';
import { Notice } from '../parts/notice.tsx';
import { Read } from '../parts/read.tsx';
import { counted, dayOf, shortRevision, visible } from '../parts/value.tsx';
import { adjust, linkWithin, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';

export function Compare({ state }: { state: AppState }) {
  const { picked, place } = state;
  const columns = comparedColumns(picked, place.params);
  return (
    <>
      <h1 tabIndex={-1}>Compare</h1>
      {picked.length === 0 ? null : <Choices state={state} />}
      {columns.length < 2 ? (
        <Notice kind="info" title="Pick two to six nodes to compare.">
          Tick them in the <a href={linkWithin(place, 'nodes')}>table of nodes</a>, or choose one that is like a node on
          its own page.
          {picked.length === 1 ? ' One node can be compared with what it was, and with most of its type.' : ''}
        </Notice>
      ) : (
        <Compared state={state} columns={columns} />
      )}
    </>
  );
}

function Choices({ state }: { state: AppState }) {
  const { fleet, place, picked } = state;
  const { params } = place;
  const [first = 0] = picked;
  const type = typeOf(fleet.table, first);
  const toggle = (name: string) =>
    adjust(place.path, withParams(params, { [name]: params.has(name) ? undefined : '1' }));
  return (
    <p class="bar">
      <label>
        <input type="checkbox" checked={!params.has('all')} onChange={() => toggle('all')} /> Differences only
      </label>{' '}
      {type === undefined ? null : (
        <label>
          <input type="checkbox" checked={params.has('majority')} onChange={() => toggle('majority')} /> The majority of{' '}
          {visible(type)}
        </label>
      )}{' '}
      <ThenChoice state={state} row={first} chosen={revisionsIn(params)} />{' '}
      <span class="absent">Each is compared with the first.</span>
    </p>
  );
}

function Compared({ state, columns }: { state: AppState; columns: readonly ComparedColumn[] }) {
  const { place, registry } = state;
  const loaded = useLoaded(`${JSON.stringify(columns)} ${registry.version}`, () => comparedBodies(state, columns));
  return (
    <Read of={loaded}>
      {(bodies) => (
        <ComparisonTable
          state={state}
          bodies={bodies}
          isWhole={place.params.has('all')}
          heads={columns.map((column, i) => (
            <Head key={JSON.stringify(column)} state={state} column={column} read={bodies[i]} />
          ))}
        />
      )}
    </Read>
  );
}

interface HeadProps {
  readonly state: AppState;
  readonly column: ComparedColumn;
  readonly read: ComparedBody | undefined;
}

function Head({ state, column: { row, as }, read }: HeadProps) {
  const { fleet, place } = state;
  if (as === 'majority')
    return (
      <>
        Most of {counted(read?.type?.nodes ?? 0, 'node')} <span class="absent">{visible(read?.type?.name ?? '')}</span>
      </>
    );
  const { params } = place;
  const without = (name: string) => revisionsIn(params).filter((start) => start !== name);
  const remove = () =>
    as === 'now'
      ? state.pick(row, false)
      : adjust(place.path, withParams(params, { was: without(as.revision).join() || undefined }));
  return (
    <>
      <a href={linkWithin(place, fleet.pathOf(row))}>{fleet.nameOf(row)}</a>{' '}
      <span class="absent">{as === 'now' ? fleet.placeOf(row).site : <Moment read={read} />}</span>{' '}
      <button type="button" class="link" onClick={remove}>
        Remove<span class="hidden"> {fleet.nameOf(row)}</span>
      </button>
    </>
  );
}

function Moment({ read }: { read: ComparedBody | undefined }) {
  const { id = '', date = '' } = read?.revision ?? {};
  return (
    <>
      {read?.isMissing ? 'was not there' : 'as of'} {dayOf(date)} <code>{shortRevision(id)}</code>
    </>
  );
}

/** Chooses a former version of a node, to stand beside what it is now. */
interface ThenChoiceProps {
  readonly state: AppState;
  readonly row: number;
  readonly chosen: readonly string[];
}

/** Nothing where no version but the present one can be read. */
export function ThenChoice({ state, row, chosen }: ThenChoiceProps) {
  const { reader, fleet, place } = state;
  const path = fleet.pathOf(row);
  const loaded = useLoaded(path, () => versionsOf(reader, path));
  const versions = (loaded.kind === 'done' && loaded.value) || [];
  const offered = versions.slice(1).filter(({ id }) => !chosen.some((start) => id.startsWith(start)));
  if (offered.length === 0) return null;
  const choose = (id: string) =>
    adjust(place.path, withParams(place.params, { was: [...chosen, shortRevision(id)].join() }));
  return (
    <label>
      As it was{' '}
      <select value="" onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">choose a version</option>
        {offered.map(({ id, date, message }) => (
          <option key={id} value={id}>
            {dayOf(date)} {visible(message.split('\n')[0] ?? '').slice(0, MOST_LETTERS)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Longer messages make the box wider than the page. */
const MOST_LETTERS = 60;
