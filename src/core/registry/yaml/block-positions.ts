/**
 * Where something stands in YAML that is written plainly, in blocks, as gridpress writes it: found by its indentation,
 * without a parser. Whatever is written otherwise is left to yaml-positions.ts.
 */

/** Where a value begins: its first character, or that of the first thing in it when it is a block. */
interface Spot {
  readonly offset: number;
  /** The column, counted from 0, at which all stands that is directly in it. */
  readonly column: number;
}

interface Line extends Spot {
  readonly text: string;
}

/** What the parser has to look at: tabs, markers, several documents, and keys or items that are not plain. */
const UNUSUAL = /[\t\r]|^(---|\.\.\.|%)|^ *(- +)*[&*!?|>{["']/m;
const PLAIN_KEY = /^[\w.-]+:(?= |$)/;
const UNUSUAL_VALUE = /^[&*!|>]/;

/** The offset of what stands at a path, or of the nearest thing above it; undefined where that is not plain to see. */
export function blockOffset(text: string, path: readonly PropertyKey[]): number | undefined {
  if (UNUSUAL.test(text)) return undefined;
  const first = contentLine(text, 0);
  if (first?.column !== 0 || !PLAIN_KEY.test(first.text)) return undefined;
  let spot: Spot = first;
  for (const token of path) {
    const next = typeof token === 'number' ? itemSpot(text, spot, token) : keySpot(text, spot, String(token));
    if (next === 'missing') return spot.offset;
    if (!next) return undefined;
    spot = next;
  }
  return spot.offset;
}

/** The first line from an offset on that holds more than a comment. The offset may stand inside a line. */
function contentLine(text: string, from: number): Line | undefined {
  for (let start = from; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    let offset = start;
    while (offset < end && text[offset] === ' ') offset++;
    if (offset < end && text[offset] !== '#') {
      const column = offset - (text.lastIndexOf('\n', offset - 1) + 1);
      return { offset, column, text: text.slice(offset, end) };
    }
    start = end + 1;
  }
  return undefined;
}

/** The lines of a block at its own column: those deeper belong to them, the first that is less deep ends it. */
function* linesOf(text: string, { offset, column }: Spot): Generator<Line> {
  let line = contentLine(text, offset);
  while (line && line.column >= column) {
    if (line.column === column) yield line;
    line = contentLine(text, line.offset + line.text.length + 1);
  }
}

function keySpot(text: string, block: Spot, key: string): Spot | 'missing' | undefined {
  for (const line of linesOf(text, block)) {
    const start = PLAIN_KEY.exec(line.text)?.[0];
    if (start === undefined) return undefined;
    if (start === `${key}:`) return valueSpot(text, line, start.length);
  }
  return 'missing';
}

function itemSpot(text: string, block: Spot, index: number): Spot | 'missing' | undefined {
  let i = 0;
  for (const line of linesOf(text, block)) {
    if (!line.text.startsWith('- ')) return undefined;
    if (i++ === index) return valueSpot(text, line, 1);
  }
  return 'missing';
}

function valueSpot(text: string, line: Line, length: number): Spot | undefined {
  const rest = line.text.slice(length);
  const value = rest.trimStart();
  if (UNUSUAL_VALUE.test(value)) return undefined;
  if (value !== '' && !value.startsWith('#')) {
    const skipped = length + rest.length - value.length;
    return { offset: line.offset + skipped, column: line.column + skipped };
  }
  const below = contentLine(text, line.offset + line.text.length + 1);
  return below && below.column > line.column ? below : undefined;
}
