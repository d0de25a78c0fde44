import { describe, expect, test } from 'vitest';
import { changeFeeds } from '../../../../src/core/history/change-feed.ts';
import { added, historyOf, removed, type Step, updated } from '../../../support/values/history.ts';

/** Returns `{revision} {action} {path}` of each entry, oldest first, by the path of the feed. */
function feedsOf(steps: readonly Step[]): Record<string, string[]> {
  const { history } = historyOf(steps);
  return Object.fromEntries(
    [...changeFeeds(history)].map(([path, { size, entryAt }]) => [
      path,
      Array.from({ length: size }, (_, n) => {
        const { index, change } = entryAt(n);
        return `${history.revisions[index]?.message} ${change.action} /${change.path}`;
      }),
    ]),
  );
}

const site = (uid: string) => added(`sites/${uid}`, { type: 'site', uid, n: 0 });

describe('the feeds of a history', () => {
  test('contain all changes, and the changes of each site, oldest first', () => {
    expect(
      feedsOf([
        ['a:', added('', { n: 0 }), site('x'), site('xy'), added('sites/x/flavors/f', { n: 0 })],
        ['b: a', updated('sites/xy', 0, 1), updated('', 0, 1)],
        ['c: b', removed('sites/x/flavors/f'), removed('sites/x')],
      ]),
    ).toEqual({
      '': [
        ...['a added /', 'a added /sites/x', 'a added /sites/x/flavors/f', 'a added /sites/xy'],
        ...['b updated /', 'b updated /sites/xy', 'c removed /sites/x', 'c removed /sites/x/flavors/f'],
      ],
      'sites/x': [
        ...['a added /sites/x', 'a added /sites/x/flavors/f'],
        ...['c removed /sites/x', 'c removed /sites/x/flavors/f'],
      ],
      'sites/xy': ['a added /sites/xy', 'b updated /sites/xy'],
    });
  });

  test("follow first parents: a merge adds its side branch's changes once", () => {
    expect(
      feedsOf([
        ['a:', added('', { n: 0 }), site('x')],
        ['b: a', updated('sites/x', 0, 1), site('dune')],
        ['c: a', updated('', 0, 1)],
        ['d: c b', updated('sites/x', 0, 1)],
      ]),
    ).toEqual({
      '': ['a added /', 'a added /sites/x', 'c updated /', 'd updated /sites/x'],
      'sites/x': ['a added /sites/x', 'd updated /sites/x'],
    });
  });

  test('omit changes that only reformat a file', () => {
    expect(
      feedsOf([
        ['a:', added('', { n: 0 })],
        ['b: a', { action: 'touched', path: '' }],
      ]),
    ).toEqual({ '': ['a added /'] });
  });

  test('throw for entries out of range', () => {
    const { history } = historyOf([['a:', added('')]]);
    expect(() => changeFeeds(history).get('')?.entryAt(1)).toThrow('there is no item 1 in a list of 1');
  });
});
