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

export function printError(text: string): void {
  process.stderr.write(text.endsWith('\n') || text === '' ? text : `${text}\n`);
}
