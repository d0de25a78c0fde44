import { describe, expect, test } from 'vitest';
import { pagesOf, renderChanges } from '../../../../../src/core/api/histories/changes.ts';
import { changeFeeds } from '../../../../../src/core/history/change-feed.ts';
import { resourceHistories } from '../../../../../src/core/history/resource-history.ts';
import { added, historyOf, removed, type Step } from '../../../../support/values/history.ts';
import { A, B, C, CLUSTER_C, D, FLAVOR_F, NODE_N, publication } from '../../../../support/values/publication.ts';

/** The pages of a feed, oldest first. */
function pages(path: string, shown = publication('current')): string[] {
  const feed = changeFeeds(shown.history).get(path);
  return feed ? pagesOf(shown, feed).map((page) => renderChanges(shown, feed, page)) : [];
}

const MARCH_1 = '"date":"Sun, 01 Mar 2026 11:00:00 GMT","timestamp":"2026-03-01T11:00:00Z"';
const FEBRUARY_28 = '"date":"Sat, 28 Feb 2026 00:00:00 GMT","timestamp":"2026-02-28T00:00:00Z"';
const MARCH_2 = '"date":"Mon, 02 Mar 2026 00:00:00 GMT","timestamp":"2026-03-02T00:00:00Z"';

function entry(id: string, when: string, action: string, path: string, about: string, more = ''): string {
  return `{"type":"change","revision":"${id}",${when},"resource":"/${path}","action":"${action}","classes":["${about}"],"links":[{"rel":"version","href":"${path === '' ? '' : `/${path}`}/versions/${id}"}${more}]}`;
}
const ownFeed = (site: string) => `,{"rel":"collection","href":"/sites/${site}/changes"}`;

describe('a page of changes', () => {
  test('has the newest entry first, and sites link to their own feeds', () => {
    expect(pages('')).toEqual([
      `{"total":8,"offset":0,"items":[${[
        entry(D, MARCH_2, 'removed', 'sites/y', 'administrative', ownFeed('y')),
        entry(C, FEBRUARY_28, 'added', 'sites/y', 'administrative', ownFeed('y')),
        entry(C, FEBRUARY_28, 'added', FLAVOR_F, 'hardware'),
        entry(B, MARCH_1, 'replaced', NODE_N, 'component'),
        entry(A, MARCH_1, 'added', NODE_N, 'hardware'),
        entry(A, MARCH_1, 'added', CLUSTER_C, 'administrative'),
        entry(A, MARCH_1, 'added', 'sites/x', 'administrative', ownFeed('x')),
        entry(A, MARCH_1, 'added', '', 'administrative'),
      ].join()}],"version":"${D}","links":[{"rel":"self","href":"/changes/pages/1"},{"rel":"parent","href":"/"},{"rel":"first","href":"/changes"},{"rel":"last","href":"/changes/pages/1"},{"rel":"alternate","href":"/changes/feed"},{"rel":"alternate","href":"/changes/feed.atom"}]}`,
    ]);
  });

  test('of a removed site is still served, with the global feed as parent', () => {
    expect(pages('sites/y')).toEqual([
      `{"total":2,"offset":0,"items":[${[
        entry(D, MARCH_2, 'removed', 'sites/y', 'administrative'),
        entry(C, FEBRUARY_28, 'added', 'sites/y', 'administrative'),
      ].join()}],"version":"${D}","links":[{"rel":"self","href":"/sites/y/changes/pages/1"},{"rel":"parent","href":"/changes"},{"rel":"first","href":"/sites/y/changes"},{"rel":"last","href":"/sites/y/changes/pages/1"},{"rel":"alternate","href":"/sites/y/changes/feed"},{"rel":"alternate","href":"/sites/y/changes/feed.atom"}]}`,
    ]);
  });

  test('has types on every link in the legacy dialect', () => {
    const [page = ''] = pages('sites/y', publication('legacy'));
    const [item, collection] = ['item', 'collection'].map((form) => `"type":"application/vnd.acme.${form}+json"`);
    expect(page).toContain(`"links":[{"rel":"version","href":"/sites/y/versions/${D}",${item}}]`);
    expect(page.slice(page.lastIndexOf('"links":'))).toBe(
      `"links":[{"rel":"self","href":"/sites/y/changes/pages/1",${collection}},{"rel":"parent","href":"/changes",${collection}},{"rel":"first","href":"/sites/y/changes",${collection}},{"rel":"last","href":"/sites/y/changes/pages/1",${collection}},{"rel":"alternate","href":"/sites/y/changes/feed","type":"application/feed+json"},{"rel":"alternate","href":"/sites/y/changes/feed.atom","type":"application/atom+xml"}]}`,
    );
  });

  test('names the successor of a removed resource, and links to the history of a resource without a version', () => {
    const site = (uid: string) => added(`sites/${uid}`, { type: 'site', uid });
    // The merge has the state of its second parent, where dune never existed, so it has no version of dune.
    const shown = published([
      ['a:', added('', { type: 'grid', uid: 'g' }), site('x')],
      ['b: a', site('dune')],
      ['c: a', site('y')],
      ['d: b c', removed('sites/dune'), site('y')],
      ['e: d', { action: 'removed', path: 'sites/x', successor: 'y' }],
    ]);
    const entries = JSON.parse(pages('', shown)[0] ?? '').items;
    expect(
      entries.map(({ resource, action, successor, links }: Record<string, unknown>) => ({
        resource,
        action,
        successor,
        links,
      })),
    ).toMatchObject([
      {
        resource: '/sites/x',
        action: 'removed',
        successor: 'y',
        links: [
          { rel: 'version', href: `/sites/x/versions/${'e'.repeat(40)}` },
          { rel: 'collection', href: '/sites/x/changes' },
        ],
      },
      { resource: '/sites/y', action: 'added', successor: undefined },
      {
        resource: '/sites/dune',
        action: 'removed',
        successor: undefined,
        links: [
          { rel: 'version-history', href: '/sites/dune/versions' },
          { rel: 'collection', href: '/sites/dune/changes' },
        ],
      },
      ...Array(3).fill({ action: 'added' }),
    ]);
  });
});

