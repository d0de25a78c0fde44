import { expect, test } from 'vitest';
import { tombstones } from '../../../../../src/core/api/problem.ts';
import { tombstoneSchema } from '../../../../../src/core/api/schemas/history-schemas.ts';
import { added, historyOf, removed } from '../../../../support/values/history.ts';
import { C, D, publication } from '../../../../support/values/publication.ts';

const renderedTombstones = (dialect: 'current' | 'legacy') =>
  [...tombstones(publication(dialect))].map(({ url, body }) => [url, body()]);

test('contains the date and the revision of the removal, and a link to the last state', () => {
  expect(renderedTombstones('current')).toEqual([
    [
      '/sites/y',
      `{"type":"about:blank","title":"Gone","status":410,"detail":"The site y was removed at 2026-03-02T00:00:00Z. Its history contains its earlier states.","uid":"y","removed":{"revision":"${D}","date":"Mon, 02 Mar 2026 00:00:00 GMT","timestamp":"2026-03-02T00:00:00Z"},"links":[{"rel":"version-history","href":"/sites/y/versions"},{"rel":"latest-version","href":"/sites/y/versions/latest"},{"rel":"predecessor-version","href":"/sites/y/versions/${C}"}]}`,
    ],
  ]);
});

test('links to the resource at the same path below the successor of its site', () => {
  const renamed = historyOf([
    ['a:', added(''), added('sites/x'), added('sites/x/clusters/c'), added('sites/x/flavors/f')],
    [
      'b: a',
      { action: 'removed', path: 'sites/x', successor: 'z' },
      ...[removed('sites/x/clusters/c'), removed('sites/x/flavors/f')],
      ...[added('sites/z'), added('sites/z/clusters/c')],
    ],
  ]);
  const successors = [...tombstones(publication('current', renamed))].map(({ url, body }) => {
    const { successor, links }: { successor?: string; links: { rel: string; href: string }[] } = JSON.parse(body());
    return [url, successor, links.find(({ rel }) => rel === 'successor')?.href];
  });
  expect(successors).toEqual([
    ['/sites/x', 'z', '/sites/z'],
    ['/sites/x/clusters/c', undefined, '/sites/z/clusters/c'],
    ['/sites/x/flavors/f', undefined, undefined],
  ]);
});

test('has types on its links in the legacy dialect', () => {
  const [[, body] = []] = renderedTombstones('legacy');
  expect(JSON.parse(body ?? '{}').links).toEqual([
    { rel: 'version-history', href: '/sites/y/versions', type: 'application/vnd.acme.collection+json' },
    { rel: 'latest-version', href: '/sites/y/versions/latest', type: 'application/vnd.acme.item+json' },
    { rel: 'predecessor-version', href: `/sites/y/versions/${C}`, type: 'application/vnd.acme.item+json' },
  ]);
});

test.each(['current', 'legacy'] as const)('matches its schema in the %s dialect', (dialect) => {
  const [[, body] = []] = renderedTombstones(dialect);
  const tombstone: object = JSON.parse(body ?? '{}');
  expect(tombstoneSchema(dialect).safeParse(tombstone)).toEqual({ success: true, data: tombstone });
  expect(tombstoneSchema(dialect).safeParse({ ...tombstone, successor: 'x' }).success).toBe(true);
  expect(tombstoneSchema(dialect).safeParse({ ...tombstone, other: 'x' }).success).toBe(false);
});
