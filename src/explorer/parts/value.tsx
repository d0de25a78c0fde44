/** A value, in the unit that people use, with what the registry says one hover or one step away. */
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { isRephrased, valueText, visible } from '../format/values.ts';

export function Value({ value, field }: { value: Json | undefined; field: string }) {
  if (value === undefined) return <span class="absent">–</span>;
  if (value === null) return <span class="absent">null</span>;
  if (isJsonObject(value) && Object.keys(value).length > 0) return <Members of={value} field={field} />;
  const shown = valueText(value, field);
  return isRephrased(value, field) ? (
    <data value={String(value)} title={String(value)}>
      {shown}
    </data>
  ) : (
    shown
  );
}

/** An object, such as a disk that only one of two nodes has: what it has, line by line. */
function Members({ of, field }: { of: { readonly [name: string]: Json }; field: string }) {
  return (
    <ul class="members">
      {Object.entries(of).map(([name, value]) => (
        <li key={name}>
          <span class="absent">{visible(name)}</span> <Value value={value} field={`${field}.${name}`} />
        </li>
      ))}
    </ul>
  );
}

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
