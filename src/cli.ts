#!/usr/bin/env node
/**
 * The command line. The commands are defined in cli/; what they do is loaded only when they are called. Every failure
 * ends here, and is printed as findings, as a mistake in the call, or as a bug.
 */
import { Command } from 'commander';
import { defineArchiveCommand } from './cli/archive.ts';
import { defineTreeCommands } from './cli/build.ts';
import { defineBundleCommands } from './cli/bundle.ts';
import { defineEditCommands } from './cli/edit.ts';
import { defineFindCommand } from './cli/find.ts';
import { defineHostCommands } from './cli/hosts.ts';
import { defineLockCommands } from './cli/lock.ts';
import { changeFolder, findDefaults } from './cli/project-root.ts';
import { definePruneCommand } from './cli/prune.ts';
import { definePublishCommand } from './cli/publish.ts';
import { defineRegistryCommands } from './cli/registry.ts';
import { printFailure } from './cli/results.ts';
import { defineHistoryCommands } from './cli/revisions.ts';
import { defineVerifyCommands } from './cli/verify.ts';
import { VERSION } from './system/files/package-version.ts';
import { endWithReader, printError } from './system/terminal/terminal.ts';

/** Known before the options are read, since these may be what is wrong. */
const isJsonWanted = process.argv.some(
  (word, i) =>
    ['--json', '--format=json'].includes(word) || (word === 'json' && process.argv[i - 1] === '--format'),
);

const program = new Command('gridpress')
  .description('Presses a testbed registry and its change history into a static, hypermedia JSON API.')
  .version(VERSION)
  .showHelpAfterError('(gridpress help COMMAND shows what it takes)')
  .option('-C <folder>', 'run as if called in that folder')
  .hook('preAction', (_, called) => {
    const { C: folder }: { readonly C?: string } = program.opts();
    if (folder !== undefined) changeFolder(folder);
    findDefaults(called);
  })
  .exitOverride()
  .configureOutput({
    writeErr: (text) => {
      if (!isJsonWanted) printError(text);
    },
  });

defineRegistryCommands(program);
defineEditCommands(program);
defineHistoryCommands(program);
defineTreeCommands(program);
defineVerifyCommands(program);
defineArchiveCommand(program);
definePublishCommand(program);
defineBundleCommands(program);
definePruneCommand(program);
defineFindCommand(program);
defineLockCommands(program);
defineHostCommands(program);

endWithReader();
try {
  await program.parseAsync();
} catch (error) {
  printFailure(error, isJsonWanted);
}
