/** Formats values of any type as words, and merges equal differences of several parts into one line. */

import { pathOfField } from '../../core/model/fields/field-name.ts';
import { isJsonObject, type Json } from '../../core/model/json.ts';
import { quantityTexts, unitOfField } from '../../core/model/units.ts';
import { valueText, visible } from '../parts/value.tsx';
import { fieldWords, partTitle, words } from './hardware-cards.ts';

/** Formats a value as words: quantities with units, lists with commas, and `yes` or `no`. */
export function valueWords(value: Json | undefined, field: string): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return value.map((item) => valueWords(item, field)).join(', ') || 'empty list';
  if (typeof value === 'string' && WORDS.test(value)) return `"${value}"`;
  if (!isJsonObject(value)) return valueText(value, field);
  const members = Object.entries(value).map(
    ([name, member]) => `${words(name)} ${valueWords(member, `${field}.${name}`)}`,
  );
  return members.join(', ') || 'empty';
}

/** Matches strings that are shown in quotation marks, because they look like Booleans or empty values. */
const WORDS = /^(true|false|yes|no|nothing|empty)$/;

/** Formats the old and the new value as words, or as JSON if the words are equal. Quantities have a common unit. */
export function changeWords(from: Json | undefined, to: Json | undefined, field: string): string {
  const unit = unitOfField(pathOfField(field) ?? [field]);
  const [before, after] =
    unit !== undefined && typeof from === 'number' && typeof to === 'number'
      ? quantityTexts([from, to], unit)
      : [from, to].map((value) => valueWords(value, field));
  if (before !== after) return `${before} → ${after}`;
  const [old, now] = [from, to].map((value) => visible(JSON.stringify(value) ?? 'nothing'));
  return `${old} → ${now}`;
}

interface Difference {
  /** The label of a field, such as `storage_devices[sdc].serial`. */
  readonly field: string;
  /** The change of the value in words. If the text is empty, the line contains only the name of the field. */
  readonly change: string;
}

/** Matches a label that names an array item, such as the disk sda in `storage_devices[sda].model`. */
const PART = /^([^[\]]+)\[(.*)\](?:\.(.+))?$/;
/** The maximum number of items whose names a line lists. */
const MOST_ITEMS = 4;

/** Returns one line for each difference. Parts with the same difference share a line. */
export function differenceLines(differences: readonly Difference[]): string[] {
  const keyOf = ({ field, change }: Difference) => {
    const [, array, , rest] = PART.exec(field) ?? [];
    return array === undefined ? field : JSON.stringify([array, rest, change]);
  };
  return [...Map.groupBy(differences, keyOf).values()].map((some) => {
    const [{ field, change } = { field: '', change: '' }] = some;
    const [, array, , rest] = PART.exec(field) ?? [];
    const end = change === '' ? '' : `: ${change}`;
    if (array === undefined) return `${fieldWords({ name: field, label: field, class: 'unknown' })}${end}`;
    const items = some.map((each) => visible(PART.exec(each.field)?.[2] ?? ''));
    const more = items.length - MOST_ITEMS;
    const named = more > 1 ? `${items.slice(0, MOST_ITEMS).join(', ')} and ${more} others` : items.join(', ');
    return `${partTitle(array)} ${named}${rest === undefined ? '' : ` ${words(rest)}`}${end}`;
  });
}
