import { formatCount, plural, shortId } from '../../core/diagnostics/words.ts';
import { shownText } from '../../core/exports/hardware-table.ts';
import type { RevisionName } from '../../core/model/revision.ts';
import type { Found } from './find.ts';

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

/** Returns a line such as `24 of 500 nodes at 5da05904 (2026-06-26).` */
export function summaryLineOf({ total, nodes, rows, revision, called, lock, reservations }: Found): string {
  const verb = reservations ? 'chosen' : 'shown';
  const shown = rows.length < total ? `; ${formatCount(rows.length)} ${rows.length === 1 ? 'is' : 'are'} ${verb}` : '';
  const name = called === undefined ? '' : `${total === 1 ? ' is' : ' are'} called ${shownText(called)}`;
  const counted = `${formatCount(total)} of ${plural(nodes, 'node')}${revisionSuffix(revision)}${name}${shown}.\n`;
  return typeof lock === 'string' ? `${counted}Locked in ${lock}.\n` : counted;
}

/** Returns a caption such as `Hardware of 24 nodes at 5da05904 (2026-06-26).` */
export function captionOf({ rows, revision }: Pick<Found, 'rows' | 'revision'>): string {
  return `Hardware of ${plural(rows.length, 'node')}${revisionSuffix(revision)}.`;
}

/** Returns a text such as ` at 5da05904 (2026-06-26)`, or an empty text for an unknown revision. */
export function revisionSuffix(revision: RevisionName | undefined): string {
  if (!revision) return '';
  const { id, date } = revision;
  return ` at ${shortId(id)}${date === undefined ? '' : ` (${date.slice(0, 10)})`}`;
}
