/** Chooses a former version of a node, to stand beside what it is now. */
import type { AppState } from '../../app-state.ts';
import { versionsOf } from '../../data/nodes.ts';
import { dayOf, shortRevision, visible } from '../../format/values.ts';
import { withParams } from '../../state/place.ts';
import { useLoaded } from '../../state/use-loaded.ts';
import { adjust } from '../../state/use-place.ts';

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
