import { findField } from '../../core/query/columns.ts';
import type { ViewProps } from '../app-state.ts';
import {
  type ComparedBody,
  type ComparedColumn,
  comparedBodies,
  comparedColumns,
  revisionsIn,
} from '../data/compared-bodies.ts';
import { versionsOf } from '../data/nodes.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { summaryOf } from '../fleet/hardware-cards.ts';
import { sizeOfType, typeOf } from '../fleet/node-types.ts';
import { pickText } from '../fleet/picks.ts';
import { placeTitle } from '../fleet/site-titles.ts';
import { Checkbox } from '../parts/checkbox.tsx';
import { ComparisonTable } from '../parts/comparison-table.tsx';
import { firstLine } from '../parts/links.tsx';
import { Notice } from '../parts/notice.tsx';
import { Read } from '../parts/read.tsx';
import { Select } from '../parts/select.tsx';
import { counted, dayOf, listed, shortRevision, valueText, visible } from '../parts/value.tsx';
import { linkWithin, MOST_COMPARED, navigate, navigateWithin, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';

/** A comparison with at least this number of columns is as wide as the window. */
const MANY_COLUMNS = 4;

export function Compare({ state }: ViewProps) {
  const { picked, place } = state;
  const columns = comparedColumns(picked, place.params);
  return (
    <>
      <h1 tabIndex={-1} class={columns.length < MANY_COLUMNS ? undefined : 'many'}>
        Compare
      </h1>
      {picked.length === 0 ? null : <Choices state={state} isAlone={columns.length < 2} />}
      {columns.length === 1 && columns[0] ? (
        <p>
          <Head state={state} column={columns[0]} body={undefined} />
        </p>
      ) : null}
      {picked.length <= MOST_COMPARED ? null : (
        <Notice kind="info" title={`The first ${MOST_COMPARED} of ${picked.length} picked nodes are compared.`}>
          Not compared: {listed(picked.slice(MOST_COMPARED).map(state.fleet.nameOf))}. Remove a node to compare the next
          one.
        </Notice>
      )}
      {columns.length < 2 ? <Start state={state} /> : <Comparison state={state} columns={columns} />}
    </>
  );
}

/** Explains how to pick nodes for a comparison. */
function Start({ state: { fleet, picked, place } }: ViewProps) {
  const search = (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    navigateWithin(place, 'nodes', { q: String(new FormData(event.currentTarget).get('q') ?? '').trim() || undefined });
  };
  const examples = picked.length > 0 ? [] : examplesIn(fleet);
  return (
    <>
      <Notice kind="info" title="Pick two to six nodes to compare.">
        Pick them in the <a href={linkWithin(place, 'nodes')}>table of nodes</a>, or pick a similar node in the view of
        a node.
        {picked.length === 1
          ? ' You can also compare one node with an earlier version, or with a typical node of its type.'
          : ''}
      </Notice>
      <form class="ask" onSubmit={search}>
        <input type="search" name="q" aria-label="Words or a query" placeholder="A100, or label.ram >= 256GiB" />
        <button type="submit">Find nodes</button>
      </form>
      {examples.length === 0 ? null : (
        <>
          <p class="absent">Or open an example:</p>
          <ul class="inline">
            {examples.map(({ text, rows }) => (
              <li key={text}>
                <a href={linkWithin(place, 'compare', { pick: pickText(rows, fleet) })}>{text}</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const MOST_EXAMPLES = 2;

/** Returns example pairs. One node has the most frequent value of a field, the other the second most frequent. */
function examplesIn({ table, query }: Fleet): { readonly text: string; readonly rows: readonly number[] }[] {
  const pairs = ['label.gpu', 'label.cpu', 'node_type'].flatMap((name) => {
    const { valuesOf } = findField(name, query);
    const byValue = Map.groupBy(table.uids.keys(), (row) => valueText(valuesOf(row)[0], name));
    byValue.delete('');
    const most = [...byValue].sort(([, { length: a }], [, { length: b }]) => b - a).slice(0, 2);
    const rows = most.map(([, [row = 0]]) => row);
    return rows.length < 2 ? [] : [{ text: most.map(([value]) => value).join(' and '), rows }];
  });
  return pairs.slice(0, MOST_EXAMPLES);
}

function Choices({ state, isAlone }: ViewProps & { readonly isAlone: boolean }) {
  const { fleet, place, picked } = state;
  const { params } = place;
  const [first = 0] = picked;
  const type = typeOf(fleet.table, first);
  const set = (name: 'all' | 'majority', isSet: boolean) =>
    navigate(place.path, withParams(params, { [name]: isSet ? '1' : undefined }));
  return (
    <p class="bar versions">
      {isAlone ? null : (
        <Checkbox checked={!params.has('all')} change={(isChecked) => set('all', !isChecked)}>
          Differences only
        </Checkbox>
      )}{' '}
      {type === undefined || (sizeOfType(fleet.table, first) < 2 && !params.has('majority')) ? null : (
        <Checkbox checked={params.has('majority')} change={(isChecked) => set('majority', isChecked)}>
          Compare with a typical {visible(type)}
        </Checkbox>
      )}{' '}
      {isAlone ? null : <span class="absent">All columns are compared with the first one.</span>}{' '}
      <VersionChoice state={state} row={first} />
    </p>
  );
}

function Comparison({ state, columns }: ViewProps & { readonly columns: readonly ComparedColumn[] }) {
  const { place, registry } = state;
  const loaded = useLoaded(`${JSON.stringify(columns)} ${registry.version}`, () => comparedBodies(state, columns));
  return (
    <Read of={loaded}>
      {(bodies) => (
        <ComparisonTable
          state={state}
          bodies={bodies}
          hasEqualFields={place.params.has('all')}
          summaries={
            columns.every(({ as }) => as === 'now')
              ? columns.map(({ row }) => summaryOf(state.fleet, row).line)
              : undefined
          }
          heads={columns.map((column, i) => (
            <Head key={JSON.stringify(column)} state={state} column={column} body={bodies[i]} />
          ))}
        />
      )}
    </Read>
  );
}

interface HeadProps extends ViewProps {
  readonly column: ComparedColumn;
  readonly body: ComparedBody | undefined;
}

function Head({ state, column: { row, as }, body }: HeadProps) {
  const { fleet, place } = state;
  if (as === 'majority')
    return (
      <>
        Typical {visible(body?.type?.name ?? '')} <span class="absent">{counted(body?.type?.nodes ?? 0, 'node')}</span>
      </>
    );
  const { params } = place;
  const without = (name: string) => revisionsIn(params).filter((start) => start !== name);
  const remove = () =>
    as === 'now'
      ? state.pick([row], false)
      : navigate(place.path, withParams(params, { was: without(as.revision).join() || undefined }));
  const { id = '', date = '' } = body?.revision ?? {};
  return (
    <>
      <a href={linkWithin(place, fleet.pathOf(row))}>{fleet.nameOf(row)}</a>{' '}
      <span class="absent">
        {as === 'now' ? (
          placeTitle(row, fleet)
        ) : (
          <>
            {body?.isMissing ? 'did not exist' : ''} as of {dayOf(date)} <code>{shortRevision(id)}</code>
          </>
        )}
      </span>{' '}
      <button type="button" class="link remove" aria-label={`Remove ${fleet.nameOf(row)}`} onClick={remove}>
        ×
      </button>
    </>
  );
}

/** In the list, messages are cut after this number of characters. Longer messages would make the list too wide. */
const MOST_LETTERS = 60;

/** Lets the user compare with an earlier version of the node. Shows nothing for a node with a single version. */
function VersionChoice({ state, row }: ViewProps & { readonly row: number }) {
  const { reader, fleet, place } = state;
  const path = fleet.pathOf(row);
  const chosen = revisionsIn(place.params);
  const loaded = useLoaded(path, () => versionsOf(reader, path));
  const versions = (loaded.kind === 'done' && loaded.value) || [];
  const offered = versions.slice(1).filter(({ id }) => !chosen.some((start) => id.startsWith(start)));
  if (loaded.kind === 'done' && offered.length === 0) return null;
  const options = offered.map(
    ({ id, date, message }) => [id, `${dayOf(date)} ${firstLine(message).slice(0, MOST_LETTERS)}`] as const,
  );
  const choose = (id: string) =>
    navigate(place.path, withParams(place.params, { was: [...chosen, shortRevision(id)].join() }));
  return <Select label="Earlier version" value="" options={[['', 'choose a version'], ...options]} choose={choose} />;
}
