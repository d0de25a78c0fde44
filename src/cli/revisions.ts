import type { Command } from 'commander';
import type { FieldClass } from '../core/model/field-classes.ts';
import { outPalette, print } from '../system/terminal/terminal.ts';
import { tellsWhatWasDone } from '../system/terminal/verbosity.ts';
import { CLASS_NAMES, type CommonOptions, classList, nonEmpty, onSources, positive } from './options.ts';
import { printDone, printResult, writtenRecord } from './results.ts';

interface RecordFlags extends CommonOptions {
  readonly message: string;
  readonly author?: string;
  readonly date?: string;
  readonly merge?: string;
  readonly successor?: string[];
  readonly dryRun: boolean;
}

interface LogFlags extends CommonOptions {
  readonly limit?: number;
  readonly class?: FieldClass[];
  readonly author?: string;
  readonly since?: string;
  readonly until?: string;
}

interface DiffFlags extends CommonOptions {
  readonly at?: string;
  readonly class?: FieldClass[];
  readonly summary: boolean;
}

export function defineHistoryCommands(program: Command): void {
  defineRecord(program);
  defineLog(program);
  defineDiff(program);
  defineShow(program);
}

function defineRecord(program: Command): void {
  onSources(program, 'record', 'Records what changed in the registry as a revision.', [
    'record -m "Replace the failed disk of lyra-c03"',
    'record -m "Add rack 4" --author "Ada Brown" --date 2026-03-01T12:00:00+01:00',
    'record -m "Replace lyra-c03 by lyra-c11" --successor lyra-c03=lyra-c11',
    'record --merge 46455c8c -m "Merge the storage nodes"',
  ])
    .requiredOption('-m, --message <text>', 'what happened', nonEmpty)
    .option('--author <name>', "who did it (default: git's user.name, without which it is needed)", nonEmpty)
    .option('--date <date>', 'when, ISO 8601 with an offset (default: now)')
    .option('--merge <revision>', 'the head to bring in, when the history has two')
    .option(
      '--successor <removed=staying>',
      'the resource that takes the place of a removed one; again for each',
      (pair: string, others: string[] = []) => [...others, pair],
    )
    .option('--dry-run', 'show what would be recorded, and write nothing', false)
    .action(async ({ successor: successors, dryRun: isDry, ...options }: RecordFlags) => {
      const [{ record }, { describeRecording, describeRecorded }] = await Promise.all([
        import('../features/revisions/record.ts'),
        import('../features/revisions/describe-record.ts'),
      ]);
      const result = record({ ...options, successors, isDry }, (changes) => {
        if (options.json !== true && (isDry || tellsWhatWasDone()))
          print(describeRecording(changes, isDry, outPalette));
      });
      await printDone({ ...options, dryRun: isDry }, writtenRecord(result), () => describeRecorded(result));
    });
}

function defineLog(program: Command): void {
  onSources(program, 'log', 'Lists the revisions, or those of one resource or collection.', [
    'log',
    'log sites/lyra -n 5',
    'log lyra-g02 --class hardware,component --since 2026-01-01',
    'log sites/lyra/clusters/main/nodes --author ada',
  ])
    .argument('[resource]', 'a path, or the uid or name of a node')
    .option('-n, --limit <number>', 'the most revisions to list', positive)
    .option('--class <names>', `only revisions that changed fields of a class: ${CLASS_NAMES}`, classList)
    .option('--author <name>', "only revisions whose author's name has this in it")
    .option('--since <date>', 'only revisions from then on')
    .option('--until <date>', 'only revisions up to then')
    .action(async (resource: string | undefined, { class: classes, ...options }: LogFlags) => {
      const [{ log }, { describeLog }] = await Promise.all([
        import('../features/revisions/log.ts'),
        import('../features/revisions/describe-history.ts'),
      ]);
      const result = log({ ...options, resource, classes });
      await printResult(options, result, () => describeLog(result, outPalette));
    });
}

function defineDiff(program: Command): void {
  const does = 'Shows what differs between two moments, or two nodes. Exits with 1 when something does.';
  onSources(program, 'diff', does, [
    'diff',
    'diff 2026-01-01 head sites/lyra',
    'diff 46455c8c 91a34824 --class hardware,component --summary',
    'diff lyra-c03 lyra-c11 --class hardware',
    'diff lyra-c03@2026-01-01 lyra-c03',
  ])
    .argument('[from]', 'a revision, a date, head, or worktree: the files of the registry; or a node', 'head')
    .argument('[to]', 'likewise', 'worktree')
    .argument('[resource]', 'between moments: a path, or the uid or name of a node')
    .option('--at <moment>', 'of nodes without NODE@MOMENT: when (default: head)', nonEmpty)
    .option('--class <names>', `only fields of a class: ${CLASS_NAMES}`, classList)
    .option('--summary', 'the counts only', false)
    .action(
      async (from: string, to: string, resource: string | undefined, { class: classes, ...options }: DiffFlags) => {
        const asked = { ...options, from, to, resource, classes };
        const { areResources } = await import('../features/revisions/diff-arguments.ts');
        await (areResources(asked) ? printResourceDiff(asked) : printDiff(asked));
      },
    );
}

interface AskedDiff extends Omit<DiffFlags, 'class'> {
  readonly from: string;
  readonly to: string;
  readonly resource: string | undefined;
  readonly classes: DiffFlags['class'];
}

async function printDiff(asked: AskedDiff): Promise<void> {
  const [{ diff }, { describeDiff }] = await Promise.all([
    import('../features/revisions/diff.ts'),
    import('../features/revisions/describe-history.ts'),
  ]);
  const { changes, ...heads } = await diff(asked);
  const ok = changes.length === 0;
  const record = asked.summary ? { ok, ...heads } : { ok, ...heads, changes };
  await printResult(asked, record, () => describeDiff({ ...heads, changes }, asked.summary, outPalette));
}

async function printResourceDiff(asked: AskedDiff): Promise<void> {
  const [{ resourceDiff }, { describeResourceDiff }] = await Promise.all([
    import('../features/revisions/resource-diff.ts'),
    import('../features/revisions/describe-resource-diff.ts'),
  ]);
  const { fields, ...heads } = await resourceDiff(asked);
  const ok = fields.length === 0;
  const record = asked.summary ? { ok, ...heads } : { ok, ...heads, fields };
  await printResult(asked, record, () => describeResourceDiff({ ...heads, fields }, asked.summary, outPalette));
}

function defineShow(program: Command): void {
  onSources(program, 'show', 'Shows a resource as it is, or as it was.', [
    'show sites/lyra',
    'show lyra-g02 --at 2026-03-01',
    'show sites/lyra/clusters/main/nodes --at 46455c8c',
  ])
    .argument('<resource>', 'a path, or the uid or name of a node')
    .option('--at <moment>', 'a revision or a date', 'head')
    .action(async (resource: string, options: CommonOptions & { at: string }) => {
      const [{ show }, { describeShow }] = await Promise.all([
        import('../features/revisions/show.ts'),
        import('../features/revisions/describe-history.ts'),
      ]);
      const result = show({ ...options, resource });
      await printResult(options, result, () => describeShow(result, outPalette));
    });
}
