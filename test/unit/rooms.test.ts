/**
 * The order of rooms in docs/architecture.md: each room imports only itself and rooms before it. Also the size of the
 * files in git.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const SRC = join(ROOT, 'src');

/** Reads the rooms from the indented lines `floor    room room ...`, lowest first. */
function statedOrder(): string[] {
  const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
  return [...text.matchAll(/^ {4}(core|system|features) +(\S.*)$/gm)].flatMap(([, floor = '', rooms = '']) =>
    rooms.split(/\s+/).map((room) => `${floor}/${room}`),
  );
}

function roomOf(file: string): string {
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

test('the documented order and the folders of the three floors match', () => {
  const rooms = new Set(files.filter((file) => /^(core|system|features)\/.*\//.test(file)).map((file) => roomOf(file)));
  expect([...rooms].sort()).toEqual([...order].sort());
});

test('no room imports a later one', () => {
  const wrong = files
    .filter((file) => order.includes(roomOf(file)))
    .flatMap((file) =>
      importsOf(file)
        .filter(
          (target) => order.indexOf(roomOf(target)) > order.indexOf(roomOf(file)) || !order.includes(roomOf(target)),
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
