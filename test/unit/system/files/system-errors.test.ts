/** Which errors are the system's, and are told in words, and which are bugs, and are thrown on. */
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/core/diagnostics/failure.ts';
import { renderFindings } from '../../../../src/core/diagnostics/render.ts';
import { reading, reasonOf, systemCode } from '../../../../src/system/files/system-errors.ts';
import { newFolder } from '../../../support/folders.ts';

function thrown(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

const withCode = (code: string) => Object.assign(new Error('no matter'), { code });

describe('an error of the system', () => {
  test('has its code and its words', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'full'));
    for (const [work, code, words] of [
      [() => readFileSync(join(folder, 'absent')), 'ENOENT', 'no such file or folder'],
      [() => readFileSync(folder), 'EISDIR', 'it is a folder'],
      [() => mkdirSync(join(folder, 'full')), 'EEXIST', 'something of that name is there'],
    ] as const) {
      const error = thrown(work);
      expect([systemCode(error), reasonOf(error)]).toEqual([code, words]);
    }
  });

  test.each([
    ['EDQUOT', 'the disk quota is used up'],
    ['ENOTFOUND', 'there is no such host'],
    ['EAI_AGAIN', 'EAI_AGAIN'],
    ['ERR_FS_FILE_TOO_LARGE', 'it is larger than 2 GiB'],
    ['Unknown system error -512', 'Unknown system error -512'],
  ])('is one with the code %s too', (code, words) => {
    expect(reasonOf(withCode(code))).toBe(words);
  });
});

describe('a bug', () => {
  // What Node says of calls that are wrong, of a library, of no code, and of what is no error.
  test.each([
    ['a wrong argument', thrown(() => openSync(Object.create(null), 'r')), 'ERR_INVALID_ARG_TYPE'],
    ['a wrong flag', thrown(() => openSync('x', 'zz')), 'ERR_INVALID_ARG_VALUE'],
    ['damaged data', thrown(() => gunzipSync('none')), 'Z_DATA_ERROR'],
    ['an error without a code', new Error('none'), undefined],
    ['a text', 'ENOENT', undefined],
    ['an error with a method’s name for a code', withCode('toString'), 'toString'],
  ])('is thrown on: %s', (_, error, code) => {
    expect(error instanceof Error && 'code' in error ? error.code : undefined).toBe(code);
    expect(systemCode(error)).toBe(undefined);
    expect(thrown(() => reasonOf(error))).toBe(error);
    const read = () => {
      throw error;
    };
    expect(thrown(() => reading('x', read))).toBe(error);
  });
});

test('a read that the system refuses ends with a finding that names the file', () => {
  const error = thrown(() => reading('some/file', () => readFileSync(join(newFolder(), 'absent'))));
  if (!(error instanceof Failure)) throw error;
  expect(renderFindings(error.findings)).toBe(
    'error: some/file cannot be read: no such file or folder. [read-failed]\n  Check that it is there and that you may read it.\n',
  );
});
