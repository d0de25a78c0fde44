interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Returns the records without empty lines. Undefined if a quoted cell does not end. */
export function readCsv(text: string): CsvRecord[] | undefined {
  const records: CsvRecord[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  const body = text.replace(/^\ufeff/, '');
  let [line, start, cells]: [number, number, string[]] = [1, 1, []];
  while (cell.lastIndex < body.length || cells.length > 0) {
    const found = cell.exec(body);
    if (!found) return undefined;
    const [whole, quoted, plain = '', end] = found;
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    if (cells.some((each) => each !== '')) records.push({ line: start, cells });
    [cells, start] = [[], line];
  }
  return records;
}

/** The maximum number of names. It limits the effect of a mistyped range. No cluster has this many nodes. */
const MOST = 10_000;

export function namesOf(pattern: string): string[] | undefined {
  const braces = /\{([^{}]*)\}/.exec(pattern);
  if (!braces) return [pattern];
  const [whole, inside = ''] = braces;
  const before = pattern.slice(0, braces.index);
  const rest = namesOf(pattern.slice(braces.index + whole.length));
  const here = rangeOf(inside) ?? (inside.includes(',') ? inside.split(',') : [whole]);
  if (!rest || here.length * rest.length > MOST) return undefined;
  return here.flatMap((part) => rest.map((end) => before + part + end));
}

/** Expands `01..20`. If the first or last number begins with a zero, all numbers have the same width. */
function rangeOf(text: string): string[] | undefined {
  const [, from = '', to = ''] = /^(\d+)\.\.(\d+)$/.exec(text) ?? [];
  if (from === '') return undefined;
  const [first, last] = [Number(from), Number(to)];
  const count = Math.abs(last - first) + 1;
  const width = [from, to].some((end) => /^0\d/.test(end)) ? Math.max(from.length, to.length) : 0;
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.min(count, MOST + 1) }, (_, i) => String(first + i * step).padStart(width, '0'));
}
