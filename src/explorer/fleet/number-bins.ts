import { countsIn, type FacetColumn } from './filters.ts';

/** A number of a column, or several adjacent numbers. `from` and `to` are the least and the greatest number. */
interface Bin {
  readonly from: number;
  readonly to: number;
  readonly nodes: number;
}

/** Divides the numbers of a column into at most `most` bins. A node with several numbers in a bin counts once. */
export function numberBins(column: FacetColumn, wanted: Iterable<number>, most: number): Bin[] {
  const numbers = [...new Set(column.numbers.flat())].sort((a, b) => a - b);
  const size = Math.ceil(numbers.length / most);
  const binOf = new Map(numbers.map((number, i) => [number, Math.floor(i / size)]));
  const bins = Array.from({ length: Math.ceil(numbers.length / size) }, (_, i) =>
    numbers.slice(i * size, (i + 1) * size),
  );
  const textIndexes = column.numbers.map((some) => [...new Set(some.flatMap((number) => binOf.get(number) ?? []))]);
  const counts = countsIn({ ...column, texts: bins.map(String), textIndexes }, wanted);
  return bins.map((some, i) => ({ from: Math.min(...some), to: Math.max(...some), nodes: counts[i] ?? 0 }));
}
