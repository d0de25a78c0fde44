/** Two to six nodes side by side, as `gridpress diff` pairs their fields. */
import { useMemo } from 'preact/hooks';
import type { AppState } from '../app-state.ts';
import { readNode } from '../data/nodes.ts';
import { compared } from '../fleet/comparison.ts';
import { ComparisonTable } from '../parts/comparison-table.tsx';
import { Notice } from '../parts/notice.tsx';
import { MOST_COMPARED } from '../parts/picked-bar.tsx';
import { fragmentOf, lastingParams, withParams } from '../state/place.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { adjust } from '../state/use-place.ts';

export function Compare({ state }: { state: AppState }) {
  const rows = state.picked.slice(0, MOST_COMPARED);
  return (
    <>
      <h1 tabIndex={-1}>Compare</h1>
      {rows.length < 2 ? (
        <Notice kind="info" title="Pick two to six nodes to compare.">
          Tick them in the <a href={fragmentOf('nodes', lastingParams(state.place.params))}>table of nodes</a>
          , or choose one that is like a node on its own page.
        </Notice>
      ) : (
        <Compared state={state} rows={rows} />
      )}
    </>
  );
}

function Compared({ state, rows }: { state: AppState; rows: readonly number[] }) {
  const { fleet, place, reader, registry } = state;
  const isWhole = place.params.has('all');
  const loaded = useLoaded(`${rows.join()} ${registry.version}`, () =>
    Promise.all(rows.map((row) => readNode(reader, fleet, row, registry))),
  );
  const bodies = loaded.kind === 'done' ? loaded.value.map(({ body }) => body) : undefined;
  const comparison = useMemo(() => bodies && compared(bodies, isWhole), [loaded, isWhole]);
  const kept = lastingParams(place.params);
  const heads = rows.map((row) => ({
    key: String(row),
    content: (
      <>
        <a href={fragmentOf(fleet.pathOf(row), kept)}>{fleet.nameOf(row)}</a>{' '}
        <span class="absent">{fleet.placeOf(row).site}</span>{' '}
        <button type="button" class="link" onClick={() => state.pick(row, false)}>
          Remove<span class="hidden"> {fleet.nameOf(row)}</span>
        </button>
      </>
    ),
  }));
  if (loaded.kind === 'failed') return <Notice kind="wrong" title={loaded.problem} />;
  return (
    <>
      <p>
        <label>
          <input
            type="checkbox"
            checked={!isWhole}
            onChange={() => adjust(place.path, withParams(place.params, { all: isWhole ? undefined : '1' }))}
          />{' '}
          Differences only
        </label>{' '}
        <span class="absent">Each node is compared with the first.</span>
      </p>
      {comparison ? (
        <ComparisonTable comparison={comparison} heads={heads} />
      ) : (
        <p class="loading">Reading…</p>
      )}
    </>
  );
}
