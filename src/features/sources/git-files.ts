/** The lines that gridpress adds to the git files of a project. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_BYTES } from '../../core/platform/limits.ts';
import { readPlainFile } from '../../system/files/file-io.ts';
import { replaceFile } from '../../system/files/replace-file.ts';

export const IGNORED_FILES = [
  'node_modules/',
  '# The tree that gridpress builds, and its staging folders',
  'dist/',
  '.dist.*',
  '# Locks and temporary files of interrupted commands',
  '.*.gridpress*',
];

/** Adds missing lines to `.gitignore`, so that `git add` skips lock files and temporary files. */
export function ignoreOwnFiles(folder: string): void {
  const text = withLines(join(folder, '.gitignore'), IGNORED_FILES);
  if (text !== undefined) replaceFile(folder, '.gitignore', text);
}

/** Returns the text of the file with the missing lines at its end. Returns undefined if no line is missing. */
export function withLines(file: string, lines: readonly string[]): string | undefined {
  const before = existsSync(file) ? readPlainFile(file, FILE_BYTES).toString('utf8') : '';
  const there = new Set(before.split(/\r?\n/).map((line) => line.replace(/^\//, '').replace(/\/$/, '')));
  const missing = lines.filter((line) => !there.has(line.replace(/\/$/, '')));
  if (missing.every((line) => line.startsWith('#'))) return undefined;
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  return `${before}${gap}${missing.join('\n')}\n`;
}
