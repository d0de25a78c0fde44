/**
 * Parses the code blocks of a documentation page. The first word after the fence is the language. The other words are for
 * the tests:
 *
 * - `sh`: commands that must succeed. `sh serving`: the last command runs until the end of the page.
 *   `sh not run: REASON`: the commands do not run; the options of each gridpress command must exist.
 * - `console`: each line after `$ ` runs and must print the lines below it. A line `...` matches any lines; `...` within
 *   a line matches any text. The last line `(exit status N)` sets an exit status other than 0. It is not a comment after
 *   the command, because an interactive zsh passes such a comment to the command.
 *   `needs PROGRAM` after either language: the block is skipped if the program is missing.
 * - `yaml file: NAME`, in any language: a file to write. `add to file: NAME`: lines to append.
 *
 * The comment `<!-- run in: FOLDER -->` sets the working folder of the page.
 */

export interface Block {
  /** Line number of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  /** The words after the language. */
  readonly note: string;
  readonly text: string;
}

export interface Page {
  readonly folder: string;
  readonly blocks: readonly Block[];
  /** The text outside of all blocks. */
  readonly prose: string;
}

const FENCE = /^ *```(\w*) ?(.*)$/;

export function parsePage(text: string): Page {
  const blocks: Block[] = [];
  const prose: string[] = [];
  let open: { line: number; language: string; note: string; indent: number; lines: string[] } | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const fence = FENCE.exec(line);
    if (!open && fence) {
      open = { line: index + 1, language: fence[1] ?? '', note: fence[2] ?? '', indent: line.indexOf('`'), lines: [] };
    } else if (open && fence) {
      blocks.push({ ...open, text: open.lines.join('\n') });
      open = undefined;
    } else if (open) open.lines.push(line.slice(open.indent));
    else prose.push(line);
  }
  if (open) throw new Error(`the fence of line ${open.line} is never closed`);
  return { folder: /<!-- run in: ([a-z ]+) -->/.exec(text)?.[1] ?? 'an empty folder', blocks, prose: prose.join('\n') };
}

export interface Step {
  readonly command: string;
  readonly expected: string;
  readonly status: number;
}

/** The commands of a `console` block, each with its expected output. */
export function stepsOf({ text }: Block): readonly Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...lines] = part.trimEnd().split('\n');
      const status = /^\(exit status (\d)\)$/.exec(lines.at(-1) ?? '')?.[1];
      const expected = status === undefined ? lines : lines.slice(0, -1);
      return { command, expected: expected.join('\n'), status: Number(status ?? 0) };
    });
}

/** A pattern of the expected output. */
export function patternOf(expected: string): RegExp {
  const lines = expected.split('\n').map((line) =>
    line.trim() === '...'
      ? '(?:.*\n)*'
      : `${line
          .split('...')
          .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}\n`,
  );
  return new RegExp(`^${lines.join('')}$`);
}

/** The gridpress commands in a text, each with its options. */
export function callsIn(text: string): readonly { readonly command: string; readonly options: readonly string[] }[] {
  return [
    ...text.replaceAll('\\\n', ' ').matchAll(/(?:^|npx |\$ |- run: |&& )gridpress (add [a-z]+|[a-z-]+)([^\n|&]*)/gm),
  ].map(([, command = '', rest = '']) => ({ command, options: rest.match(/(?<=\s)--[a-z-]+/g) ?? [] }));
}
