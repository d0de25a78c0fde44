/** System errors become findings; other errors are bugs and are thrown again. */
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../../../src/core/diagnostics/finding.ts';
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

describe('a system error', () => {
  test('has a code and a description', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'full'));
    for (const [work, code, words] of [
      [() => readFileSync(join(folder, 'absent')), 'ENOENT', 'no such file or folder'],
      [() => readFileSync(folder), 'EISDIR', 'it is a folder'],
      [() => mkdirSync(join(folder, 'full')), 'EEXIST', 'it already exists'],
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
    [`Unknown system error ${-constants.errno.EDQUOT}`, 'the disk quota is used up'],
    ['Unknown system error -512', 'Unknown system error -512'],
  ])('may have the code %s', (code, words) => {
    expect(reasonOf(withCode(code))).toBe(words);
  });
});

describe('a bug', () => {
  // Errors of wrong calls, of a library, without a code, and values that are not errors.
  test.each([
    ['a wrong argument', thrown(() => openSync(Object.create(null), 'r')), 'ERR_INVALID_ARG_TYPE'],
    ['a wrong flag', thrown(() => openSync('x', 'zz')), 'ERR_INVALID_ARG_VALUE'],
    ['damaged data', thrown(() => gunzipSync('none')), 'Z_DATA_ERROR'],
    ['an error without a code', new Error('none'), undefined],
    ['a text', 'ENOENT', undefined],
    ['an error with a method’s name for a code', withCode('toString'), 'toString'],
  ])('is thrown again: %s', (_, error, code) => {
    expect(error instanceof Error && 'code' in error ? error.code : undefined).toBe(code);
    expect(systemCode(error)).toBe(undefined);
    expect(thrown(() => reasonOf(error))).toBe(error);
    const read = () => {
      throw error;
    };
    expect(thrown(() => reading('x', read))).toBe(error);
  });
});

test('a failed read becomes a finding with the file name', () => {
  const error = thrown(() => reading('some/file', () => readFileSync(join(newFolder(), 'absent'))));
  if (!(error instanceof Failure)) throw error;
  expect(renderFindings(error.findings)).toBe(
    'error: some/file cannot be read: no such file or folder. [read-failed]\n  Check that it exists, and that you may read it.\n',
  );
});
