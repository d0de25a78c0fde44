import { chmodSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/core/diagnostics/finding.ts';
import { sha256 } from '../../../../src/core/model/digest.ts';
import { treeWriter } from '../../../../src/system/trees/tree-writer.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const MODIFIED = 1_700_000_000;

describe('texts of any length are written as UTF-8', () => {
  const piece = 'x'.repeat((1 << 20) - 1);
  test.each([
    ['short', 'é'],
    ['in several chunks', `${piece}${piece}${piece}é`],
    ['with a character across two chunks', `${piece}😀${piece}😀`],
    ['with half a character between two chunks', `${piece}\ud83d${piece}`],
  ])('%s', (_, text) => {
    const root = temporaryFolder();
    const written = treeWriter(root, undefined).write('a/b.json', text, MODIFIED);
    const path = join(root, 'a', 'b.json');
    const bytes = Buffer.from(text);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(lstatSync(path).mtimeMs).toBe(MODIFIED * 1000);
    expect(written).toEqual({ sha256: sha256(bytes), size: bytes.length });
  });
});

describe('a text in parts is written like one text', () => {
  test.each([
    ['none', []],
    ['short', ['a', '', 'é😀']],
    ['one part longer than a chunk', ['a', `${'é'.repeat(1_500_000)}😀`.repeat(2), 'b']],
    ['in several chunks', Array.from({ length: 5 }, (_, i) => `${i}é`.repeat(400_000))],
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

describe('missing folders are created', () => {
  test('for documents, aliases and other files', () => {
    const root = temporaryFolder();
    const writer = treeWriter(root, undefined);
    writer.write('a/b/c.json', 'c', MODIFIED);
    writer.link('a/b/c.json', 'a/b/c/index.json');
    writer.link('a/b/c.json', 'a/b/d.json');
    writer.link('a/b/c.json', 'x/y/c.json');
    writer.write('x/y/z.json', 'z', MODIFIED);
    const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\./.test(name));
    expect(names.sort()).toEqual(['a/b/c.json', 'a/b/c/index.json', 'a/b/d.json', 'x/y/c.json', 'x/y/z.json']);
    expect(readFileSync(join(root, 'x/y/c.json'), 'utf8')).toBe('c');
  });

  test('for links to files of the previous tree', () => {
    const [previous, root] = [temporaryFolder(), temporaryFolder()];
    treeWriter(previous, undefined).write('a/b.json', 'b', MODIFIED);
    const writer = treeWriter(root, previous);
    writer.write('a/b.json', 'b', MODIFIED);
    expect(lstatSync(join(root, 'a/b.json')).ino).toBe(lstatSync(join(previous, 'a/b.json')).ino);
  });

  test('a file in the place of a folder is reported', () => {
    const root = temporaryFolder();
    const writer = treeWriter(root, undefined);
    writer.write('a', 'a', MODIFIED);
    expect(() => writer.write('a/b.json', 'b', MODIFIED)).toThrow(Failure);
  });
});

test('a file of the previous tree is written again if a new file would have another mode', () => {
  const [previous, root] = [temporaryFolder(), temporaryFolder()];
  treeWriter(previous, undefined).write('a/b.json', 'b', MODIFIED);
  chmodSync(join(previous, 'a/b.json'), 0o600);
  const writer = treeWriter(root, previous);
  writer.write('a/b.json', 'b', MODIFIED);
  writer.write('c.json', 'c', MODIFIED);
  const modeOf = (file: string) => lstatSync(join(root, file)).mode;
  expect(modeOf('a/b.json')).toBe(modeOf('c.json'));
  expect(lstatSync(join(root, 'a/b.json')).mtimeMs).toBe(MODIFIED * 1000);
  expect(readdirSync(root).sort()).toEqual(['a', 'c.json']);
});
