/** `gridpress help` works like commander's own help command, but rejects unknown commands. */
import { Argument, type Command, type Option } from 'commander';
import { suggestSimilar } from '../core/diagnostics/nearest.ts';
import { print } from '../system/terminal/terminal.ts';
import { addExamples } from './options.ts';

export function defineHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('Show the arguments and options of a command.')
    .argument('[command...]', 'the name of the command, such as: help add node')
    .action((names: readonly string[]) => commandCalled(program, names).outputHelp());
  // Commander prints its help for `bild --help` before it checks the name of the command.
  program.addHelpText('before', () => {
    const [name] = program.args;
    if (name !== undefined && !name.startsWith('-')) commandCalled(program, [name]);
    return '';
  });
}

function commandCalled(program: Command, names: readonly string[]): Command {
  return names.reduce((command, name) => {
    const found = command.commands.find((each) => each.name() === name);
    return found ?? program.error(unknownCommandMessage(name, command));
  }, program);
}

function unknownCommandMessage(name: string, { commands }: Command): string {
  const [meant] = suggestSimilar(
    name,
    commands.map((each) => each.name()),
  );
  return `error: unknown command '${name}'${meant === undefined ? '' : `\n(Did you mean ${meant}?)`}`;
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

export function defineCompletionCommand(program: Command): void {
  addExamples(
    program
      .command('completion')
      .description('Print a script that lets a shell complete commands and options.')
      .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS)),
    [
      'completion bash > ~/.local/share/bash-completion/completions/gridpress',
      'completion zsh > ~/.zfunc/_gridpress',
      'completion fish > ~/.config/fish/completions/gridpress.fish',
    ],
  ).action((shell: Shell) => print(SCRIPTS[shell](completionContexts(program))));
}

interface CompletionContext {
  readonly words: readonly string[];
  readonly commands: readonly Command[];
  readonly options: readonly Option[];
}

function completionContexts(command: Command, words: readonly string[] = []): readonly CompletionContext[] {
  const { commands, options } = command;
  const own = { words, commands, options: options.filter((option) => option.long !== undefined) };
  return [own, ...commands.flatMap((each) => completionContexts(each, [...words, each.name()]))];
}

const SCRIPTS: Readonly<Record<Shell, (calls: readonly CompletionContext[]) => string>> = {
  bash: bashScript,
  zsh: (calls) => `#compdef gridpress\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(calls)}`,
  fish: fishScript,
};

/**
 * Completes commands, options, and choices of the option before the cursor. Completes file names in all other
 * positions.
 */
function bashScript(calls: readonly CompletionContext[]): string {
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

function fishScript(calls: readonly CompletionContext[]): string {
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
