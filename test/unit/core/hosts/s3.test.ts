import { describe, expect, test } from 'vitest';
import { CACHE_CONTROL } from '../../../../src/core/api/endpoints.ts';
import { s3, uploadPlan } from '../../../../src/core/hosts/s3.ts';
import { CASES } from './support/cases.ts';
import { expectFiles, fixtureRules, REVISION, redirectsOfSites } from './support/fixture.ts';

describe.each(CASES)('S3, %s dialect, prefix "%s"', (dialect, prefix) => {
  test('writes these files', () => {
    expectFiles(s3, dialect, prefix);
  });
});

const MUTABLE = CACHE_CONTROL.mutable;
const ITEM = 'application/vnd.example.item+json; charset=utf-8';
const COLLECTION = 'application/vnd.example.collection+json; charset=utf-8';

function objects(text: string): unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

test('the plan begins with the error document and the manifest', () => {
  const rules = fixtureRules('legacy', '/api/v1');
  expect(objects(uploadPlan.head(rules))).toEqual([
    { key: 'api/v1/404.json', file: '404.json', 'Content-Type': 'application/problem+json' },
    { key: 'api/v1/_manifest.json', file: '_manifest.json', 'Content-Type': 'application/json' },
  ]);
});

test('a document has a key for each form of its path and for its folder', () => {
  const rules = fixtureRules('legacy', '/api/v1');
  const object = (key: string, type: string) => ({
    key,
    file: 'sites.json',
    'Content-Type': type,
    'Cache-Control': MUTABLE,
  });
  expect(objects(uploadPlan.lines(rules, { path: '/sites', file: 'sites.json' }))).toEqual([
    object('api/v1/sites', COLLECTION),
    object('api/v1/sites/', COLLECTION),
    object('api/v1/sites/index.json', COLLECTION),
    object('api/v1/sites.json', 'application/json'),
  ]);
});

test('a raw document has one key in each dialect', () => {
  const rules = fixtureRules('legacy', '/api/v1');
  const document = { path: '/sites/x/versions/timemap.link', file: 'sites/x/versions/timemap.link' };
  expect(objects(uploadPlan.lines(rules, document))).toEqual([
    {
      key: 'api/v1/sites/x/versions/timemap.link',
      file: 'sites/x/versions/timemap.link',
      'Content-Type': 'application/link-format',
      'Cache-Control': MUTABLE,
    },
  ]);
});

test('the root is the index document of the bucket or of the prefix', () => {
  const object = (key: string) => ({ key, file: 'index.json', 'Content-Type': ITEM, 'Cache-Control': MUTABLE });
  const lines = (prefix: string) =>
    objects(uploadPlan.lines(fixtureRules('legacy', prefix), { path: '/', file: 'index.json' }));
  expect(lines('')).toEqual([object('index.json')]);
  expect(lines('/api/v1')).toEqual([object('api/v1'), object('api/v1/'), object('api/v1/index.json')]);
});

test('versions are immutable, and the latest version is not', () => {
  const rules = fixtureRules('current', '');
  const cacheOf = (path: string) =>
    uploadPlan
      .lines(rules, { path, file: 'x.json' })
      .split('\n')
      .map((line) => /"Cache-Control":"([^"]*)"/.exec(line)?.[1])
      .filter((each) => each !== undefined);
  expect(cacheOf(`/sites/versions/${REVISION}`)).toEqual(Array(4).fill(CACHE_CONTROL.immutable));
  expect(cacheOf('/sites/versions/latest')).toEqual(Array(4).fill(MUTABLE));
});

test('there are at most 50 routing rules for any number of sites', () => {
  const count = (sites: number) => {
    const rules = fixtureRules('current', '', redirectsOfSites(sites));
    return s3
      .files(rules)
      .get('_hosts/s3/website.json')
      ?.match(/KeyPrefixEquals/g)?.length;
  };
  expect([count(48), count(49)]).toEqual([50, 2]);
});
