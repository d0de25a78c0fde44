/**
 * Folders of expected files. `BLESS=1 npx vitest run FILE` replaces them with the current output; review the difference
 * before you commit.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';

/** Expects exactly the files of the folder, byte for byte. */
export function expectFiles(folder: string, files: ReadonlyMap<string, string>): void {
  if (process.env['BLESS'] === '1') bless(folder, files);
  expect(Object.fromEntries(files)).toEqual(readFiles(folder));
}

function bless(folder: string, files: ReadonlyMap<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function readFiles(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map(({ parentPath, name }) => {
      const file = join(parentPath, name);
      return [relative(folder, file), readFileSync(file, 'utf8')];
    }),
  );
}
