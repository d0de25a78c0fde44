import { expect, test } from 'vitest';
import { CACHE_CONTROL, type CacheClass } from '../../../../src/core/api/endpoints.ts';
import type { ServedDocument } from '../../../../src/core/tree/served-documents.ts';
import {
  publishedDifference,
  treeDifference,
  uploadStageOf,
} from '../../../../src/features/publish/published-difference.ts';
import { aliasOf, lineOf, manifestBytes, manifestIn } from '../../../support/values/listed-tree.ts';

const ID = 'a'.repeat(40);

/** Documents with the given contents, by path. */
function documents(contents: Readonly<Record<string, string>>): ReadonlyMap<string, ServedDocument> {
  return new Map(
    Object.entries(contents).map(([path, content]) => {
      const [sha256 = '', type = 'application/json', cache = 'mutable'] = content.split(' ');
      const isMutable = cache === 'mutable';
      return [
        path,
        {
          file: `${path.slice(1)}.json`,
          sha256,
          type,
          modified: 0,
          size: 1,
          target: undefined,
          cache: isMutable ? 'mutable' : 'immutable',
          cacheControl: '',
        },
      ];
    }),
  );
}

test('an equal document is not sent, even with another time or size', () => {
  const tree = documents({ '/sites': 'a', '/versions': 'b' });
  const there = new Map([...tree].map(([path, each]) => [path, { ...each, modified: 9, size: 9 }]));
  expect(publishedDifference(tree, { published: there, inProgress: [] })).toEqual({
    sent: [],
    obsolete: [],
    unchanged: 2,
  });
});

test('a new content, media type or cache class makes a document different', () => {
  const tree = documents({ '/d': 'x', '/a': 'a', '/b': 'b t/u', '/c': 'c t/t immutable' });
  const there = documents({ '/a': 'z', '/b': 'b', '/c': 'c t/t', '/e': 'e' });
  expect(publishedDifference(tree, { published: there, inProgress: [] })).toEqual({
    sent: [
      { path: '/a', action: 'update', reason: 'other-content' },
      { path: '/b', action: 'update', reason: 'other-type' },
      { path: '/c', action: 'update', reason: 'other-cache' },
      { path: '/d', action: 'create', reason: 'new' },
    ],
    obsolete: [{ path: '/e', action: 'delete', reason: 'not-in-tree' }],
    unchanged: 0,
  });
});

test('other headers of a cache class make its documents different', () => {
  const tree = documents({ '/a': 'a', '/b': 'b t/t immutable' });
  const sentWith = (cache: CacheClass) =>
    new Map(
      [...tree].map(([path, each]) => [path, each.cache === cache ? { ...each, cacheControl: 'no-store' } : each]),
    );
  const changes = (cache: CacheClass) => publishedDifference(tree, { published: sentWith(cache), inProgress: [] }).sent;
  expect(changes('mutable')).toEqual([{ path: '/a', action: 'update', reason: 'other-headers' }]);
  expect(changes('immutable')).toEqual([{ path: '/b', action: 'update', reason: 'other-headers' }]);
  const begun = publishedDifference(tree, { published: tree, inProgress: [sentWith('mutable')] });
  expect(begun.sent).toEqual([{ path: '/a', action: 'update', reason: 'unfinished' }]);
});

test('other headers of a cache class make the trees different, and caches discard its responses', () => {
  const lines = [lineOf('/sites', '{}'), aliasOf('/sites/a', '/sites')];
  const treeWith = (mutable: string) =>
    manifestIn(manifestBytes(lines, { revision: ID, cacheControl: { ...CACHE_CONTROL, mutable } }));
  const before = treeWith('max-age=60');
  expect(treeDifference(before, treeWith('max-age=60'))).toEqual([]);
  expect(treeDifference(before, treeWith('max-age=300'))).toMatchObject([
    { path: '/sites', action: 'update', reason: 'other-headers', isResponseChanged: true },
    { path: '/sites/a', action: 'update', reason: 'other-headers', isResponseChanged: true },
  ]);
});

test('a document is skipped only if no unfinished publication changes it', () => {
  const tree = documents({ '/a': 'a', '/b': 'b', '/c': 'c' });
  const begun = documents({ '/a': 'a', '/b': 'other' });
  const { sent: changed } = publishedDifference(tree, { published: tree, inProgress: [begun] });
  expect(changed).toEqual([{ path: '/b', action: 'update', reason: 'unfinished' }]);
  const unknown = publishedDifference(tree, { published: tree, inProgress: [undefined] });
  expect(unknown.sent.map(({ path, reason }) => [path, reason])).toEqual([
    ['/a', 'unfinished'],
    ['/b', 'unfinished'],
    ['/c', 'unfinished'],
  ]);
});

test('all documents are sent if the published state is unknown', () => {
  const tree = documents({ '/a': 'a' });
  expect(publishedDifference(tree, { published: undefined, inProgress: [] }).sent).toEqual([
    { path: '/a', action: 'update', reason: 'unknown' },
  ]);
});

test.each([
  ['/', 'root'],
  ['/sites', 'collections'],
  ['/sites/x', 'items'],
  ['/sites/x/clusters/c/nodes/n', 'items'],
  ['/sites/x/versions/latest', 'items'],
  [`/sites/x/versions/${ID}`, 'immutable'],
  [`/snapshots/${ID}/sites`, 'immutable'],
  [`/snapshots/${ID}`, 'immutable'],
  ['/snapshots', 'indexes'],
  ['/versions', 'indexes'],
  ['/changes/feed.atom', 'indexes'],
  ['/404.json', 'indexes'],
] as const)('%s is sent with the %s', (path, stage) => {
  expect(uploadStageOf(path)).toBe(stage);
});
