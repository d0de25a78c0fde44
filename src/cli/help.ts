/** `gridpress help` works like commander's own help command, but rejects unknown commands. */
import { Argument, type Command, type Option } from 'commander';
import { suggestSimilar } from '../core/diagnostics/nearest.ts';
import { HOSTS } from '../core/hosts/all.ts';
import { LABEL_NAMES } from '../core/labels/label-fields.ts';
import { describedFields } from '../core/model/fields/field-descriptions.ts';
import { print } from '../system/terminal/terminal.ts';
import { addExamples } from './options.ts';

export function defineHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('Show the arguments and options of a command.')
    .argument('[command...]', 'the name of the command, such as: help add node')
    .action((names: readonly string[]) => commandCalled(program, names).outputHelp());
  // Commander prints help for a misspelled command, such as `bild --help`, before checking the command's name.
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
  readonly takesNodes: boolean;
}

function completionContexts(command: Command, words: readonly string[] = []): readonly CompletionContext[] {
  const { commands, options, registeredArguments } = command;
  const takesNodes = registeredArguments.some(({ description }) => NAMES_NODE.test(description));
  // The arguments of `help` are commands.
  const offered = command.name() === 'help' && command.parent ? command.parent.commands : commands;
  const shown = options.filter(({ long, hidden }) => long !== undefined && !hidden);
  const own = { words, commands: offered, takesNodes, options: shown };
  return [own, ...commands.flatMap((each) => completionContexts(each, [...words, each.name()]))];
}

const NAMES_NODE = /\bnames? of (?:a node|nodes|a resource|resources)\b|\bor a node\b/;

function valuesOf({ long, argChoices }: Option, command: string): readonly string[] | undefined {
  if (argChoices) return argChoices;
  if (long === '--host') return HOSTS.map(({ name }) => name);
  return command === 'find' && (long === '--columns' || long === '--sort') ? FIELD_NAMES : undefined;
}

const FIELD_NAMES = [...describedFields('node'), ...LABEL_NAMES.map((name) => `label.${name}`)];

/**
 * This shell command prints the names of the nodes of a registry. Starting Node would be slower. The last `grep` drops
 * names with other characters, because `compgen -W` would run a command in a name.
 */
const NODE_NAMES = `grep -rhs --include='*.yaml' '^node_name:' registry-data/sites 2>/dev/null | sed 's/^node_name: *//; s/["'"'"']//g; s/ .*//' | grep -x '[A-Za-z0-9._-]*'`;

const SCRIPTS: Readonly<Record<Shell, (calls: readonly CompletionContext[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** The script completes commands, options, option values and node names, or file names if nothing else matches. */
function bashScript(calls: readonly CompletionContext[]): string {
  const cases = calls.map(({ words, commands, options, takesNodes }) => {
    const next = [...commands.map((each) => each.name()), ...options.flatMap(({ long }) => long ?? [])];
    return `    '${words.join(' ')}') next='${next.join(' ')}'${takesNodes ? ' nodes=yes' : ''} ;;`;
  });
  // An option can have a value that is also the name of a command, such as `--group-by site`.
  const known = calls.flatMap(({ words }) => (words.length > 0 ? [`'${words.join(' ')}'`] : []));
  const values = calls.flatMap(({ words, options }) =>
    options.flatMap((option) => {
      const allowed = valuesOf(option, words.join(' '));
      return allowed ? [`    '${words.join(' ')} ${option.long}') choices='${allowed.join(' ')}' ;;`] : [];
    }),
  );
  return `_gridpress_nodes() {
  ${NODE_NAMES}
}
_gridpress() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= next= choices= nodes= each
  for each in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    case "\${command:+$command }$each" in ${known.join('|')}) command="\${command:+$command }$each" ;; esac
  done
  case "$command $before" in
${values.join('\n')}
  esac
  case $command in
${cases.join('\n')}
  esac
  if [ -n "$choices" ]; then COMPREPLY=($(compgen -W "$choices" -- "$word"))
  else
    COMPREPLY=($(compgen -W "$next" -- "$word"))
    [ "\${word#-}" != "$word" ] || [ -z "$nodes" ] || COMPREPLY+=($(compgen -W "$(_gridpress_nodes)" -- "$word"))
    [ "\${word#-}" != "$word" ] || while IFS= read -r each; do COMPREPLY+=("$each"); done < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _gridpress gridpress
`;
}

/** zsh runs the whole script at the first completion, so the script then also completes. */
function zshScript(calls: readonly CompletionContext[]): string {
  return `#compdef gridpress
autoload -U +X bashcompinit && bashcompinit
${bashScript(calls)}[ "\${funcstack[1]}" != _gridpress ] || _bash_complete -o filenames -F _gridpress
`;
}

function fishScript(calls: readonly CompletionContext[]): string {
  const lines = calls.flatMap(({ words, commands, options, takesNodes }) => {
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
      ...(takesNodes ? [`${at} -a '(__gridpress_nodes)'`] : []),
      ...options.map((option) => {
        const values = valuesOf(option, words.join(' '));
        const allowed = values ? ` -x -a '${values.join(' ')}'` : '';
        return `${at} -l ${option.long?.slice(2)}${allowed} -d '${quoted(option.description)}'`;
      }),
    ];
  });
  return `function __gridpress_nodes\n  sh -c '${quoted(NODE_NAMES)}'\nend\n${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
}
