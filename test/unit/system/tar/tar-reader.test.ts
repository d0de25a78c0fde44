import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { random } from '../../../support/values/random.ts';
import { indexed, NEW_YEAR, problemsOf, tarOf } from '../../../support/values/tar.ts';

const SAMPLE = tarOf((tar) => {
  tar.file('a', Buffer.from('hello'), NEW_YEAR);
  tar.link('b', 'a', NEW_YEAR);
  tar.file('c/d', Buffer.alloc(600, 'd'), NEW_YEAR);
});
/** Where its parts begin. */
const [LINK, THIRD, END] = [1024, 1536, 3072];

function altered(offset: number, change: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(SAMPLE);
  change(bytes.subarray(offset));
  return bytes;
}

describe('the reader', () => {
  test('gives entries with where their contents are', () => {
    indexed(SAMPLE, ({ entries, findings, read }) => {
      expect(findings).toEqual([]);
      const modified = NEW_YEAR;
      expect([...entries.values()]).toEqual([
        { name: 'a', header: 0, offset: 512, size: 5, modified, target: undefined },
        { name: 'b', header: 1024, offset: 512, size: 5, modified, target: 'a' },
        { name: 'c/d', header: 1536, offset: 2048, size: 600, modified, target: undefined },
      ]);
      expect(read('b', 600)?.toString()).toBe('hello');
      expect(read('c/d', 600)?.equals(Buffer.alloc(600, 'd'))).toBe(true);
      expect(read('e', 600)).toBeUndefined();
      expect(read('c/d', 599)).toBeUndefined();
    });
  });

  test('reads a tar without entries', () => {
    expect(problemsOf(tarOf(() => {}))).toEqual([]);
  });

  test.each([
    ['a bit of a name', 0, 1, '`: the checksum of the header does not fit it at 0'],
    ['a bit of the mode', 102, 1, 'a: the field mode of the header is another at 0'],
    ['a bit of a size', 134, 1, 'a: the checksum of the header does not fit it at 0'],
    ['a bit of the checksum', 150, 1, 'a: the checksum of the header does not fit it at 0'],
    ['a bit of a name of an owner', 270, 4, 'a: the field uname of the header is another at 0'],
    ['a bit of what is no field', 505, 4, 'a: the field padding of the header is another at 0'],
    ['a bit of a padding', 700, 8, 'a: what fills up the last block of the entry is not zero at 517'],
    ['a bit of the second header', LINK, 8, 'j: the checksum of the header does not fit it at 1024'],
    ['a bit of the target of a link', LINK + 157, 2, 'b: the checksum of the header does not fit it at 1024'],
    ['a bit of the first end block', END, 1, 'c/d: there is no header of the format ustar at 3072'],
    [
      'a bit of the second end block',
      END + 600,
      1,
      'c/d: the second of the blocks with which it ends is not zero at 3584',
    ],
  ])('finds %s', (_, offset, bit, problem) => {
    const flipped = altered(offset, (bytes) => {
      bytes[0] = (bytes[0] ?? 0) ^ bit;
    });
    expect(problemsOf(flipped)).toEqual([problem]);
  });

  test('finds every flipped bit but those of contents', () => {
    const inContents = (at: number) => (at >= 512 && at < 517) || (at >= 2048 && at < 2648);
    for (let at = 0; at < SAMPLE.length; at += 3) {
      const bit = 1 << (at % 8);
      const found = problemsOf(altered(at, (bytes) => bytes.writeUInt8((bytes[0] ?? 0) ^ bit)));
      expect([at, found.length > 0]).toEqual([at, !inContents(at)]);
    }
  });

  test('finds every truncation and every addition', () => {
    const cut = random(7);
    for (let i = 0; i < 50; i++) {
      const length = cut.below(SAMPLE.length);
      expect([length, problemsOf(SAMPLE.subarray(0, length)).length]).toEqual([length, 1]);
    }
    expect(problemsOf(SAMPLE.subarray(0, END + 512))).toEqual(['c/d: it ends before its two blocks of zeros at 3072']);
    expect(problemsOf(SAMPLE.subarray(0, THIRD + 1000))).toEqual([
      'c/d: it ends within c/d, which has 600 bytes at 1536',
    ]);
    expect(problemsOf(Buffer.concat([SAMPLE, Buffer.alloc(512)]))).toEqual(['c/d: 512 bytes follow its end at 4096']);
  });

  test('refuses a name that comes again, and a link to what comes later', () => {
    const [first, link] = [SAMPLE.subarray(0, LINK), SAMPLE.subarray(LINK, THIRD)];
    expect(problemsOf(Buffer.concat([first, SAMPLE]))).toEqual(['a: there is a already at 1024']);
    expect(problemsOf(Buffer.concat([link, SAMPLE]))).toEqual([
      'b: it is a link to a, which is no file before it at 0',
    ]);
  });

  test('refuses a name that leads outside', () => {
    const bytes = tarOf((tar) => tar.file('xx/x', Buffer.from(''), NEW_YEAR));
    bytes.write('../x', 0);
    expect(problemsOf(bytes)).toEqual([
      'archive.tar: the name of the entry is none that can be: it must be a plain path below a folder, without empty segments and dots at 0',
    ]);
  });

  test.each([
    ['its own format', ['--format=gnu'], 'archive.tar: there is no header of the format ustar at 0'],
    ['another owner', ['--format=ustar', '--owner=me:1000'], 'file: the field uid of the header is another at 0'],
    [
      'extended headers',
      ['--format=posix'],
      'archive.tar: there is an extended header, and only files and hard links can be in it at 0',
    ],
    [
      'another mode',
      ['--format=ustar', '--owner=0', '--group=0', '--mode=0600'],
      'file: the field mode of the header is another at 0',
    ],
    [
      'more blocks at its end',
      ['--format=ustar', '--owner=0', '--group=0', '--mode=0644'],
      'file: 8192 bytes follow its end at 2048',
    ],
  ])('refuses what GNU tar writes with %s', (_, options, problem) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), 'contents');
    const more = ['--numeric-owner', '-C', folder, '-cf', '-', 'file'];
    expect(problemsOf(execFileSync('tar', [...options, ...more]))).toEqual([problem]);
  });

  test.each([
    // Tar writes the name of a folder with a slash at its end, which is no name here.
    ['archive.tar', 'a folder', (path: string) => mkdirSync(path)],
    ['entry', 'a symbolic link', (path: string) => symlinkSync('elsewhere', path)],
  ])('refuses, in %s, %s', (place, said, make) => {
    const folder = temporaryFolder();
    make(join(folder, 'entry'));
    const options = ['--format=ustar', '--owner=0', '--group=0', '--numeric-owner', '-C', folder, '-cf', '-'];
    expect(problemsOf(execFileSync('tar', [...options, 'entry']))).toEqual([
      `${place}: there is ${said}, and only files and hard links can be in it at 0`,
    ]);
  });

  test('refuses what is no tar at all', () => {
    expect(problemsOf(Buffer.from('PK'.repeat(600)))).toEqual([
      'archive.tar: there is no header of the format ustar at 0',
    ]);
    expect(problemsOf(Buffer.alloc(0))).toEqual(['archive.tar: it ends before its two blocks of zeros at 0']);
  });
});
