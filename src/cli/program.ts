/**
 * The command line. What a command does is loaded only when it is called. Every failure ends here, and is printed as
 * findings, as a mistake in the call, or as a bug.
 */

import { Command } from 'commander';
import { DOCUMENTATION, VERSION } from '../system/files/package-version.ts';
import { endWithReader, printError } from '../system/terminal/terminal.ts';
import { setVerbosity } from '../system/terminal/verbosity.ts';

/** Known before the options are read, since these may be what is wrong. */
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
  .description('Turns a testbed registry and its change history into a static, hypermedia JSON API.')
  .version(VERSION)
  .showHelpAfterError('(gridpress help COMMAND shows what it takes)')
  .option('-C <folder>', 'run as if called in that folder')
  .option('-q, --quiet', 'tell neither progress nor what was done; findings alone')
  .option('--verbose', 'tell each phase of long work, and its time')
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

/** Runs the call, and sets the exit status of the process. */
export async function run(): Promise<void> {
  endWithReader();
  try {
    for (const { heading, define } of groupsFor(process.argv.slice(2))) {
      program.commandsGroup(heading);
      (await define())(program);
    }
    await program.parseAsync();
  } catch (error) {
    const { printFailure } = await import('./results.ts');
    await printFailure(error, isJsonWanted);
  }
}

/**
 * Where each command is defined. A call loads the definition of its own command; one that names none loads all, for help
 * and for guesses at what was meant.
 */
type Define = (program: Command) => void;

export interface CommandGroup {
  readonly heading: string;
  /** Those that need no other definition than their own: what tells of all commands is not among them. */
  readonly commands: readonly string[];
  readonly define: () => Promise<Define>;
}

const KEEP = 'Keep a registry:';
const ASK = 'Ask it:';
const BUILD = 'Build, look at and check its API:';
const PUBLISH = 'Publish and keep it:';
const HOSTS = 'Know your host:';
const HELP = 'Help:';

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    heading: KEEP,
    commands: ['init', 'import', 'check', 'schemas'],
    define: async () => (await import('./registry.ts')).defineRegistryCommands,
  },
  { heading: KEEP, commands: ['add', 'retire'], define: async () => (await import('./edit.ts')).defineEditCommands },
  {
    heading: KEEP,
    commands: ['record', 'log', 'diff', 'show'],
    define: async () => (await import('./revisions.ts')).defineHistoryCommands,
  },
  { heading: ASK, commands: ['find'], define: async () => (await import('./find.ts')).defineFindCommand },
  {
    heading: ASK,
    commands: ['lock', 'verify-lock'],
    define: async () => (await import('./lock.ts')).defineLockCommands,
  },
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

/** The definitions that a call needs, by its words. Whose first word is an option that takes a word gets all. */
export function groupsFor(words: readonly string[]): readonly CommandGroup[] {
  const own = COMMAND_GROUPS.filter(({ commands }) => commands.includes(words[0] ?? ''));
  return own.length > 0 ? own : COMMAND_GROUPS;
}
