import { expect, test } from 'vitest';
import { certain } from '../../../../../src/core/platform/certain.ts';
import { firstUnlike, otherUnlike } from '../../../../../src/core/tree/manifest/listed-files.ts';
import { readFrame } from '../../../../../src/core/tree/manifest/manifest-frame.ts';
import { bytesSource, MANIFEST_CHUNK_BYTES } from '../../../../../src/core/tree/manifest/manifest-source.ts';
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

/** The numbers of the pieces, one after the other. */
const inTurn =
  (next = 0) =>
  () =>
    next++;

test('every file of a manifest is asked for once, in whatever pieces it is read', () => {
  expect(BYTES.length).toBeGreaterThan(2 * MANIFEST_CHUNK_BYTES);
  const { source, frame } = opened(BYTES);
  const asked: string[] = [];
  const found = firstUnlike(source, frame, inTurn(), ({ file }) => asked.push(file) > 0);
  expect(found).toBeUndefined();
  expect(asked).toEqual(LISTED);
});

test('of what several readers find, that in the first piece is the first', () => {
  const { source, frame } = opened(BYTES);
  const [early, late] = [certain(LISTED[4000]), certain(LISTED.at(-1))];
  const isAsListed = ({ file }: { readonly file: string }) => file !== early && file !== late;
  const first = certain(firstUnlike(source, frame, inTurn(), isAsListed));
  const second = certain(firstUnlike(source, frame, inTurn(first.piece + 1), isAsListed));
  expect([first.file, second.file]).toEqual([early, late]);
  expect(first.piece).toBeLessThan(second.piece);
});

test('a line that names no file is the manifest itself that is wrong', () => {
  const { source, frame } = opened(manifestBytes(['{"path":"/"}'], { revision: 'a'.repeat(40) }));
  expect(firstUnlike(source, frame, inTurn(), () => true)).toEqual({ file: '_manifest.json', piece: 0 });
});

test('the other files are asked for, and then the digest', () => {
  const { source, frame } = opened(BYTES);
  expect(otherUnlike(source, frame, () => true)).toBeUndefined();
  expect(otherUnlike(source, frame, ({ size }) => size !== 3)).toBe('404.json');
  const altered = opened(Buffer.from(BYTES.toString().replace('"mutable"', '"immutable"')));
  expect(otherUnlike(altered.source, altered.frame, () => true)).toBe('_manifest.json');
});
