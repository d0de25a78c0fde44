import { hash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestSections, digestsIn } from '../../../../src/features/history-index/digest-parts.ts';
import { IndexDamaged } from '../../../../src/features/history-index/index-damaged.ts';

const ROWS = 5_000;
const digestOf = (row: number) => hash('sha256', String(row), 'hex');

/** An index file of nothing but digests, in memory; it notes which parts were read. */
function openedFile(digests: Buffer) {
  const sections = new Map(
    digestSections(digests).map(({ name, bytes }) => [name, Buffer.from(Uint8Array.from(bytes).buffer)]),
  );
  const section = (name: string) => sections.get(name) ?? Buffer.from(new ArrayBuffer(0));
  const read: (readonly [at: number, bytes: number])[] = [];
  const partOf = (name: string, at: number, bytes: number) => {
    read.push([at, bytes]);
    return section(name).subarray(at, at + bytes);
  };
  return { section, partOf, read };
}

const allDigests = () => Buffer.concat(Array.from({ length: ROWS }, (_, row) => Buffer.from(digestOf(row), 'hex')));

test('each row has its digest, and what is asked again is not read again', () => {
  const file = openedFile(allDigests());
  const digests = digestsIn(file, ROWS);
  for (const row of [0, 2047, 2048, 4999, 1]) expect(digests.of(row).toString('hex')).toBe(digestOf(row));
  expect(file.read).toEqual([
    [0, 65_536],
    [65_536, 65_536],
    [131_072, 28_928],
  ]);
});

test('a part that is damaged is noticed where it is asked for, and nowhere else', () => {
  const file = openedFile(allDigests());
  const bytes = file.section('digests');
  bytes[70_000] = (bytes[70_000] ?? 0) ^ 1;
  const digests = digestsIn(file, ROWS);
  expect(digests.of(0).toString('hex')).toBe(digestOf(0));
  expect(() => digests.of(2048)).toThrow(IndexDamaged);
  expect(digests.of(4999).toString('hex')).toBe(digestOf(4999));
});

test.each(['digests', 'digest checks'])('%s of another number of rows are damaged', (name) => {
  const digests = digestsIn(openedFile(allDigests()), 3 * ROWS);
  expect(() => (name === 'digests' ? digests.all() : digests.of(0))).toThrow(IndexDamaged);
});
