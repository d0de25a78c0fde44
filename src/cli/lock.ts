import type { Command } from 'commander';
import { type FieldClass, SAME_HARDWARE } from '../core/model/field-classes.ts';
import { printableJson } from '../core/platform/text.ts';
import { outPalette, print, printError } from '../system/terminal/terminal.ts';
import { CLASS_NAMES, type CommonOptions, classList, command, nonEmpty, positive } from './options.ts';
import { printResult } from './results.ts';

interface Reaching extends Pick<CommonOptions, 'json' | 'config'> {
  readonly timeout: number;
  readonly limit: number;
}

export function defineLockCommands(program: Command): void {
  defineLock(program);
  defineVerifyLock(program);
}

function defineLock(program: Command): void {
  reaching(
    command(program, 'lock', 'Writes down what nodes are now, to verify later that they are still the same.', [
      'lock lyra-g01 lyra-g02 -o experiment.lock.json',
      'lock lyra-g02 --from https://api.testbed.example.org/ -o experiment.lock.json',
    ]),
  )
    .argument('<nodes...>', 'paths, uids or names of nodes')
    .option('-o, --out <file>', 'the file to write (default: it is printed)', nonEmpty)
    .option('--from <place>', 'a base URL, or the folder of a tree or a registry', nonEmpty, 'registry-data')
    .action(async (nodes: string[], options: Reaching & { out?: string; from: string }) => {
      const { lock } = await import('../features/lock/take-lock.ts');
      const { file, lock: written, text } = await lock({ ...options, nodes });
      await printResult(options, { file, lock: written }, () => (file === undefined ? printableJson(text) : ''));
      if (file !== undefined && options.json !== true) {
        const { describeLock } = await import('../features/lock/describe-lock.ts');
        print(describeLock(file, written));
      }
    });
}

function defineVerifyLock(program: Command): void {
  reaching(
    command(program, 'verify-lock', 'Tells whether the nodes of a lock are still the same.', [
      'verify-lock experiment.lock.json',
      'verify-lock experiment.lock.json --against https://api.testbed.example.org/ --class hardware,component',
    ]),
  )
    .argument('<file>', 'the lock')
    .option(
      '--against <place>',
      'a base URL, or the folder of a tree or a registry (default: where the lock was taken)',
      nonEmpty,
    )
    .option('--class <names>', `the classes of fields that must not have changed: ${CLASS_NAMES}`, classList, [
      ...SAME_HARDWARE,
    ])
    .action(async (file: string, options: Reaching & { against?: string; class: FieldClass[] }) => {
      const { verifyLock } = await import('../features/lock/verify-lock.ts');
      const result = await verifyLock({
        ...options,
        file,
        onNamed: (place) => {
          if (options.json !== true) printError(`Asking ${place}, which the lock names (--against names another).`);
        },
      });
      const text =
        options.json === true
          ? ''
          : (await import('../features/lock/describe-lock.ts')).describeVerdicts(result, outPalette);
      await printResult(options, result, () => text);
    });
}

/** What reads from anywhere: over HTTP within bounds, from a registry by its configuration. */
function reaching(defined: Command): Command {
  return defined
    .option('--config <file>', "a registry's configuration (default: gridpress.yaml beside it)")
    .option('--timeout <seconds>', 'how long an answer may take', positive, 30)
    .option('--limit <number>', 'the most requests in all', positive, 10_000);
}
