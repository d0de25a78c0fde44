import { useMemo } from 'preact/hooks';
import type { AppState, ViewProps } from '../app-state.ts';
import type { FleetHistory } from '../data/history.ts';
import type { SiteNames } from '../data/sites.ts';
import { changesByClass, EACH_NODE, monthlyChanges } from '../fleet/change-counts.ts';
import { isOfClass } from '../fleet/changed-classes.ts';
import { fieldTitle } from '../fleet/field-titles.ts';
import { PLOTTED } from '../fleet/growth.ts';
import type { MonthlyChanges } from '../fleet/monthly-changes.ts';
import { navigate, withParams } from '../state/place.ts';
import { ClassChoice, classIn, NONE_OF_CLASS } from './class-choice.tsx';
import { HeatMap, HeatTable } from './heat-map.tsx';
import { Notice } from './notice.tsx';
import { Select } from './select.tsx';
import { gutterFor } from './time-axis.tsx';
import { counted, visible } from './value.tsx';

const MOST_GROUPS = 30;

/** The changes by month that the view shows. */
interface Months {
  readonly grouping: string;
  readonly changes: MonthlyChanges;
  /** Returns the text that the explorer shows for the name of a row. */
  readonly nameOf: (name: string) => string;
  /** Returns the space that the names need to the left of the plots. */
  readonly gutter: (width: number) => number;
}

export function useMonths(state: AppState, history: FleetHistory, siteNames: SiteNames): Months {
  const { place } = state;
  const grouping = place.params.get('by') ?? 'site';
  const chosen = classIn(state);
  const changes = useMemo(
    () => monthlyChanges(history, grouping, (classes) => isOfClass(chosen, classes)),
    [history, grouping, chosen],
  );
  const nameOf = (name: string) => (grouping === 'site' ? siteNames(name) : visible(name)) || 'none';
  const names = changes.groups.slice(0, MOST_GROUPS).map(({ name }) => nameOf(name));
  return { grouping, changes, nameOf, gutter: (width) => gutterFor(names, width) };
}

interface MonthsProps extends ViewProps {
  readonly history: FleetHistory;
  readonly months: Months;
}

export function ChangesByMonth({ state, history, months }: MonthsProps) {
  const { place } = state;
  const { grouping, changes, nameOf, gutter } = months;
  const numbers = useMemo(() => changesByClass(history), [history]);
  return (
    <section aria-labelledby="months">
      <h2 id="months">Changes over time</h2>
      <p class="choosers">
        <Select
          label="Rows"
          value={grouping}
          options={[...PLOTTED.map((name) => [name, fieldTitle(name)] as const), [EACH_NODE, 'Node']]}
          choose={(by) => navigate('time', withParams(place.params, { by }))}
        />
        <ClassChoice state={state} numberOf={(name) => numbers.get(name) ?? 0} />
      </p>
      {changes.groups.length === 0 ? (
        <Notice kind="info" title={NONE_OF_CLASS} />
      ) : (
        <>
          <HeatMap
            state={state}
            history={history}
            changes={changes}
            most={MOST_GROUPS}
            nameOf={nameOf}
            gutter={gutter}
          />
          <p class="absent">
            A node counts once for each revision that changed it. A click lists the changes of all nodes below.
            {changes.groups.length > MOST_GROUPS
              ? ` ${counted(changes.groups.length - MOST_GROUPS, 'row')} with fewer changes are not shown.`
              : ''}
          </p>
          <HeatTable state={state} history={history} changes={changes} most={MOST_GROUPS} nameOf={nameOf} />
        </>
      )}
    </section>
  );
}
