import { describe, expect, test } from 'vitest';
import { configurationSchema } from '../../../../src/core/model/configuration.ts';
import { LONGEST_BASE_PATH, LONGEST_SETTINGS } from '../../../support/values/longest-settings.ts';

const [KIND = { name: '', collection: '', parent: 'site' }] = LONGEST_SETTINGS.kinds;

test('only cluster_uid is required', () => {
  expect(configurationSchema().parse({ cluster_uid: 'main' })).toEqual({
    cluster_uid: 'main',
    node_uid: 'uuid',
    dialect: 'current',
    empty_collections: [],
    vendor: 'gridpress',
    release: '1.0.0',
    snapshots: 'auto',
    version_links: 'auto',
    index_files: 'auto',
    file_budget: 100_000,
    max_files: 1_000_000,
    hosts: [],
    host_plan: 'free',
    base_path: '',
    prefixed_links: false,
    exports: true,
    timemaps: true,
    kinds: [],
    headers: {},
    max_age: 60,
  });
});

test.each([
  {},
  { cluster_uid: 'main', node_uid: 'number' },
  { cluster_uid: 'main', dialect: 'ancient' },
  { cluster_uid: 'main', vendor: 'A B' },
  { cluster_uid: 'main', snapshots: 'some' },
  { cluster_uid: 'main', snapshots: ['xyz'] },
  { cluster_uid: 'main', max_files: 0 },
  { cluster_uid: 'main', max_files: 1.5 },
  { cluster_uid: 'main', sunset: { date: '2027-02-29' } },
  { cluster_uid: 'main', sunset: { date: '2027-06-30', deprecated: '2100-02-29' } },
  ...[-1, 1.5, 86_401, '300', null].map((max_age) => ({ cluster_uid: 'main', max_age })),
  { cluster_uid: 'main', headers: { server: 'x' } },
  { cluster_uid: 'main', cluster: 'x' },
  { cluster_uid: 'main', labels: { gpu: [{ label: 'A100', match: [] }] } },
  { cluster_uid: 'main', labels: { ram: [{ label: '192', match: [178e9] }] } },
  { cluster_uid: 'main', labels: { ram: [{ label: '192Gbps', match: [178e9] }] } },
  { cluster_uid: 'main', labels: { network: [{ label: '25Gbps', match: ['25'] }] } },
  { cluster_uid: 'main', labels: { disk: [{ label: `${'9'.repeat(63)}PB`, match: [1] }] } },
  { cluster_uid: 'main', labels: { colour: [] } },
])('a configuration with %j is rejected', (configuration) => {
  expect(configurationSchema().safeParse(configuration).success).toBe(false);
});

/** Characters that end a string, a line, a rule or a comment, or have a special meaning, in the files of some host. */
const HOSTILE = [
  '"',
  "'",
  '`',
  '\\',
  '\n',
  '\r',
  '\0',
  '$',
  '%',
  '{',
  '}',
  '(',
  '#',
  '<',
  '>',
  '|',
  '*',
  '\u2028',
  'é',
];

describe.each(HOSTILE)('a configuration with %j is rejected', (hostile) => {
  test.each([
    ['base_path', { base_path: `/api${hostile}x` }],
    ['base_path, at its end', { base_path: `/api${hostile}` }],
    ['vendor', { vendor: `acme${hostile}x` }],
    ['the end of vendor', { vendor: `acme${hostile}` }],
    ['headers', { headers: { strict_transport_security: `max-age=1; preload${hostile}x` } }],
    ['the link of sunset', { sunset: { date: '2027-06-30', link: `https://example.org/${hostile}x` } }],
    ['the end of the link of sunset', { sunset: { date: '2027-06-30', link: `https://example.org/${hostile}` } }],
    ['the date of sunset', { sunset: { date: `2027-06-30${hostile}` } }],
    ['the end of headers', { headers: { strict_transport_security: `max-age=1${hostile}` } }],
  ])('in %s', (_, more) => {
    expect(configurationSchema().safeParse({ cluster_uid: 'main', ...more }).success).toBe(false);
  });
});

test.each([
  ['base_path', { base_path: `${LONGEST_BASE_PATH}x` }],
  ['vendor', { vendor: `${LONGEST_SETTINGS.vendor}x` }],
  ['citation.license', { citation: { license: `${LONGEST_SETTINGS.citation.license}x` } }],
  ['sunset.link', { sunset: { ...LONGEST_SETTINGS.sunset, link: `${LONGEST_SETTINGS.sunset.link}x` } }],
  ['kinds.0.name', { kinds: [{ ...KIND, name: `${KIND.name}x` }] }],
  ['kinds.0.collection', { kinds: [{ ...KIND, collection: `${KIND.collection}x` }] }],
])('%s is too long if it has one more character', (path, more) => {
  const { issues = [] } = configurationSchema().safeParse({ cluster_uid: 'main', ...more }).error ?? {};
  expect(issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([
    [path, expect.stringMatching(/^expected at most \d+ characters$/)],
  ]);
});

test('more kinds than host configurations can contain are rejected', () => {
  const kinds = [...LONGEST_SETTINGS.kinds, { ...KIND, name: 'more', collection: 'more' }];
  const { issues = [] } = configurationSchema().safeParse({ cluster_uid: 'main', kinds }).error ?? {};
  expect(issues.map(({ message }) => message)).toEqual(['expected at most 20 kinds']);
});

test.each([
  ...['/..', '/../x', '/api/..', '/.', '/api/./v1', '/.git', '/_manifest.json', '/api/_hosts', '/api.json'],
  ...['/api.json/v1', '/api/', 'api', '//api', '/api//v1', '/%2e%2e', '/a b'],
])('the base path %j is rejected', (base_path) => {
  expect(configurationSchema().safeParse({ cluster_uid: 'main', base_path }).success).toBe(false);
});

test.each(['', '/api', '/api/v1', '/~ada/v1.2', '/a.json-ld', '/json', '/a..b'])(
  'the base path %j is accepted',
  (base_path) => {
    expect(configurationSchema().parse({ cluster_uid: 'main', base_path })).toMatchObject({ base_path });
  },
);

test.each(['max-age', 'max-age=', 'max-age=-1', 'max-age=1; max-age=2', 'preload', 'max-age=1;', 'max-age=1; x=y'])(
  '%j is rejected as Strict-Transport-Security',
  (value) => {
    const given = { cluster_uid: 'main', headers: { strict_transport_security: value } };
    expect(configurationSchema().safeParse(given).success).toBe(false);
  },
);

test.each([
  ...['max-age=0', 'max-age=31536000', 'max-age=31536000;includeSubDomains'],
  ...['max-age=63072000; includeSubDomains; preload', 'max-age=1; preload'],
])('%j is accepted as Strict-Transport-Security', (value) => {
  const headers = { strict_transport_security: value };
  expect(configurationSchema().parse({ cluster_uid: 'main', headers })).toMatchObject({ headers });
});

test.each([
  { snapshots: ['547815582085', '0123456'] },
  { snapshots: 'none' },
  { vendor: 'acme-2.x' },
  { max_age: 0 },
  { max_age: 86_400 },
  { labels: { gpu: [{ label: 'A100', match: ['*A100*'] }], ram: [{ label: '192 GiB', match: [178e9] }] } },
  { labels: { disk: [{ label: '1.92TB', match: [1] }], network: [{ label: '2.5Gbps', match: [2.4e9] }] } },
])('a configuration with %j is accepted', (more) => {
  expect(configurationSchema().parse({ cluster_uid: 'main', ...more })).toMatchObject(more);
});
