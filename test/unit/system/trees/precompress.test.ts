import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { compressAll } from '../../../../src/system/trees/content-coding.ts';

/** Incompressible texts, for which all brotli levels give the same size. */
function noise(length: number, seed: string): string {
  let text = '';
  for (let i = 0; text.length < length; i++) text += createHash('sha256').update(`${seed} ${i}`).digest('base64url');
  return text.slice(0, length);
}

function expectOwnSizes(texts: readonly string[]): void {
  const compressed = compressAll(texts);
  const sizes = texts.map((text) => Buffer.byteLength(text));
  for (const [i, files] of compressed.entries()) {
    expect(files.map(([ending]) => ending)).toEqual(['.gz', '.br']);
    for (const [ending, bytes] of files) {
      const text = ending === '.gz' ? gunzipSync(bytes) : brotliDecompressSync(bytes);
      expect(text.toString()).toBe(texts[i]);
      sizes.push(bytes.length);
    }
  }
  const different = new Set(sizes.slice(texts.length));
  expect({ texts, sizes: different.size }).toEqual({ texts, sizes: 2 * texts.length });
  for (const text of texts) expect(different.has(Buffer.byteLength(text))).toBe(false);
}

describe('variants of a document have different sizes', () => {
  test.each([
    ['an object and its indented form', ['{"a":1}', '{\n  "a": 1\n}']],
    ['texts of equal length', ['{"a":1,"b":2}', '{"c":3,"d":4}']],
    ['many texts of equal length', Array.from({ length: 40 }, (_, i) => `{"uid":"${String(i).padStart(4, '0')}"}`)],
    ['incompressible data', [noise(300, 'a'), noise(300, 'b'), noise(304, 'c'), noise(308, 'd')]],
    ['data of more than one block', [noise(70_000, 'a'), noise(70_000, 'b'), noise(70_000, 'c')]],
    ['multibyte characters', ['{"name":"Zürich"}', '{"name":"Zurich!"}']],
  ])('%s', (_, texts) => {
    expectOwnSizes(texts);
  });

  test('for hundreds of small documents with their indented forms', () => {
    for (let i = 0; i < 500; i++) {
      const body = { uid: `node-${i}`, cores: i % 97, at: noise(i % 23, `${i}`) };
      expectOwnSizes([JSON.stringify(body), JSON.stringify(body, null, 2)]);
    }
  });
});
