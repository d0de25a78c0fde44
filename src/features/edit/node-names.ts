interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Spreadsheets of some languages separate cells by semicolons. */
const SEPARATORS = [',', ';', '\t'] as const;

/**
 * Returns the records without empty lines; undefined if a quoted cell does not end. The separator is the most frequent
 * one in the first line.
 */
export function readCsv(text: string): CsvRecord[] | undefined {
  const records: CsvRecord[] = [];
  const body = text.replace(/^\ufeff/, '');
  const [head = ''] = body.split(/\r?\n/, 1);
  const countOf = (separator: string) => head.split(separator).length;
  const separator = SEPARATORS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, 'y');
  let [line, start, cells]: [number, number, string[]] = [1, 1, []];
  while (cell.lastIndex < body.length || cells.length > 0) {
    const found = cell.exec(body);
    if (!found) return undefined;
    const [whole, quoted, plain = '', end] = found;
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    if (end === separator) continue;
    if (cells.some((each) => each !== '')) records.push({ line: start, cells });
    [cells, start] = [[], line];
  }
  return records;
}

/** The maximum number of names. It limits the effect of a mistyped range. No cluster has this many nodes. */
const MOST = 10_000;

/** Expands `c-{01..20}`, `c-{a,b}` and, as Slurm writes them, `c-[01-20,25]`. Undefined for more than `MOST` names. */
export function namesOf(pattern: string): string[] | undefined {
  const found = /\{([^{}]*)\}|\[([^[\]]*)\]/.exec(pattern);
  if (!found) return [pattern];
  const [whole, braces, brackets = ''] = found;
  const before = pattern.slice(0, found.index);
  const rest = namesOf(pattern.slice(found.index + whole.length));
  const here = (braces === undefined ? bracketParts(brackets) : braceParts(braces)) ?? [whole];
  if (!rest || here.length * rest.length > MOST) return undefined;
  return here.flatMap((part) => rest.map((end) => before + part + end));
}

function braceParts(inside: string): string[] | undefined {
  return rangeOf(inside, '..') ?? (inside.includes(',') ? inside.split(',') : undefined);
}

function bracketParts(inside: string): string[] | undefined {
  const parts = inside.split(',').map((part) => (/^\d+$/.test(part) ? [part] : rangeOf(part, '-')));
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

/** Expands `01..20`. If one end begins with a zero, all numbers have the same width. */
function rangeOf(text: string, mark: '..' | '-'): string[] | undefined {
  const [from = '', to = '', ...others] = text.split(mark);
  if (others.length > 0 || ![from, to].every((end) => /^\d+$/.test(end))) return undefined;
  const [first, last] = [Number(from), Number(to)];
  const count = Math.abs(last - first) + 1;
  const width = [from, to].some((end) => /^0\d/.test(end)) ? Math.max(from.length, to.length) : 0;
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.min(count, MOST + 1) }, (_, i) => String(first + i * step).padStart(width, '0'));
}
