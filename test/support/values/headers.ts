/** Revision headers for tests of the graph, with one letter each. */
import type { RevisionHeader } from '../../../src/core/model/revision.ts';

/** Repeats a letter forty times. */
export function idOf(letter: string): string {
  return letter.repeat(40);
}

/** `c: a b` is the revision c with the parents a and b. */
export function headerOf(line: string): RevisionHeader {
  const [letter = '', parents = ''] = line.split(/: ?/);
  return {
    id: idOf(letter),
    parents: parents.split(' ').filter(Boolean).map(idOf),
    date: '2026-01-01T12:00:00Z',
    author: 'Ada Brown',
    message: letter,
    origin: 'git',
    state: '0'.repeat(64),
  };
}
