import { Command } from 'commander';
import { expect, test } from 'vitest';
import { COMMAND_GROUPS, groupsFor } from '../../../src/cli/program.ts';

test('each group defines the commands that it is loaded for, and those that tell of all are never alone', async () => {
  const alone: string[] = [];
  for (const { commands, define } of COMMAND_GROUPS) {
    const program = new Command();
    (await define())(program);
    const defined = program.commands.map((command) => command.name());
    if (commands.length > 0) expect(defined).toEqual(commands);
    else alone.push(...defined);
  }
  expect(alone).toEqual(['completion', 'help']);
});

test.each([
  { words: ['find', 'x = 1'], loaded: [['find']] },
  { words: ['lock', '--help'], loaded: [['lock', 'verify-lock']] },
])('a call loads what defines its command: $words', ({ words, loaded }) => {
  expect(groupsFor(words).map(({ commands }) => commands)).toEqual(loaded);
});

test.each([[[]], [['--help']], [['-C', 'find']], [['fnd']], [['help', 'find']], [['completion', 'bash']]])(
  'a call that names no command first, or one that tells of all, loads all: %j',
  (words) => {
    expect(groupsFor(words)).toEqual(COMMAND_GROUPS);
  },
);
