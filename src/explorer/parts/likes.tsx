/** Nodes with the same hardware, to take instead of one that is reserved; then those that differ least. */
import { useMemo } from 'preact/hooks';
import type { AppState } from '../app-state.ts';
import { profilesOf } from '../fleet/profiles.ts';
import { substitutes } from '../fleet/substitutes.ts';
import { counted } from '../format/values.ts';
import { shortUids } from '../state/picked.ts';
import { linkWithin } from '../state/place.ts';

const MOST_NAMED = 12;
const MOST_SUBSTITUTES = 5;

export function Likes({ state, row }: { state: AppState; row: number }) {
  const { fleet, place } = state;
  const { table } = fleet;
  const profiles = profilesOf(table);
  const twins = (profiles.rows[profiles.of[row] ?? -1] ?? []).filter((other) => other !== row);
  const near = useMemo(() => substitutes(table, profiles, row, MOST_SUBSTITUTES), [table, profiles, row]);
  const link = (other: number) => <a href={linkWithin(place, fleet.pathOf(other))}>{fleet.nameOf(other)}</a>;
  const comparison = (other: number) => {
    const pick = shortUids([table.uids[row] ?? '', table.uids[other] ?? ''], table.uids);
    return <a href={linkWithin(place, 'compare', { pick })}>compare</a>;
  };
  return (
    <section aria-labelledby="likes">
      <h2 id="likes">Nodes like it</h2>
      {twins.length === 0 ? (
        <p>No other node has the same hardware.</p>
      ) : (
        <>
          <p>{counted(twins.length, 'other node has', 'other nodes have')} the same hardware, field by field:</p>
          <ul class="inline">
            {twins.slice(0, MOST_NAMED).map((other) => (
              <li key={other}>
                {link(other)} <span class="absent">{fleet.placeOf(other).site}</span>
              </li>
            ))}
            {twins.length > MOST_NAMED ? <li class="absent">and {twins.length - MOST_NAMED} more</li> : null}
          </ul>
        </>
      )}
      {near.length === 0 ? null : (
        <details class="class">
          <summary>Those that differ least</summary>
          <ul class="rows">
            {near.map((other) => (
              <li key={other.row}>
                {link(other.row)}
                {other.nodes > 1 ? ` and ${counted(other.nodes - 1, 'other', 'others')}` : ''} at{' '}
                {fleet.placeOf(other.row).site}: {counted(other.fields, 'field of hardware', 'fields of hardware')}{' '}
                differ
                {' · '}
                {comparison(other.row)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
