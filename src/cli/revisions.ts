import type { Command } from 'commander';
import { fail, finding } from '../core/diagnostics/finding.ts';
import type { FieldClass } from '../core/model/field-classes.ts';
import type { DifferingResource } from '../features/revisions/differing-resources.ts';
import { outPalette, print, reportsResults } from '../system/terminal/terminal.ts';
import {
  ALLOW_UNKNOWN,
  addPlaceOptions,
  addRegistryCommand,
  CLASS_NAMES,
  type CommonOptions,
  DRY_RUN,
  type PlaceFlags,
  parseClasses,
  parseNonEmpty,
  parsePositive,
  reachOf,
} from './options.ts';
import { printDone, printResult, writtenRecord } from './results.ts';

interface RecordFlags extends CommonOptions {
  readonly message?: string;
  readonly author?: string;
  readonly date?: string;
  readonly merge?: string | true;
  readonly successor?: string[];
  readonly dryRun: boolean;
  readonly allowUnknown: boolean;
}

interface LogFlags extends CommonOptions, PlaceFlags {
  readonly limit?: number;
  readonly class?: FieldClass[];
  readonly author?: string;
  readonly since?: string;
  readonly until?: string;
}

interface DiffFlags extends CommonOptions, PlaceFlags {
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
  addRegistryCommand(program, 'record', 'Record the changes of the registry as a revision.', [
    'record -m "Replace the failed disk of lyra-c03"',
    'record -m "Add rack 4" --author "Ada Brown" --date 2026-03-01T12:00:00+01:00',
    'record -m "Replace lyra-c03 by lyra-c11" --successor lyra-c03=lyra-c11',
    'record --merge',
    'record --merge 46455c8c -m "Merge the storage nodes"',
  ])
    .option('-m, --message <text>', 'a description of the changes (required, except with --merge)', parseNonEmpty)
    .option('--author <name>', "the author (default: git's user.name; required if git has none)", parseNonEmpty)
    .option('--date <date>', 'the date, ISO 8601 with an offset (default: now)')
    .option(
      '--merge [revision]',
      'merge the heads of two branches; with a revision: record the files as the merge of this head',
    )
    .option(
      '--successor <removed=staying>',
      'the successor of a removed resource; repeat it for more',
      (pair: string, others: string[] = []) => [...others, pair],
    )
    .option(...DRY_RUN)
    .option(...ALLOW_UNKNOWN)
    .action(
      async ({ successor: successors, dryRun, merge, message = '', ...options }: RecordFlags, command: Command) => {
        const [{ record }, { mergeHeads }, { describeRecording, describeRecorded }] = await Promise.all([
          import('../features/revisions/record.ts'),
          import('../features/revisions/merge-heads.ts'),
          import('../features/revisions/describe-history.ts'),
        ]);
        const show = (changes: readonly DifferingResource[]) => {
          if (options.json !== true && (dryRun || reportsResults()))
            print(describeRecording(changes, dryRun, outPalette));
        };
        if (message === '' && merge !== true)
          command.error("error: required option '-m, --message <text>' not specified");
        const asked = { ...options, message, successors, dryRun };
        const result = merge === true ? mergeHeads(asked, show) : record({ ...asked, merge }, show);
        const printed = { ...options, dryRun };
        if (result) await printDone(printed, writtenRecord(result), () => describeRecorded(result));
        else await printDone(printed, { is_written: false }, () => 'Nothing to merge: the history has one head.\n');
      },
    );
}

function defineLog(program: Command): void {
  const does = 'List the revisions of the registry, of a resource or of a collection.';
  const defined = addRegistryCommand(program, 'log', does, [
    'log',
    'log --from https://api.testbed.example.org/ --since 2026-03-01',
    'log sites/lyra -n 5',
    'log lyra-g02 --class hardware,component --since 2026-01-01',
    'log sites/lyra/clusters/main/nodes --author ada',
  ])
    .argument('[resource]', 'a path, or the uid or name of a node')
    .option('-n, --limit <number>', 'maximum number of revisions', parsePositive)
    .option('--class <names>', `only revisions that changed fields of these classes: ${CLASS_NAMES}`, parseClasses)
    .option('--author <name>', 'only revisions whose author contains this text')
    .option('--since <date>', 'only revisions from this date on')
    .option('--until <date>', 'only revisions up to this date');
  addPlaceOptions(defined).action(async (resource: string | undefined, { class: classes, ...options }: LogFlags) => {
    const asked = { ...options, resource, classes };
    const result =
      options.from === undefined
        ? (await import('../features/revisions/log.ts')).log(asked)
        : await (await publishedHistory()).publishedLog({ ...asked, ...reachOf(options) });
    const { describeLog } = await import('../features/revisions/describe-history.ts');
    await printResult(options, result, () => describeLog(result, outPalette));
  });
}

