import pico from 'picocolors';
import { printable } from '../../core/diagnostics/finding.ts';
import { type Palette, PLAIN } from '../../core/diagnostics/palette.ts';
import { printableJson } from '../../core/platform/text.ts';

const { NO_COLOR = '', FORCE_COLOR = '', TERM } = process.env;

/** Whether the stream is a terminal that understands escape sequences. A dumb terminal prints them. */
export function isTerminal(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY && TERM !== 'dumb';
}

/** `FORCE_COLOR` overrides all other conditions. The value 0 disables colors. */
function isColoured(stream: NodeJS.WriteStream): boolean {
  if (FORCE_COLOR !== '') return !['0', 'false'].includes(FORCE_COLOR);
  return isTerminal(stream) && NO_COLOR === '';
}

function paletteFor(stream: NodeJS.WriteStream): Palette {
  if (!isColoured(stream)) return PLAIN;
  const { red, green, yellow, dim, bold } = pico.createColors(true);
  return { error: red, good: green, warning: yellow, quiet: dim, strong: bold };
}

export const outPalette = paletteFor(process.stdout);
export const errPalette = paletteFor(process.stderr);

/** Matches the colour codes of palettes. All other control characters are removed from the output. */
const COLOURS = new RegExp(`(${'\u001b'}\\[(?:1|2|22|31|32|33|39)m)`);

function show(text: string, stream: NodeJS.WriteStream): void {
  const shown = isColoured(stream)
    ? text
        .split(COLOURS)
        .map((part, i) => (i % 2 === 1 ? part : printable(part)))
        .join('')
    : printable(text);
  stream.write(shown.endsWith('\n') || shown === '' ? shown : `${shown}\n`);
}

/** Removes control characters from a text before printing. */
export function print(text: string): void {
  show(text, process.stdout);
}

export function printJson(record: object | boolean): void {
  process.stdout.write(`${printableJson(JSON.stringify(record))}\n`);
}

const LARGEST_PRINT = 1 << 16;

/** Prints many lines without building one large string. */
export function printLines(lines: Iterable<string>): void {
  let text = '';
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length < LARGEST_PRINT) continue;
    print(text);
    text = '';
  }
  print(text);
}

export function printError(text: string): void {
  show(text, process.stderr);
}

/** Exits without an error when the reader of the output exits, as in `gridpress log | head`. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

type Verbosity = 'quiet' | 'normal' | 'verbose';

let verbosity: Verbosity = 'normal';

export function setVerbosity(wanted: Verbosity): void {
  verbosity = wanted;
}

export function reportsResults(): boolean {
  return verbosity !== 'quiet';
}

export function reportsPhases(): boolean {
  return verbosity === 'verbose';
}
