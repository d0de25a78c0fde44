#!/usr/bin/env node
/**
 * The command line. The commands are defined in cli/; what they do is loaded only when they are called. Every failure
 * ends here, and is printed as findings, as a mistake in the call, or as a bug.
 */
import { Command } from 'commander';
import { groupsFor } from './cli/command-groups.ts';
import { changeFolder, findDefaults, recoverMissing } from './cli/project-root.ts';
import { DOCUMENTATION, VERSION } from './system/files/package-version.ts';
import { endWithReader, printError } from './system/terminal/terminal.ts';
import { setVerbosity } from './system/terminal/verbosity.ts';

/** Known before the options are read, since these may be what is wrong. */
const isJsonWanted = process.argv.some(
  (word, i) => ['--json', '--format=json'].includes(word) || (word === 'json' && process.argv[i - 1] === '--format'),
);

interface GlobalOptions {
  readonly C?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** How wide help is at most, in columns. */
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

endWithReader();
try {
  for (const { heading, define } of groupsFor(process.argv.slice(2))) {
    program.commandsGroup(heading);
    (await define())(program);
  }
  await program.parseAsync();
} catch (error) {
  const { printFailure } = await import('./cli/results.ts');
  await printFailure(error, isJsonWanted);
}
