import { describe, expect, test } from 'vitest';
import { type Finding, finding } from '../../../../src/core/diagnostics/finding.ts';
import {
  basesIn,
  contentCheck,
  mayRedirect,
  NO_BASES,
  withPlaceOf,
} from '../../../../src/features/verify/verify-content.ts';
import { packagedChecks } from '../../../../src/system/trees/packaged-checks.ts';
import { plannedManifest } from '../../../support/values/listed-tree.ts';
import { A, B, D, NODE_N, publication, SITE_X } from '../../../support/values/publication.ts';

interface Asked {
  readonly dialect?: 'current' | 'legacy';
  readonly isQuick?: boolean;
  readonly basePath?: string;
}

/** Returns the findings for a tree with some changed documents, by file. */
function findingsWith(changed: ReadonlyMap<string, string>, asked: Asked = {}): [string, string][] {
  const { dialect = 'current', isQuick = true, basePath = '/api/v1' } = asked;
  const { texts, manifest } = plannedManifest(publication(dialect), changed);
  const checks = isQuick ? { checks: packagedChecks } : {};
  const content = contentCheck({ manifest, bases: { basePath, baseUrl: basePath }, fields: 'typed', ...checks });
  const findings: Finding[] = [];
  for (const entry of manifest.entries)
    if (entry.alias === undefined) findings.push(...content.document(entry, texts.get(entry.path) ?? ''));
  return findings.map(({ code, place }) => [code, place?.file ?? '']);
}

const texts = plannedManifest(publication('current')).texts;

/** A document with one text replaced. */
function replaced(path: string, from: string, to: string): ReadonlyMap<string, string> {
  const before = texts.get(path) ?? '';
  if (!before.includes(from)) throw new Error(`${path} has no ${from}`);
  return new Map([[path, before.replace(from, to)]]);
}

describe('a valid tree', () => {
  test.each(['current', 'legacy'] as const)('of the %s dialect has no findings', (dialect) => {
    expect(findingsWith(new Map(), { dialect })).toEqual([]);
    expect(findingsWith(new Map(), { dialect, isQuick: false })).toEqual([]);
  });

  test('is checked with the base path of its feeds', () => {
    const files = new Set(findingsWith(new Map(), { basePath: '/other' }).map(([, file]) => file));
    expect(files).toEqual(
      new Set([
        ...['changes/feed.json', 'changes/feed.atom', 'sites/x/changes/feed.json', 'sites/x/changes/feed.atom'],
        'llms.txt',
        ...[`${NODE_N}/versions/timemap.link`],
        ...[...texts.keys()].filter((path) => /\/(feed(\.atom)?|timemap\.link)$/.test(path)).map(fileOf),
      ]),
    );
  });
});

function fileOf(path: string): string {
  return /\.(atom|link)$/.test(path) ? path.slice(1) : `${path.slice(1)}.json`;
}

describe('a document is reported', () => {
  const node = `/${NODE_N}`;
  const file = `${NODE_N}.json`;

  test.each<[string, ReadonlyMap<string, string>, string]>([
    ['that is not JSON', new Map([[node, 'Not found']]), 'answer-not-json'],
    ['that is not compact', replaced(node, '{"uid"', '{ "uid"'), 'answer-not-compact'],
    ['if a field has the wrong type', replaced(node, '"type":"node"', '"type":"site"'), 'answer-schema'],
    ['with a dead link', replaced(node, '"/sites/x/clusters/c"', '"/sites/z"'), 'verify-dead-link'],
    [
      'with the identity of another resource',
      replaced(node, `{"rel":"self","href":"${node}"}`, '{"rel":"self","href":"/sites/x"}'),
      'answer-self',
    ],
    ['of another revision', replaced(node, `"version":"${D}"`, `"version":"${A}"`), 'answer-version'],
  ])('%s', (_, changed, code) => {
    expect(findingsWith(changed)).toEqual([[code, file]]);
    expect(findingsWith(changed, { isQuick: false })).toEqual([[code, file]]);
  });

  test('if its fields have another order', () => {
    const body = JSON.parse(texts.get(node) ?? '');
    const { version, ...others } = body;
    expect(findingsWith(new Map([[node, JSON.stringify({ version, ...others })]]))).toEqual([
      ['answer-field-order', file],
    ]);
  });

  test('once for each dead link', () => {
    const path = '/sites/x/clusters/c/nodes';
    const text = texts.get(path) ?? '';
    const changed = text.replaceAll('"/sites/x/clusters/c"', '"/sites/z"');
    expect(findingsWith(new Map([[path, changed]]))).toEqual([['verify-dead-link', 'sites/x/clusters/c/nodes.json']]);
  });

  test('of a snapshot if it has another revision', () => {
    const path = `/snapshots/${A}/${SITE_X}`;
    expect(findingsWith(replaced(path, `"version":"${A}","links"`, `"version":"${B}","links"`))).toEqual([
      ['answer-version', `snapshots/${A}/${SITE_X}.json`],
    ]);
  });

  test('if it does not begin like its raw format', () => {
    expect(findingsWith(new Map([['/changes/feed.atom', 'Not found']]))).toEqual([['answer-raw', 'changes/feed.atom']]);
  });
});

describe('basesIn', () => {
  test("returns the prefix of the first feed's path", () => {
    const basesOf = (before: string) => basesIn(JSON.stringify({ feed_url: `${before}/changes/feed` }));
    expect(basesOf('/api/v1')).toEqual({ basePath: '/api/v1', baseUrl: '/api/v1' });
    expect(basesOf('')).toEqual(NO_BASES);
    expect(basesOf('https://h/v1')).toEqual({ basePath: '/v1', baseUrl: 'https://h/v1' });
    expect(basesOf('https://h')).toEqual({ basePath: '', baseUrl: 'https://h' });
  });

  test('returns nothing if the feed contains no path', () => {
    const odd = ['{"feed_url":"/feed"}', '{"feed_url":1}', '{"feed_url":"x/changes/feed"}', '[]', 'x', undefined];
    for (const text of odd) expect(basesIn(text)).toEqual(NO_BASES);
  });
});

test('only the latest version may redirect, and only to a version of the same resource', () => {
  expect(mayRedirect('/sites/x/versions/latest', `/sites/x/versions/${A}`)).toBe(true);
  expect(mayRedirect('/sites/x/versions/latest', `/versions/${A}`)).toBe(false);
  expect(mayRedirect('/sites/x/versions/latest', '/sites/x/versions/timemap')).toBe(false);
  expect(mayRedirect('/sites/x', '/sites/y')).toBe(false);
});

test('a finding about a document has the place of its file', () => {
  expect(withPlaceOf('/sites', finding('verify-dead-link', { href: '/x' })).place).toEqual({ file: 'sites.json' });
});
