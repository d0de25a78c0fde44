/** A value, in the unit that people use, with what the registry says one hover or one step away. */
import type { Json } from '../../core/model/json.ts';
import { isRephrased, valueText } from '../format/values.ts';

export function Value({ value, field }: { value: Json | undefined; field: string }) {
  if (value === undefined) return <span class="absent">–</span>;
  if (value === null) return <span class="absent">null</span>;
  const shown = valueText(value, field);
  return isRephrased(value, field) ? (
    <data value={String(value)} title={String(value)}>
      {shown}
    </data>
  ) : (
    shown
  );
}

/** All that a node has in a field. */
export function Values({ values, field }: { values: readonly Json[]; field: string }) {
  if (values.length === 0) return <span class="absent">–</span>;
  return (
    <>
      {values.map((value, i) => (
        <>
          {i > 0 ? ', ' : ''}
          <Value value={value} field={field} />
        </>
      ))}
    </>
  );
}
