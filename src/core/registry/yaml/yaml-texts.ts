/** Texts in plain YAML: those in double quotes, and literal blocks. */
import { parsedJson } from '../../model/json.ts';

/** What a quoted text means where JSON and YAML agree; undefined where only YAML knows the escape. */
export function jsonString(quoted: string): string | undefined {
  const value = parsedJson(quoted);
  return typeof value === 'string' ? value : undefined;
}

/** `|` keeps the newline at the end, `|-` does not; other headers are left to the parser that knows all of YAML. */
const HEADER = /\|(-?)\n/y;
/** A line and its newline, in parts: the spaces, then the rest. */
const LINE = /( *)(?! )([^\n]*)\n/y;

/** The literal block whose header stands at `at`, below a key at column `indent`, and where it ends. */
export function literalBlock(
  text: string,
  at: number,
  indent: number,
): { readonly value: string; readonly end: number } | undefined {
  HEADER.lastIndex = at;
  const [header = '', strip] = HEADER.exec(text) ?? [];
  if (header === '') return undefined;
  const lines: string[] = [];
  let column: number | undefined;
  let end = at + header.length;
  while (end < text.length) {
    LINE.lastIndex = end;
    const [line = '', spaces = '', rest = ''] = LINE.exec(text) ?? [];
    // Parsers differ over a last line without an end.
    if (line === '') return undefined;
    if (rest !== '') {
      column ??= spaces.length;
      if (spaces.length < column || column <= indent) break;
    } else if (spaces !== '') return undefined;
    lines.push(rest === '' ? '' : spaces.slice(column) + rest);
    end += line.length;
  }
  while (lines.at(-1) === '') lines.pop();
  // An empty block, or one that begins with an empty line, has rules of its own.
  if (lines.length === 0 || lines[0] === '') return undefined;
  return { value: lines.join('\n') + (strip === '-' ? '' : '\n'), end };
}
