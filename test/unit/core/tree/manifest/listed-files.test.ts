import { expect, test } from 'vitest';
import { certain } from '../../../../../src/core/platform/certain.ts';
import { bytesSource, MANIFEST_CHUNK_BYTES, readFrame } from '../../../../../src/core/tree/manifest/manifest-frame.ts';
import { firstMismatch } from '../../../../../src/system/trees/damaged-tree.ts';
import { aliasOf, lineOf, manifestBytes } from '../../../../support/values/listed-tree.ts';

const FILES = [{ file: '404.json', sha256: 'f'.repeat(64), size: 3 }];
/** Of several pieces, with lines of very different lengths. */
const PATHS = Array.from({ length: 9000 }, (_, i) => `/sites/s${i}${'x'.repeat(i % 3000 === 0 ? 5000 : i % 97)}`);
const LINES = [...PATHS.map((path) => lineOf(path, '{}')), aliasOf('/sites/last', certain(PATHS[0]))];
const BYTES = manifestBytes(LINES, { revision: 'a'.repeat(40), files: FILES });
const LISTED = [...PATHS, '/sites/last'].map((path) => `${path.slice(1)}.json`);

const opened = (bytes: Uint8Array) => {
  const source = bytesSource(bytes);
  return { source, frame: certain(readFrame(source)) };
};

test('every file of a manifest is checked once', () => {
  expect(BYTES.length).toBeGreaterThan(2 * MANIFEST_CHUNK_BYTES);
  const { source, frame } = opened(BYTES);
  const asked: string[] = [];
  expect(firstMismatch(source, frame, ({ file }) => asked.push(file) > 0)).toBeUndefined();
  expect(asked).toEqual([...LISTED, '404.json']);
});

test('the first file that differs is returned', () => {
  const { source, frame } = opened(BYTES);
  const [early, late] = [certain(LISTED[4000]), certain(LISTED.at(-1))];
  expect(firstMismatch(source, frame, ({ file }) => file !== early && file !== late)).toBe(early);
  expect(firstMismatch(source, frame, ({ file }) => file !== late)).toBe(late);
});

test('a line that names no file is the manifest itself that is wrong', () => {
  const { source, frame } = opened(manifestBytes(['{"path":"/"}'], { revision: 'a'.repeat(40) }));
  expect(firstMismatch(source, frame, () => true)).toBe('_manifest.json');
});

test('the other files are checked, and then the digest', () => {
  const { source, frame } = opened(BYTES);
  expect(firstMismatch(source, frame, ({ size }) => size !== 3)).toBe('404.json');
  const altered = opened(Buffer.from(BYTES.toString().replace('"mutable"', '"immutable"')));
  expect(firstMismatch(altered.source, altered.frame, () => true)).toBe('_manifest.json');
});
