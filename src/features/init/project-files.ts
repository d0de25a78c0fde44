/** What makes a folder a project of its own: `package.json`, `.gitignore` and `.gitattributes`, which keep what is in them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../core/diagnostics/failure.ts';
import { finding } from '../../core/diagnostics/finding.ts';
import { isJsonObject, type JsonObject, parsedObject } from '../../core/model/json.ts';
import { FILE_BYTES } from '../../core/platform/limits.ts';
import { VERSION } from '../../system/files/package-version.ts';
import { readPlainFile } from '../../system/files/plain-file.ts';
import { shownPath } from '../../system/files/shown-path.ts';
import { reading } from '../../system/files/system-errors.ts';

const SCRIPTS = {
  check: 'gridpress check --fleet',
  dev: 'gridpress dev',
  build: 'gridpress build',
  start: 'gridpress build && gridpress serve',
};

const IGNORED = [
  'node_modules/',
  '# What gridpress builds, and what it leaves beside it meanwhile',
  'dist/',
  '.dist.*',
];

/** Clones have the same bytes everywhere, whatever `core.autocrlf` says: so have the archives that are made of them. */
const ATTRIBUTES = ['*.yaml text eol=lf'];

/** The files that are missing or lack something, by name. */
export function projectFiles(folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const add = (name: string, text: string | undefined) => {
    if (text !== undefined) files.set(name, text);
  };
  add('package.json', packageFile(folder));
  add('.gitignore', linesFile(join(folder, '.gitignore'), IGNORED));
  add('.gitattributes', linesFile(join(folder, '.gitattributes'), ATTRIBUTES));
  return files;
}

/** With the scripts and the dependency that it has not; undefined where it has all of them. */
function packageFile(folder: string): string | undefined {
  const before = readPackage(join(folder, 'package.json'));
  const held = (name: string): JsonObject => {
    const value = before[name];
    return isJsonObject(value) ? value : {};
  };
  const hasGridpress = 'gridpress' in held('dependencies') || 'gridpress' in held('devDependencies');
  const after = {
    ...(Object.keys(before).length === 0 ? { private: true } : before),
    scripts: { ...SCRIPTS, ...held('scripts') },
    ...(hasGridpress ? {} : { dependencies: { ...held('dependencies'), gridpress: `^${VERSION}` } }),
  };
  return JSON.stringify(before) === JSON.stringify(after) ? undefined : `${JSON.stringify(after, null, 2)}\n`;
}

function readPackage(file: string): JsonObject {
  if (!existsSync(file)) return {};
  const shown = shownPath(file);
  const text = reading(shown, () => readPlainFile(file, FILE_BYTES, shown).toString('utf8'));
  return parsedObject(text) ?? fail(finding('package-broken', { file: shown }));
}

/** With the lines that it has not; undefined where it has all of them. */
function linesFile(file: string, lines: readonly string[]): string | undefined {
  const before = existsSync(file) ? readPlainFile(file, FILE_BYTES).toString('utf8') : '';
  const there = new Set(before.split(/\r?\n/).map((line) => line.replace(/^\//, '').replace(/\/$/, '')));
  const missing = lines.filter((line) => !there.has(line.replace(/\/$/, '')));
  if (missing.every((line) => line.startsWith('#'))) return undefined;
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  return `${before}${gap}${missing.join('\n')}\n`;
}
