/** What was picked, wherever the reader is: the way to the comparison. */
import type { AppState } from '../app-state.ts';
import { counted } from '../format/values.ts';
import { MOST_COMPARED } from '../state/picked.ts';
import { linkWithin, withParams } from '../state/place.ts';
import { adjust } from '../state/use-place.ts';

export function PickedBar({ state }: { state: AppState }) {
  const { picked, fleet, place } = state;
  if (picked.length === 0 || place.path === 'compare') return null;
  const isMany = picked.length > MOST_COMPARED;
  return (
    <section class="picked-bar" aria-label="Picked nodes">
      <span>{counted(picked.length, 'node')} picked</span>
      <span class="names">{picked.slice(0, MOST_COMPARED).map(fleet.nameOf).join(', ')}</span>
      {picked.length < 2 || isMany ? (
        <span class="absent">{isMany ? `At most ${MOST_COMPARED} can be compared` : 'Pick one more to compare'}</span>
      ) : (
        <a class="button" href={linkWithin(place, 'compare')}>
          Compare
        </a>
      )}
      <button type="button" onClick={() => adjust(place.path, withParams(place.params, { pick: undefined }))}>
        Clear
      </button>
    </section>
  );
}
