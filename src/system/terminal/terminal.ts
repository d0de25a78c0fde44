/** The terminal: what goes to standard output and standard error, and whether in colour. */
import pico from 'picocolors';
import { type Palette, PLAIN } from '../../core/diagnostics/render.ts';

const { NO_COLOR, FORCE_COLOR } = process.env;

function paletteFor(stream: NodeJS.WriteStream): Palette {
  const isColoured = FORCE_COLOR !== undefined || (stream.isTTY && (NO_COLOR ?? '') === '');
  if (!isColoured) return PLAIN;
  const { red, green, yellow, dim, bold } = pico.createColors(true);
  return { error: red, good: green, warning: yellow, quiet: dim, strong: bold };
}

export const outPalette = paletteFor(process.stdout);
export const errPalette = paletteFor(process.stderr);

export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') || text === '' ? text : `${text}\n`);
}

/** How much is printed at once, in characters. */
const LARGEST_PRINT = 1 << 16;

/** Prints many lines, without making one text of them. */
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
  process.stderr.write(text.endsWith('\n') || text === '' ? text : `${text}\n`);
}

/**
 * Ends the command quietly when who reads its output does (`gridpress log | head`). Where nobody reads what it says on
 * the way, on standard error, it goes on.
 */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
  process.stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}
