/** docs/architecture.md names many files by their last part, so that `pages.test.ts` does not find their folders. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const SRC = join(ROOT, 'src');
const LAYERS = ['core', 'system', 'features'];
const TEXT = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
/** The section about the tree names files of a tree. */
const BLOCKS = TEXT.replace(/\n## The tree\n.*?(?=\n## )/s, '').split(/\n\n|\n(?=\|)/);

interface NamedFile {
  readonly name: string;
  /** Undefined if the file does not exist. */
  readonly place: string | undefined;
  /** The function or the constant in parentheses after the name. */
  readonly exported: string | undefined;
}

/** Searches the project, `src`, the folders in the first cell of a row, and the folder of the last name before this one. */
function namedFiles(block: string): readonly NamedFile[] {
  const [, cell = ''] = /^\| ([a-z, ]+) \|/.exec(block) ?? [];
  const folders = cell.split(', ').flatMap((folder) => LAYERS.map((layer) => join(SRC, layer, folder)));
  let before = SRC;
  return [...block.matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\/|\.[jt]sx?|(?<=\/[\w-]+)))`(?: \(`(\w+)`\))?/g)].map(
    ([, name = '', exported]) => {
      const place = [before, ROOT, SRC, join(SRC, 'features'), ...folders]
        .map((folder) => join(folder, name))
        .find((path) => existsSync(path));
      if (place !== undefined) before = statSync(place).isDirectory() ? place : dirname(place);
      return { name, place, exported };
    },
  );
}

const FILES = BLOCKS.flatMap(namedFiles);

test('docs/architecture.md names existing files and folders', () => {
  expect(FILES.length).toBeGreaterThan(100);
  expect(FILES.filter(({ place }) => place === undefined)).toEqual([]);
});

test('docs/architecture.md names functions and constants of the file before them', () => {
  const named = FILES.filter(({ exported }) => exported !== undefined);
  expect(named.length).toBeGreaterThan(10);
  expect(
    named.filter(({ place, exported }) => {
      const text = place !== undefined && statSync(place).isFile() ? readFileSync(place, 'utf8') : '';
      return !new RegExp(`\\b(?:function|const|class|interface|type) ${exported}\\b`).test(text);
    }),
  ).toEqual([]);
});
