/**
 * The order of folders in docs/architecture.md: each folder imports only itself and folders before it. Also the size of
 * the files in git.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const SRC = join(ROOT, 'src');

/** Reads the folders from the indented lines `layer    folder folder ...`, lowest first. */
function statedOrder(): string[] {
  const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
  return [...text.matchAll(/^ {4}(core|system|features) +(\S.*)$/gm)].flatMap(([, layer = '', folders = '']) =>
    folders.split(/\s+/).map((folder) => `${layer}/${folder}`),
  );
}

function folderOf(file: string): string {
  return file.split('/').slice(0, 2).join('/');
}

const IMPORT = /(?:from|import\()\s*'(\.[^']+)'/g;

function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, target = '']) => normalize(join(dirname(file), target)));
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'));
const order = statedOrder();

test('the documented order and the folders of the three layers match', () => {
  const folders = new Set(
    files.filter((file) => /^(core|system|features)\/.*\//.test(file)).map((file) => folderOf(file)),
  );
  expect([...folders].sort()).toEqual([...order].sort());
});

test('no folder imports a later one', () => {
  const wrong = files
    .filter((file) => order.includes(folderOf(file)))
    .flatMap((file) =>
      importsOf(file)
        .filter(
          (target) =>
            order.indexOf(folderOf(target)) > order.indexOf(folderOf(file)) || !order.includes(folderOf(target)),
        )
        .map((target) => `${file} imports ${target}`),
    );
  expect(wrong).toEqual([]);
});

test('git tracks no file of more than 250 kB, such as a downloaded package', () => {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  expect(tracked).toContain('package.json');
  expect(
    tracked.filter((file) => (statSync(join(ROOT, file), { throwIfNoEntry: false })?.size ?? 0) > 250_000),
  ).toEqual([]);
});
