import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  latexText,
  markdownText,
  TABLE_FORMS,
  type TextTable,
  tableLines,
} from '../../../../src/core/exports/text-table.ts';
import { needs } from '../../../support/processes/programs.ts';

const PUNCTUATION = '\\`*_{}[]<>#|~!$&%^"\'()-+=.,:;/?@ ×…°µé';
const texts = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...PUNCTUATION), maxLength: 12 }),
);
const tables: fc.Arbitrary<TextTable> = fc.record({
  caption: texts,
  head: fc.constant([{ text: 'a_b' }, { text: 'Nodes', isNumber: true }]),
  rows: fc.array(fc.tuple(texts, texts), { maxLength: 5 }),
});

/** Reads the cells of a Markdown row as GFM does: a backslash takes the meaning from the next punctuation mark. */
function cellsIn(line: string): string[] {
  const cells = [''];
  for (let i = 0; i < line.length; i++) {
    const character = line[i] ?? '';
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(line[i + 1] ?? '')) cells.push(`${cells.pop()}${line[++i]}`);
    else if (character === '|') cells.push('');
    else cells.push(`${cells.pop()}${character}`);
  }
  return cells.slice(1, -1).map((cell) => cell.trim());
}

const shown = (text: string) =>
  text.replace(/[\t\n]/g, ' ').replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, '\ufffd');

test('a Markdown table has the cells that it was given', () => {
  fc.assert(
    fc.property(tables, (table) => {
      const lines = [...tableLines('markdown', table)];
      const rows = lines.slice(2, 2 + table.rows.length).map(cellsIn);
      expect(rows).toEqual(table.rows.map((cells) => cells.map((cell) => shown(cell).trim())));
    }),
  );
});

test('an HTML table contains no other elements than its own', () => {
  fc.assert(
    fc.property(tables, (table) => {
      const html = [...tableLines('html', table)].join('\n');
      const own = html.replaceAll(
        /<\/?(?:table|caption|thead|tbody|tr)>|<\/t[dh]>|<th scope="col">|<td(?: align="right")?>/g,
        '',
      );
      expect(own).not.toMatch(/[<>]/);
    }),
  );
});

test('LaTeX contains no unescaped character with a meaning', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const known =
        /\\(?:textbackslash|textasciitilde|textasciicircum|textless|textgreater|textbar|ldots|textdegree|textmu)\{\}|\\[{}$&#_%,]|\$\\times\$|\{[[\]*]\}|\{''\}/g;
      expect(
        latexText(text)
          .replaceAll(known, '')
          .replaceAll(/(?<=\d)~(?=[kMGT]?(?:i?B|Hz|bps))|~/g, ''),
      ).not.toMatch(/[\\{}$&#_%^]/);
    }),
  );
});

test.each([
  ['gpu_a100|x', 'gpu\\_a100\\|x', 'gpu\\_a100\\textbar{}x'],
  ['512 GiB', '512 GiB', '512~GiB'],
  ['2 × <b>', '2 × \\<b\\>', '2 $\\times$ \\textless{}b\\textgreater{}'],
  ['[x] 50%', '\\[x\\] 50%', '{[}x{]} 50\\%'],
  ['漢', '漢', '?'],
])('%j is escaped', (text, markdown, latex) => {
  expect([markdownText(text), latexText(text)]).toEqual([markdown, latex]);
});

test.each(TABLE_FORMS)('a table without caption and rows is complete as %s', (form) => {
  const lines = [...tableLines(form, { caption: '', head: [{ text: 'Nodes' }], rows: [] })].join('\n');
  expect(lines).toContain('Nodes');
  expect(lines).not.toContain('caption');
});

const pdflatex = needs('pdflatex');

describe.skipIf(pdflatex.isMissing)(`pdflatex${pdflatex.because}`, () => {
  test('compiles a table with hostile cells', () => {
    const folder = mkdtempSync(join(tmpdir(), 'latex-'));
    const letters = Array.from({ length: 0x17f - 0xc0 }, (_, i) => String.fromCharCode(0xc0 + i));
    const cells = fc.sample(texts, { numRuns: 300, seed: 7 });
    const rows = [...PUNCTUATION, ...letters, '[a]', '* b', '\\input{/etc/passwd}', '\\end{tabular}', ...cells].map(
      (cell, i) => [cell, String(i)],
    );
    const table = [
      ...tableLines('latex', {
        caption: 'A & b_c \\',
        head: [{ text: 'Name' }, { text: 'Nodes', isNumber: true }],
        rows,
      }),
    ];
    const lines = table.filter((line) => !line.includes('{table}'));
    const text = [
      '\\documentclass{article}',
      '\\usepackage{booktabs}',
      '\\begin{document}',
      '\\begin{table}',
      ...lines,
      '\\end{table}',
      '\\end{document}',
      '',
    ];
    writeFileSync(join(folder, 'paper.tex'), text.join('\n'));
    const output = execFileSync(
      'pdflatex',
      ['-interaction=nonstopmode', '-halt-on-error', '-no-shell-escape', 'paper.tex'],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(output).toMatch(/Output written on paper\.pdf/);
  });
});
test('a table can have any number of rows', () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => [String(i)]);
  for (const form of TABLE_FORMS)
    expect(Array.from(tableLines(form, { caption: '', head: [{ text: 'Node' }], rows })).length).toBeGreaterThan(
      200_000,
    );
});
