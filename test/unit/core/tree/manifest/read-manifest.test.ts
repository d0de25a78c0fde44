import { describe, expect, test } from 'vitest';
import { CACHE_CONTROL } from '../../../../../src/core/api/endpoints.ts';
import { Failure, type Finding } from '../../../../../src/core/diagnostics/finding.ts';
import { renderFindings } from '../../../../../src/core/diagnostics/render.ts';
import { sha256 } from '../../../../../src/core/model/digest.ts';
import type { Claim } from '../../../../../src/core/tree/manifest/manifest.ts';
import {
  bytesSource,
  cacheControlIn,
  type ManifestSource,
} from '../../../../../src/core/tree/manifest/manifest-frame.ts';
import { readManifest } from '../../../../../src/core/tree/manifest/read-manifest.ts';
import { expectedFiles } from '../../../../../src/core/tree/tree-contents.ts';
import { withClaim } from '../../../../../src/system/trees/claimed-manifest.ts';
import { aliasOf, type Listed, lineOf, manifestBytes, manifestIn } from '../../../../support/values/listed-tree.ts';

const REVISION = 'a'.repeat(40);
const HEAD: Listed = { revision: REVISION };
const ROOT = lineOf('/', '{}');
const SITES = lineOf('/sites', '[]');
const VERSION = lineOf(`/versions/${REVISION}`, '{"a":1}');
const LATEST = aliasOf('/versions/latest', `/versions/${REVISION}`);
const LINES = [ROOT, SITES, VERSION, LATEST];

const RESTORE = '  Restore the file from a copy, or rebuild the tree with --force.\n';
const messages = (...what: string[]) => what.map((each) => `_manifest.json: error: ${each}\n${RESTORE}`).join('\n');
const findingsIn = (lines: readonly string[], listed: Partial<Listed> = {}) =>
  renderFindings(manifestIn(manifestBytes(lines, { ...HEAD, ...listed })).findings);

describe('a valid manifest', () => {
  test('lists its documents, aliases and other files', () => {
    const files = [{ file: '404.json', sha256: 'f'.repeat(64), size: 3 }];
    const manifest = manifestIn(manifestBytes(LINES, { ...HEAD, files }));
    expect(manifest.findings).toEqual([]);
    expect(manifest.files).toEqual(files);
    const { entries } = manifest;
    expect([...entries.paths()].map((path) => [path, entries.targetOf(path)])).toEqual([
      ['/', '/'],
      ['/sites', '/sites'],
      [`/versions/${REVISION}`, `/versions/${REVISION}`],
      ['/versions/latest', `/versions/${REVISION}`],
    ]);
    expect([...manifest.entries].map(({ path, alias }) => [path, alias])).toEqual([
      ['/', undefined],
      ['/sites', undefined],
      [`/versions/${REVISION}`, undefined],
      ['/versions/latest', `/versions/${REVISION}`],
    ]);
  });

  test('lists every file of the tree', () => {
    const variants = { names: ['{path}/index.json'], pretty: true, precompressed: false };
    const file = { file: '404.json', sha256: 'f'.repeat(64), size: 3 };
    const line = JSON.stringify({ ...JSON.parse(SITES), variant_digests: ['0'.repeat(64)] });
    const manifest = manifestIn(manifestBytes([line], { ...HEAD, variants, files: [file] }));
    expect(manifest.findings).toEqual([]);
    expect([...expectedFiles(manifest)]).toEqual([
      ...['_manifest.json', '404.json', 'sites.json', 'sites/index.json', '_pretty/sites.json'],
    ]);
  });
});

describe('the Cache-Control headers', () => {
  const headers = { mutable: 'public, max-age=300', immutable: 'public, max-age=31536000, immutable' };
  const bytes = manifestBytes(LINES, { ...HEAD, cacheControl: headers });

  test('are read from the first bytes, with and without a claim', () => {
    const claim: Claim = { nonce: 'n', purpose: 'publish', since: 0, until: 0, begun: [] };
    expect(cacheControlIn(bytes.subarray(0, bytes.length / 2))).toEqual(headers);
    expect(cacheControlIn(withClaim(bytes, claim))).toEqual(headers);
    expect(manifestIn(bytes).summary.cache_control).toEqual(headers);
  });

  test('are the default if the manifest does not contain them, or contains others', () => {
    const without = Buffer.from(bytes.toString().replace(/"cache_control":\{.*?\},/, ''));
    const odd = Buffer.from(bytes.toString().replace('max-age=300', 'max-age=300\\r\\nX: y'));
    for (const each of [without, odd, Buffer.from('{}'), Buffer.from('')])
      expect(cacheControlIn(each)).toEqual(CACHE_CONTROL);
    expect(readManifest(bytesSource(without))?.summary.cache_control).toEqual(CACHE_CONTROL);
  });
});

