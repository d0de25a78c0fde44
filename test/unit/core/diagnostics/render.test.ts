import { describe, expect, test } from 'vitest';
import { finding, placeAt } from '../../../../src/core/diagnostics/finding.ts';
import { exitStatus, findingRecord, renderFindings } from '../../../../src/core/diagnostics/render.ts';

const NUL = finding('yaml-nul', {}, placeAt('a.yaml', 'x: 1\ny:\t\0\nz: 3\n', 8));
const WARNING = finding('import-uid', { id: 'a'.repeat(40), path: 'p.json', uid: 'x', expected: 'y' });
const FAILURE = finding('no-tree', { folder: 'dist' });

describe('renderFindings', () => {
  test('prints the place, the message, the lines and the remedy', () => {
    expect(renderFindings([NUL])).toBe(
      [
        'a.yaml:2:4: error: The file contains a NUL character. [yaml-nul]',
        '  1 | x: 1',
        '> 2 | y:\t␀',
        '    |   \t^',
        '  3 | z: 3',
        '  Remove the character. YAML files are text.',
        '',
      ].join('\n'),
    );
  });

  test('accepts a missing place and a place without a line', () => {
    expect(renderFindings([FAILURE])).toBe(
      'error: There is no tree at dist. [no-tree]\n  Build one: gridpress build.\n',
    );
    expect(renderFindings([finding('link-broken', {}, { file: 'x' })])).toBe(
      'x: error: The symbolic link points to a missing file. [link-broken]\n  Remove the link, or restore its target.\n',
    );
  });

  test('separates findings by empty lines', () => {
    expect(renderFindings([FAILURE, WARNING])).toBe(
      'error: There is no tree at dist. [no-tree]\n  Build one: gridpress build.\n\n' +
        'warning: aaaaaaaa: p.json states the uid "x". [import-uid]\n  The import uses the uid of its path: "y".\n',
    );
  });

  test('pads line numbers to one width', () => {
    const text = `${'\n'.repeat(8)}here\n\nthere`;
    expect(renderFindings([finding('not-utf8', {}, placeAt('f', text, 8))])).toBe(
      [
        'f:9:1: error: The file is not valid UTF-8. [not-utf8]',
        '   7 |',
        '   8 |',
        '>  9 | here',
        '     | ^',
        '  10 |',
        '  11 | there',
        '  Save it as UTF-8.',
        '',
      ].join('\n'),
    );
  });

  test('prints fifty findings, then the number of further findings', () => {
    const one = renderFindings([FAILURE]);
    expect(renderFindings(Array(50).fill(FAILURE))).toBe(Array(50).fill(one).join('\n'));
    expect(renderFindings(Array(51).fill(FAILURE))).toBe(`${Array(50).fill(one).join('\n')}\n… and 1 more finding\n`);
    expect(renderFindings(Array(2050).fill(FAILURE))).toBe(
      `${Array(50).fill(one).join('\n')}\n… and 2,000 more findings\n`,
    );
  });

  test('escapes line breaks in quoted values', () => {
    const forged = finding('read-failed', { file: 'a\nerror: forged', reason: 'b\u202e' }, { file: 'c\nd', line: 1 });
    expect(renderFindings([forged])).toBe(
      `c␊d:1: error: a␊error: forged cannot be read: b\ufffd. [read-failed]\n  Check that it exists, and that you may read it.\n`,
    );
  });

  test('prints nothing without findings', () => {
    expect(renderFindings([])).toBe('');
  });

  test('colors the heading, the frame and the mark', () => {
    const mark = (name: string) => (text: string) => `<${name}>${text}</${name}>`;
    const palette = { error: mark('e'), good: mark('g'), warning: mark('w'), quiet: mark('q'), strong: mark('s') };
    expect(renderFindings([NUL], palette).split('\n').slice(0, 4)).toEqual([
      '<s>a.yaml:2:4: </s><e>error</e>: The file contains a NUL character. <q>[yaml-nul]</q>',
      '<q>  1 |</q> x: 1',
      '<q>> 2 |</q> y:\t␀',
      '<q>    |</q>   \t<e>^</e>',
    ]);
    expect(renderFindings([WARNING], palette)).toContain('<w>warning</w>: aaaaaaaa: p.json');
  });
});

test('findingRecord contains all parts for programs', () => {
  expect(findingRecord(NUL)).toEqual({
    code: 'yaml-nul',
    severity: 'error',
    message: 'The file contains a NUL character.',
    fix: 'Remove the character. YAML files are text.',
    file: 'a.yaml',
    line: 2,
    column: 4,
  });
  expect(findingRecord(WARNING)).toEqual({
    code: 'import-uid',
    severity: 'warning',
    message: 'aaaaaaaa: p.json states the uid "x".',
    fix: 'The import uses the uid of its path: "y".',
  });
});

test.each([
  ['nothing', [], 0],
  ['a warning', [WARNING], 0],
  ['an error', [WARNING, NUL], 1],
  ['a failure', [NUL, FAILURE], 2],
] as const)('the exit status for %s is correct', (_, findings, status) => {
  expect(exitStatus(findings)).toBe(status);
});
