import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SOURCE_LIMITS, type SourceLimits } from '../../../../src/core/platform/limits.ts';
import { listFolder, readFolder } from '../../../../src/system/files/read-folder.ts';
import { failureOf } from '../../../support/processes/failure.ts';
import { needs } from '../../../support/processes/programs.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const FILE = 'grid.yaml';
const digestOfText = (text: string) => createHash('sha256').update(text).digest('base64');

/** A folder with one file, as listed. */
function folderWith(text: string, limits: Partial<SourceLimits> = {}) {
  const root = temporaryFolder();
  writeFileSync(join(root, FILE), text);
  const folder = readFolder(root, 'data', { ...SOURCE_LIMITS, ...limits }, listFolder(root, 'data'));
  return { path: join(root, FILE), ...folder };
}

describe('the digest of a file', () => {
  test.each([
    ['none', ''],
    ['a few', 'uid: meridian\n'],
    ['a MiB', 'x'.repeat(1 << 20)],
    ['more than that', 'y'.repeat((1 << 20) + 1)],
  ])('covers all its bytes: %s', (_, text) => {
    expect(folderWith(text).digestOf(FILE)).toBe(digestOfText(text));
  });

  test('covers the text with Unix line endings', () => {
    expect(folderWith('uid: meridian\r\ntype: grid\r\n').digestOf(FILE)).toBe(
      digestOfText('uid: meridian\ntype: grid\n'),
    );
  });

  test('covers the contents of the first read', () => {
    const { path, folder, digestOf } = folderWith('uid: meridian\n');
    folder.read(FILE);
    writeFileSync(path, 'uid: lyra\n');
    expect(digestOf(FILE)).toBe(digestOfText('uid: meridian\n'));
  });
});

describe('digestOf rejects a file', () => {
  test('above the size limit', async () => {
    const { digestOf } = folderWith('uid: meridian\n', { source_bytes: 13 });
    expect(
      await failureOf(() => digestOf(FILE)),
    ).toBe(`error: data/grid.yaml cannot be read: it has 14 bytes, more than the 13 bytes that are read. [too-large]
  Split the file, or raise limits.source_bytes in gridpress.yaml to at most 256.0 MB.
`);
  });

  test('that was deleted', async () => {
    const { path, digestOf } = folderWith('uid: meridian\n');
    rmSync(path);
    expect(
      await failureOf(() => digestOf(FILE)),
    ).toBe(`error: data/grid.yaml cannot be read: no such file or folder. [read-failed]
  Check that it exists, and that you may read it.
`);
  });

  const { isMissing, because } = needs('mkfifo');
  const NO_FILE = `error: data/grid.yaml cannot be read: it is a pipe or a device, not a plain file. [read-failed]
  Check that it exists, and that you may read it.
`;
  test.skipIf(isMissing)(`that became a pipe${because}`, async () => {
    const { path, digestOf } = folderWith('uid: meridian\n');
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(await failureOf(() => digestOf(FILE))).toBe(NO_FILE);
  });

  test.skipIf(isMissing)(`that became a pipe with data${because}`, async () => {
    const { path, digestOf } = folderWith('uid: meridian\n');
    rmSync(path);
    execFileSync('mkfifo', [path]);
    // An open reader keeps the data in the pipe.
    const reader = openSync(path, 'r+');
    execFileSync('sh', ['-c', `printf 'uid: lyra\\n' > "$0"`, path]);
    const other = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    closeSync(reader);
    try {
      expect(await failureOf(() => digestOf(FILE))).toBe(NO_FILE);
    } finally {
      closeSync(other);
    }
  });
});
