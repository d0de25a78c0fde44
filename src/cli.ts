#!/usr/bin/env node
/**
 * The command line. The commands are defined in cli/; what they do is loaded only when they are called. Every failure
 * ends here, and is printed as findings, as a mistake in the call, or as a bug.
 */
import { Command } from 'commander';
import { defineArchiveCommand } from './cli/archive.ts';
import { defineTreeCommands } from './cli/build.ts';
import { defineBundleCommands } from './cli/bundle.ts';
import { defineCompletionCommand } from './cli/completion.ts';
import { defineEditCommands } from './cli/edit.ts';
import { defineFindCommand } from './cli/find.ts';
import { defineHelpCommand } from './cli/help.ts';
import { defineHostCommands } from './cli/hosts.ts';
import { defineLockCommands } from './cli/lock.ts';
import { changeFolder, findDefaults } from './cli/project-root.ts';
import { definePruneCommand } from './cli/prune.ts';
import { definePublishCommand } from './cli/publish.ts';
import { defineRegistryCommands } from './cli/registry.ts';
import { printFailure } from './cli/results.ts';
import { defineHistoryCommands } from './cli/revisions.ts';
import { defineVerifyCommands } from './cli/verify.ts';
import { DOCUMENTATION, VERSION } from './system/files/package-version.ts';
import { endWithReader, printError } from './system/terminal/terminal.ts';
import { setVerbosity } from './system/terminal/verbosity.ts';

/** Known before the options are read, since these may be what is wrong. */
const isJsonWanted = process.argv.some(
  (word, i) =>
    ['--json', '--format=json'].includes(word) || (word === 'json' && process.argv[i - 1] === '--format'),
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
  .hook('preAction', (_, called) => {
    const { C: folder, quiet, verbose }: GlobalOptions = program.opts();
    if (quiet === true) setVerbosity('quiet');
    else if (verbose === true) setVerbosity('verbose');
    if (folder !== undefined) changeFolder(folder);
    findDefaults(called);
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

program.commandsGroup('Keep a registry:');
defineRegistryCommands(program);
defineEditCommands(program);
defineHistoryCommands(program);
program.commandsGroup('Ask it:');
defineFindCommand(program);
defineLockCommands(program);
program.commandsGroup('Build, look at and check its API:');
defineTreeCommands(program);
defineVerifyCommands(program);
program.commandsGroup('Publish and keep it:');
definePublishCommand(program);
defineBundleCommands(program);
definePruneCommand(program);
defineArchiveCommand(program);
program.commandsGroup('Know your host:');
defineHostCommands(program);
program.commandsGroup('Help:');
defineCompletionCommand(program);
defineHelpCommand(program);
program.addHelpText(
  'after',
  `
Documentation: ${DOCUMENTATION}`,
);

endWithReader();
try {
  await program.parseAsync();
} catch (error) {
  printFailure(error, isJsonWanted);
}
