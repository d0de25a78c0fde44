import { describe, expect, test } from 'vitest';
import { graphAt, headsOf, orderGraph } from '../../../../src/core/history/graph.ts';
import type { RevisionHeader } from '../../../../src/core/model/revision.ts';
import { headerOf, idOf } from '../../../support/values/headers.ts';

const place = (id: string, ...path: PropertyKey[]) => ({ file: `${id.charAt(0)}.yaml/${path.join('/')}` });

function order(lines: readonly string[], isMerging?: boolean) {
  return orderGraph(lines.map(headerOf), place, isMerging);
}

function letters(headers: readonly RevisionHeader[] | undefined): string | undefined {
  return headers?.map(({ message }) => message).join(' ');
}

/** Returns the order, oldest first, or the findings with their places. */
function orderOf(lines: readonly string[], isMerging?: boolean): unknown {
  const ordered = order(lines, isMerging);
  if (!ordered.findings) return letters(ordered.graph.revisions);
  return ordered.findings.map(({ code, args, place: at }) => [code, args, at?.file]);
}

const NESTED = ['a:', 'b: a', 'c: b', 'd: b', 'e: c d', 'f: a', 'g: f', 'h: e g', 'i: h'];

describe('orderGraph', () => {
  test.each<[string, string[], string]>([
    ['one', ['a:'], 'a'],
    ['a line', ['c: b', 'a:', 'b: a'], 'a b c'],
    ['a diamond with equal dates, its first side newest', ['a:', 'b: a', 'c: a', 'd: b c'], 'a c b d'],
    ['a diamond, the other side first', ['a:', 'b: a', 'c: a', 'd: c b'], 'a b c d'],
    ['a longer side', ['a:', 'b: a', 'c: b', 'd: a', 'e: d c'], 'a b c d e'],
    ['a merge of an ancestor', ['a:', 'b: a', 'c: b', 'd: c a'], 'a b c d'],
    ['nested merges', NESTED, 'a b f d c g e h i'],
    ['a merge on both sides', ['a:', 'b: a', 'c: a', 'd: b c', 'e: c b', 'f: d e'], 'a b c e d f'],
    ['three parents', ['a:', 'b: a', 'c: a', 'd: a', 'e: b c d'], 'a d c b e'],
  ])('sorts parents before children: %s', (_, lines, expected) => {
    expect(orderOf(lines)).toBe(expected);
    expect(orderOf([...lines].reverse())).toBe(expected);
  });

  test.each<[string, string[], string]>([
    ['the later side is newer in any order of parents', ['2:a:', '3:b: a', '5:c: a', '6:d: c b'], 'a b c d'],
    ['revisions of both sides alternate', ['1:a:', '2:b: a', '4:c: b', '3:d: a', '5:e: d', '6:f: c e'], 'a b d c e f'],
    ['a child is never before its parent', ['5:a:', '1:b: a', '3:c: a', '2:d: b', '6:e: c d'], 'a b d c e'],
  ])('sorts unrelated revisions by date: %s', (_, lines, expected) => {
    const headers = lines.map((line) => ({ ...headerOf(line.slice(2)), date: `2026-01-0${line.charAt(0)}T12:00:00Z` }));
    const ordered = orderGraph(headers, place);
    expect(ordered.findings ? ordered.findings : letters(ordered.graph.revisions)).toBe(expected);
  });

  test('returns the indexes of parents and identifiers', () => {
    const ordered = order(['a:', 'b: a', 'c: a', 'd: b c']);
    expect(ordered.findings).toBeUndefined();
    if (ordered.findings) return;
    expect(ordered.graph.parents).toEqual([[], [0], [0], [2, 1]]);
    expect([...ordered.graph.indexOf]).toEqual(['a', 'c', 'b', 'd'].map((letter, i) => [idOf(letter), i]));
  });

  test('sorts a hundred thousand revisions in a row', () => {
    const headers = Array.from({ length: 100_000 }, (_, i) => ({
      ...headerOf('a:'),
      id: String(i),
      parents: i > 0 ? [String(i - 1)] : [],
    }));
    const ordered = orderGraph(headers.reverse(), place);
    expect(ordered.findings ? [] : ordered.graph.revisions.slice(-1)).toEqual([headers[0]]);
  });

  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(idOf);

  test.each<[string, string[], unknown]>([
    ['a missing parent', ['a:', 'b: a z'], [['unknown-parent', { id: b, parent: idOf('z') }, 'b.yaml/parents/1']]],
    [
      'two missing parents',
      ['a: y', 'b: z'],
      [
        ['unknown-parent', { id: a, parent: idOf('y') }, 'a.yaml/parents/0'],
        ['unknown-parent', { id: b, parent: idOf('z') }, 'b.yaml/parents/0'],
      ],
    ],
    ['a revision that is its own parent', ['a:', 'b: b'], [['revision-self-parent', { id: b }, 'b.yaml/parents']]],
    ['a duplicate parent', ['a:', 'b: a a'], [['revision-self-parent', { id: b }, 'b.yaml/parents']]],
    ['a cycle', ['a:', 'b: a d', 'c: b', 'd: c'], [['history-cycle', { ids: [b, d, c, b] }, 'b.yaml/parents']]],
    ['a cycle without a root', ['a: b', 'b: a'], [['history-cycle', { ids: [a, b, a] }, 'a.yaml/parents']]],
    [
      'a cycle with descendants',
      ['a:', 'b: c', 'c: b', 'd: c a'],
      [['history-cycle', { ids: [b, c, b] }, 'b.yaml/parents']],
    ],
    ['two heads', ['a:', 'b: a', 'c: a'], [['several-heads', { ids: [b, c] }, 'c.yaml/id']]],
    ['two roots', ['a:', 'b:', 'c: a b'], [['several-roots', { ids: [a, b] }, 'b.yaml/id']]],
    [
      'two histories',
      ['a:', 'b:', 'c: a', 'd: b'],
      [
        ['several-heads', { ids: [c, d] }, 'd.yaml/id'],
        ['several-roots', { ids: [a, b] }, 'b.yaml/id'],
      ],
    ],
  ])('rejects %s', (_, lines, expected) => {
    expect(orderOf(lines)).toEqual(expected);
  });

  test('accepts several heads before a merge', () => {
    expect(orderOf(['a:', 'b: a', 'c: a'], true)).toBe('a c b');
    expect(orderOf(['a:', 'b: a'], true)).toBe('a b');
  });
});

test('headsOf lists the revisions without children', () => {
  expect(letters(headsOf(['a:', 'b: a', 'c: a', 'd: b'].map(headerOf)))).toBe('c d');
});

test('graphAt returns a revision with all its ancestors', () => {
  const ordered = order(NESTED);
  expect(ordered.findings).toBeUndefined();
  if (ordered.findings) return;
  const parts = [...ordered.graph.indexOf.values()].map((index) => letters(graphAt(ordered.graph, index).revisions));
  expect(parts).toEqual([
    'a',
    'a b',
    'a f',
    'a b d',
    'a b c',
    'a f g',
    'a b d c e',
    'a b f d c g e h',
    'a b f d c g e h i',
  ]);
});
