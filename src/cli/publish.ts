import { type Command, InvalidArgumentError, Option } from 'commander';
import { finding } from '../core/diagnostics/finding.ts';
import { command, nonEmpty, positive } from './options.ts';
import { printDone } from './results.ts';

export interface StoreFlags {
  readonly endpoint?: string;
  readonly region?: string;
  readonly profile?: string;
}

interface PublishFlags extends StoreFlags {
  readonly json?: boolean;
  readonly tree: string;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly older: boolean;
  readonly link: boolean;
  readonly purgeFile?: string;
  readonly baseUrl?: string;
  readonly keys: 'exact' | 'index';
  readonly parallel: number;
  readonly state?: string;
  readonly prune: boolean;
  readonly keep: number;
  readonly grace: number;
  readonly maxDeletes?: number;
}

export function definePublishCommand(program: Command): void {
  const defined = command(program, 'publish', 'Publishes a tree in a bucket or a folder.', [
    'publish s3://bucket/api --dry-run',
    'publish s3://bucket/api --endpoint https://storage.example.org --base-url https://api.testbed.example.org/',
    'publish /srv/www --link',
  ])
    .argument('<destination>', 's3://bucket/prefix, or a folder')
    .option('--tree <folder>', 'the tree', nonEmpty, 'dist')
    .option('--dry-run', 'list what would be done, and do nothing', false)
    .option('--force', 'take a running publication over, or do without conditional writes', false)
    .option('--older', 'let an older tree take the place of a newer one', false)
    .option('--link', 'folder: make it a symbolic link, which is switched without a gap', false)
    .option('--purge-file <file>', 'write there the changed URLs, which caches may hold', nonEmpty)
    .option('--base-url <url>', '--purge-file: write them as full URLs', nonEmpty);
  bucketOptions(defined).action(async (destination: string, flags: PublishFlags) => {
    const { refuseIdleOptions } = await import('../features/publish/publish.ts');
    refuseIdleOptions(destination, defined);
    if (flags.prune) return pruneInstead(destination, flags);
    const { publish } = await import('../features/publish/publish.ts');
    const { record, text, findings } = await publish({
      ...flags,
      destination,
      isLinked: flags.link,
      showsProgress: flags.json !== true,
      bucket: flags,
    });
    await printDone(flags, record, () => text, findings);
  });
}

/** `--prune`, which was how buckets were pruned before there was `gridpress prune` for them. */
async function pruneInstead(destination: string, flags: PublishFlags): Promise<void> {
  const { describePruned, prune, prunedRecord } = await import('../features/publish/publish.ts');
  const pruned = await prune({ ...flags, destination, bucket: flags, showsProgress: flags.json !== true });
  const moved = finding('publish-prune-moved', { destination });
  await printDone(flags, prunedRecord(pruned), () => describePruned(pruned), [moved]);
}

export function storeOptions(defined: Command): Command {
  return defined
    .option('--endpoint <url>', 'bucket: the URL of the store', nonEmpty)
    .option('--region <name>', 'bucket: its region', nonEmpty)
    .option('--profile <name>', 'bucket: the profile of the credentials file', nonEmpty);
}

function bucketOptions(defined: Command): Command {
  return storeOptions(defined)
    .addOption(
      new Option('--keys <style>', 'bucket: sites, sites/ and sites.json, or sites/index.json and sites.json')
        .choices(['exact', 'index'])
        .default('exact'),
    )
    .option('--parallel <number>', 'bucket: how many uploads run at once', positive, 16)
    .option('--state <folder>', 'bucket: where the journal is kept (default: beside the tree)', nonEmpty)
    .addOption(new Option('--prune', 'as gridpress prune does').default(false).hideHelp())
    .addOption(new Option('--keep <number>').argParser(positive).default(3).hideHelp())
    .addOption(new Option('--grace <hours>').argParser(hours).default(24).hideHelp())
    .addOption(new Option('--max-deletes <number>').argParser(positive).hideHelp());
}

export function hours(text: string): number {
  const number = Number(text);
  if (text === '' || !Number.isFinite(number) || number < 0)
    throw new InvalidArgumentError('It must be a number of hours from 0 on.');
  return number;
}

interface PruneFlags extends StoreFlags {
  readonly json?: boolean;
  readonly dryRun: boolean;
  readonly maxDeletes?: number;
  readonly force: boolean;
  readonly keep: number;
  readonly grace: number;
}

export function definePruneCommand(program: Command): void {
  const defined = command(
    program,
    'prune',
    'Removes what was published and no manifest lists any more, if it is of this API.',
    [
      'prune /srv/www --dry-run',
      'prune /srv/www --max-deletes 5000',
      'prune s3://bucket/api --keep 3 --grace 48 --dry-run',
    ],
  )
    .argument('<destination>', 's3://bucket/prefix, or the folder of a tree')
    .option('--dry-run', 'list what would be removed, and remove nothing', false)
    .option(
      '--max-deletes <number>',
      'remove nothing where it would be more (default: 10,000 files, 100,000 objects)',
      positive,
    )
    .option('--keep <number>', 'bucket: the last manifests whose objects stay', positive, 3)
    .option('--grace <hours>', 'bucket: how old an object must be', hours, 24)
    .option('--force', 'bucket: take a running publication over, or do without conditional writes', false);
  storeOptions(defined).action(async (destination: string, flags: PruneFlags) => {
    const { refuseIdlePruneOptions } = await import('../features/publish/publish.ts');
    refuseIdlePruneOptions(destination, defined);
    const { prune, prunedRecord, describePruned } = await import('../features/publish/publish.ts');
    const bucket = { ...flags, keys: 'exact', parallel: 16 } as const;
    const pruned = await prune({ ...flags, destination, bucket, showsProgress: flags.json !== true });
    await printDone(flags, prunedRecord(pruned), () => describePruned(pruned));
  });
}
