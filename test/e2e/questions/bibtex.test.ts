import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bibtexText, type Reference } from '../../../src/core/api/citation.ts';
import { newFolder } from '../../support/folders.ts';
import { needs } from '../../support/processes/programs.ts';

const REVISION = { id: '46455c8c8d1f4f2ab0a7e3c1d5e6f708192a3b4c', date: '2026-05-06T14:12:47Z' };

const REFERENCE: Reference = {
  title: 'Nodes } of \\{ 50 % @ {A',
  authors: [
    { name: 'Émile Łukasz Ångström-Çelik', isPerson: true },
    { name: 'Ada Brown, Jr.', isPerson: true },
    { name: 'Smith and Sons', isPerson: true },
    { name: 'others', isPerson: true },
    { name: 'ada van der Berg', isPerson: true },
    { name: '', isPerson: true },
    { name: 'Gabriel José García Márquez', isPerson: true, familyName: 'García Márquez', givenName: 'Gabriel José' },
    { name: 'Jan van der Berg', isPerson: true, familyName: 'van der Berg', givenName: 'Jan' },
    { name: 'Ada Brown, Jr.', isPerson: true, familyName: 'Brown, Jr.', givenName: 'Ada' },
    { name: 'García Márquez', isPerson: true, familyName: 'García Márquez' },
    { name: 'Operators of A and B, C {', isPerson: false },
  ],
  publisher: 'Meridian }\\',
  doi: '10.1234/a\\b_(1)',
  url: 'https://example.org/é?a={b}%20&c#d',
  baseUrl: undefined,
  hasPage: true,
};

const AUTHORS = [
  '{\\\'{E}}mile {\\L}ukasz {\\r{A}}ngstr{\\"{o}}m-{\\c{C}}elik',
  '{Ada Brown, Jr.}',
  '{Smith and Sons}',
  '{others}',
  'ada van der Berg',
  "Garc{\\'{i}}a M{\\'{a}}rquez, Gabriel Jos{\\'{e}}",
  'van der Berg, Jan',
  '{Brown, Jr.}, Ada',
  "{Garc{\\'{i}}a M{\\'{a}}rquez}",
  '{Operators of A and B, C \\textbraceleft{}}',
];

test('BibTeX values have no unbalanced brace, and names that BibTeX would split are in braces', () => {
  expect(bibtexText(REFERENCE, REVISION).split('\n')).toEqual([
    '@misc{Meridian-46455c8c,',
    `  author = {${AUTHORS.join(' and ')}},`,
    '  title = {{Nodes \\textbraceright{} of \\textbackslash{}\\textbraceleft{} 50 \\% @ \\textbraceleft{}A}},',
    '  publisher = {Meridian \\textbraceright{}\\textbackslash{}},',
    '  year = {2026},',
    `  note = {Revision ${REVISION.id} of 2026-05-06, \\url{https://example.org/%C3%A9?a=%7Bb%7D%20&c#d}},`,
    '  doi = {10.1234/a\\b_(1)},',
    '  howpublished = {\\url{https://doi.org/10.1234/a%5Cb_(1)}},',
    '}',
  ]);
});

const pdflatex = needs('pdflatex');

test.skipIf(pdflatex.isMissing).each(['plain', 'abbrv', 'alpha'])(
  `the entry compiles in the style %s${pdflatex.because}`,
  (style) => {
    const cwd = newFolder();
    writeFileSync(join(cwd, 'paper.bib'), bibtexText(REFERENCE, REVISION));
    writeFileSync(
      join(cwd, 'paper.tex'),
      `\\documentclass{article}\n\\usepackage{url}\n\\begin{document}\n\\nocite{*}\n\\bibliographystyle{${style}}\n\\bibliography{paper}\n\\end{document}\n`,
    );
    const program = (name: string, ...args: readonly string[]) => execFileSync(name, args, { cwd, encoding: 'utf8' });
    const compiled = () =>
      program('pdflatex', '-interaction=nonstopmode', '-halt-on-error', '-no-shell-escape', 'paper.tex');
    compiled();
    expect(program('bibtex', 'paper')).not.toMatch(/warning|error/i);
    expect(compiled()).toContain('Output written on paper.pdf');
    expect(readFileSync(join(cwd, 'paper.bbl'), 'utf8').replace(/\s+/g, ' ')).toContain('{Ada Brown, Jr.}');
  },
);
