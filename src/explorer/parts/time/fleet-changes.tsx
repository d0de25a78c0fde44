/** What came, went and changed between two revisions, node by node. */
import { useMemo } from 'preact/hooks';
import type { AppState } from '../../app-state.ts';
import type { FleetHistory } from '../../data/history.ts';
import { type Fleet, fleetOf } from '../../fleet/fleet.ts';
import { fleetDifference } from '../../fleet/growth.ts';
import { momentNamed, tableAt } from '../../fleet/past.ts';
import { dayOf, shortRevision, visible } from '../../format/values.ts';
import { linkWithin, withParams } from '../../state/place.ts';
import { adjust } from '../../state/use-place.ts';
import { LeftOut } from './left-out.tsx';

interface FleetChangesProps {
  readonly state: AppState;
  readonly history: FleetHistory;
  readonly moment: number;
}

export function FleetChanges({ state, history, moment }: FleetChangesProps) {
  const { place } = state;
  const { line, moments, labels } = history;
  const asked = momentNamed(history, place.params.get('than') ?? '');
  const other = asked >= 0 ? asked : (moments[moment]?.parent ?? -1);
  const { earlier, later, found } = useMemo(() => {
    // Not what is shown: the newest table can leave out other fields than the history does.
    const fleetAt = (index: number) => fleetOf(tableAt(history, index), labels);
    const [first, second] = [fleetAt(Math.min(other, moment)), fleetAt(Math.max(other, moment))];
    return { earlier: first, later: second, found: fleetDifference(first, second) };
  }, [history, other, moment]);
  const dateAt = (index: number) => dayOf(moments[index]?.date ?? '');
  const laterId = moments[Math.max(moment, other)]?.id ?? '';
  const earlierId = moments[Math.min(moment, other)]?.id ?? '';
  const isBeginning = other < 0 && moments[moment]?.isCut === true;
  const nodes = (title: string, rows: readonly number[], of: Fleet, id: string) => (
    <NodeNames state={state} title={title} rows={rows} id={id} fleet={of} />
  );
  return (
    <section aria-labelledby="between">
      <h2 id="between">Between two moments</h2>
      <p class="choosers">
        <label>
          Against{' '}
          <select
            value={String(other)}
            onChange={(event) => {
              const id = moments[Number(event.currentTarget.value)]?.id;
              adjust('time', withParams(place.params, { than: id === undefined ? undefined : shortRevision(id) }));
            }}
          >
            {other < 0 ? <option value="-1">nothing</option> : null}
            {[...line].reverse().map((index) => (
              <option key={index} value={String(index)}>
                {dateAt(index)} {shortRevision(moments[index]?.id ?? '')}
              </option>
            ))}
          </select>
        </label>
      </p>
      {isBeginning ? (
        <LeftOut />
      ) : (
        <>
          {nodes('Came', found.came, later, laterId)}
          {nodes('Went', found.went, earlier, earlierId)}
          {nodes('Changed', found.changed, later, laterId)}
        </>
      )}
    </section>
  );
}

const MOST_NAMED = 60;

interface NodeNamesProps {
  readonly state: AppState;
  readonly title: string;
  readonly rows: readonly number[];
  readonly fleet: Fleet;
  readonly id: string;
}

function NodeNames({ state, title, rows, fleet, id }: NodeNamesProps) {
  const { registry, place } = state;
  const at = id === registry.newest ? undefined : shortRevision(id);
  return (
    <details class="class" open={rows.length > 0 && rows.length <= MOST_NAMED}>
      <summary>
        {title} <span class="badge">{rows.length}</span>
      </summary>
      <ul class="inline">
        {rows.slice(0, MOST_NAMED).map((row) => (
          <li key={row}>
            <a href={linkWithin(place, fleet.pathOf(row), { at })}>{visible(fleet.nameOf(row))}</a>{' '}
            <span class="absent">{fleet.placeOf(row).site}</span>
          </li>
        ))}
        {rows.length > MOST_NAMED ? <li class="absent">and {rows.length - MOST_NAMED} more</li> : null}
      </ul>
    </details>
  );
}
