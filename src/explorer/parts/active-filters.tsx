import { fieldTitle } from '../fleet/field-titles.ts';
import type { Filter, Range } from '../fleet/filters.ts';
import { valueText } from './value.tsx';

interface ActiveFiltersProps {
  readonly filters: readonly Filter[];
  readonly change: (field: string, texts: readonly string[], range: Range | undefined) => void;
  readonly clear: () => void;
}

/** Lists the active filters. A click on a filter removes this filter. */
export function ActiveFilters({ filters, change, clear }: ActiveFiltersProps) {
  if (filters.length === 0) return null;
  const chip = (field: string, text: string, remove: () => void) => (
    <li key={`${field} ${text}`}>
      <button
        type="button"
        class="chip"
        onClick={remove}
        aria-label={`Remove ${fieldTitle(field)}: ${text}`}
        title={`${fieldTitle(field)}: ${text}`}
      >
        {fieldTitle(field)}: {text} <span aria-hidden="true">×</span>
      </button>
    </li>
  );
  return (
    <ul class="chips" aria-label="Filters in use">
      {filters.flatMap(({ field, texts, range }) => [
        ...texts.map((text) => {
          const others = texts.filter((other) => other !== text);
          return chip(field, shownText(text, field), () => change(field, others, range));
        }),
        ...(range ? [chip(field, rangeWords(range, field), () => change(field, texts, undefined))] : []),
      ])}
      <li>
        <button type="button" class="link" onClick={clear}>
          Clear all
        </button>
      </li>
    </ul>
  );
}

function shownText(text: string, field: string): string {
  return valueText(text !== '' && String(Number(text)) === text ? Number(text) : text, field);
}

function rangeWords({ from, to }: Range, field: string): string {
  if (from === undefined) return `at most ${valueText(to, field)}`;
  return to === undefined
    ? `at least ${valueText(from, field)}`
    : `${valueText(from, field)} to ${valueText(to, field)}`;
}
