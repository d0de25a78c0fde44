import { describe, expect, test } from 'vitest';
import type { Finding } from '../../../../src/core/diagnostics/finding.ts';
import { renderFindings } from '../../../../src/core/diagnostics/render.ts';
import { expectedFiles, listingOf } from '../../../../src/core/tree/manifest-listing.ts';
import { manifestText } from '../../../../src/system/trees/manifest-bytes.ts';
import { aliasOf, type Listed, lineOf, listedIn, manifestBytes } from '../../../support/listed-tree.ts';

const REVISION = 'a'.repeat(40);
const HEAD: Listed = { revision: REVISION };
const ROOT = lineOf('/', '{}');
const SITES = lineOf('/sites', '[]');
const VERSION = lineOf(`/versions/${REVISION}`, '{"a":1}');
const LATEST = aliasOf('/versions/latest', `/versions/${REVISION}`);
const LINES = [ROOT, SITES, VERSION, LATEST];

const RESTORE = '  Restore the file from a copy, or build the tree again.\n';
const said = (...what: string[]) =>
  what.map((each) => `_manifest.json: error: ${each}\n${RESTORE}`).join('\n');
const told = (lines: readonly string[], listed: Partial<Listed> = {}) =>
  renderFindings(listedIn(manifestBytes(lines, { ...HEAD, ...listed })).findings);

describe('a manifest that is whole', () => {
  test('promises its documents, their aliases and the files beside them', () => {
    const files = [{ file: '404.json', sha256: 'f'.repeat(64), size: 3 }];
    const listing = listedIn(manifestBytes(LINES, { ...HEAD, files }));
    expect(listing.findings).toEqual([]);
    expect(listing.files).toEqual(files);
    expect([...listing.targets]).toEqual([
      ['/', '/'],
      ['/sites', '/sites'],
      [`/versions/${REVISION}`, `/versions/${REVISION}`],
      ['/versions/latest', `/versions/${REVISION}`],
    ]);
    expect([...listing.entries()].map(({ path, alias }) => [path, alias])).toEqual([
      ['/', undefined],
      ['/sites', undefined],
      [`/versions/${REVISION}`, undefined],
      ['/versions/latest', `/versions/${REVISION}`],
    ]);
  });

  test('says each file that there must be', () => {
    const variants = { names: ['{path}/index.json'], pretty: true, precompressed: false };
    const file = { file: '404.json', sha256: 'f'.repeat(64), size: 3 };
    const line = JSON.stringify({ ...JSON.parse(SITES), companions: ['0'] });
    const listing = listedIn(manifestBytes([line], { ...HEAD, variants, files: [file] }));
    expect(listing.findings).toEqual([]);
    expect([...expectedFiles(listing)]).toEqual([
      ...['_manifest.json', '404.json', 'sites.json', 'sites/index.json', '_pretty/sites.json'],
    ]);
  });
});

describe('a manifest that is altered', () => {
  const altered = (alter: (text: string) => string): readonly Finding[] => {
    const text = manifestText(Buffer.from(alter(manifestBytes(LINES, HEAD).toString())));
    return text ? listingOf(text).findings : [];
  };

  test('in a line has another digest and another seal', () => {
    const found = altered((text) => text.replace('"size":2', '"size":3'));
    expect(found.map(({ args }) => 'name' in args && args.name)).toEqual(['digest', 'seal']);
  });

  test('in its head has another seal', () => {
    const found = altered((text) => text.replace('"sources":"s', '"sources":"t'));
    expect(found.map(({ args }) => 'name' in args && args.name)).toEqual(['seal']);
  });

  test('behind its seal does not end as it should', () => {
    expect(renderFindings(altered((text) => `${text}\n`))).toBe(
      said(
        'The manifest is damaged: it does not end in its digest, its seal and its signature. [verify-manifest]',
      ),
    );
  });

  test('so that it is JSON no longer is none', () => {
    expect(
      manifestText(Buffer.from(manifestBytes(LINES, HEAD).toString().replace('"dialect"', 'dialect'))),
    ).toBeUndefined();
  });
});

