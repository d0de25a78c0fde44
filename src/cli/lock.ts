import { type Command, Option } from 'commander';
import type { Finding } from '../core/diagnostics/finding.ts';
import { SETUP_FORMS, type SetupForm } from '../core/exports/text-table.ts';
import { type FieldClass, SAME_HARDWARE } from '../core/model/field-classes.ts';
import { printableJson } from '../core/platform/text.ts';
import type { HostFiles } from '../features/lock/host-files.ts';
import type { NodeReader } from '../features/lock/take-lock.ts';
import { WORKTREE } from '../features/sources/revision-names.ts';
import { outPalette, print, printError } from '../system/terminal/terminal.ts';
import {
  addCommand,
  CLASS_NAMES,
  type CommonOptions,
  collectNames,
  parseClasses,
  parseNonEmpty,
  parsePositive,
  TIMEOUT,
} from './options.ts';
import { printResult } from './results.ts';

interface ReadingFlags extends Pick<CommonOptions, 'json' | 'config'> {
  readonly timeout: number;
  readonly requests: number;
}

interface LockFlags extends ReadingFlags, HostFiles {
  readonly at?: string;
  readonly out?: string;
  readonly from: string;
  readonly describe?: SetupForm;
  readonly skipUnknown?: boolean;
}

interface VerifyFlags extends ReadingFlags {
  readonly against?: string;
  readonly class: FieldClass[];
  readonly summary: boolean;
  readonly details?: boolean;
}

/** The maximum number of lines of a full report. Above this number, `verify-lock` prints a summary. */
const MOST_LINES = 60;

const AGAINST = [
  '--against <place>',
  'a base URL, or the folder of a tree or a registry (default: the source that the lock file names)',
  parseNonEmpty,
] as const;

const UNASKED: readonly FieldClass[] = [...SAME_HARDWARE];

function parseAsked(text: string, previous: readonly FieldClass[]): FieldClass[] {
  return parseClasses(text, previous === UNASKED ? [] : previous);
}

export function defineLockCommands(program: Command): void {
  defineLock(program);
  defineVerifyLock(program);
  defineDescribeLock(program);
}

function defineLock(program: Command): void {
  addReadingOptions(
    addCommand(program, 'lock', 'Write a lock file of nodes, to verify later that they are unchanged.', [
      'lock lyra-g01 lyra-g02 -o experiment.lock.json',
      'lock lyra-g02 --from https://api.testbed.example.org/ -o experiment.lock.json',
      'lock --from-oar job.json -o experiment.lock.json',
      'lock --from-lease lease.json --from-lease allocations.json --from-lease hosts.json -o experiment.lock.json',
    ]),
  )
    .argument('[nodes...]', 'paths, uids or names of nodes')
    .option('--hosts <file>', 'lock the hosts in a file (one per line, - for standard input)', collectNames)
    .option('--from-oar <file>', 'lock the nodes of an OAR job (JSON)', collectNames)
    .option('--from-manifest <file>', 'lock the machines of a GENI manifest (XML)', collectNames)
    .option('--from-lease <file>', 'lock the hosts of a Blazar lease (JSON); repeat it for each file', collectNames)
    .option(
      '--skip-unknown',
      'with a file of hosts, skip hosts that match no node or several nodes, and list them in a warning',
    )
    .option('-o, --out <file>', 'the file to write (default: print it)', parseNonEmpty)
    .option('--from <place>', 'a base URL, or the folder of a tree or a registry', parseNonEmpty, 'registry-data')
    .option('--at <moment>', 'lock the nodes as of this revision or date', parseNonEmpty)
    .addOption(
      new Option('--describe <form>', 'with --out, print a description of the nodes for a paper').choices(SETUP_FORMS),
    )
    .action(async (nodes: string[], options: LockFlags, command: Command) => {
      if (options.describe !== undefined && options.out === undefined) {
        command.error('error: --describe needs --out. describe-lock describes a lock file that exists.');
      }
      const { hosts, fromOar, fromManifest, fromLease } = options;
      const hasFiles = [hosts, fromOar, fromManifest, fromLease].some((files) => files !== undefined);
      if (nodes.length === 0 && !hasFiles) {
        command.error('error: Name nodes, or a file with --hosts, --from-oar, --from-manifest or --from-lease.');
      }
      if (options.skipUnknown === true && !hasFiles) {
        command.error('error: --skip-unknown needs --hosts, --from-oar, --from-manifest or --from-lease.');
      }
      const { lock } = await import('../features/lock/take-lock.ts');
      const warnings: Finding[] = [];
      const warn = (found: Finding) => warnings.push(found);
      const used = hasFiles ? (await import('../features/lock/host-files.ts')).readHosts(options, warn) : [];
      const {
        file,
        lock: written,
        text,
        skipped,
        findings,
      } = await lock({
        ...options,
        maxRequests: options.requests,
        nodes,
        hosts: used,
        reader: await readerFor(options),
      });
      const printed = file === undefined ? printableJson(text) : '';
      const describe = async (path: string, form: SetupForm) =>
        await setupOf(path, form, { ...options, against: options.from });
      const record = {
        file,
        lock: written,
        ...(skipped.length > 0 ? { skipped } : {}),
        ...(file !== undefined && options.json === true && options.describe !== undefined
          ? { description: await describe(file, options.describe) }
          : {}),
      };
      await printResult(options, record, () => printed, [...warnings, ...findings]);
      if (file !== undefined && options.json !== true) {
        const { describeLock } = await import('../features/lock/describe-lock.ts');
        const locked = describeLock(file, written);
        if (options.describe === undefined) print(locked);
        else {
          printError(locked);
          print(await describe(file, options.describe));
        }
      }
    });
}

