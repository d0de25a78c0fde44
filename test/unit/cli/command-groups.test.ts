import { Command } from 'commander';
import { expect, test } from 'vitest';
import { COMMAND_GROUPS, groupsFor } from '../../../src/cli/program.ts';

test('each group defines its commands, and commands that list all others are never loaded alone', async () => {
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
  { words: ['lock', '--help'], loaded: [['lock', 'verify-lock', 'describe-lock']] },
])('an invocation loads only the group of its command: $words', ({ words, loaded }) => {
  expect(groupsFor(words).map(({ commands }) => commands)).toEqual(loaded);
});

test.each([[[]], [['--help']], [['-C', 'find']], [['fnd']], [['help', 'find']], [['completion', 'bash']]])(
  'an invocation without a command, or of a command that lists all others, loads all groups: %j',
  (words) => {
    expect(groupsFor(words)).toEqual(COMMAND_GROUPS);
  },
);
