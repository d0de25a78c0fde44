/** `gridpress help`: what commander's own does, but that it refuses a name that no command has. */
import type { Command } from 'commander';
import { nearestTo } from '../core/diagnostics/nearest.ts';

export function defineHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('Shows what a command takes.')
    .argument('[command...]', 'its name, or names: help add node')
    .action((names: readonly string[]) => commandCalled(program, names).outputHelp());
  // commander shows its help for `bild --help`, before it looks whether there is such a command.
  program.addHelpText('before', () => {
    const [name] = program.args;
    if (name !== undefined && !name.startsWith('-')) commandCalled(program, [name]);
    return '';
  });
}

function commandCalled(program: Command, names: readonly string[]): Command {
  return names.reduce((command, name) => {
    const found = command.commands.find((each) => each.name() === name);
    return found ?? program.error(unknown(name, command));
  }, program);
}

/** As commander says it. */
function unknown(name: string, { commands }: Command): string {
  const [meant] = nearestTo(
    name,
    commands.map((each) => each.name()),
  );
  return `error: unknown command '${name}'${meant === undefined ? '' : `\n(Did you mean ${meant}?)`}`;
}
