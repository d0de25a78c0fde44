#!/usr/bin/env node
/**
 * The command line. The commands are defined in commands/define-*.ts; what they do is loaded only when they are called.
 * Here every failure ends: as findings, as a mistake in the call, or as a bug.
 */
import { Command, CommanderError } from 'commander';
import { defineArchiveCommand } from './cli/archive.ts';
import { defineTreeCommands } from './cli/build.ts';
import { defineBundleCommands } from './cli/bundle.ts';
import { defineHostCommands } from './cli/hosts.ts';
import { defineLockCommands } from './cli/lock.ts';
import { definePublishCommand } from './cli/publish.ts';
import { defineRegistryCommands } from './cli/registry.ts';
import { defineHistoryCommands } from './cli/revisions.ts';
import { defineVerifyCommands } from './cli/verify.ts';
import { Failure } from './core/diagnostics/failure.ts';
import { type Finding, finding } from './core/diagnostics/finding.ts';
import { exitStatus, findingRecord, renderFindings } from './core/diagnostics/render.ts';
import { VERSION } from './system/files/package-version.ts';
import { errPalette, print, printError } from './system/terminal/terminal.ts';

const USAGE_ERROR = 2;

/** Known before the options are read, since these may be what is wrong. */
const isJsonWanted = process.argv.includes('--json');

const program = new Command('gridpress')
  .description('Presses a testbed registry and its change history into a static, hypermedia JSON API.')
  .version(VERSION)
  .showHelpAfterError('(gridpress help COMMAND shows what it takes)')
  .exitOverride()
  .configureOutput({
    writeErr: (text) => {
      if (!isJsonWanted) printError(text);
    },
  });

defineRegistryCommands(program);
defineHistoryCommands(program);
defineTreeCommands(program);
defineVerifyCommands(program);
defineArchiveCommand(program);
definePublishCommand(program);
defineBundleCommands(program);
defineLockCommands(program);
defineHostCommands(program);

/** `error: unknown option '--prot'`, and the guess that commander puts on a line of its own. */
function usageFinding({ message }: CommanderError): Finding {
  const [problem = '', guess] = message.replace(/^error: /, '').split('\n');
  const hint = guess?.replace(/^\(|\)$/g, '') ?? 'gridpress help COMMAND shows what it takes.';
  return finding('usage', { problem, hint });
}

function printRecords(findings: readonly Finding[]): void {
  print(JSON.stringify({ ok: false, findings: findings.map(findingRecord) }));
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof Failure) {
    process.exitCode = exitStatus(error.findings);
    if (isJsonWanted) printRecords(error.findings);
    else printError(renderFindings(error.findings, errPalette));
  } else if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
    if (isJsonWanted && error.exitCode !== 0) printRecords([usageFinding(error)]);
  } else {
    const message = error instanceof Error ? error.message : String(error);
    printError(
      `gridpress has a bug: ${message}\nPlease report it with the command that you ran. GRIDPRESS_DEBUG=1 shows where.\n`,
    );
    if (process.env['GRIDPRESS_DEBUG'] !== undefined && error instanceof Error) printError(error.stack ?? '');
    process.exitCode = USAGE_ERROR;
  }
}
