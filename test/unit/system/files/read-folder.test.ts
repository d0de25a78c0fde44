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

/** A folder with one file, as it is when it was listed. */
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
  ])('is of all its bytes: %s', (_, text) => {
    expect(folderWith(text).digestOf(FILE)).toBe(digestOfText(text));
  });

  test('is of the text with the newlines of Unix', () => {
    expect(folderWith('uid: meridian\r\ntype: grid\r\n').digestOf(FILE)).toBe(
      digestOfText('uid: meridian\ntype: grid\n'),
    );
  });

  test('is of what the file was when it was first read', () => {
    const { path, folder, digestOf } = folderWith('uid: meridian\n');
    folder.read(FILE);
    writeFileSync(path, 'uid: lyra\n');
    expect(digestOf(FILE)).toBe(digestOfText('uid: meridian\n'));
  });
});

describe('no digest has a file', () => {
  test('of more bytes than may be read', async () => {
    const { digestOf } = folderWith('uid: meridian\n', { source_bytes: 13 });
    expect(
      await failureOf(() => digestOf(FILE)),
    ).toBe(`error: data/grid.yaml cannot be read: it has 14 bytes, more than the 13 bytes that are read. [too-large]
  Take it apart, or raise limits.source_bytes in gridpress.yaml, to 256.0 MB at the most.
`);
  });

  test('that is gone', async () => {
    const { path, digestOf } = folderWith('uid: meridian\n');
    rmSync(path);
    expect(
      await failureOf(() => digestOf(FILE)),
    ).toBe(`error: data/grid.yaml cannot be read: no such file or folder. [read-failed]
  Check that it is there and that you may read it.
`);
  });

  const { isMissing, because } = needs('mkfifo');
  const NO_FILE = `error: data/grid.yaml cannot be read: it is no plain file, but a pipe or a device. [read-failed]
  Check that it is there and that you may read it.
`;
  test.skipIf(isMissing)(`that became a pipe${because}`, async () => {
    const { path, digestOf } = folderWith('uid: meridian\n');
    rmSync(path);
    execFileSync('mkfifo', [path]);
    expect(await failureOf(() => digestOf(FILE))).toBe(NO_FILE);
  });

  test.skipIf(isMissing)(`that became a pipe with a text in it${because}`, async () => {
    const { path, digestOf } = folderWith('uid: meridian\n');
    rmSync(path);
    execFileSync('mkfifo', [path]);
    // What was written stays in it as long as somebody could read it.
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
