/** Nodes side by side, now and then, and what most of their type have, as `gridpress diff` pairs their fields. */
import type { AppState } from '../app-state.ts';
import { type ComparedBody, comparedBodies } from '../data/compared-bodies.ts';
import { type ComparedColumn, comparedColumns, revisionsIn } from '../fleet/compared-columns.ts';
import { typeOf } from '../fleet/node-types.ts';
import { counted, dayOf, shortRevision, visible } from '../format/values.ts';
import { ComparisonTable } from '../parts/compare/comparison-table.tsx';
import { ThenChoice } from '../parts/compare/then-choice.tsx';
import { Notice } from '../parts/notice.tsx';
import { Read } from '../parts/read.tsx';
import { linkWithin, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { adjust } from '../state/use-place.ts';

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
