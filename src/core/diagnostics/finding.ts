/** Errors and warnings about the input, as data. `messages/` contains their sentences, and `render.ts` prints them. */

import { lastAtOrBefore } from '../platform/lookups.ts';
import { CONTROL_CHARACTERS } from '../platform/text.ts';
import type { MESSAGES } from './messages.ts';

export type FindingCode = keyof typeof MESSAGES;
export type FindingArguments<C extends FindingCode> = Parameters<(typeof MESSAGES)[C]['text']>[0];

/** A place in a source. The first line and the first column have the number 1. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** The lines around the place, from line `firstLine`. `mark` is a column in the shown, possibly shortened line. */
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

export function byPlace(a: Finding, b: Finding): number {
  const [one, other] = [a.place, b.place];
  if (one?.file !== other?.file) return (one?.file ?? '') < (other?.file ?? '') ? -1 : 1;
  return (one?.line ?? 0) - (other?.line ?? 0) || (one?.column ?? 0) - (other?.column ?? 0);
}

export const MOST_FINDINGS_PER_FILE = 100;

/** Returns at most `MOST_FINDINGS_PER_FILE` findings. Then stops reading the iterable. */
export function firstFindings(findings: Iterable<Finding>): Finding[] {
  const first: Finding[] = [];
  for (const each of findings) if (first.push(each) === MOST_FINDINGS_PER_FILE) break;
  return first;
}

const FRAME_RADIUS = 2;
const FRAME_WIDTH = 160;
/** The first of the Unicode symbols for control characters. */
const SYMBOLS = 0x2400;

export function placeAt(file: string, text: string, offset: number): Place {
  const starts = lineStarts(text);
  const line = lastAtOrBefore(starts, offset) + 1;
  return placeOnLine(file, text, line, offset - (starts[line - 1] ?? 0) + 1);
}

/** Caches the line offsets of the last text, because consecutive findings often concern the same text. */
let cached: { readonly text: string; readonly starts: Uint32Array } | undefined;

function lineStarts(text: string): Uint32Array {
  if (cached?.text === text) return cached.starts;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  const starts = new Uint32Array(lines);
  for (let line = 1, at = -1; line < lines; line++) {
    at = text.indexOf('\n', at + 1);
    starts[line] = at + 1;
  }
  cached = { text, starts };
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

/** Makes control characters visible, so that no input can control the terminal. Tabs and newlines remain. */
export function printable(text: string): string {
  return text.replace(/\r$/, '').replace(CONTROL_CHARACTERS, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(SYMBOLS + code) : '\ufffd';
  });
}

export function onOneLine(text: string): string {
  return printable(text).replaceAll('\n', String.fromCharCode(SYMBOLS + '\n'.charCodeAt(0)));
}

/** Carries findings to the command line, which prints them and exits. */
export class Failure extends Error {
  readonly findings: readonly Finding[];

  constructor(findings: readonly Finding[]) {
    super(findings.map(({ code }) => code).join(', '));
    this.findings = findings;
  }
}

export function fail(...findings: Finding[]): never {
  throw new Failure(findings);
}

/** Throws any number of findings. `fail` cannot do this, because a call has a limited number of arguments. */
export function failAll(findings: readonly Finding[]): never {
  throw new Failure(findings);
}

/** Adds findings to a failure of `run`, for example warnings about its cause. */
export function withWarnings<T>(warnings: () => readonly Finding[], run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof Failure ? new Failure([...warnings(), ...error.findings]) : error;
  }
}

/** Whether a request failed before a complete response arrived. */
export function isMissingResponse(error: unknown): boolean {
  return error instanceof Failure && error.findings.every(({ code }) => code === 'no-answer');
}
