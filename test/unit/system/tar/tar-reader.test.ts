import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { needsGnuTar } from '../../../support/processes/programs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { random } from '../../../support/values/random.ts';
import { indexed, NEW_YEAR, problemsOf, tarOf } from '../../../support/values/tar.ts';

const SAMPLE = tarOf((tar) => {
  tar.file('a', Buffer.from('hello'), NEW_YEAR);
  tar.link('b', 'a', NEW_YEAR);
  tar.file('c/d', Buffer.alloc(600, 'd'), NEW_YEAR);
});
/** Offsets of its parts. */
const [LINK, THIRD, END] = [1024, 1536, 3072];

function altered(offset: number, change: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.from(SAMPLE);
  change(bytes.subarray(offset));
  return bytes;
}

const gnuTar = needsGnuTar();

describe('the tar reader', () => {
  test('returns entries with the offsets of their contents', () => {
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

  test('reads a tar file without entries', () => {
    expect(problemsOf(tarOf(() => {}))).toEqual([]);
  });

  test.each([
    ['a flipped bit of a name', 0, 1, '`: the checksum of the header is wrong at 0'],
    ['a flipped bit of the mode', 102, 1, 'a: the header field mode has an unexpected value at 0'],
    ['a flipped bit of a size', 134, 1, 'a: the checksum of the header is wrong at 0'],
    ['a flipped bit of the checksum', 150, 1, 'a: the checksum of the header is wrong at 0'],
    ["a flipped bit of an owner's name", 270, 4, 'a: the header field uname has an unexpected value at 0'],
    ['a flipped bit outside of fields', 505, 4, 'a: the header field padding has an unexpected value at 0'],
    ['a flipped bit of padding', 700, 8, 'a: the padding after the entry is not zero at 517'],
    ['a flipped bit of the second header', LINK, 8, 'j: the checksum of the header is wrong at 1024'],
    ['a flipped bit of the target of a link', LINK + 157, 2, 'b: the checksum of the header is wrong at 1024'],
    ['a flipped bit of the first end block', END, 1, 'c/d: it has no header in the ustar format at 3072'],
    ['a flipped bit of the second end block', END + 600, 1, 'c/d: the second block of its end is not zero at 3584'],
  ])('reports %s', (_, offset, bit, problem) => {
    const flipped = altered(offset, (bytes) => {
      bytes[0] = (bytes[0] ?? 0) ^ bit;
    });
    expect(problemsOf(flipped)).toEqual([problem]);
  });

  test('reports every flipped bit outside of contents', () => {
    const inContents = (at: number) => (at >= 512 && at < 517) || (at >= 2048 && at < 2648);
    for (let at = 0; at < SAMPLE.length; at += 3) {
      const bit = 1 << (at % 8);
      const found = problemsOf(altered(at, (bytes) => bytes.writeUInt8((bytes[0] ?? 0) ^ bit)));
      expect([at, found.length > 0]).toEqual([at, !inContents(at)]);
    }
  });

  test('reports every truncation and every addition', () => {
    const cut = random(7);
    for (let i = 0; i < 50; i++) {
      const length = cut.below(SAMPLE.length);
      expect([length, problemsOf(SAMPLE.subarray(0, length)).length]).toEqual([length, 1]);
    }
    expect(problemsOf(SAMPLE.subarray(0, END + 512))).toEqual(['c/d: it ends before its two zero blocks at 3072']);
    expect(problemsOf(SAMPLE.subarray(0, THIRD + 1000))).toEqual([
      'c/d: it ends within c/d, which has 600 bytes at 1536',
    ]);
    expect(problemsOf(Buffer.concat([SAMPLE, Buffer.alloc(512)]))).toEqual(['c/d: 512 bytes follow its end at 4096']);
  });

  test('rejects duplicate names and links to later entries', () => {
    const [first, link] = [SAMPLE.subarray(0, LINK), SAMPLE.subarray(LINK, THIRD)];
    expect(problemsOf(Buffer.concat([first, SAMPLE]))).toEqual(['a: a already exists at 1024']);
    expect(problemsOf(Buffer.concat([link, SAMPLE]))).toEqual([
      'b: it is a link to a, which is not an earlier file at 0',
    ]);
  });

  test('rejects a name outside the folder', () => {
    const bytes = tarOf((tar) => tar.file('xx/x', Buffer.from(''), NEW_YEAR));
    bytes.write('../x', 0);
    expect(problemsOf(bytes)).toEqual([
      'archive.tar: the name of the entry is invalid: it must be a relative path without empty segments, "." and ".." at 0',
    ]);
  });

  test.skipIf(gnuTar.isMissing).each([
    ['its own format', ['--format=gnu'], 'archive.tar: it has no header in the ustar format at 0'],
    ['another owner', ['--format=ustar', '--owner=me:1000'], 'file: the header field uid has an unexpected value at 0'],
    [
      'extended headers',
      ['--format=posix'],
      'archive.tar: it contains an extended header; only files and hard links are allowed at 0',
    ],
    [
      'another mode',
      ['--format=ustar', '--owner=0', '--group=0', '--mode=0600'],
      'file: the header field mode has an unexpected value at 0',
    ],
    [
      'more blocks at its end',
      ['--format=ustar', '--owner=0', '--group=0', '--mode=0644'],
      'file: 8192 bytes follow its end at 2048',
    ],
  ])(`rejects GNU tar output with %s${gnuTar.because}`, (_, options, problem) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), 'contents');
    const more = ['--numeric-owner', '-C', folder, '-cf', '-', 'file'];
    expect(problemsOf(execFileSync('tar', [...options, ...more]))).toEqual([problem]);
  });

  test.skipIf(gnuTar.isMissing).each([
    // tar writes folder names with a trailing slash, which is rejected.
    ['archive.tar', 'a folder', (path: string) => mkdirSync(path)],
    ['entry', 'a symbolic link', (path: string) => symlinkSync('elsewhere', path)],
  ])(`rejects, in %s, %s${gnuTar.because}`, (place, said, make) => {
    const folder = temporaryFolder();
    make(join(folder, 'entry'));
    const options = ['--format=ustar', '--owner=0', '--group=0', '--numeric-owner', '-C', folder, '-cf', '-'];
    expect(problemsOf(execFileSync('tar', [...options, 'entry']))).toEqual([
      `${place}: it contains ${said}; only files and hard links are allowed at 0`,
    ]);
  });

  test('rejects files that are not tar files', () => {
    expect(problemsOf(Buffer.from('PK'.repeat(600)))).toEqual([
      'archive.tar: it has no header in the ustar format at 0',
    ]);
    expect(problemsOf(Buffer.alloc(0))).toEqual(['archive.tar: it ends before its two zero blocks at 0']);
  });
});
