/** Formats results as a table. */
import { itemAt } from '../src/core/platform/lookups.ts';
import type { Comparison, Usage } from './measure.ts';
import type { Row } from './row.ts';

const HEADINGS = [
  ...['what', 'baseline', 'target', 'median', 'min-max', 'wall', 'baseline', 'CPU', 'baseline', 'peak', ''],
];

/** The result of a row, or the reason why it has none. */
export interface Measured {
  readonly row: Row;
  readonly comparison: Comparison;
}

export function table(measured: readonly Measured[]): string {
  return aligned([HEADINGS, ...measured.map(cells)]);
}

export function line(measured: Measured): string {
  return cells(measured).slice(2).join('  ');
}

/** Aligns the cells of lines as columns. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function cells({ row, comparison: { ours, baseline } }: Measured): string[] {
  // A disk costs time that the processor does not see.
  const timeOf = ({ wall, cpu }: Usage) => (row.isOnDisk ? wall : (cpu ?? wall));
  const ratios = ours.map((usage, i) => timeOf(usage) / timeOf(itemAt(baseline, i)));
  const ratio = median(ratios);
  const peak = Math.max(...ours.flatMap((usage) => usage.peak ?? []));
  const isHit =
    ratio <= row.target &&
    (row.memory === undefined || peak <= row.memory) &&
    (row.seconds === undefined || median(ours.map(timeOf)) <= row.seconds);
  const memory = row.memory === undefined ? '' : `, ${mebibytes(row.memory)}`;
  const limit = row.seconds === undefined ? memory : `${memory}, ${row.seconds} s`;
  return [
    row.what,
    row.baseline,
    Number.isFinite(row.target) ? `${row.target} x${limit}` : limit.slice(2),
    `${ratio.toFixed(2)} x`,
    `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`,
    ...[ours, baseline].map((usages) => seconds(usages.map(({ wall }) => wall))),
    ...[ours, baseline].map((usages) => seconds(usages.flatMap(({ cpu }: Usage) => cpu ?? []))),
    mebibytes(peak),
    isHit ? 'hit' : 'missed',
  ];
}

function seconds(times: readonly number[]): string {
  if (times.length === 0) return '?';
  const time = median(times);
  return `${time.toFixed(time < 1 ? 3 : 2)} s`;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
