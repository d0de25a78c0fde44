import { expect, test } from 'vitest';
import { CACHE_CONTROL } from '../../../../../src/core/api/endpoints.ts';
import {
  classifyKey,
  keysOf,
  objectsOf,
  pastManifestName,
} from '../../../../../src/features/publish/bucket/bucket-objects.ts';
import { pastManifestsIn, pruneCandidates } from '../../../../../src/features/publish/bucket/prune-bucket.ts';

const DIGEST = 'd'.repeat(64);

test.each([
  ['/sites', '', 'exact', ['sites', 'sites/', 'sites/index.json', 'sites.json']],
  ['/sites', '/api', 'index', ['api/sites/index.json', 'api/sites.json']],
  ['/', '', 'exact', ['index.json']],
  ['/', '/api', 'exact', ['api', 'api/', 'api/index.json']],
  ['/', '/api', 'index', ['api/index.json']],
  ['/changes/feed.atom', '/api', 'exact', ['api/changes/feed.atom']],
  ['/404.json', '/api', 'index', ['api/404.json']],
] as const)('%s below "%s" in the style %s has these keys', (path, prefix, keys, expected) => {
  expect(keysOf(path, { prefix, keys })).toEqual(expected);
});

test('the key with .json has the plain media type', () => {
  const type = 'application/vnd.example.collection+json; charset=utf-8';
  const document = {
    file: 'sites.json',
    sha256: DIGEST,
    size: 3,
    type,
    cache: 'mutable',
    cacheControl: CACHE_CONTROL.mutable,
    modified: 7,
    target: undefined,
  } as const;
  const common = { file: 'sites.json', sha256: DIGEST, size: 3, modified: 7, cacheControl: CACHE_CONTROL.mutable };
  expect(objectsOf('/sites', document, { prefix: '/v1.json', keys: 'index' })).toEqual([
    { ...common, key: 'v1.json/sites/index.json', contentType: type },
    { ...common, key: 'v1.json/sites.json', contentType: 'application/json' },
  ]);
  expect(objectsOf('/', document, { prefix: '/v1.json', keys: 'exact' }).map(({ contentType }) => contentType)).toEqual(
    [type, type, type],
  );
});

test('a page is also stored at its folder, under the key that websites use', () => {
  const page = '/docs/index.htm';
  expect(keysOf(page, { prefix: '', keys: 'exact' })).toEqual(['docs/index.htm', 'docs/', 'docs/index.json']);
  expect(keysOf(page, { prefix: '', keys: 'index' })).toEqual(['docs/index.htm', 'docs/index.json']);
});

test.each([
  ['api/sites', { document: '/sites' }],
  ['api/sites/', { document: '/sites' }],
  ['api/sites/index.json', { document: '/sites' }],
  ['api/', { document: '/' }],
  ['api/docs/', { document: '/docs/index.htm' }],
  ['api/docs/index.json', { document: '/docs/index.htm' }],
  ['api/docs', undefined],
  ['api/changes/feed.atom', { document: '/changes/feed.atom' }],
  [`api/_manifests/${pastManifestName(7, DIGEST)}`, { archived: `00000007-${DIGEST}.json` }],
  ['api/_probe-00ff', 'probe'],
  ['api/_manifest.json', undefined],
  ['api/_manifests/mine.json', undefined],
  ['api/nothing/of/ours', undefined],
  ['api//sites', undefined],
  ['api/s%69tes', undefined],
  ['api/sites.html', undefined],
  ['sites', undefined],
  ['apiary/sites', undefined],
])('the key %s is parsed', (key, kind) => {
  expect(classifyKey(key, '/api')).toEqual(kind);
});

test('manifests are sorted by publication, then by serial', () => {
  const name = (serial: number) => pastManifestName(serial, DIGEST);
  const listed = [
    { key: `_manifests/${name(1)}`, modified: 30 },
    { key: `_manifests/${name(2)}`, modified: 20 },
    { key: `_manifests/${name(3)}`, modified: 30 },
    { key: 'sites', modified: 99 },
  ];
  expect(pastManifestsIn(listed, '').map((each) => each.name)).toEqual([name(3), name(1), name(2)]);
});

test('required, recent and foreign objects are not deleted', () => {
  const listed = [
    { key: 'sites/b', modified: 9 },
    { key: 'sites/a', modified: 9 },
    { key: 'sites', modified: 9 },
    { key: 'sites/c', modified: 10 },
    { key: 'notes.txt', modified: 1 },
    { key: '_probe-1', modified: 1 },
    { key: `_manifests/${pastManifestName(1, DIGEST)}`, modified: 1 },
  ];
  const isNeeded = (key: string) => key === 'sites';
  expect(pruneCandidates({ prefix: '', listed, isNeeded, before: 10 })).toEqual([
    { key: `_manifests/${pastManifestName(1, DIGEST)}`, reason: 'old-manifest' },
    { key: '_probe-1', reason: 'probe' },
    { key: 'sites/a', reason: 'unneeded', document: '/sites/a' },
    { key: 'sites/b', reason: 'unneeded', document: '/sites/b' },
  ]);
});
