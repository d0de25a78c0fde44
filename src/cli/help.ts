/** `gridpress help`: what commander's own does, but that it refuses a name that no command has. */

import { Argument, type Command, type Option } from 'commander';
import { nearestTo } from '../core/diagnostics/nearest.ts';
import { print } from '../system/terminal/terminal.ts';
import { withExamples } from './options.ts';

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

/** `gridpress completion`: a script that lets a shell complete commands, options and what options may be. */
const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function defineCompletionCommand(program: Command): void {
  withExamples(
    program
      .command('completion')
      .description('Prints a script with which a shell completes commands and options.')
      .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS)),
    [
      'completion bash > ~/.local/share/bash-completion/completions/gridpress',
      'completion zsh > ~/.zfunc/_gridpress',
      'completion fish > ~/.config/fish/completions/gridpress.fish',
    ],
  ).action((shell: Shell) => print(SCRIPTS[shell](callsOf(program))));
}

interface Call {
  readonly words: readonly string[];
  readonly commands: readonly Command[];
  readonly options: readonly Option[];
}

function callsOf(command: Command, words: readonly string[] = []): readonly Call[] {
  const { commands, options } = command;
  const own = { words, commands, options: options.filter((option) => option.long !== undefined) };
  return [own, ...commands.flatMap((each) => callsOf(each, [...words, each.name()]))];
}

const SCRIPTS: Readonly<Record<Shell, (calls: readonly Call[]) => string>> = {
  bash: bashScript,
  zsh: (calls) => `#compdef gridpress\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(calls)}`,
  fish: fishScript,
};

/** A `case` of what the words so far are, and one of the option before the cursor; files where neither says more. */
function bashScript(calls: readonly Call[]): string {
  const cases = calls.map(({ words, commands, options }) => {
    const next = [...commands.map((each) => each.name()), ...options.flatMap(({ long }) => long ?? [])];
    return `    '${words.join(' ')}') next='${next.join(' ')}' ;;`;
  });
  const names = new Set(calls.flatMap(({ commands }) => commands.map((each) => each.name())));
  const choices = new Map(
    calls.flatMap(({ options }) =>
      options.flatMap(({ long, argChoices }) => (long && argChoices ? [[long, argChoices] as const] : [])),
    ),
  );
  const values = [...choices].map(([long, allowed]) => `    ${long}) choices='${allowed.join(' ')}' ;;`);
  return `_gridpress() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= next= choices= each
  for each in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $each in ${[...names].join('|')}) command="\${command:+$command }$each" ;; esac
  done
  case $before in
${values.join('\n')}
  esac
  case $command in
${cases.join('\n')}
  esac
  if [ -n "$choices" ]; then COMPREPLY=($(compgen -W "$choices" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$next" -- "$word"))
    [ "\${word#-}" != "$word" ] || COMPREPLY+=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _gridpress gridpress
`;
}

function fishScript(calls: readonly Call[]): string {
  const lines = calls.flatMap(({ words, commands, options }) => {
    const [first, second] = words;
    const isHere =
      first === undefined
        ? '__fish_use_subcommand'
        : second === undefined
          ? `__fish_seen_subcommand_from ${first}`
          : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
    const at = `complete -c gridpress -n '${isHere}'`;
    return [
      ...commands.map((each) => `${at} -f -a ${each.name()} -d '${quoted(each.description())}'`),
      ...options.map(({ long, argChoices, description }) => {
        const allowed = argChoices ? ` -x -a '${argChoices.join(' ')}'` : '';
        return `${at} -l ${long?.slice(2)}${allowed} -d '${quoted(description)}'`;
      }),
    ];
  });
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
