/**
 * The blocks of a page of documentation that a reader would type or save, in the order in which they stand there. The
 * first word of a fence is its language, for those who read; what follows is for the tests:
 *
 * - `sh`: commands to run, which must end well. `sh serving`: the last one goes on until the page ends.
 *   `sh not run: REASON`: nothing is run; the options of each call of gridpress must still exist.
 * - `console`: each line after `$ ` is run, and what it prints must be the lines below it. `...` on a line of its own is
 *   any lines, and within a line any text; `# exit status N` at the end of a command says how it ends if not with 0.
 *   `needs PROGRAM` after either: where there is no such program, the block is skipped.
 * - `yaml file: NAME`, or with another language: a file to write; `add to file: NAME`, lines to append to one.
 *
 * A comment `<!-- run in: FOLDER -->` says in which folder the reader of the page stands.
 */

export interface Block {
  /** Where its fence opens, from 1. */
  readonly line: number;
  readonly language: string;
  /** What follows the language in the fence's line. */
  readonly note: string;
  readonly text: string;
}

export interface Page {
  readonly folder: string;
  readonly blocks: readonly Block[];
  /** The text outside of all fences, with empty lines in the place of blocks. */
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

/** The commands of a `console` block, each with what it prints. */
export function stepsOf({ text }: Block): readonly Step[] {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = '', ...expected] = part.trimEnd().split('\n');
      const status = /# exit status (\d)$/.exec(command)?.[1] ?? '0';
      return { command, expected: expected.join('\n'), status: Number(status) };
    });
}

/** A pattern of what a page says that is printed. */
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

/** The calls of gridpress in a text: the command, and the options that it is given. */
export function callsIn(text: string): readonly { readonly command: string; readonly options: readonly string[] }[] {
  return [
    ...text.replaceAll('\\\n', ' ').matchAll(/(?:^|npx |\$ |- run: |&& )gridpress (add [a-z]+|[a-z-]+)([^\n|&]*)/gm),
  ].map(([, command = '', rest = '']) => ({ command, options: rest.match(/(?<=\s)--[a-z-]+/g) ?? [] }));
}
