import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sha256 } from '../../../../src/core/model/digest.ts';
import { treeWriter } from '../../../../src/system/trees/tree-writer.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const MODIFIED = 1_700_000_000;

describe('a text of any length is written as UTF-8', () => {
  const piece = 'x'.repeat((1 << 20) - 1);
  test.each([
    ['short', 'é'],
    ['of several pieces', `${piece}${piece}${piece}é`],
    ['with a character across two pieces', `${piece}😀${piece}😀`],
    ['with half a character between two pieces', `${piece}\ud83d${piece}`],
  ])('%s', (_, text) => {
    const root = temporaryFolder();
    const written = treeWriter(root, undefined).write('a/b.json', text, MODIFIED, false);
    const path = join(root, 'a', 'b.json');
    const bytes = Buffer.from(text);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(lstatSync(path).mtimeMs).toBe(MODIFIED * 1000);
    expect(written).toEqual({ sha256: sha256(bytes), size: bytes.length });
  });
});

describe('a text in parts is written as if they were one', () => {
  test.each([
    ['none', []],
    ['short', ['a', '', 'é😀']],
    ['one longer than a piece', ['a', `${'é'.repeat(1_500_000)}😀`.repeat(2), 'b']],
    ['of several pieces', Array.from({ length: 5 }, (_, i) => `${i}é`.repeat(400_000))],
  ])('%s', (_, parts) => {
    const root = temporaryFolder();
    const written = treeWriter(root, undefined).writeParts('a/b.json', parts, MODIFIED);
    const path = join(root, 'a', 'b.json');
    const bytes = Buffer.from(parts.join(''));
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(lstatSync(path).mtimeMs).toBe(MODIFIED * 1000);
    expect(written).toEqual({ sha256: sha256(bytes), size: bytes.length });
  });
});
