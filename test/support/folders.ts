/** Folders that a test file may use until it is done. */
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

/** A new empty folder, by its real path; gone when all tests of the file are over. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gridpress-e2e-')));
  made.push(folder);
  return folder;
}
