/** A value, in the unit that people use, with what the registry says one hover or one step away. */

import { wayOfField } from '../../core/model/fields/field-name.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { quantityText, unitOfField } from '../../core/model/units.ts';

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

/** Values and fields as people read them. Values are always data: they become text nodes, never markup. */
const NAMES: Readonly<Record<string, string>> = {
  'label.cpu': 'CPU',
  'label.gpu': 'GPU',
  'label.ram': 'RAM',
  'label.disk': 'Disk',
  'label.network': 'Network',
  'architecture.smt_size': 'Threads',
  'architecture.smp_size': 'Sockets',
  'architecture.platform_type': 'Architecture',
  'gpu.gpu_count': 'GPUs',
  node_name: 'Name',
  node_type: 'Type',
  site: 'Site',
  cluster: 'Cluster',
};

export function fieldTitle(name: string): string {
  return NAMES[name] ?? name;
}

/** A value of a field: in a unit that makes it short where the field has one. */
export function valueText(value: Json | undefined, field: string): string {
  if (value === undefined) return '';
  if (typeof value === 'number') {
    const unit = unitOfField(wayOfField(field) ?? [field]);
    return unit === undefined ? plainNumber(value) : quantityText(value, unit);
  }
  if (typeof value === 'string') return value === '' ? '""' : visible(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

export function joinedValues(values: readonly Json[], field: string): string {
  return values.map((value) => valueText(value, field)).join(', ');
}

/** Whether the text of a value is another than the value: then the value itself is worth showing beside it. */
function isRephrased(value: Json | undefined, field: string): boolean {
  return typeof value === 'number' && valueText(value, field) !== String(value);
}

function plainNumber(value: number): string {
  const digits = String(value);
  return /^-?\d{5,}$/.test(digits) ? digits.replace(/\B(?=(\d{3})+$)/g, '\u202f') : digits;
}

/** What turns the direction of text round, or shows nothing, as signs that say so. */
export function visible(value: string): string {
  return value.replace(
    /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu,
    (sign) => `\u27e8U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}\u27e9`,
  );
}

/** `2026-06-26` of an ISO 8601 time. */
export function dayOf(timestamp: string): string {
  return timestamp.slice(0, 10);
}

export function shortRevision(id: string): string {
  return id.slice(0, 8);
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${plainNumber(count)} ${count === 1 ? one : many}`;
}
