/**
 * Findings: everything that gridpress has to say about its input, as data. A finding is a code with its arguments
 * and the place it is about; the words stand in messages.ts alone, and render.ts prints them.
 */
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

export function finding<C extends FindingCode>(
  code: C,
  args: FindingArguments<C>,
  place?: Place,
): FindingOf<C> {
  return place ? { code, args, place } : { code, args };
}

/** The order in which findings about files are told: by file, then from top to bottom. */
export function byPlace(a: Finding, b: Finding): number {
  const [one, other] = [a.place, b.place];
  if (one?.file !== other?.file) return (one?.file ?? '') < (other?.file ?? '') ? -1 : 1;
  return (one?.line ?? 0) - (other?.line ?? 0) || (one?.column ?? 0) - (other?.column ?? 0);
}

const FRAME_RADIUS = 2;
const FRAME_WIDTH = 160;
/** Where Unicode's symbols for the control characters begin. */
const SYMBOLS = 0x2400;

/** The place of a character in a text, with its code frame. */
export function placeAt(file: string, text: string, offset: number): Place {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return placeOnLine(file, text, line, offset - (before.lastIndexOf('\n') + 1) + 1);
}

export function placeOnLine(file: string, text: string, line: number, column: number): Place {
  const firstLine = Math.max(1, line - FRAME_RADIUS);
  const cut = column > FRAME_WIDTH ? column - FRAME_WIDTH / 2 : 0;
  const lines = text
    .split('\n', line + FRAME_RADIUS)
    .slice(firstLine - 1)
    .map((content, i) =>
      cut > 0 && firstLine + i === line
        ? `…${printable(content.slice(cut, cut + FRAME_WIDTH - 1))}`
        : printable(content.slice(0, FRAME_WIDTH)),
    );
  while (lines.length > line - firstLine + 1 && lines.at(-1)?.trim() === '') lines.pop();
  return { file, line, column, frame: { firstLine, lines, mark: cut > 0 ? column - cut + 1 : column } };
}

/** Control characters as the symbols that stand for them, so that no source can steer a terminal. */
export function printable(text: string): string {
  return text.replace(/\r$/, '').replace(/\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0);
    if (character === '\t' || character === '\n') return character;
    return code < 0x20 ? String.fromCharCode(SYMBOLS + code) : '\ufffd';
  });
}
