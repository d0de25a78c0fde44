interface CsvRecord {
  readonly line: number;
  /** Cells that are not in quotes have no spaces at their ends. */
  readonly cells: readonly string[];
  /** The cells with the spaces at their ends. */
  readonly untrimmed: readonly string[];
}

/** Spreadsheet programs in some languages separate cells by semicolons. */
const SEPARATORS = [',', ';', '\t'] as const;

/** The line in which a wrong cell starts. */
interface WrongCell {
  readonly line: number;
  readonly problem: string;
}

const LINE_BREAK = /\r\n?|\n/;

/** Excel reads this line, and some programs write it for Excel. */
const SEPARATOR_LINE = /^sep=[,;\t](?:\r\n?|\n)/i;

/** The first line of the CSV text with cells determines the separator. */
export function readCsv(text: string): CsvRecord[] | WrongCell {
  const records: CsvRecord[] = [];
  const unmarked = text.replace(/^\ufeff/, '');
  const body = unmarked.replace(SEPARATOR_LINE, '');
  const first = body === unmarked ? 1 : 2;
  const [head = ''] = body.split(LINE_BREAK, 1);
  const countOf = (separator: string) => head.split(separator).length;
  const separator = SEPARATORS.reduce((best, each) => (countOf(each) > countOf(best) ? each : best));
  const cell = new RegExp(`([^"${separator}\\r\\n]*)(${separator}|${LINE_BREAK.source}|$)`, 'y');
  let [line, start]: [number, number] = [first, first];
  let [cells, untrimmed]: [string[], string[]] = [[], []];
  for (let at = 0; at < body.length || cells.length > 0; at = cell.lastIndex) {
    const quoted = body[at] === '"' ? quotedCell(body, at) : undefined;
    if (body[at] === '"' && quoted === undefined) return { line, problem: 'a cell in quotes does not end' };
    cell.lastIndex = at + (quoted?.length ?? 0);
    const found = cell.exec(body);
    if (!found || (quoted && found[1] !== ''))
      return { line, problem: 'a quotation mark is inside a cell; put the cell in quotes, and double the mark' };
    const [, plain = '', end] = found;
    const whole = quoted ? quoted.slice(1, -1).replaceAll('""', '"') : plain;
    cells.push(quoted ? whole : whole.trim());
    untrimmed.push(whole);
    line += body.slice(at, cell.lastIndex).split(LINE_BREAK).length - 1;
    if (end === separator) continue;
    if (cells.some((each) => each !== '')) records.push({ line: start, cells, untrimmed });
    [cells, untrimmed, start] = [[], [], line];
  }
  return records;
}

/** Does not use a regular expression, because matching a long cell would overflow the stack. */
function quotedCell(text: string, start: number): string | undefined {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  return end < 0 ? undefined : text.slice(start, end + 1);
}

/** The maximum number of names in a range, because a mistyped range could contain millions of names. */
const MOST_NAMES = 10_000;

/** Expands `c-{01..20}`, `c-{a,b}` and Slurm's `c-[01-20,25]`. Returns undefined for more than `MOST_NAMES` names. */
export function namesOf(pattern: string): string[] | undefined {
  let [names, text] = [[''], ''];
  for (const part of pattern.split(/(\{[^{}]*\}|\[[^[\]]*\])/)) {
    const [first = part, ...others] = rangesOf(part) ?? [];
    if (others.length === 0) {
      text += first;
      continue;
    }
    if (names.length * (others.length + 1) > MOST_NAMES) return undefined;
    const before = text;
    names = names.flatMap((name) => [first, ...others].map((each) => name + before + each));
    text = '';
  }
  return names.map((name) => name + text);
}

function rangesOf(part: string): string[] | undefined {
  if (/^\{.*\}$/s.test(part)) return braceParts(part.slice(1, -1));
  return /^\[.*\]$/s.test(part) ? bracketParts(part.slice(1, -1)) : undefined;
}

function braceParts(inside: string): string[] | undefined {
  return rangeOf(inside, '..') ?? (inside.includes(',') ? inside.split(',') : undefined);
}

function bracketParts(inside: string): string[] | undefined {
  const parts = inside.split(',').map((part) => (/^\d+$/.test(part) ? [part] : rangeOf(part, '-')));
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}

/** Expands a range such as `01..20`. If one end has a leading zero, pads all numbers with zeros to the same width. */
function rangeOf(text: string, mark: '..' | '-'): string[] | undefined {
  const [from = '', to = '', ...others] = text.split(mark);
  if (others.length > 0 || ![from, to].every((end) => /^\d+$/.test(end))) return undefined;
  const [first, last] = [Number(from), Number(to)];
  const count = Math.abs(last - first) + 1;
  const width = [from, to].some((end) => /^0\d/.test(end)) ? Math.max(from.length, to.length) : 0;
  const step = first <= last ? 1 : -1;
  return Array.from({ length: Math.min(count, MOST_NAMES + 1) }, (_, i) =>
    String(first + i * step).padStart(width, '0'),
  );
}