describe('entries that no build writes', () => {
  test.each<[string, string, string]>([
    ['no JSON', '{', 'is no JSON object'],
    ['a list', '[]', 'is no JSON object'],
    ['no path', '{"file":"x.json"}', 'has no path or no file'],
    ['dots', lineOf('/sites/..', '{}'), 'has /sites/.., which is no path of the API'],
    ['a path of no row', lineOf('/nodes', '{}'), 'has /nodes, which is no path of the API'],
    [
      'another file',
      SITES.replace('"file":"sites.json"', '"file":"../sites.json"'),
      'has ../sites.json for /sites, whose file is sites.json',
    ],
    ['no digest', '{"path":"/sites","file":"sites.json"}', 'lacks a digest, a size or a type for /sites'],
    [
      'companions that the tree does not have',
      JSON.stringify({ ...JSON.parse(SITES), companions: ['0'] }),
      'has 1 companions of /sites instead of 0',
    ],
    ['a path twice', ROOT, 'has / a second time'],
    [
      'an alias of nothing',
      aliasOf('/sites', '/versions'),
      'has /sites as an alias of /versions, which is no document before it',
    ],
  ])('with %s', (_, line, reason) => {
    const listing = listedIn(manifestBytes([ROOT, line, VERSION], HEAD));
    const [first] = listing.findings;
    expect(first && renderFindings([first])).toBe(
      said(`Entry 2 of the manifest's documents ${reason}. [verify-line]`),
    );
    // What is beside them is read all the same, and they never are.
    expect([...listing.entries()].map(({ path }) => path)).toEqual(['/', `/versions/${REVISION}`]);
  });

  test('as an alias of an alias', () => {
    const twice = aliasOf('/sites/versions/latest', '/versions/latest');
    expect(told([...LINES, twice])).toBe(
      said(
        "Entry 5 of the manifest's documents has /sites/versions/latest as an alias of /versions/latest, which is no document before it. [verify-line]",
      ),
    );
  });

  test('in other numbers than the head says', () => {
    expect(told(LINES, { counts: { documents: 4, aliases: 0 } })).toBe(
      said(
        'The manifest says that it lists 4 documents, but it lists 3. [verify-count]',
        'The manifest says that it lists 0 aliases, but it lists 1. [verify-count]',
      ),
    );
  });
});

describe('files and names that no build writes', () => {
  const file = (name: string) => ({ file: name, sha256: 'f'.repeat(64), size: 1 });
  const isNone = (name: string) => `The manifest is damaged: ${name} is no file of a tree. [verify-manifest]`;

  test.each([
    '../x',
    'a/../../x',
    '/etc/passwd',
    'a//b',
    './a',
    '',
    'a\\b',
    'sites.json',
    'sites/index.json',
  ])('file %j', (name) => {
    const listing = listedIn(manifestBytes(LINES, { ...HEAD, files: [file('404.json'), file(name)] }));
    expect(renderFindings(listing.findings)).toBe(said(isNone(name)));
    expect(listing.files).toEqual([file('404.json')]);
  });

  test('a file twice', () => {
    expect(told(LINES, { files: [file('404.json'), file('404.json')] })).toBe(said(isNone('404.json')));
  });

  test.each(['../{path}.json', 'x/../../{path}', '/{path}', 'all.json'])(
    'documents also named %j',
    (name) => {
      const variants = { names: ['{path}/index.json', name], pretty: false, precompressed: false };
      const listing = listedIn(manifestBytes(LINES, { ...HEAD, variants }));
      expect(renderFindings(listing.findings)).toBe(
        said(`The manifest is damaged: ${name} is no name of documents. [verify-manifest]`),
      );
      expect(listing.summary.variants.names).toEqual(['{path}/index.json']);
    },
  );
});
