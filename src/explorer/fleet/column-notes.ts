import { counted, listed } from '../parts/value.tsx';
import type { Fleet } from './fleet.ts';
import { columnsOf, isKnownField, MOST_COLUMNS, namesIn } from './table-params.ts';

/** Returns sentences about columns in the URL that the table does not show. */
export function columnNotes(fleet: Fleet, text: string | null): string[] {
  const unknown = namesIn(text).filter((name) => !isKnownField(name, fleet));
  const columns = columnsOf(fleet, text).length;
  return [
    ...(unknown.length > 0
      ? [`No node has ${unknown.length > 1 ? 'the fields' : 'the field'} ${listed(unknown)}.`]
      : []),
    ...(columns > MOST_COLUMNS
      ? [`The table shows ${MOST_COLUMNS} of ${counted(columns, 'column')}. Exports contain all of them.`]
      : []),
  ];
}
