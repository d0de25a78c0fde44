/**
 * The command line. What a command does is loaded only when it is called. Every failure ends here, and is printed as
 * findings, as a mistake in the call, or as a bug.
 */
import { Command } from 'commander';
import { DOCUMENTATION, VERSION } from '../system/files/package-version.ts';
import { endWithReader, printError } from '../system/terminal/terminal.ts';
import { setVerbosity } from '../system/terminal/verbosity.ts';
import { groupsFor } from './command-groups.ts';

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