/** Returns undefined if `lock` reads the current state. For a registry, this state includes unrecorded changes. */
async function readerFor({ at, from, timeout, requests, config }: LockFlags): Promise<NodeReader | undefined> {
  if (at === undefined || at === WORKTREE) return undefined;
  const { readNodesAt } = await import('../features/find/nodes-at.ts');
  return readNodesAt({ at, from, timeout, maxRequests: requests, config });
}

type DescribeFlags = ReadingFlags & { readonly against?: string; readonly as: SetupForm } & {
  readonly [form in SetupForm]?: boolean;
};

function defineDescribeLock(program: Command): void {
  const command = addReadingOptions(
    addCommand(program, 'describe-lock', 'Describe the nodes of a lock file, for a paper.', [
      'describe-lock experiment.lock.json',
      'describe-lock experiment.lock.json --as latex > setup.tex',
    ]),
  )
    .argument('<file>', 'the lock file')
    .addOption(new Option('--as <form>', 'the form of the description').choices(SETUP_FORMS).default('text'))
    .option(...AGAINST)
    .action(async (file: string, options: DescribeFlags) => {
      const form = SETUP_FORMS.find((each) => options[each] === true);
      if (form !== undefined)
        command.error(`error: describe-lock has no option --${form}. Write --as ${form} instead.`);
      const description = await setupOf(file, options.as, options);
      await printResult(options, { description }, () => description);
    });
  // The options of `find` for tables. The action rejects them and suggests --as.
  for (const form of SETUP_FORMS) command.addOption(new Option(`--${form}`).hideHelp());
}

async function setupOf(
  file: string,
  form: SetupForm,
  options: ReadingFlags & { readonly against?: string },
): Promise<string> {
  const { describeSetup } = await import('../features/find/describe-setup.ts');
  return await describeSetup({ ...options, maxRequests: options.requests, file, form, onNamed: noticeFor(options) });
}

/** Returns a function that prints which source the lock file names, because the user did not choose this source. */
function noticeFor({ json }: Pick<CommonOptions, 'json'>): (place: string) => void {
  return (place) => {
    if (json !== true) printError(`Reading ${place}, the source that the lock file names (change it with --against).`);
  };
}

function defineVerifyLock(program: Command): void {
  addReadingOptions(
    addCommand(program, 'verify-lock', 'Verify that the nodes of a lock file are unchanged.', [
      'verify-lock experiment.lock.json',
      'verify-lock experiment.lock.json --against https://api.testbed.example.org/ --class hardware,component',
    ]),
  )
    .argument('<file>', 'the lock file')
    .option(...AGAINST)
    .option('--class <names>', `field classes that must be unchanged: ${CLASS_NAMES}`, parseAsked, UNASKED)
    .option('--summary', `show counts and equal changes only (default for more than ${MOST_LINES} lines)`, false)
    .addOption(new Option('--details', 'show the changes and revisions of each node').conflicts('summary'))
    .action(async (file: string, options: VerifyFlags) => {
      const { lockWarnings, verifyLock } = await import('../features/lock/verify-lock.ts');
      const result = await verifyLock({ ...options, maxRequests: options.requests, file, onNamed: noticeFor(options) });
      const { describeSummary, summaryOf } = await import('../features/lock/summarize-lock.ts');
      const { describeVerdicts } = await import('../features/lock/describe-lock.ts');
      const record = options.json && options.summary ? summaryOf(result) : result;
      const text = () => {
        const details = describeVerdicts(result, outPalette);
        const lines = details.split('\n').length - 1;
        const isShort = options.summary || (options.details !== true && lines > MOST_LINES);
        return isShort ? describeSummary(result, outPalette, lines) : details;
      };
      await printResult(options, record, text, lockWarnings(result));
    });
}

function addReadingOptions(defined: Command): Command {
  return defined
    .option('--config <file>', 'the configuration of a registry (default: gridpress.yaml next to it)')
    .option(...TIMEOUT)
    .option('--requests <number>', 'maximum number of requests', parsePositive, 10_000);
}
