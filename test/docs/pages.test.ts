/** Runs every command of the documentation, in the order of its page. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configurationSchema } from '../../src/core/model/configuration.ts';
import { newFolder } from '../support/folders.ts';
import { gridpress } from '../support/processes/cli.ts';
import { needs } from '../support/processes/programs.ts';
import { type Block, callsIn, parsePage, patternOf, stepsOf } from './page.ts';
import { newReader, type Reader } from './reader.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/README.md', 'test/support/README.md'],
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
];

/** A block can read a whole service several times. */
const LONGEST_MS = 240_000;

describe.each(PAGES)('%s', (name) => {
  const page = parsePage(readFileSync(join(ROOT, name), 'utf8'));
  const blocks = page.blocks.filter(({ language, note }) => isCommands(language) || /file: /.test(note));

  test('contains commands in code blocks only', () => {
    expect(page.prose.match(/^ {4,}(\$ )?((npx )?gridpress|curl|npm|python3|jq) .*$/gm)).toBeNull();
  });

  test('links to existing pages and headings', () => {
    expect(brokenLinks(name, page.prose)).toEqual([]);
  });

  test('names existing paths of the project', () => {
    expect(missingPaths(name, page.prose)).toEqual([]);
  });

  if (blocks.length > 0) {
    describe('commands', () => {
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

/** The relative links of a page whose file or heading does not exist. */
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

/** Folders that a build or an installation creates. */
const GENERATED = ['dist', 'lib', 'node_modules'];

/** The paths in inline code that begin with a folder of the project and do not exist. */
function missingPaths(name: string, prose: string): string[] {
  const bases = [ROOT, join(ROOT, dirname(name)), ...(name === 'docs/architecture.md' ? [join(ROOT, 'src')] : [])];
  const paths = [...prose.matchAll(/`([\w.-]+\/[\w./-]*)`/g)].map(([, path = '']) => path);
  return paths.filter((path) => {
    const [folder = ''] = path.split('/');
    const isOfProject = !GENERATED.includes(folder) && bases.some((base) => existsSync(join(base, folder)));
    return isOfProject && !bases.some((base) => existsSync(join(base, path)));
  });
}

/** The anchors that Markdown renderers give to headings. */
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

/** The programs that a block needs. */
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

/** Commands that do not run must exist, with all their options. */
async function checkOptions(text: string): Promise<void> {
  for (const { command, options } of callsIn(text)) {
    const { status, stdout } = await gridpress([...command.split(' '), '--help']);
    expect([command, status]).toEqual([command, 0]);
    expect(options.filter((option) => !stdout.includes(`${option} `))).toEqual([]);
  }
}

const zsh = needs('zsh');
test.skipIf(zsh.isMissing)(
  `zsh expands nothing in the commands of the pages and of the help${zsh.because}`,
  async () => {
    const commands = PAGES.flatMap((name) =>
      parsePage(readFileSync(join(ROOT, name), 'utf8')).blocks.flatMap(({ language, text }) =>
        isCommands(language) ? text.replaceAll('\\\n', ' ').split('\n') : [],
      ),
    );
    const examples = await Promise.all(
      namesIn((await gridpress(['--help'])).stdout).map(async (name) => (await gridpress([name, '--help'])).stdout),
    );
    const lines = [...commands, ...examples.join('\n').split('\n')].flatMap(
      (line) => /^(?: {2})?(?:\$ )?(?:gridpress|curl) (?<rest>[^|>&;$()`]*)$/.exec(line)?.groups?.['rest'] ?? [],
    );
    expect(lines.length).toBeGreaterThan(100);
    const script = ['ignore() { : }', ...lines.map((line) => `ignore ${line}`)].join('\n');
    const cwd = newFolder();
    // Some commands name files of earlier commands by a pattern.
    mkdirSync(join(cwd, 'archives', 'gridpress-meridian-8b5c9412', 'data', 'tree'), { recursive: true });
    writeFileSync(join(cwd, 'archives', 'one.tar.gz'), '');
    expect(spawnSync('zsh', ['-f', '-c', script], { cwd, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  },
);

test('the served folder has one path, and one page describes rsync', () => {
  const pages = PAGES.filter((name) => name.startsWith('docs/') || name === 'README.md');
  const texts = pages.map((name) => [name, readFileSync(join(ROOT, name), 'utf8')] as const);
  expect(texts.flatMap(([, text]) => text.match(/\/srv\/(?!api\b|testbed\b|mirror\b)\w+/g) ?? [])).toEqual([]);
  expect(texts.flatMap(([name, text]) => (/^rsync /m.test(text) ? [name] : []))).toEqual(['docs/publish.md']);
  expect(texts.flatMap(([name, text]) => (text.includes('gridpress build --host') ? [name] : []))).toEqual([]);
});

test('every command accepts --json, except those that README.md names', async () => {
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  const exceptions = /^Every command except (.+) accepts `--json`/m.exec(readme)?.[1] ?? '';
  const commands = namesIn((await gridpress(['--help'])).stdout).flatMap((command) =>
    command === 'add' ? ['node', 'site', 'cluster', 'flavor'].map((kind) => `add ${kind}`) : [command],
  );
  const without: string[] = [];
  for (const command of commands) {
    if (!(await gridpress([...command.split(' '), '--help'])).stdout.includes('--json ')) without.push(command);
  }
  expect(without).toEqual([...exceptions.matchAll(/`([a-z]+)`/g)].map(([, command]) => command));
});

test('CONTRIBUTING.md gives the maximum size of the package', () => {
  const [most] = /(?<=MOST_PACKED = )[\d_]+/.exec(readFileSync(join(ROOT, 'scripts/check-package.js'), 'utf8')) ?? [];
  const [kilobytes] = /\d+(?= kB)/.exec(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')) ?? [];
  expect(Number(kilobytes) * 1000).toBe(Number(most?.replaceAll('_', '')));
});

/** The commands that a help text lists. */
function namesIn(help: string): string[] {
  return [...help.matchAll(/^ {2}([a-z][a-z-]+) {2,}/gm)].map(([, name = '']) => name);
}

test('docs/glossary.md has at most 40 terms, each with one sentence', () => {
  const rows = [...readFileSync(join(ROOT, 'docs/glossary.md'), 'utf8').matchAll(/^\| \*\*(.+?)\*\* \| (.+?) \|/gm)];
  expect(rows.length).toBeLessThanOrEqual(40);
  expect(rows.filter(([, , meaning = '']) => !/^[A-Z][^.]*(?:\.[^ ][^.]*)*\.$/.test(meaning))).toEqual([]);
});

test.each(['README.md', 'docs/architecture.md'])('%s has at most 120 lines', (name) => {
  expect(readFileSync(join(ROOT, name), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

test('the decisions have a title, a date, a context, a choice and a consequence, and together at most 15 kB', () => {
  const folder = join(ROOT, 'docs/decisions');
  const names = readdirSync(folder).filter((name) => name !== 'README.md');
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(names.filter((name) => !/^\d{4}(?:-[a-z0-9]+)+\.md$/.test(name))).toEqual([]);
  const form = /^# .+\n\nDate: \d{4}-\d\d-\d\d\n\n\*\*Context:\*\* .+\n\*\*Choice:\*\* .+\n\*\*Consequence:\*\* /s;
  expect(names.filter((_, i) => !form.test(texts[i] ?? ''))).toEqual([]);
  expect(Buffer.byteLength(texts.join(''))).toBeLessThanOrEqual(15_000);
});

test('CHANGELOG.md has the headings of Keep a Changelog', () => {
  const headings = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').match(/^##+ .+$/gm) ?? [];
  const version = /^## \[\d+\.\d+\.\d+\] - (?:\d{4}-\d\d-\d\d|Unreleased)$/;
  const kind = /^### (?:Added|Changed|Deprecated|Removed|Fixed|Security)$/;
  expect(headings.length).toBeGreaterThan(1);
  expect(headings.filter((line) => !version.test(line) && !kind.test(line))).toEqual([]);
});

test('docs/configuration.md lists every key of the configuration, and no other', () => {
  const text = readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8');
  const table = text.split('\n## ')[0] ?? '';
  const said = [...table.matchAll(/^\| `([a-z_.]+)` \|/gm)].map(([, key = '']) => key.split('.')[0]);
  expect([...new Set(said)].sort()).toEqual(Object.keys(configurationSchema().shape).sort());
});
