/** Every command of the README and of the pages in docs is run, in the order in which a reader of the page meets it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configurationSchema } from '../../src/core/model/configuration.ts';
import { gridpress } from '../support/processes/cli.ts';
import { needs } from '../support/processes/programs.ts';
import { type Block, callsIn, parsePage, patternOf, stepsOf } from './page.ts';
import { newReader, type Reader } from './reader.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith('.md'),
);

/** A page's block may read a whole service several times. */
const LONGEST_MS = 240_000;

describe.each(PAGES)('%s', (name) => {
  const page = parsePage(readFileSync(join(ROOT, name), 'utf8'));
  const blocks = page.blocks.filter(({ language, note }) => isCommands(language) || /file: /.test(note));

  test('shows commands in blocks alone, where they are run', () => {
    expect(page.prose.match(/^ {4,}(\$ )?((npx )?gridpress|curl|npm|python3|jq) .*$/gm)).toBeNull();
  });

  test('leads to pages and headings that are there', () => {
    expect(brokenLinks(name, page.prose)).toEqual([]);
  });

  if (blocks.length > 0) {
    describe('does what it says', () => {
      let reader: Reader;
      beforeAll(async () => {
        reader = await newReader(page.folder);
      });
      afterAll(() => reader.close());

      for (const block of blocks) {
        const { isMissing, because } = needs(...programsOf(block));
        test.skipIf(isMissing)(`${titleOf(block)}${because}`, () => follow(reader, block), LONGEST_MS);
      }
    });
  }
});

/** The links of a page to other files of the project, or to headings, that lead nowhere. */
function brokenLinks(name: string, prose: string): string[] {
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [path = '', heading] = link.split('#');
    const file = path === '' ? join(ROOT, name) : join(ROOT, dirname(name), path);
    if (!existsSync(file)) return true;
    return heading !== undefined && !headingsOf(readFileSync(file, 'utf8')).includes(heading);
  });
}

/** The anchors that headings get where Markdown is shown. */
function headingsOf(text: string): string[] {
  const named = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, id = '']) => id);
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...named];
}

function isCommands(language: string): boolean {
  return language === 'sh' || language === 'console';
}

/** What a block needs that not every machine has. */
function programsOf({ note }: Block): string[] {
  return [...note.matchAll(/^needs (\S+)/g)].map(([, name = '']) => name);
}

function titleOf({ line, language, note, text }: Block): string {
  const what = isCommands(language) ? text.split('\n')[0] : '';
  return `line ${line}: ${[note, what].filter(Boolean).join(': ')}`;
}

async function follow(reader: Reader, block: Block): Promise<void> {
  const { language, note, text } = block;
  const file = /file: (\S+)/.exec(note)?.[1];
  if (file !== undefined) reader.write(file, text, note.startsWith('add to') ? 'append' : 'write');
  else if (note.startsWith('not run: ')) await checkOptions(text);
  else if (note === 'serving') await reader.start(text);
  else if (language === 'console') {
    for (const { command, expected, status } of stepsOf(block)) {
      const printed = await reader.run(command);
      expect(`exit status ${printed.status}\n${printed.output}`).toMatch(
        patternOf(`exit status ${status}\n${expected === '' ? '...' : expected}`),
      );
    }
  } else expect(await reader.run(text)).toEqual({ status: 0, output: expect.anything() });
}

/** What cannot be run here must at least be a command that is there, with options that it has. */
async function checkOptions(text: string): Promise<void> {
  for (const { command, options } of callsIn(text)) {
    const { status, stdout } = await gridpress([...command.split(' '), '--help']);
    expect([command, status]).toEqual([command, 0]);
    expect(options.filter((option) => !stdout.includes(`${option} `))).toEqual([]);
  }
}

test('docs/configuration.md says every key of the configuration, and no other', () => {
  const text = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
  const table = text.split('\n## ')[0] ?? '';
  const said = [...table.matchAll(/^\| `([a-z_.]+)` \|/gm)].map(([, key = '']) => key.split('.')[0]);
  expect([...new Set(said)].sort()).toEqual(Object.keys(configurationSchema().shape).sort());
});
