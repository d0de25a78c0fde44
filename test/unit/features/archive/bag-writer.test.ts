import { expect, onTestFinished, test } from 'vitest';
import { sha256 } from '../../../../src/core/model/digest.ts';
import { spoolIn } from '../../../../src/features/archive/archive.ts';
import { type PackedFile, writeBag } from '../../../../src/features/archive/bag.ts';
import { verifyBag } from '../../../../src/features/archive/verify-bag.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { indexed, NEW_YEAR } from '../../../support/values/tar.ts';

const NAME = `gridpress-testgrid-${'0'.repeat(40)}`;
const INFO = {
  title: 'A grid',
  grid: 'testgrid',
  revision: '0'.repeat(40),
  date: '2026-01-01T00:00:00.000Z',
  agent: 'gridpress',
};

function packed(payload: readonly PackedFile[]): Buffer {
  const pieces: Buffer[] = [];
  const bag = { name: NAME, modified: NEW_YEAR, info: INFO, payload };
  const size = writeBag(bag, (bytes) => pieces.push(Buffer.from(bytes)));
  const bytes = Buffer.concat(pieces);
  expect(bytes.length).toBe(size);
  return bytes;
}

/** Returns the findings of a bag, and its entries below the payload folder, with the targets of links. */
function readBag(bytes: Buffer) {
  const below = (name: string) => name.slice(`${NAME}/data/`.length);
  return indexed(bytes, (index) => ({
    findings: [...index.findings, ...verifyBag(index).findings],
    entries: [...index.entries.values()]
      .filter(({ name }) => name.startsWith(`${NAME}/data/`))
      .map(({ name, target }) => (target === undefined ? below(name) : [below(name), below(target)])),
  }));
}

function inMemory(name: string, text: string): PackedFile {
  const content = Buffer.from(text);
  return { name, sha256: sha256(content), size: content.length, content };
}

function newSpool() {
  const spool = spoolIn(temporaryFolder());
  onTestFinished(spool.close);
  return spool;
}

test('lazily rendered contents are rendered once', () => {
  const asked: string[] = [];
  const later = ({ name, content, ...file }: PackedFile): PackedFile => ({
    ...file,
    name,
    content: () => {
      asked.push(name);
      return content instanceof Uint8Array ? content : Buffer.from('');
    },
  });
  const bytes = packed([later(inMemory('a', 'one')), inMemory('b', 'two'), later(inMemory('c', 'one'))]);
  expect(readBag(bytes)).toEqual({ findings: [], entries: ['a', 'b', 'c'] });
  expect(asked).toEqual(['a', 'c']);
});

test('equal files of a spool are hard links if names are short enough', () => {
  const spool = newSpool();
  const long = `m/${'n'.repeat(60)}`;
  spool.write('z', 'one', 0);
  spool.write('b', 'another', 0);
  spool.write(long, 'third', 0);
  spool.link('z', 'a');
  spool.link('a', 'y');
  spool.link(long, 'o');
  const entries = ['a', 'b', long, 'o', ['y', 'a'], ['z', 'a']];
  expect(readBag(packed(spool.files()))).toEqual({ findings: [], entries });
});

test('a spool returns files of any length in order, together with other files', () => {
  const spool = newSpool();
  const texts = { c: 'c', a: 'x'.repeat((1 << 20) + 1), d: '', b: Buffer.from('b'.repeat((1 << 20) - 1)) };
  for (const [name, text] of Object.entries(texts))
    expect(spool.write(name, text, 0)).toEqual({ sha256: sha256(text), size: text.length });
  spool.addFile('aa', [Buffer.from('in '), Buffer.from('chunks')]);
  const bytes = packed(spool.files());
  const expected = Object.entries({ ...texts, aa: 'in chunks' });
  indexed(bytes, (index) => {
    for (const [name, text] of expected)
      expect([name, index.read(`${NAME}/data/${name}`, 1 << 21)?.equals(Buffer.from(text))]).toEqual([name, true]);
  });
  expect(readBag(bytes)).toEqual({ findings: [], entries: ['a', 'aa', 'b', 'c', 'd'] });
});
