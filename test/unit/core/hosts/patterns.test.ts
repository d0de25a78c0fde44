import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ACCEPTS_JSON,
  acceptsCoding,
  escapeRegExp,
  formPattern,
  immutablePattern,
  manifestPattern,
  namesVendor,
  pcreRequestPattern,
  rawPattern,
  requestPattern,
  rootPattern,
  STEM_GROUP,
  shadowPattern,
  withPcreEnd,
} from '../../../../src/core/hosts/patterns.ts';
import { cpuMs } from '../../../support/growth.ts';
import { smallRules } from '../../../support/values/host-rules.ts';

const current = smallRules('current', '');
const legacy = smallRules('legacy', '');
const prefixed = smallRules('current', '/api/v1.0');
const ID = '91a3482404be5cf2a77cf1a8a5e24f0bd0a4c6e1';

describe('requestPattern', () => {
  const stemOf = (path: string, rules = current) => new RegExp(requestPattern(rules)).exec(path)?.[1];

  test.each([
    ['/sites', '/sites'],
    ['/sites/', '/sites'],
    ['/sites.json', '/sites'],
    ['/sites/index.json', '/sites'],
    ['/sites/m1.large.json', '/sites/m1.large'],
    ['/sites/a~b_c-d', '/sites/a~b_c-d'],
    ['/sites.json.json', '/sites.json'],
    ['/sites.json/', '/sites.json'],
    [`/versions/${ID}.json`, `/versions/${ID}`],
    [`/${'x'.repeat(128)}.json`, `/${'x'.repeat(128)}`],
  ])('maps %s to %s', (path, stem) => {
    expect(stemOf(path)).toBe(stem);
  });

  test.each([
    '/',
    '',
    'sites',
    '//sites',
    '/sites//',
    '/sites/./north',
    '/sites/../north',
    '/_pretty/sites',
    '/sites/_north',
    '/.htaccess',
    '/a%2Fb',
    '/a b',
    '/site*',
    '/€',
    `/${'x'.repeat(300)}`,
  ])('rejects %s', (path) => {
    expect(stemOf(path)).toBeUndefined();
  });

  test('removes the prefix literally', () => {
    expect(stemOf('/api/v1.0/sites.json', prefixed)).toBe('/sites');
    expect(stemOf('/api/v1x0/sites.json', prefixed)).toBeUndefined();
    expect(stemOf('/sites.json', prefixed)).toBeUndefined();
  });
});

test('pcreRequestPattern matches the same paths, except the root, shadowed names and names ending in .json', () => {
  const part = fc.constantFrom('/', '/', 'sites', 'index', '404', '.json', '.', '_', '-', '%', 'A~1');
  const path = fc.array(part, { maxLength: 8 }).map((parts) => `/api/v1.0/${parts.join('')}`);
  const pcre = new RegExp(pcreRequestPattern(prefixed).replaceAll('\\z', '$'));
  const isOther = new RegExp(`${rootPattern(prefixed)}|${shadowPattern(prefixed)}`);
  const request = new RegExp(requestPattern(prefixed));
  const wanted = (text: string) => {
    const stem = request.exec(text)?.[1];
    return isOther.test(text) || stem?.endsWith('.json') ? undefined : stem;
  };
  fc.assert(
    fc.property(path, (text) => {
      expect(pcre.exec(text)?.[STEM_GROUP]).toBe(wanted(text));
    }),
    { numRuns: 2000 },
  );
  expect(pcre.exec('/api/v1.0/sites/north.json')?.[STEM_GROUP]).toBe('/sites/north');
});

test.each([
  ['/', current, true],
  ['/index.json', current, true],
  ['/index', current, false],
  ['/api/v1.0', prefixed, true],
  ['/api/v1.0/', prefixed, true],
  ['/api/v1.0/index.json', prefixed, true],
  ['/', prefixed, false],
])('rootPattern for %s is correct', (path, rules, isRoot) => {
  expect(new RegExp(rootPattern(rules)).test(path)).toBe(isRoot);
});

test.each([
  ['/404', true],
  ['/404.json', true],
  ['/405/', true],
  ['/405/index.json', true],
  ['/index', true],
  ['/index/', true],
  ['/sites/index', true],
  ['/sites/index/index.json', true],
  ['/sites/index.json', false],
  ['/index.json', false],
  ['/sites/404', false],
  ['/sites/north/index-1', false],
])('shadowPattern for %s is correct', (path, isShadow) => {
  expect(new RegExp(shadowPattern(current)).test(path)).toBe(isShadow);
});

