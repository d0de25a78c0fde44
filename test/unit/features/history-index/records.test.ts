import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { IndexDamaged } from '../../../../src/features/history-index/index-damaged.ts';
import { openRecords, type Records } from '../../../../src/features/history-index/records.ts';
import { newFolder } from '../../../support/folders.ts';

/** Lengths that leave no record at the beginning of a block but the first. */
const TEXTS = Array.from({ length: 300 }, (_, n) => `${n} `.repeat(2_500 + n));

/** Two files with records, and where each of them stands. */
function writtenRecords() {
  const folder = newFolder();
  const files = [TEXTS.slice(0, 200), TEXTS.slice(200)].map((texts, i) => {
    const name = `records-${i}`;
    const bytes = Buffer.from(texts.join(''));
    writeFileSync(join(folder, name), bytes);
    return { name, bytes: bytes.length };
  });
  let end = 0;
  const places = TEXTS.map((text) => {
    const at = end;
    end += Buffer.byteLength(text);
    return { text, at };
  });
  return { folder, places, records: openRecords(folder, files) };
}

function textAt({ read }: Records, { text, at }: { readonly text: string; readonly at: number }): string {
  return read(at, Buffer.byteLength(text), crc32(text)).toString();
}

test('records are what was written, in whatever order they are read', () => {
  const { places, records } = writtenRecords();
  for (const place of places) expect(textAt(records, place)).toBe(place.text);
  for (const place of places.toReversed()) expect(textAt(records, place)).toBe(place.text);
});

test('records that another index has taken away are damage', () => {
  const { folder, places, records } = writtenRecords();
  rmSync(join(folder, 'records-1'));
  expect(() => places.map((place) => textAt(records, place))).toThrow(IndexDamaged);
});
