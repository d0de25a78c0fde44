import type { Command } from 'commander';
import { type FieldClass, SAME_HARDWARE } from '../core/model/field-classes.ts';
import { printableJson } from '../core/platform/text.ts';
import { outPalette, print, printError } from '../system/terminal/terminal.ts';
import { addCommand, CLASS_NAMES, type CommonOptions, parseClasses, parseNonEmpty, parsePositive } from './options.ts';
import { printResult } from './results.ts';

interface ReadingFlags extends Pick<CommonOptions, 'json' | 'config'> {
  readonly timeout: number;
  readonly requests: number;
}

export function defineLockCommands(program: Command): void {
  defineLock(program);
  defineVerifyLock(program);
}

function defineLock(program: Command): void {
  addReadingOptions(
    addCommand(program, 'lock', 'Write a lock file of nodes, to verify later that they are unchanged.', [
      'lock lyra-g01 lyra-g02 -o experiment.lock.json',
      'lock lyra-g02 --from https://api.testbed.example.org/ -o experiment.lock.json',
    ]),
  )
    .argument('<nodes...>', 'paths, uids or names of nodes')
    .option('-o, --out <file>', 'the file to write (default: print it)', parseNonEmpty)
    .option('--from <place>', 'a base URL, or the folder of a tree or a registry', parseNonEmpty, 'registry-data')
    .action(async (nodes: string[], options: ReadingFlags & { out?: string; from: string }) => {
      const { lock } = await import('../features/lock/take-lock.ts');
      const { file, lock: written, text } = await lock({ ...options, limit: options.requests, nodes });
      await printResult(options, { file, lock: written }, () => (file === undefined ? printableJson(text) : ''));
      if (file !== undefined && options.json !== true) {
        const { describeLock } = await import('../features/lock/describe-lock.ts');
        print(describeLock(file, written));
      }
    });
}

function defineVerifyLock(program: Command): void {
  addReadingOptions(
    addCommand(program, 'verify-lock', 'Verify that the nodes of a lock file are unchanged.', [
      'verify-lock experiment.lock.json',
      'verify-lock experiment.lock.json --against https://api.testbed.example.org/ --class hardware,component',
    ]),
  )
    .argument('<file>', 'the lock file')
    .option(
      '--against <place>',
      'a base URL, or the folder of a tree or a registry (default: the source that the lock file names)',
      parseNonEmpty,
    )
    .option('--class <names>', `field classes that must be unchanged: ${CLASS_NAMES}`, parseClasses, [...SAME_HARDWARE])
    .action(async (file: string, options: ReadingFlags & { against?: string; class: FieldClass[] }) => {
      const { verifyLock } = await import('../features/lock/verify-lock.ts');
      const result = await verifyLock({
        ...options,
        limit: options.requests,
        file,
        onNamed: (place) => {
          if (options.json !== true)
            printError(`Reading ${place}, the source that the lock file names (change it with --against).`);
        },
      });
      const text =
        options.json === true
          ? ''
          : (await import('../features/lock/describe-lock.ts')).describeVerdicts(result, outPalette);
      await printResult(options, result, () => text);
    });
}

function addReadingOptions(defined: Command): Command {
  return defined
    .option('--config <file>', 'the configuration of a registry (default: gridpress.yaml next to it)')
    .option('--timeout <seconds>', 'time limit of an answer', parsePositive, 30)
    .option('--requests <number>', 'maximum number of requests', parsePositive, 10_000);
}
