import type { ViewProps } from '../app-state.ts';
import { canLoadAllFields } from '../data/registry.ts';
import { visible } from './value.tsx';

interface MissingFieldsProps extends ViewProps {
  readonly load: () => void;
  /** True after a search without results. A button then offers to search the omitted fields. */
  readonly isSearch: boolean;
}

/** Lists the fields that the node table omits, such as serials, and offers to load these fields. */
export function MissingFields({ state: { registry, place, isLoadingFields }, load, isSearch }: MissingFieldsProps) {
  const { omittedFields } = registry.table;
  if (omittedFields.length === 0 || isLoadingFields) return null;
  const canLoad = canLoadAllFields(registry);
  const isWanted = place.params.has('fields');
  return (
    <p>
      {isWanted && canLoad ? 'These fields could not be loaded: ' : 'These fields are not loaded: '}
      {omittedFields.map(visible).join(', ')}.{' '}
      {canLoad ? (
        <button type="button" class="link" onClick={load} disabled={isWanted}>
          {isSearch ? 'Search these fields too' : 'Load all fields'}
        </button>
      ) : (
        <>
          <code>gridpress find</code> searches them.
        </>
      )}
    </p>
  );
}