test('rawPattern matches raw documents at their exact paths', () => {
  const isRaw = (path: string) => new RegExp(rawPattern(prefixed, ...prefixed.raw)).test(path);
  const [links] = prefixed.raw;
  const raw = ['/versions/timemap.link', '/sites/x/versions/timemap.link', '/changes/feed.atom'].map(
    (path) => `/api/v1.0${path}`,
  );
  const others = ['/api/v1.0/versions/timemap', '/api/v1.0/sites/timemap.link', '/versions/timemap.link'];
  expect([...raw, ...others, `${raw[0]}/`, `${raw[0]}.json`].filter(isRaw)).toEqual(raw);
  expect(raw.filter((path) => links && new RegExp(rawPattern(prefixed, links)).test(path))).toEqual(raw.slice(0, 2));
});

test('manifestPattern matches only the manifest', () => {
  const isManifest = (path: string) => new RegExp(manifestPattern(prefixed)).test(path);
  expect(['/api/v1.0/_manifest.json', '/_manifest.json', '/api/v1.0/_manifest'].map(isManifest)).toEqual([
    true,
    false,
    false,
  ]);
});

test('formPattern matches only collections of the dialect', () => {
  const isCollection = (rules: typeof current, path: string) => new RegExp(formPattern(rules, 'collection')).test(path);
  const paths = ['/sites', '/sites/north', '/sites/north/versions', '/users', `/snapshots/${ID}/sites`, '/'];
  expect(paths.map((path) => isCollection(current, path))).toEqual([true, false, true, false, true, false]);
  expect(paths.map((path) => isCollection(legacy, path))).toEqual([true, false, true, true, true, false]);
});

test('immutablePattern matches versions and snapshots, but not the latest version', () => {
  const isImmutable = (path: string) => new RegExp(immutablePattern(current)).test(path);
  const immutable = [`/versions/${ID}`, `/sites/north/versions/${ID}`, `/snapshots/${ID}`, `/snapshots/${ID}/sites`];
  const mutable = ['/', '/snapshots', '/versions', '/versions/latest', `/versions/${ID}0`, `/nope/${ID}`];
  expect([...immutable, ...mutable].filter(isImmutable)).toEqual(immutable);
});

test.each([
  ['application/json', true],
  ['text/html, Application/JSON ;q=0.9,*/*', true],
  ['application/json; charset=utf-8', true],
  ['application/json;q=1.0', true],
  ['application/json;q=.5', true],
  ['application/json;q=0', false],
  ['application/json;q=0.000, */*', false],
  ['application/json; q=0', false],
  ['application/json; charset=utf-8 ; q=0.0', false],
  ['application/json; charset=utf-8 ; q=0.05 ,*/*', true],
  ['application/json-seq', false],
  ['x-application/json', false],
  ['*/*', false],
  ['', false],
])('ACCEPTS_JSON for %s is correct', (accept, isAccepted) => {
  expect(new RegExp(ACCEPTS_JSON, 'i').test(accept)).toBe(isAccepted);
});

test.each([
  ['br', true],
  ['gzip, deflate, br, zstd', true],
  ['gzip;q=0.5,br;q=0.8', true],
  ['gzip, br;q=0', false],
  ['gzip, br ; q=0.0', false],
  ['br ; q=0.30 , gzip', true],
  ['gzip', false],
  ['brotli', false],
])('acceptsCoding for %s is correct', (accept, isAccepted) => {
  expect(new RegExp(acceptsCoding('br'), 'i').test(accept)).toBe(isAccepted);
});

test.each([
  `application/json;x${' '.repeat(20_000)};q=0`,
  `application/json;q=0.${'1'.repeat(20_000)}x`,
  `application/json${' '.repeat(20_000)}x`,
])('ACCEPTS_JSON takes linear time for any header', (accept) => {
  const match = (text: string) => expect(new RegExp(ACCEPTS_JSON, 'i').test(text)).toBe(false);
  // An ambiguous pattern would take seconds.
  expect(cpuMs(match, accept)).toBeLessThan(200);
});

test('namesVendor matches both types of the vendor', () => {
  const names = new RegExp(namesVendor(legacy.vendorTypes ?? { item: '', collection: '', feed: '' }));
  const accepts = [
    'application/vnd.example.item+json',
    'application/json, application/vnd.example.collection+json;q=0.5',
    'application/vnd.other.item+json',
    'application/json',
    'application/vnd.example.item+json;q=0, application/json',
  ];
  expect(accepts.map((accept) => names.test(accept))).toEqual([true, true, false, false, false]);
});

test('toTheVeryEnd replaces only the last dollar sign', () => {
  expect(withPcreEnd('^(?:a|$)b$')).toBe('^(?:a|$)b\\z');
});

test('literally escapes every character', () => {
  expect(new RegExp(`^${escapeRegExp('/a.b*c+d(e)')}$`).test('/a.b*c+d(e)')).toBe(true);
  expect(new RegExp(`^${escapeRegExp('/a.b')}$`).test('/axb')).toBe(false);
});