function published(steps: readonly Step[]) {
  const { history, store } = historyOf(steps);
  return {
    ...publication('current'),
    history,
    store,
    histories: resourceHistories(history),
    head: steps.length - 1,
    current: history.states.at(-1) ?? null,
    snapshots: new Set<number>(),
    linkedRevisions: new Set<number>(),
  };
}

test('a page is full with a hundred entries, and the next page exists at once', () => {
  const sites = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => added(`sites/s${String(from + i).padStart(3, '0')}`));
  const steps: Step[] = [
    ['a:', added(''), ...sites(0, 60)],
    ['b: a', ...sites(60, 99)],
    ['c: b', ...sites(99, 100)],
  ];
  const full = (count: number) => {
    const shown = published(steps.slice(0, count));
    const feed = changeFeeds(shown.history).get('');
    return feed ? pagesOf(shown, feed) : [];
  };
  expect([1, 2, 3].map(full)).toEqual([
    [{ number: 1, isFull: false, index: 0 }],
    [
      { number: 1, isFull: true, index: 1 },
      { number: 2, isFull: false, index: 1 },
    ],
    [
      { number: 1, isFull: true, index: 1 },
      { number: 2, isFull: false, index: 2 },
    ],
  ]);
  const [first, second, third] = [1, 2, 3].map((count) => pages('', published(steps.slice(0, count))));
  expect(second?.[0]).toBe(third?.[0]);
  expect(first?.[0]).not.toBe(second?.[0]);
  expect(JSON.parse(second?.[1] ?? '')).toMatchObject({ total: 0, items: [], version: B });
  expect(JSON.parse(third?.[0] ?? '').links.slice(-1)).toEqual([{ rel: 'prev', href: '/changes/pages/2' }]);
  expect(JSON.parse(third?.[1] ?? '').links.slice(-1)).toEqual([{ rel: 'next', href: '/changes/pages/1' }]);
});
