/**
 * Tables for LaTeX fit into the page. Long cells wrap, and a table that is still too wide is scaled down. A long table
 * is split into parts that each fit on one page. In a two-column document, a table spans both columns.
 */
import { truncated } from '../diagnostics/words.ts';
import { sha256 } from '../model/digest.ts';
import { latexText, SPACE_BEFORE_UNIT, type TextTable } from './text-table.ts';

/** The LaTeX packages of tables. All LaTeX distributions contain these packages. */
export const LATEX_PACKAGES = 'array,booktabs,graphicx';

/** Derives the label from the contents, so that different tables of a document have different labels. */
export function latexLabel({ head, rows }: TextTable): string {
  const digest = sha256(JSON.stringify([head.map(({ text }) => text), rows]));
  return `tab:hardware-${digest.slice(0, LABEL_DIGITS)}`;
}

const LABEL_DIGITS = 8;

export function* latexTable(table: TextTable): Generator<string> {
  const { caption, head } = table;
  const rows = table.rows.map((cells) => cells.map((text) => truncated(text, LONGEST_CELL)));
  const widths = columnWidths([head.map(({ text }) => text), ...rows]);
  const cellOf = (text: string, i: number) => (widths[i] === undefined ? latexText(text) : wrappedText(text));
  const lineOf = (cells: readonly string[]) => `    ${cells.map(cellOf).join(' & ')} \\\\`;
  const columns = head.map(({ isNumber }, i) => {
    const width = widths[i];
    return width === undefined ? (isNumber ? 'r' : 'l') : `>{\\raggedright\\arraybackslash}p{${width.toFixed(1)}em}`;
  });
  yield `% Needs \\usepackage{${LATEX_PACKAGES}}.`;
  if (table.rows.some((cells) => cells.some((text) => text.length > LONGEST_CELL)))
    yield `% Cells with more than ${LONGEST_CELL} characters are cut, and end with dots.`;
  for (const [i, part] of partsOf(rows, widths).entries()) {
    const isContinued = i > 0;
    // LaTeX can hold only a limited number of unplaced tables.
    if (isContinued && i % MOST_UNPLACED === 0) yield '\\clearpage';
    yield '\\begin{table*}';
    yield '  \\centering';
    yield '  \\footnotesize';
    yield `  \\setlength{\\tabcolsep}{${SEPARATION}em}`;
    if (caption !== '') {
      if (isContinued) yield '  \\addtocounter{table}{-1}';
      yield `  \\caption{${latexText(caption)}${isContinued ? ' (continued)' : ''}}`;
    }
    if (!isContinued) yield `  \\label{${latexLabel(table)}}`;
    yield '  \\resizebox{\\ifdim\\width>\\textwidth\\textwidth\\else\\width\\fi}{!}{%';
    yield `  \\begin{tabular}{${columns.join('')}}`;
    yield '    \\toprule';
    yield lineOf(head.map(({ text }) => text));
    yield '    \\midrule';
    for (const cells of part) yield lineOf(cells);
    yield '    \\bottomrule';
    yield '  \\end{tabular}}';
    yield '\\end{table*}';
  }
}

/** The maximum number of lines in a part of a table. This fits a page of the class article in all font sizes. */
const MOST_LINES = 36;
const MOST_UNPLACED = 10;

/** The maximum length of a cell, in characters. TeX rejects boxes that are higher or wider than 16,383 points. */
const LONGEST_CELL = 2000;

/** Splits the rows into parts that fit into a page, because LaTeX does not break the table. */
function partsOf(
  rows: readonly (readonly string[])[],
  widths: readonly (number | undefined)[],
): (readonly string[])[][] {
  const parts: (readonly string[])[][] = [[]];
  let lines = 0;
  for (const cells of rows) {
    const height = Math.max(1, ...cells.map((cell, i) => linesIn(cell, widths[i])));
    if (lines > 0 && lines + height > MOST_LINES) {
      parts.push([]);
      lines = 0;
    }
    parts.at(-1)?.push(cells);
    lines += height;
  }
  return parts;
}

function linesIn(text: string, width: number | undefined): number {
  if (width === undefined) return 1;
  let lines = 1;
  let used = 0;
  for (const word of wordsIn(text)) {
    const needed = emWidth(`${word} `);
    if (used > 0 && used + needed > width) {
      lines++;
      used = 0;
    }
    used += needed;
  }
  return lines;
}

/** Half the space between two columns, in em. */
const SEPARATION = 0.35;
/** The width of the text block for one column of the class article, in em of the font size footnotesize. */
const TEXT_WIDTH = 39;
/** The minimum width of a wrapped column, in em. If columns would be narrower, the whole table is scaled down. */
const NARROWEST = 6;

/** Returns column widths in em. The widest columns wrap first. No column is narrower than its longest word. */
function columnWidths(lines: readonly (readonly string[])[]): (number | undefined)[] {
  const columns = (lines[0] ?? []).map((_, i) => {
    const cells = lines.map((cells) => cells[i] ?? '');
    const widest = (texts: readonly string[]) => texts.reduce((most, text) => Math.max(most, emWidth(text)), 0);
    return { natural: widest(cells), least: widest(cells.flatMap(wordsIn)) };
  });
  const room = TEXT_WIDTH - 2 * SEPARATION * columns.length;
  const capped = (cap: number) => columns.map(({ natural, least }) => Math.min(natural, Math.max(least, cap)));
  let cap = TEXT_WIDTH;
  while (cap > NARROWEST && capped(cap).reduce((sum, width) => sum + width, 0) > room) cap--;
  return capped(cap).map((width, i) => (width < (columns[i]?.natural ?? 0) ? width : undefined));
}

/** A line can also break inside of a word with more than 40 characters. */
const WORD = /[^-_ ]{1,40}[-_ ]?|[-_ ]/gu;

function wordsIn(text: string): string[] {
  return breakableParts(text).map((word) => word.trimEnd());
}

function wrappedText(text: string): string {
  const parts = breakableParts(text).map(latexText);
  return parts
    .map((part, i) => {
      const before = parts[i - 1] ?? ' ';
      if (part === '-' && before.endsWith('-')) return '{}-';
      return /[- ]$/.test(before) ? part : `\\allowbreak{}${part}`;
    })
    .join('');
}

function breakableParts(text: string): readonly string[] {
  return text.replaceAll(SPACE_BEFORE_UNIT, '$1\u00a0').match(WORD) ?? [];
}

/** Returns an upper bound for the width of a text in the usual fonts. */
function emWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    const [, most] = CHARACTER_WIDTHS.find(([pattern]) => pattern.test(character)) ?? [undefined, 1.1];
    width += most;
  }
  return width;
}

const CHARACTER_WIDTHS = [
  [/[ .,:;'!|ijlft()[\]-]/, 0.45],
  [/[mwMW%@…]/, 1.1],
  [/[\da-z]/, 0.58],
  [/[\x20-\x7e×]/, 0.8],
] as const;
