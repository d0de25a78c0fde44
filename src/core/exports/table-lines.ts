import { latexTable } from './latex-table.ts';
import { htmlText, markdownText, type TableForm, type TextTable } from './text-table.ts';

const WRITERS: Readonly<Record<TableForm, (table: TextTable) => Iterable<string>>> = {
  markdown: markdownTable,
  latex: latexTable,
  html: htmlTable,
};

export function tableLines(form: TableForm, table: TextTable): Iterable<string> {
  return WRITERS[form](table);
}

/** The maximum width to which cells of a column are padded. One long cell must not make every row long. */
const WIDEST_PADDING = 80;

function* markdownTable({ caption, head, rows }: TextTable): Generator<string> {
  const lines = [head.map(({ text }) => text), ...rows].map((cells) => cells.map(markdownText));
  const widths = head.map((_, i) =>
    lines.reduce((most, cells) => Math.max(most, Math.min(cells[i]?.length ?? 0, WIDEST_PADDING)), 3),
  );
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (head[i]?.isNumber ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join(' | ')} |`;
  yield lineOf(lines[0] ?? []);
  yield `| ${head.map(({ isNumber }, i) => '-'.repeat((widths[i] ?? 3) - 1) + (isNumber ? ':' : '-')).join(' | ')} |`;
  for (const cells of lines.slice(1)) yield lineOf(cells);
  if (caption === '') return;
  yield '';
  yield markdownText(caption);
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
