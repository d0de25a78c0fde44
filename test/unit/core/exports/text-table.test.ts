import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LATEX_PACKAGES, latexLabel } from '../../../../src/core/exports/latex-table.ts';
import { tableLines } from '../../../../src/core/exports/table-lines.ts';
import { latexText, markdownText, TABLE_FORMS, type TextTable } from '../../../../src/core/exports/text-table.ts';
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

test('one long cell does not make every row of a Markdown table long', () => {
  const rows = [['x'.repeat(100_000), '1'], ...Array.from({ length: 100 }, () => ['y', '2'])];
  const table = { caption: '', head: [{ text: 'a' }, { text: 'b' }], rows };
  expect([...tableLines('markdown', table)].join('\n').length).toBeLessThan(120_000);
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
        /\\(?:textbackslash|textbraceleft|textbraceright|textasciitilde|textasciicircum|textless|textgreater|textbar|ldots|textdegree|textmu|textregistered|texttrademark)\{\}|\\[$&#_%,]|\$\\times\$|\{[[\]*-]\}|\{(?:--|---|`|'|``|'')\}/g;
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
  ['Xeon® – “7”', 'Xeon® – “7”', "Xeon\\textregistered{} {--} {``}7{''}"],
  ['c--01', 'c--01', 'c{-}-01'],
  ['{\\}', '\\{\\\\\\}', '\\textbraceleft{}\\textbackslash{}\\textbraceright{}'],
])('%j is escaped', (text, markdown, latex) => {
  expect([markdownText(text), latexText(text)]).toEqual([markdown, latex]);
});

test.each(TABLE_FORMS)('a table without caption and rows is complete as %s', (form) => {
  const lines = [...tableLines(form, { caption: '', head: [{ text: 'Nodes' }], rows: [] })].join('\n');
  expect(lines).toContain('Nodes');
  expect(lines).not.toContain('caption');
});

test('LaTeX joins no hyphens of a wrapped cell into a dash', () => {
  const text = 'node--with---hyphens '.repeat(20).trim();
  const lines = [...tableLines('latex', { caption: '', head: [{ text: 'Name' }], rows: [[text]] })].join('\n');
  expect(lines).toContain('node-{}-with-{}-{}-hyphens ');
});

test('different tables have different labels, and equal tables the same label', () => {
  const table = { caption: 'Today', head: [{ text: 'Node' }], rows: [['a']] };
  expect(latexLabel(table)).toMatch(/^tab:hardware-[0-9a-f]{8}$/);
  expect(latexLabel({ ...table, caption: 'Tomorrow' })).toBe(latexLabel(table));
  expect(latexLabel({ ...table, rows: [['b']] })).not.toBe(latexLabel(table));
  expect([...tableLines('latex', table)]).toContain(`  \\label{${latexLabel(table)}}`);
});

test('the parts of a long LaTeX table have one label, one number and all rows in order', () => {
  const rows = Array.from({ length: 80 }, (_, i) => [`n${i}`]);
  const lines = [...tableLines('latex', { caption: 'Nodes.', head: [{ text: 'Name' }], rows })];
  const matching = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).map((line) => line.trim());
  expect(matching(/caption|label|addtocounter/)).toEqual([
    ...['\\caption{Nodes.}', expect.stringContaining('\\label{tab:hardware-')],
    ...['\\addtocounter{table}{-1}', '\\caption{Nodes. (continued)}'],
    ...['\\addtocounter{table}{-1}', '\\caption{Nodes. (continued)}'],
  ]);
  expect(matching(/^ +n\d/)).toEqual(rows.map(([name]) => `${name} \\\\`));
  expect(matching(/^ +Name/)).toHaveLength(3);
});

const pdflatex = needs('pdflatex');

/** Returns the log of pdfLaTeX. */
function compiled(options: string, body: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'latex-'));
  const text = [
    `\\documentclass[${options}]{article}`,
    `\\usepackage{${LATEX_PACKAGES}}`,
    '\\begin{document}',
    ...body,
    '\\end{document}',
    '',
  ];
  writeFileSync(join(folder, 'paper.tex'), text.join('\n'));
  const args = ['-interaction=nonstopmode', '-halt-on-error', '-no-shell-escape', 'paper.tex'];
  const output = execFileSync('pdflatex', args, { cwd: folder, encoding: 'utf8' });
  expect(output).toMatch(/Output written on paper\.pdf/);
  return readFileSync(join(folder, 'paper.log'), 'latin1');
}

