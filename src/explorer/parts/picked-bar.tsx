import type { ViewProps } from '../app-state.ts';
import { columnsOf } from '../fleet/table-params.ts';
import { linkWithin, MOST_COMPARED, navigate, withParams } from '../state/place.ts';
import { ExportMenu } from './export-menu.tsx';
import { Menu } from './menu.tsx';
import { counted } from './value.tsx';

export function PickedBar({ state }: ViewProps) {
  const { picked, fleet, place } = state;
  const others = picked.length - MOST_COMPARED;
  const columns = columnsOf(fleet, place.path === 'nodes' ? place.params.get('columns') : null);
  const names = picked.slice(0, MOST_COMPARED).map(fleet.nameOf).join(', ');
  return (
    <section class="picked-bar" aria-label="Picked nodes">
      <span>{counted(picked.length, 'node')} picked</span>
      <span class="names">{others > 0 ? `${names} and ${others} more` : names}</span>
      {picked.length < 2 || others > 0 ? (
        <span class="absent">
          {others > 0 ? `At most ${MOST_COMPARED} can be compared` : 'Pick one more to compare'}
        </span>
      ) : (
        <a class="button" href={linkWithin(place, 'compare')}>
          Compare
        </a>
      )}
      <Menu label="Export">
        <ExportMenu state={state} rows={[]} columns={columns} />
      </Menu>
      <button type="button" onClick={() => navigate(place.path, withParams(place.params, { pick: undefined }))}>
        Clear
      </button>
    </section>
  );
}
