import { printable } from '../../core/diagnostics/finding.ts';
import { formatCount, plural, shortId, truncated } from '../../core/diagnostics/words.ts';
import type { RevisionName } from '../../core/lock/lock-format.ts';
import type { Json } from '../../core/model/json.ts';
import { quantityText, unitOfField } from '../../core/model/units.ts';
import type { NamedField } from '../../core/query/columns.ts';
import type { Found } from './find.ts';

/** The maximum width of a cell, in characters. */
export const WIDEST_CELL = 60;

/** Matches characters that have no width, and characters that reverse the direction of text. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}]/gu;

export function foundLines(fields: readonly NamedField[], rows: readonly number[]): Iterable<string> {
  const cells = rows.map((row) => fields.map((field) => cellText(field, row)));
  return alignedLines([fields.map(({ name }) => shownText(name)), ...cells]);
}

export function* alignedLines(lines: readonly (readonly string[])[]): Generator<string> {
  const widths: number[] = [];
  for (const line of lines) for (const [i, cell] of line.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  for (const line of lines) {
    yield line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  }
}

/** Returns all values of a field. Equal values appear once, with their count: `16 × 2 TB, 400 GB`. */
function cellText({ path, valuesOf }: NamedField, row: number): string {
  const unit = unitOfField(path);
  const counts = new Map<string, number>();
  for (const value of valuesOf(row)) {
    const text = typeof value === 'number' && unit ? quantityText(value, unit) : shownValue(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const text = [...counts].map(([each, count]) => (count === 1 ? each : `${count} × ${each}`)).join(', ');
  return truncated(text, WIDEST_CELL) || '-';
}

function shownValue(value: Json): string {
  return shownText(typeof value === 'string' ? value : JSON.stringify(value));
}

/** Converts foreign text to one line that has no control characters. */
export function shownText(text: string): string {
  return printable(text.slice(0, WIDEST_CELL * 2).replace(/\s/g, ' ')).replace(INVISIBLE, '\ufffd');
}

/** Returns a line such as `24 of 500 nodes at 5da05904 (2026-06-26).` */
export function summaryLineOf({ total, nodes, rows, revision, called, lock }: Found): string {
  const shown = rows.length < total ? `; the first ${formatCount(rows.length)} are given` : '';
  const name = called === undefined ? '' : `${total === 1 ? ' is' : ' are'} called ${shownText(called)}`;
  const counted = `${formatCount(total)} of ${plural(nodes, 'node')}${revisionSuffix(revision)}${name}${shown}.\n`;
  if (lock === undefined) return counted;
  return `${counted}${lock === null ? 'There is nothing to lock.' : `Locked in ${lock}.`}\n`;
}

/** Returns ` at 5da05904 (2026-06-26)`. Empty if the revision is unknown. */
export function revisionSuffix(revision: RevisionName | undefined): string {
  if (!revision) return '';
  const { id, date } = revision;
  return ` at ${shortId(id)}${date === undefined ? '' : ` (${date.slice(0, 10)})`}`;
}
