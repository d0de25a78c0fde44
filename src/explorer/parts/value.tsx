/** Formats values and fields. Values become text nodes, so they cannot contain markup. */

import { pathOfField } from '../../core/model/fields/field-name.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { quantityText, unitOfField } from '../../core/model/units.ts';
import { siteTitle } from '../fleet/site-titles.ts';
import { visible } from '../fleet/visible.ts';

export { visible };

export function Value({ value, field }: { value: Json | undefined; field: string }) {
  if (value === undefined || value === null) return <span class="absent">{value === null ? 'null' : '–'}</span>;
  if (isJsonObject(value) && Object.keys(value).length > 0)
    return (
      <ul class="members">
        {Object.entries(value).map(([name, member]) => (
          <li key={name}>
            <span class="absent">{name}</span> <Value value={member} field={`${field}.${name}`} />
          </li>
        ))}
      </ul>
    );
  const shown = valueText(value, field);
  return typeof value === 'number' ? <Quantity value={value} text={shown} /> : shown;
}

/** Shows a number as a text in a readable unit. A tooltip shows the number from the registry. */
export function Quantity({ value, text }: { value: number; text: string }) {
  if (text === String(value)) return text;
  return (
    <data value={String(value)} title={String(value)}>
      {text}
    </data>
  );
}

export function Values({ values, field }: { values: readonly Json[]; field: string }) {
  if (values.length === 0) return <span class="absent">–</span>;
  return values.map((value, i) => (
    <>
      {i > 0 ? ', ' : ''}
      <Value value={value} field={field} />
    </>
  ));
}

export function valueText(value: Json | undefined, field: string): string {
  if (value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') {
    const unit = unitOfField(pathOfField(field) ?? [field]);
    return unit === undefined ? plainNumber(value) : quantityText(value, unit);
  }
  if (typeof value === 'string') return value === '' ? '""' : field === 'site' ? siteTitle(value) : visible(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}

export function joinedValues(values: readonly Json[], field: string): string {
  return values.map((value) => valueText(value, field)).join(', ');
}

export function plainNumber(value: number): string {
  const digits = String(value);
  return /^-?\d{5,}$/.test(digits) ? digits.replace(/\B(?=(\d{3})+$)/g, '\u202f') : digits;
}

export function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const MOST_LISTED = 12;

/** Joins at most 12 names with commas, and adds the number of the others. */
export function listed(names: readonly string[]): string {
  const text = names.slice(0, MOST_LISTED).join(', ');
  return names.length > MOST_LISTED ? `${text} and ${names.length - MOST_LISTED} more` : text;
}

/** Returns the day of an ISO 8601 time, such as `2026-06-26`. */
export function dayOf(timestamp: string): string {
  return timestamp.slice(0, 10);
}

export function shortRevision(id: string): string {
  return id.slice(0, 8);
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${plainNumber(count)} ${count === 1 ? one : many}`;
}
