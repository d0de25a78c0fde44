import { isTemporal } from '../../core/query/temporal.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Returns the last day of a period, such as `2023`, `2023-05` or `May 2023`. Returns undefined for other texts. */
export function lastDayOf(text: string): string | undefined {
  if (isTemporal(text, 'date')) return text;
  const [, name = '', yearOfName] = /^([a-z]{3})[a-z]*\.?[ +-]+(\d{4})$/i.exec(text) ?? [];
  const [, year = yearOfName, digits] = /^((?:19|20)\d{2})(?:-(\d{1,2}))?$/.exec(text) ?? [];
  const month = yearOfName === undefined ? Number(digits ?? MONTHS.length) : MONTHS.indexOf(name.toLowerCase()) + 1;
  if (year === undefined || month < 1 || month > MONTHS.length) return undefined;
  // JavaScript treats day 0 of the next month as the last day of the month.
  return new Date(Date.UTC(Number(year), month, 0)).toISOString().slice(0, 10);
}
