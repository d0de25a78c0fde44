import { useMemo } from 'preact/hooks';
import { findField } from '../../core/query/columns.ts';
import { bodyAt } from '../../core/table/node-table.ts';
import type { AppState } from '../app-state.ts';
import { pickText } from '../fleet/picks.ts';
import { hardwareChanges, profilesOf } from '../fleet/profiles.ts';
import { linkWithin } from '../state/place.ts';
import { fieldsText, nameAt } from './change-groups.tsx';
import { joinedValues, plainNumber } from './value.tsx';

interface GroupDifferencesProps {
  readonly state: AppState;
  readonly rows: readonly number[];
  readonly columns: readonly string[];
}

/** If groups have equal values in all displayed columns, names the other fields in which they differ. */
export function GroupDifferences({ state, rows, columns }: GroupDifferencesProps) {
  const pairs = useMemo(() => alikeGroups(state, rows, columns), [state.fleet, rows, columns]);
  if (pairs.length === 0) return null;
  const { place, fleet } = state;
  return (
    <details class="class">
      <summary>
        What splits groups that look equal <span class="badge">{pairs.length}</span>
      </summary>
      <ul class="rows">
        {pairs.map(({ groups, fields }) => {
          const some = groups.map(([row = -1]) => row);
          const [first = -1] = some;
          return (
            <li key={some.join()}>
              {groups.map(({ length }) => plainNumber(length)).join(' and ')} nodes like {fleet.nameOf(first)}:{' '}
              {fieldsText(fields, 1)}.{' '}
              <a href={linkWithin(place, 'compare', { pick: pickText(some, fleet) })}>Compare</a>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

type Group = readonly number[];

interface AlikeGroups {
  readonly groups: readonly [Group, Group];
  /** The names of the hardware fields in which the groups differ. */
  readonly fields: readonly string[];
}

/** Compares each group with the largest group that has equal values in the displayed columns. */
function alikeGroups({ fleet }: AppState, rows: readonly number[], columns: readonly string[]): AlikeGroups[] {
  const { table, query } = fleet;
  const { profileByRow } = profilesOf(table);
  const groups = [...Map.groupBy(rows, (row) => profileByRow[row]).values()].sort((a, b) => b.length - a.length);
  // The name and the site of a node are not hardware.
  const shown = columns.filter((name) => name !== 'node_name' && name !== 'site').map((name) => findField(name, query));
  const looks = Map.groupBy(groups, ([row = -1]) =>
    JSON.stringify(shown.map(({ name, valuesOf }) => joinedValues(valuesOf(row), name))),
  );
  return [...looks.values()].flatMap(([largest = [], ...others]) =>
    others.map((other) => {
      const [before, after] = [largest, other].map(([row = -1]) => bodyAt(table, row));
      const names = hardwareChanges(before ?? {}, after ?? {}).map(({ at }) => nameAt(at));
      return { groups: [largest, other] as const, fields: [...new Set(names)] };
    }),
  );
}
