import { expect, test } from 'vitest';
import { assertDefined } from '../../../../../src/core/platform/lookups.ts';
import { bytesSource, MANIFEST_CHUNK_BYTES, readFrame } from '../../../../../src/core/tree/manifest/manifest-frame.ts';
import { firstMismatch } from '../../../../../src/system/trees/damaged-tree.ts';
import { aliasOf, lineOf, manifestBytes } from '../../../../support/values/listed-tree.ts';

const FILES = [{ file: '404.json', sha256: 'f'.repeat(64), size: 3 }];
/** Enough for several chunks, with very different line lengths. */
const PATHS = Array.from({ length: 9000 }, (_, i) => `/sites/s${i}${'x'.repeat(i % 3000 === 0 ? 5000 : i % 97)}`);
const LINES = [...PATHS.map((path) => lineOf(path, '{}')), aliasOf('/sites/last', assertDefined(PATHS[0]))];
const BYTES = manifestBytes(LINES, { revision: 'a'.repeat(40), files: FILES });
const LISTED = [...PATHS, '/sites/last'].map((path) => `${path.slice(1)}.json`);

const opened = (bytes: Uint8Array) => {
  const source = bytesSource(bytes);
  return { source, frame: assertDefined(readFrame(source)) };
};

test('firstMismatch checks every file of a manifest once', () => {
  expect(BYTES.length).toBeGreaterThan(2 * MANIFEST_CHUNK_BYTES);
  const { source, frame } = opened(BYTES);
  const asked: string[] = [];
  expect(firstMismatch(source, frame, ({ file }) => asked.push(file) > 0)).toBeUndefined();
  expect(asked).toEqual([...LISTED, '404.json']);
});

test('firstMismatch returns the first file that differs', () => {
  const { source, frame } = opened(BYTES);
  const [early, late] = [assertDefined(LISTED[4000]), assertDefined(LISTED.at(-1))];
  expect(firstMismatch(source, frame, ({ file }) => file !== early && file !== late)).toBe(early);
  expect(firstMismatch(source, frame, ({ file }) => file !== late)).toBe(late);
});

test('firstMismatch reports the manifest itself if a line names no file', () => {
  const { source, frame } = opened(manifestBytes(['{"path":"/"}'], { revision: 'a'.repeat(40) }));
  expect(firstMismatch(source, frame, () => true)).toBe('_manifest.json');
});

test('firstMismatch checks the other files, then the digest', () => {
  const { source, frame } = opened(BYTES);
  expect(firstMismatch(source, frame, ({ size }) => size !== 3)).toBe('404.json');
  const altered = opened(Buffer.from(BYTES.toString().replace('"cache":"mutable"', '"cache":"immutable"')));
  expect(firstMismatch(altered.source, altered.frame, () => true)).toBe('_manifest.json');
});
