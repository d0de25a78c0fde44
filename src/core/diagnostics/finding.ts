/**
 * Findings: everything that gridpress has to say about its input, as data. A finding is a code with its arguments
 * and the place it is about; the words stand in messages.ts alone, and render.ts prints them.
 */
import { lastAtOrBefore } from '../platform/certain.ts';
import { STEERING } from '../platform/text.ts';
import type { MESSAGES } from './messages.ts';

export type FindingCode = keyof typeof MESSAGES;
export type FindingArguments<C extends FindingCode> = Parameters<(typeof MESSAGES)[C]['text']>[0];

/** A place in a source. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /**
   * The lines around it, for the code frame: the first is line `firstLine`, and `mark` is the place's column in its line
   * as the frame shows it.
   */
  readonly frame?: { readonly firstLine: number; readonly lines: readonly string[]; readonly mark: number };
}

export interface FindingOf<C extends FindingCode> {
  readonly code: C;
  readonly args: FindingArguments<C>;
  readonly place?: Place;
}

export type Finding = { [C in FindingCode]: FindingOf<C> }[FindingCode];

export function finding<C extends FindingCode>(code: C, args: FindingArguments<C>, place?: Place): FindingOf<C> {
  return place ? { code, args, place } : { code, args };
}

/** The order in which findings about files are told: by file, then from top to bottom. */
export function byPlace(a: Finding, b: Finding): number {
  const [one, other] = [a.place, b.place];
  if (one?.file !== other?.file) return (one?.file ?? '') < (other?.file ?? '') ? -1 : 1;
  return (one?.line ?? 0) - (other?.line ?? 0) || (one?.column ?? 0) - (other?.column ?? 0);
}

/** How many findings about one file are told: whoever mends these has mended the others, or sees them next. */
export const MOST_TOLD = 100;

/** As many of them, found one by one. */
export function firstOf(findings: Iterable<Finding>): Finding[] {
  const told: Finding[] = [];
  for (const each of findings) if (told.push(each) === MOST_TOLD) break;
  return told;
}

const FRAME_RADIUS = 2;
const FRAME_WIDTH = 160;
/** Where Unicode's symbols for the control characters begin. */
const SYMBOLS = 0x2400;

export function placeAt(file: string, text: string, offset: number): Place {
  const starts = lineStarts(text);
  const line = lastAtOrBefore(starts, offset) + 1;
  return placeOnLine(file, text, line, offset - (starts[line - 1] ?? 0) + 1);
}

/** Where the lines of the text that was last asked about begin: findings come in numbers, and about the same text. */
let counted: { readonly text: string; readonly starts: Uint32Array } | undefined;

function lineStarts(text: string): Uint32Array {
  if (counted?.text === text) return counted.starts;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  const starts = new Uint32Array(lines);
  for (let line = 1, at = -1; line < lines; line++) {
    at = text.indexOf('\n', at + 1);
    starts[line] = at + 1;
  }
  counted = { text, starts };
  return starts;
}

export function placeOnLine(file: string, text: string, line: number, column: number): Place {
  const firstLine = Math.max(1, line - FRAME_RADIUS);
  const cut = column > FRAME_WIDTH ? column - FRAME_WIDTH / 2 : 0;
  const starts = lineStarts(text);
  const shown = Array.from(starts.subarray(firstLine - 1, line + FRAME_RADIUS));
  const lines = shown.map((start, i) => {
    const end = (starts[firstLine + i] ?? text.length + 1) - 1;
    return cut > 0 && firstLine + i === line
      ? `…${printable(text.slice(start + cut, Math.min(end, start + cut + FRAME_WIDTH - 1)))}`
      : printable(text.slice(start, Math.min(end, start + FRAME_WIDTH)));
  });
  while (lines.length > line - firstLine + 1 && lines.at(-1)?.trim() === '') lines.pop();
  return { file, line, column, frame: { firstLine, lines, mark: cut > 0 ? column - cut + 1 : column } };
}

/** What steers a terminal as symbols that stand for it, so that no source can; tabs and newlines stay. */
export function printable(text: string): string {
  return text.replace(/\r$/, '').replace(STEERING, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(SYMBOLS + code) : '\ufffd';
  });
}

/** The same, newlines included: a value that is told within a line makes no lines of its own. */
export function onOneLine(text: string): string {
  return printable(text).replaceAll('\n', String.fromCharCode(SYMBOLS + '\n'.charCodeAt(0)));
}
