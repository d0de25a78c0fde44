import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CHUNK_BYTES, chunkReader } from '../../../../src/system/files/file-io.ts';
import { canBeTarget } from '../../../../src/system/tar/tar-header.ts';
import { tarWriter } from '../../../../src/system/tar/tar-writer.ts';
import { findingsOf } from '../../../support/processes/failure.ts';
import { needsGnuTar } from '../../../support/processes/programs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { folderContents } from '../../../support/trees/folder-contents.ts';
import { indexed, NEW_YEAR, tarOf } from '../../../support/values/tar.ts';

const text = (content: string) => Buffer.from(content);

/** Path segments of all lengths. */
const segment = fc.string({ unit: fc.constantFrom(...'abcz019-_. ~'), minLength: 1, maxLength: 60 });
const path = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join('/'));

function namesToWrite(names: readonly string[]): string[] {
  const plain = names.filter((name) => !name.split('/').some((part) => part === '.' || part === '..'));
  return plain.filter((name) => !plain.some((other) => other !== name && other.startsWith(`${name}/`)));
}

const gnuTar = needsGnuTar();

describe('the tar writer', () => {
  test.skipIf(gnuTar.isMissing)(`writes the same bytes as GNU tar with matching options${gnuTar.because}`, () => {
    const folder = temporaryFolder();
    const long = `top/${'folder/'.repeat(20)}file.json`;
    const files = { 'top/a.json': '{}', 'top/b': '', 'top/c.txt': 'x'.repeat(512), [long]: 'y'.repeat(1000) };
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
    linkSync(join(folder, 'top/a.json'), join(folder, 'top/z.json'));
    const names = [...Object.keys(files), 'top/z.json'].sort();
    const form = ['--format=ustar', '--blocking-factor=1', '--owner=0', '--group=0', '--mode=0644', '--no-recursion'];
    const options = [...form, '--numeric-owner', `--mtime=@${NEW_YEAR}`, '-C', folder, '-cf', '-', ...names];
    const theirs = execFileSync('tar', options, { maxBuffer: 1 << 24 });
    const ours = tarOf((tar) => {
      for (const name of names) {
        const content = files[name];
        if (content === undefined) tar.link(name, 'top/a.json', NEW_YEAR);
        else tar.file(name, text(content), NEW_YEAR);
      }
    });
    expect(ours.equals(theirs)).toBe(true);
  });

  test.skipIf(gnuTar.isMissing)(`writes files that tar and this reader read${gnuTar.because}`, () => {
    const entries = fc.uniqueArray(fc.tuple(path, fc.uint8Array({ maxLength: 1500 })), {
      selector: ([name]) => name,
      maxLength: 8,
    });
    fc.assert(
      fc.property(entries, (given) => {
        const contents = new Map(given.map(([name, bytes]) => [name, Buffer.from(bytes).toString('latin1')]));
        const names = namesToWrite([...contents.keys()]).filter((name) => name.length <= 100);
        const bytes = tarOf((tar) => {
          for (const name of names) tar.file(name, Buffer.from(contents.get(name) ?? '', 'latin1'), NEW_YEAR);
        });
        const read = indexed(bytes, (index) => {
          expect(index.findings).toEqual([]);
          return [...index.entries.keys()].map((name) => [name, index.read(name, bytes.length)?.toString('latin1')]);
        });
        expect(read).toEqual(names.map((name) => [name, contents.get(name)]));
        expect(execFileSync('tar', ['-tf', '-'], { input: bytes, encoding: 'utf8' })).toBe(
          names.map((name) => `${name}\n`).join(''),
        );
      }),
      { numRuns: 50 },
    );
  });

  test.skipIf(gnuTar.isMissing)(
    `writes archives that tar unpacks with the given times and hard links${gnuTar.because}`,
    () => {
      const folder = temporaryFolder();
      const deep = `${'d'.repeat(90)}/${'e'.repeat(60)}/${'f'.repeat(100)}`;
      const bytes = tarOf((tar) => {
        tar.file('a/one', text('1'), NEW_YEAR);
        tar.link('a/two', 'a/one', NEW_YEAR);
        tar.file(deep, text('deep'), NEW_YEAR);
      });
      execFileSync('tar', ['-xf', '-', '-C', folder], { input: bytes });
      expect(folderContents(folder)).toEqual({ 'a/one': '1', 'a/two': '1', [deep]: 'deep' });
      const [one, two] = [statSync(join(folder, 'a/one')), statSync(join(folder, 'a/two'))];
      expect([one.ino, one.mode & 0o777, one.mtimeMs]).toEqual([two.ino, 0o644, NEW_YEAR * 1000]);
    },
  );

  test('writes chunks of one size, for contents in memory and in files', () => {
    const large = Buffer.alloc(3 * CHUNK_BYTES + 700, 'gridpress ');
    const source = join(temporaryFolder(), 'large');
    writeFileSync(source, large);
    const sizes: number[] = [];
    const chunks: Buffer[] = [];
    const tar = tarWriter((piece) => {
      sizes.push(piece.length);
      chunks.push(Buffer.from(piece));
    });
    tar.chunks('large', chunkReader()(source), large.length, NEW_YEAR);
    // A header, 3 MiB and 700 bytes in two blocks, and the end.
    const total = 512 + 3 * CHUNK_BYTES + 1024 + 1024;
    expect(tar.end()).toBe(total);
    expect(sizes).toEqual([CHUNK_BYTES, CHUNK_BYTES, CHUNK_BYTES, total - 3 * CHUNK_BYTES]);
    expect(Buffer.concat(chunks).equals(tarOf((other) => other.file('large', large, NEW_YEAR)))).toBe(true);
    indexed(Buffer.concat(chunks), ({ entries, chunks: read }) => {
      const entry = entries.get('large');
      if (!entry) throw new Error('it is not there');
      const held = Array.from(read(entry), (piece) => Buffer.from(piece));
      expect(Buffer.concat(held).equals(readFileSync(source))).toBe(true);
    });
  });

  test('writes contents in pieces like contents in whole, if the length is as announced', () => {
    const whole = text('x'.repeat(700));
    const pieces = [whole.subarray(0, 512), whole.subarray(512, 512), whole.subarray(512)];
    const inPieces = (size: number) => tarOf((tar) => tar.chunks('file', pieces, size, NEW_YEAR));
    expect(inPieces(700).equals(tarOf((tar) => tar.file('file', whole, NEW_YEAR)))).toBe(true);
    for (const size of [699, 701])
      expect(findingsOf(() => inPieces(size))).toEqual([{ code: 'tar-changed', args: { name: 'file' } }]);
  });

  test.each([
    ['../x', 'it must be a relative path without empty segments, "." and ".."'],
    ['/etc/x', 'it must be a relative path without empty segments, "." and ".."'],
    ['a//x', 'it must be a relative path without empty segments, "." and ".."'],
    ['a/./x', 'it must be a relative path without empty segments, "." and ".."'],
    ['', 'it may contain only printable ASCII characters except backslashes'],
    ['a\\x', 'it may contain only printable ASCII characters except backslashes'],
    ['a\nx', 'it may contain only printable ASCII characters except backslashes'],
    ['übung', 'it may contain only printable ASCII characters except backslashes'],
    ['n'.repeat(101), 'it is longer than the fields for names (100 bytes, and 155 for the folders)'],
    [`${'p'.repeat(156)}/x`, 'it is longer than the fields for names (100 bytes, and 155 for the folders)'],
    ['there', 'there already exists'],
    ['there/below', 'there is already a file'],
    ['folder', 'folder is already a folder'],
  ])('rejects the name %j', (name, reason) => {
    const write = () =>
      tarOf((tar) => {
        tar.file('there', text(''), NEW_YEAR);
        tar.file('folder/file', text(''), NEW_YEAR);
        tar.file(name, text(''), NEW_YEAR);
      });
    expect(findingsOf(write)).toEqual([{ code: 'tar-name', args: { name, reason } }]);
  });

  test('rejects links to missing files and long link targets', () => {
    const to = (target: string) => () => tarOf((tar) => tar.link('link', target, NEW_YEAR));
    expect(findingsOf(to('later'))).toEqual([
      { code: 'tar-name', args: { name: 'link', reason: 'it is a link to later, which is not an earlier file' } },
    ]);
    const long = `${'p'.repeat(60)}/${'n'.repeat(60)}`;
    expect([canBeTarget(long), canBeTarget(long.slice(0, 100))]).toEqual([false, true]);
    expect(findingsOf(to(long))).toEqual([
      {
        code: 'tar-name',
        args: { name: long, reason: 'it is the target of a hard link, which is limited to 100 bytes' },
      },
    ]);
  });
});
