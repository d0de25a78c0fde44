/** Tables for documents: Markdown (GFM), LaTeX (booktabs) and HTML. All cells are escaped. */

import { STEERING } from '../platform/text.ts';

export interface TableHead {
  readonly text: string;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

export interface TextTable {
  readonly caption: string;
  readonly head: readonly TableHead[];
  /** Texts of one line. */
  readonly rows: readonly (readonly string[])[];
}

export const TABLE_FORMS = ['markdown', 'latex', 'html'] as const;
export type TableForm = (typeof TABLE_FORMS)[number];

/** The forms of a description of nodes: a paragraph and a table, or the bibliography entry of their revision. */
export const SETUP_FORMS = ['text', 'markdown', 'latex', 'bibtex'] as const;
export type SetupForm = (typeof SETUP_FORMS)[number];

const WRITERS: Readonly<Record<TableForm, (table: TextTable) => Iterable<string>>> = {
  markdown: markdownTable,
  latex: latexTable,
  html: htmlTable,
};

export function tableLines(form: TableForm, table: TextTable): Iterable<string> {
  return WRITERS[form](table);
}

/** Escapes every character with a meaning in GFM (https://github.github.com/gfm/#backslash-escapes). */
export function markdownText(text: string): string {
  return oneLine(text).replace(/[\\`*_{}[\]<>#|~!$&]/g, '\\$&');
}

function* markdownTable({ caption, head, rows }: TextTable): Generator<string> {
  const lines = [head.map(({ text }) => text), ...rows].map((cells) => cells.map(markdownText));
  const widths = head.map((_, i) => lines.reduce((most, cells) => Math.max(most, cells[i]?.length ?? 0), 3));
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (head[i]?.isNumber ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join(' | ')} |`;
  yield lineOf(lines[0] ?? []);
  yield `| ${head.map(({ isNumber }, i) => '-'.repeat((widths[i] ?? 3) - 1) + (isNumber ? ':' : '-')).join(' | ')} |`;
  for (const cells of lines.slice(1)) yield lineOf(cells);
  if (caption === '') return;
  yield '';
  yield markdownText(caption);
}

const LATEX: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': "{''}",
  '×': '$\\times$',
  '…': '\\ldots{}',
  '°': '\\textdegree{}',
  µ: '\\textmu{}',
  '\u202f': '\\,',
  '\u00a0': '~',
};

/**
 * Escapes a text for LaTeX. Brackets and asterisks get braces, because at the start of a row they would be an option of
 * the line break. pdfLaTeX stops at letters that its default fonts lack, so they become question marks.
 */
export function latexText(text: string): string {
  return oneLine(text)
    .replace(
      /[\\~^<>|"×…°µ\u202f\u00a0]|[{}$&#_%]|[[\]*]|[ÐÞðþĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲųſ]|[^\x20-\x7e\u00c0-\u017e]/gu,
      (character) => {
        if (/[{}$&#_%]/.test(character)) return `\\${character}`;
        if (/[[\]*]/.test(character)) return `{${character}}`;
        return LATEX[character] ?? '?';
      },
    )
    .replace(/(\d) (?=(?:[kMGT]?i?B|[kMGT]?Hz|[kMGT]?bps)\b)/g, '$1~');
}

function* latexTable({ caption, head, rows }: TextTable): Generator<string> {
  const lineOf = (cells: readonly string[]) => `    ${cells.map(latexText).join(' & ')} \\\\`;
  yield '% Needs \\usepackage{booktabs}.';
  yield '\\begin{table}';
  yield '  \\centering';
  // Eight columns of hardware fit into a page of the class article.
  yield '  \\footnotesize';
  yield '  \\setlength{\\tabcolsep}{3pt}';
  if (caption !== '') yield `  \\caption{${latexText(caption)}}`;
  yield '  \\label{tab:hardware}';
  yield `  \\begin{tabular}{${head.map(({ isNumber }) => (isNumber ? 'r' : 'l')).join('')}}`;
  yield '    \\toprule';
  yield lineOf(head.map(({ text }) => text));
  yield '    \\midrule';
  for (const cells of rows) yield lineOf(cells);
  yield '    \\bottomrule';
  yield '  \\end{tabular}';
  yield '\\end{table}';
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export function htmlText(text: string): string {
  return oneLine(text).replace(/[&<>]/g, (character) => ENTITIES[character] ?? '');
}

function* htmlTable({ caption, head, rows }: TextTable): Generator<string> {
  yield '<table>';
  if (caption !== '') yield `<caption>${htmlText(caption)}</caption>`;
  yield `<thead><tr>${head.map(({ text }) => `<th scope="col">${htmlText(text)}</th>`).join('')}</tr></thead>`;
  yield '<tbody>';
  for (const cells of rows)
    yield `<tr>${cells.map((cell, i) => `<td${head[i]?.isNumber ? ' align="right"' : ''}>${htmlText(cell)}</td>`).join('')}</tr>`;
  yield '</tbody>';
  yield '</table>';
}

function oneLine(text: string): string {
  return text.replace(/[\t\n]/g, ' ').replace(STEERING, '\ufffd');
}