/** Loads the module on demand, because only some commands read a tree or a service. */
async function publishedHistory() {
  return await import('../features/find/published-history.ts');
}

function defineDiff(program: Command): void {
  const does = 'Show the differences between two revisions, dates or nodes. Exit with 1 if there are any.';
  const defined = addRegistryCommand(program, 'diff', does, [
    'diff',
    'diff 2026-03-01 --from https://api.testbed.example.org/ --class hardware',
    'diff 2026-01-01 head sites/lyra',
    'diff 46455c8c 91a34824 --class hardware,component --summary',
    'diff lyra-c03 lyra-c11 --class hardware',
    'diff lyra-c03@2026-01-01 lyra-c03',
  ])
    .argument('[from]', 'a revision, a date, head, worktree (the registry files), or a node', 'head')
    .argument('[to]', 'the same forms as [from]; with --from, the default is head', 'worktree')
    .argument('[resource]', 'limit the comparison of revisions to a path, or to the uid or name of a node')
    .option('--at <moment>', 'revision or date of nodes given without @MOMENT (default: head)', parseNonEmpty)
    .option('--class <names>', `only fields of these classes: ${CLASS_NAMES}`, parseClasses)
    .option('--summary', 'show only the counts', false);
  addPlaceOptions(defined).action(
    async (
      from: string,
      to: string,
      resource: string | undefined,
      { class: classes, from: place, ...options }: DiffFlags,
    ) => {
      const { nameResources } = await import('../features/revisions/resource-diff.ts');
      // A tree has no unrecorded changes.
      const second = place !== undefined && to === 'worktree' ? 'head' : to;
      if (second !== to && from === 'head' && resource === undefined) fail(finding('moments-needed', {}));
      const asked = { ...options, from, to: second, resource, classes, place };
      await (nameResources(asked) ? printResourceDiff(asked) : printDiff(asked));
    },
  );
}

interface DiffRequest extends Omit<DiffFlags, 'class' | 'from'> {
  /** The tree or service to read instead of the registry. */
  readonly place: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly resource: string | undefined;
  readonly classes: DiffFlags['class'];
}

async function printDiff(asked: DiffRequest): Promise<void> {
  const { place } = asked;
  const { changes, ...heads } =
    place === undefined
      ? await (await import('../features/revisions/diff.ts')).diff(asked)
      : await (await publishedHistory()).publishedDiff({ ...asked, place, maxRequests: asked.requests });
  const { describeDiff } = await import('../features/revisions/describe-history.ts');
  const ok = changes.length === 0;
  const record = asked.summary ? { ok, ...heads } : { ok, ...heads, changes };
  await printResult(asked, record, () => describeDiff({ ...heads, changes }, asked.summary, outPalette));
}

async function printResourceDiff(asked: DiffRequest): Promise<void> {
  const { place } = asked;
  const { fields, ...heads } =
    place === undefined
      ? await (await import('../features/revisions/resource-diff.ts')).resourceDiff(asked)
      : await (await publishedHistory()).publishedResourceDiff({ ...asked, place, maxRequests: asked.requests });
  const { describeResourceDiff } = await import('../features/revisions/describe-history.ts');
  const ok = fields.length === 0;
  const record = asked.summary ? { ok, ...heads } : { ok, ...heads, fields };
  await printResult(asked, record, () => describeResourceDiff({ ...heads, fields }, asked.summary, outPalette));
}

function defineShow(program: Command): void {
  const defined = addRegistryCommand(program, 'show', 'Show a resource, now or as of an older revision.', [
    'show sites/lyra',
    'show lyra-g02 --at 2026-03-01',
    'show sites/lyra/clusters/main/nodes --at 46455c8c',
  ])
    .argument('<resource>', 'a path, or the uid or name of a node')
    .option('--at <moment>', 'a revision or a date', 'head');
  addPlaceOptions(defined).action(async (resource: string, options: CommonOptions & PlaceFlags & { at: string }) => {
    const asked = { ...options, resource };
    const result =
      options.from === undefined
        ? (await import('../features/revisions/show.ts')).show(asked)
        : await (await publishedHistory()).publishedShow({ ...asked, ...reachOf(options) });
    const { describeShow } = await import('../features/revisions/describe-history.ts');
    await printResult(options, result, () => describeShow(result, outPalette));
  });
}
