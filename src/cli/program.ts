/** Defines the command line. Loads only the modules of the called command, and prints every failure. */

import { Command } from 'commander';
import { DOCUMENTATION, VERSION } from '../system/files/package-version.ts';
import { endWithReader, printError, setVerbosity } from '../system/terminal/terminal.ts';

/** Searches the raw arguments for --json. If parsing the options fails, the error must still be JSON. */
const isJsonWanted = process.argv.some(
  (word, i) => ['--json', '--format=json'].includes(word) || (word === 'json' && process.argv[i - 1] === '--format'),
);

interface GlobalOptions {
  readonly C?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

const WIDEST_HELP = 80;
const width = ({ columns }: NodeJS.WriteStream) => Math.min(columns ?? WIDEST_HELP, WIDEST_HELP);

const program = new Command('gridpress')
  .description('Turn a testbed registry and its change history into a static, hypermedia JSON API.')
  .version(VERSION)
  .showHelpAfterError('(gridpress help COMMAND shows its options)')
  .option('-C <folder>', 'run in this folder')
  .option('-q, --quiet', 'print findings only, without progress and summaries')
  .option('--verbose', 'print each phase of long work with its time')
  .hook('preAction', async (_, called) => {
    const { C: folder, quiet, verbose }: GlobalOptions = program.opts();
    if (quiet === true) setVerbosity('quiet');
    else if (verbose === true) setVerbosity('verbose');
    const { changeFolder, findDefaults, recoverMissing } = await import('./project-root.ts');
    if (folder !== undefined) changeFolder(folder);
    findDefaults(called);
    await recoverMissing(called.opts());
  })
  .exitOverride()
  .configureHelp({ subcommandTerm: (each) => each.name() })
  .configureOutput({
    getOutHelpWidth: () => width(process.stdout),
    getErrHelpWidth: () => width(process.stderr),
    writeErr: (text) => {
      if (!isJsonWanted) printError(text);
    },
  });

program.addHelpText(
  'after',
  `
Documentation: ${DOCUMENTATION}`,
);

export async function run(): Promise<void> {
  endWithReader();
  try {
    for (const { heading, define } of groupsFor(process.argv.slice(2))) {
      program.commandsGroup(heading);
      (await define())(program);
    }
    rejectRepeated(program);
    await program.parseAsync();
  } catch (error) {
    const { printFailure } = await import('./results.ts');
    await printFailure(error, isJsonWanted);
  }
}

/** Rejects the repetition of an option that accepts only one value, because commander would ignore the first value. */
function rejectRepeated(command: Command): void {
  for (const option of command.options.filter(({ required, optional }) => required || optional)) {
    let isGiven = false;
    command.on(`option:${option.name()}`, () => {
      // Repeatable options collect their values in lists.
      if (isGiven && !Array.isArray(command.getOptionValue(option.attributeName())))
        command.error(`error: option '${option.flags}' is given twice, but has one value.`);
      isGiven = true;
    });
  }
  for (const each of command.commands) rejectRepeated(each);
}

type Define = (program: Command) => void;

export interface CommandGroup {
  readonly heading: string;
  /** The names of the commands that `define` adds. Empty if `define` needs the definitions of all commands. */
  readonly commands: readonly string[];
  readonly define: () => Promise<Define>;
}

const REGISTRY = 'Edit a registry:';
const QUERY = 'Query it:';
const BUILD = 'Build, serve and verify its API:';
const PUBLISH = 'Publish and archive it:';
const HOSTS = 'Check your host:';
const HELP = 'Help:';

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    heading: REGISTRY,
    commands: ['init', 'import', 'check', 'schemas'],
    define: async () => (await import('./registry.ts')).defineRegistryCommands,
  },
  {
    heading: REGISTRY,
    commands: ['add', 'set', 'edit', 'path', 'retire', 'rename'],
    define: async () => (await import('./edit.ts')).defineEditCommands,
  },
  { heading: REGISTRY, commands: ['observe'], define: async () => (await import('./observe.ts')).defineObserveCommand },
  {
    heading: REGISTRY,
    commands: ['record', 'log', 'diff', 'show'],
    define: async () => (await import('./revisions.ts')).defineHistoryCommands,
  },
  { heading: QUERY, commands: ['find'], define: async () => (await import('./find.ts')).defineFindCommand },
  {
    heading: QUERY,
    commands: ['lock', 'verify-lock', 'describe-lock'],
    define: async () => (await import('./lock.ts')).defineLockCommands,
  },
  { heading: QUERY, commands: ['mcp'], define: async () => (await import('./mcp.ts')).defineMcpCommand },
  {
    heading: BUILD,
    commands: ['build', 'serve', 'dev'],
    define: async () => (await import('./build.ts')).defineTreeCommands,
  },
  {
    heading: BUILD,
    commands: ['verify', 'crawl'],
    define: async () => (await import('./verify.ts')).defineVerifyCommands,
  },
  { heading: PUBLISH, commands: ['publish'], define: async () => (await import('./publish.ts')).definePublishCommand },
  {
    heading: PUBLISH,
    commands: ['bundle', 'apply'],
    define: async () => (await import('./bundle.ts')).defineBundleCommands,
  },
  { heading: PUBLISH, commands: ['prune'], define: async () => (await import('./publish.ts')).definePruneCommand },
  { heading: PUBLISH, commands: ['archive'], define: async () => (await import('./bundle.ts')).defineArchiveCommand },
  { heading: HOSTS, commands: ['probe', 'hosts'], define: async () => (await import('./hosts.ts')).defineHostCommands },
  { heading: HELP, commands: [], define: async () => (await import('./help.ts')).defineCompletionCommand },
  { heading: HELP, commands: [], define: async () => (await import('./help.ts')).defineHelpCommand },
];

/** Returns all groups if no group contains the command `words[0]`. */
export function groupsFor(words: readonly string[]): readonly CommandGroup[] {
  const own = COMMAND_GROUPS.filter(({ commands }) => commands.includes(words[0] ?? ''));
  return own.length > 0 ? own : COMMAND_GROUPS;
}