describe('an altered manifest', () => {
  const altered = (alter: (text: string) => string): readonly Finding[] => {
    const bytes = Buffer.from(alter(manifestBytes(LINES, HEAD).toString()));
    return readManifest(bytesSource(bytes))?.findings ?? [];
  };

  test('has a wrong digest and a wrong seal if an entry was altered', () => {
    const found = altered((text) => text.replace('"size":2', '"size":3'));
    expect(found.map(({ args }) => 'name' in args && args.name)).toEqual(['digest', 'seal']);
  });

  test('has a wrong seal if its header was altered', () => {
    const found = altered((text) => text.replace('"sources":"s', '"sources":"t'));
    expect(found.map(({ args }) => 'name' in args && args.name)).toEqual(['seal']);
  });

  test('is damaged if its end was altered', () => {
    expect(renderFindings(altered((text) => `${text}\n`))).toBe(
      messages('The manifest is damaged: it does not end in its digest, its seal and its signature. [verify-manifest]'),
    );
  });

  test('is invalid if it is not JSON', () => {
    const bytes = Buffer.from(manifestBytes(LINES, HEAD).toString().replace('"dialect"', 'dialect'));
    expect(readManifest(bytesSource(bytes))).toBeUndefined();
  });
});

describe('an entry is rejected', () => {
  test.each<[string, string, string]>([
    ['invalid JSON', '{', 'is no JSON object'],
    ['a list', '[]', 'is no JSON object'],
    ['no path', '{"file":"x.json"}', 'has no path or no file'],
    ['dots', lineOf('/sites/..', '{}'), 'has /sites/.., which is no path of the API'],
    ['a path of no endpoint', lineOf('/nowhere', '{}'), 'has /nowhere, which is no path of the API'],
    [
      'the file of another path',
      SITES.replace('"file":"sites.json"', '"file":"../sites.json"'),
      'has ../sites.json for /sites, whose file is sites.json',
    ],
    ['no cache class', '{"path":"/sites","file":"sites.json"}', 'lacks a cache class for /sites'],
    ['no digest', SITES.replace(/"sha256":"[^"]*"/, '"sha256":"1234"'), 'lacks a digest, a size or a type for /sites'],
    [
      'a field of another program',
      SITES.replace('"cache"', '"added_later":1,"cache"'),
      'has the field added_later, which is unknown in the entry of /sites',
    ],
    [
      'variants that the tree does not have',
      JSON.stringify({ ...JSON.parse(SITES), variant_digests: ['0'] }),
      'has 1 digests of variants of /sites instead of 0',
    ],
    ['a duplicate path', ROOT, 'has / a second time'],
    [
      'an alias of a missing document',
      aliasOf('/sites', '/versions'),
      'has /sites as an alias of /versions, which is no document before it',
    ],
  ])('with %s', (_, line, reason) => {
    const manifest = manifestIn(manifestBytes([ROOT, line, VERSION], HEAD));
    const [first] = manifest.findings;
    expect(first && renderFindings([first])).toBe(
      messages(`Entry 2 of the documents in the manifest ${reason}. [verify-line]`),
    );
    // Other entries are still read.
    expect([...manifest.entries].map(({ path }) => path)).toEqual(['/', `/versions/${REVISION}`]);
  });

  test('if it is an alias of an alias', () => {
    const twice = aliasOf('/sites/versions/latest', '/versions/latest');
    expect(findingsIn([...LINES, twice])).toBe(
      messages(
        'Entry 5 of the documents in the manifest has /sites/versions/latest as an alias of /versions/latest, which is no document before it. [verify-line]',
      ),
    );
  });

  test('if the numbers of entries differ from the header', () => {
    expect(findingsIn(LINES, { counts: { documents: 4, aliases: 0 } })).toBe(
      messages(
        'The manifest states 4 documents, but it lists 3. [verify-count]',
        'The manifest states 0 aliases, but it lists 1. [verify-count]',
      ),
    );
  });
});

describe('a manifest is rejected', () => {
  const file = (name: string) => ({ file: name, sha256: 'f'.repeat(64), size: 1 });
  const isNone = (name: string) => `The manifest is damaged: ${name} is no file of a tree. [verify-manifest]`;

  test.each([
    ...['../x', 'a/../../x', '/etc/passwd', 'a//b', './a', '', 'a\\b', 'sites.json', 'sites/index.json'],
    ...['.git/config', '.git', '.GIT', '.github', 'CNAME', 'robots.txt', '.hidden', '.htaccess/x', '.well-known/x'],
  ])('for the file name %j', (name) => {
    const manifest = manifestIn(manifestBytes(LINES, { ...HEAD, files: [file('404.json'), file(name)] }));
    expect(renderFindings(manifest.findings)).toBe(messages(isNone(name)));
    expect(manifest.files).toEqual([file('404.json')]);
  });

  test('for a file name with a control character', () => {
    const manifest = manifestIn(manifestBytes(LINES, { ...HEAD, files: [file('404.json'), file('a\0b')] }));
    expect(renderFindings(manifest.findings)).toBe(messages(isNone('a␀b')));
    expect(manifest.files).toEqual([file('404.json')]);
  });

  test('for an alias pattern with a control character', () => {
    const variants = { names: ['{path}/index.json', '{path}\0'], pretty: false, precompressed: false };
    const manifest = manifestIn(manifestBytes(LINES, { ...HEAD, variants }));
    expect(manifest.summary.variants.names).toEqual(['{path}/index.json']);
  });

  test('for a duplicate file', () => {
    expect(findingsIn(LINES, { files: [file('404.json'), file('404.json')] })).toBe(messages(isNone('404.json')));
  });

  test.each(['../{path}.json', 'x/../../{path}', '/{path}', 'all.json', '{path}', '.git/{path}'])(
    'for the alias pattern %j',
    (name) => {
      const variants = { names: ['{path}/index.json', name], pretty: false, precompressed: false };
      const manifest = manifestIn(manifestBytes(LINES, { ...HEAD, variants }));
      expect(renderFindings(manifest.findings)).toBe(
        messages(`The manifest is damaged: ${name} is no name of documents. [verify-manifest]`),
      );
      expect(manifest.summary.variants.names).toEqual(['{path}/index.json']);
    },
  );
});

describe('a large manifest', () => {
  const whole = (chunks: Iterable<Uint8Array>) => Buffer.concat(Array.from(chunks, (chunk) => Buffer.from(chunk)));
  const versions = Array.from({ length: 20_000 }, (_, i) => `/versions/${String(i).padStart(40, '0')}`);
  const bytes = manifestBytes([ROOT, ...versions.map((path) => lineOf(path, path))], HEAD);

  test('is read in chunks, byte for byte', () => {
    const longest = { length: 0 };
    const source = bytesSource(bytes);
    const {
      entries,
      findings,
      sha256: digest,
      unsigned,
      signedSize,
    } = readManifest({
      size: source.size,
      read: (from, length) => {
        longest.length = Math.max(longest.length, length);
        return source.read(from, length);
      },
    }) ?? manifestIn(Buffer.alloc(0));
    expect(bytes.length).toBeGreaterThan(3 << 20);
    expect(longest.length).toBe(1 << 20);
    expect(findings).toEqual([]);
    expect([...entries.paths()]).toEqual(['/', ...versions]);
    for (const path of ['/', versions[0] ?? '', versions[19_999] ?? '']) {
      const { sha256: own, size } = JSON.parse(lineOf(path, path === '/' ? '{}' : path));
      expect(entries.get(path)).toMatchObject({ path, sha256: own, size });
    }
    expect(digest).toBe(sha256(bytes));
    expect(whole(unsigned()).equals(bytes)).toBe(true);
    expect(signedSize).toBe(bytes.length - 2);
  });

  test('is valid with an unsigned claim at its end', () => {
    const claim: Claim = { nonce: 'n', purpose: 'publish', since: 1, until: 2, begun: [] };
    const claimed = withClaim(bytes, claim);
    const manifest = manifestIn(claimed);
    expect([manifest.findings, manifest.summary.claim]).toEqual([[], claim]);
    expect(manifest.sha256).toBe(sha256(claimed));
    expect(whole(manifest.unsigned()).equals(bytes)).toBe(true);
  });

  const refusal = (source: ManifestSource) => {
    try {
      return readManifest(source);
    } catch (error) {
      return error instanceof Failure ? renderFindings(error.findings) : error;
    }
  };
  const BOUNDS =
    '  gridpress reads manifests of at most 2,147,483,648 bytes and 10,000,000 entries. Build a smaller tree, or ask where this one comes from.\n';

  test('is rejected above the maximum size, before it is read', () => {
    const size = 2 ** 31 + 1;
    const shift = size - bytes.length;
    // Only the last bytes are read.
    const read = (from: number, length: number) =>
      from < shift ? bytes.subarray(from, from + length) : bytes.subarray(from - shift, from - shift + length);
    expect(refusal({ size, read })).toBe(
      `_manifest.json: error: The manifest has 2147483649 bytes, so it was not read. [manifest-too-large]\n${BOUNDS}`,
    );
  });

  test('is rejected if an entry is too long', () => {
    const long = lineOf('/sites', '{}', 'x'.repeat(3 << 20));
    expect(refusal(bytesSource(manifestBytes([ROOT, long, VERSION], HEAD)))).toBe(
      `_manifest.json: error: The manifest has an entry of more than 1048576 bytes, so it was not read. [manifest-too-large]\n${BOUNDS}`,
    );
  });

  test('gives a thousand findings for damaged entries, and counts the further findings', () => {
    const lines = [ROOT, ...Array.from({ length: 1500 }, () => '{}')];
    const found = manifestIn(manifestBytes(lines, { ...HEAD, counts: { documents: 1, aliases: 0 } })).findings;
    expect(found.length).toBe(1001);
    expect(renderFindings(found.slice(1000))).toBe(
      messages('The manifest is damaged: 500 more of its entries are. [verify-manifest]'),
    );
  });
});
