import { formatCount, plural } from '../../core/diagnostics/words.ts';
import { shownText } from '../../core/exports/hardware-table.ts';
import { revisionSuffix } from '../../core/exports/nodes-document.ts';
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
export function summaryLineOf({ total, nodes, rows, revision, givenName, lock, reservations }: Found): string {
  const verb = reservations ? 'chosen' : 'shown';
  const shown = rows.length < total ? `; ${formatCount(rows.length)} ${rows.length === 1 ? 'is' : 'are'} ${verb}` : '';
  const name = givenName === undefined ? '' : `${total === 1 ? ' is' : ' are'} called ${shownText(givenName)}`;
  const counted = `${formatCount(total)} of ${plural(nodes, 'node')}${revisionSuffix(revision)}${name}${shown}.\n`;
  return typeof lock === 'string' ? `${counted}Locked in ${lock}.\n` : counted;
}
