import { describe, expect, test } from 'vitest';
import { parseGitLog } from '../../../support/values/git-log.ts';

const [a, b, c, blob, none, tree, subtree] = ['a', 'b', 'c', 'd', '0', 'e', 'f'].map((letter) => letter.repeat(40));

function commit(id: string | undefined, parents: string, message: string, entries: readonly string[] = []): string {
  const head = [id, parents, tree, '2026-01-01T12:00:00+01:00', 'Ada Brown', message].join('\0');
  return `${head}\0${entries.length > 0 ? '\n' : ''}${entries.map((entry) => `${entry}\0`).join('')}`;
}

describe('gitLogReader', () => {
  test('reads commits with their changes', () => {
    const output =
      commit(a, '', 'First\n', [
        `:000000 100644 ${none} ${blob} A\0data/g/g.json`,
        `:000000 120000 ${none} ${blob} A\0a link`,
      ]) + commit(b, a ?? '', 'Second\n\nwith a body\n', [`:100644 000000 ${blob} ${none} D\0data/g/g.json`]);
    expect(parseGitLog(output)).toEqual([
      {
        id: a,
        parents: [],
        date: '2026-01-01T12:00:00+01:00',
        author: 'Ada Brown',
        message: 'First',
        trees: [tree],
        entries: [
          { path: 'data/g/g.json', mode: '100644', blob },
          { path: 'a link', mode: '120000', blob },
        ],
      },
      {
        id: b,
        parents: [a],
        date: '2026-01-01T12:00:00+01:00',
        author: 'Ada Brown',
        message: 'Second\n\nwith a body',
        trees: [tree],
        entries: [{ path: 'data/g/g.json', mode: '000000', blob: none }],
      },
    ]);
  });

  test('reads merges, empty commits and empty messages', () => {
    const commits = parseGitLog(commit(a, '', '') + commit(b, a ?? '', 'B\n') + commit(c, `${b} ${a}`, '\n'));
    expect(commits.map(({ id, parents, message, entries }) => [id, parents, message, entries])).toEqual([
      [a, [], '', []],
      [b, [a], 'B', []],
      [c, [b, a], '', []],
    ]);
  });

  test('never mistakes a message or a path for the start of a commit', () => {
    const message = `:100644 100644 ${blob} ${blob} M\n\u0001${c}\n`;
    const output =
      commit(a, '', message, [
        `:000000 100644 ${none} ${blob} A\0\u0001${b}`,
        `:000000 100644 ${none} ${blob} A\0\n:z`,
      ]) + commit(b, a ?? '', 'B');
    expect(
      parseGitLog(output).map(({ id, message: text, entries }) => [id, text, entries.map(({ path }) => path)]),
    ).toEqual([
      [a, message.trimEnd(), [`\u0001${b}`, '\n:z']],
      [b, 'B', []],
    ]);
  });

  test('distinguishes folders from files, and ignores removed folders', () => {
    const output = commit(a, '', 'A', [
      `:000000 040000 ${none} ${subtree} A\0data`,
      `:000000 100644 ${none} ${blob} A\0data/x.json`,
      `:040000 000000 ${subtree} ${none} D\0old.json`,
      `:100644 000000 ${blob} ${none} D\0old.json/y.json`,
    ]);
    expect(parseGitLog(output).map(({ trees, entries }) => ({ trees, entries }))).toEqual([
      {
        trees: [tree, subtree],
        entries: [
          { path: 'data/x.json', mode: '100644', blob },
          { path: 'old.json/y.json', mode: '000000', blob: none },
        ],
      },
    ]);
  });

  test('reads an empty log', () => {
    expect(parseGitLog('')).toEqual([]);
  });
});
