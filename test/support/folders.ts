/** Folders that exist until the tests of a file end. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const made: string[] = [];

/** The tree of a real registry has hundreds of thousands of files. */
const LONGEST_MS = 600_000;

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
}, LONGEST_MS);

/** Creates an empty folder and returns its real path. It is deleted after the tests of the file. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gridpress-e2e-')));
  made.push(folder);
  return folder;
}