/** Returns the widths in pt by which boxes are too wide. */
function overfull(log: string): number[] {
  return Array.from(log.matchAll(/Overfull \\hbox \(([\d.]+)pt too wide/g), ([, width]) => Number(width)).filter(
    (width) => width > 1,
  );
}

describe.skipIf(pdflatex.isMissing)(`pdflatex${pdflatex.because}`, () => {
  test('compiles a table with hostile cells', () => {
    const letters = Array.from({ length: 0x17f - 0xc0 }, (_, i) => String.fromCharCode(0xc0 + i));
    const cells = fc.sample(texts, { numRuns: 300, seed: 7 });
    const rows = [...PUNCTUATION, ...letters, '[a]', '* b', '\\input{/etc/passwd}', '\\end{tabular}', ...cells].map(
      (cell, i) => [cell, String(i)],
    );
    const head = [{ text: 'Name' }, { text: 'Nodes', isNumber: true }];
    compiled('10pt', [...tableLines('latex', { caption: 'A & b_c \\', head, rows })]);
  });

  test.each(['10pt', '12pt', 'twocolumn', 'twocolumn,12pt'])('sets wide tables into the page of [%s]', (options) => {
    const head = ['Name', 'Site', 'Node type', 'CPU', 'Threads', 'Memory', 'GPU', 'FPGA', 'Disk', 'Network'];
    const row = [
      ...['r740xdcham143', 'Texas Advanced Computing Center', 'compute_cascadelake_r', '2 × Xeon Gold 6240R', '256'],
      ...['6.39 TB', '4 × A100 SXM4 80GB, 2 × MI210', 'Alveo U280 Data Center Accelerator', '1.92 TB', '100 Gbps'],
    ];
    const usual = { caption: 'Hardware of 1 node.', head: head.map((text) => ({ text })), rows: [row] };
    const long = [`MT28908 Family [ConnectX-6], ${'WWWW '.repeat(40)}`, 'x'.repeat(200), 'a_b-c'.repeat(30)];
    const wide = { caption: '', head: ['network_adapters.model', 'b', 'c'].map((text) => ({ text })), rows: [long] };
    const small = { caption: '', head: [{ text: 'Nodes', isNumber: true }], rows: [['3']] };
    const body = [usual, wide, small].flatMap((table) => [
      ...tableLines('latex', table),
      `Table~\\ref{${latexLabel(table)}}.`,
    ]);
    const log = compiled(options, body);
    expect(overfull(log)).toEqual([]);
    expect(log).not.toMatch(/multiply defined/);
  });

  test.each(['10pt', '12pt', 'twocolumn', 'twocolumn,12pt'])('sets all rows of long tables in [%s]', (options) => {
    const head = ['Name', 'CPU'].map((text) => ({ text }));
    const wide = 'Xeon Gold 6240R with a name that wraps '.repeat(4);
    const rowsOf = (count: number, cpu: string) => Array.from({ length: count }, (_, i) => [`lyra-${i}`, cpu]);
    const log = compiled(options, [
      ...tableLines('latex', { caption: 'Short cells.', head, rows: rowsOf(700, 'EPYC') }),
      ...tableLines('latex', { caption: 'Long cells.', head, rows: rowsOf(60, wide) }),
    ]);
    expect(log).not.toMatch(/Float too large|Overfull \\vbox/);
    expect(overfull(log)).toEqual([]);
  });

  test('sets cells of any length', () => {
    const head = ['Serial', 'Note', 'Driver'].map((text) => ({ text }));
    const row = ['W'.repeat(5000), 'note '.repeat(20_000), 'm'.repeat(2000)];
    const lines = [...tableLines('latex', { caption: '', head, rows: [row] })];
    expect(overfull(compiled('twocolumn', lines))).toEqual([]);
    const text = lines.join('\n').replaceAll('\\allowbreak{}', '');
    expect(text).toContain('\n% Cells with more than 2000 characters are cut, and end with dots.\n');
    expect(text).toContain(`${'W'.repeat(1999)}\\ldots{} & note`);
    expect(text).toContain(` & ${'m'.repeat(2000)} \\\\\n`);
  });

  test('does not scale or wrap a table that fits', () => {
    const table = { caption: '', head: [{ text: 'Node type' }], rows: [['compute_skylake']] };
    expect([...tableLines('latex', table)]).toContain('  \\begin{tabular}{l}');
  });
});

test('a table can have any number of rows', () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => [String(i)]);
  for (const form of TABLE_FORMS)
    expect(Array.from(tableLines(form, { caption: '', head: [{ text: 'Node' }], rows })).length).toBeGreaterThan(
      200_000,
    );
});
