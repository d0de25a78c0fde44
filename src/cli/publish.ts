import { type Command, InvalidArgumentError, Option } from 'commander';
import { finding } from '../core/diagnostics/finding.ts';
import { outPalette } from '../system/terminal/terminal.ts';
import { addCommand, DROP_HOST, parseNonEmpty, parsePositive } from './options.ts';
import { printDone } from './results.ts';

interface StoreFlags {
  readonly endpoint?: string;
  readonly region?: string;
  readonly profile?: string;
}

interface PublishFlags extends StoreFlags {
  readonly json?: boolean;
  readonly tree: string;
  readonly registry: string;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly older: boolean;
  readonly dropHost: boolean;
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
  const defined = addCommand(program, 'publish', 'Publish a tree to a bucket or a folder.', [
    'publish s3://bucket/api --dry-run',
    'publish s3://bucket/api --endpoint https://storage.example.org --base-url https://api.testbed.example.org/',
    'publish /srv/api --link',
  ])
    .argument('<destination>', 's3://bucket/prefix, or a folder', parseNonEmpty)
    .option('--tree <folder>', 'the tree', parseNonEmpty, 'dist')
    .option('--registry <folder>', 'the registry of the tree, to describe the changes', parseNonEmpty, 'registry-data')
    .option('--dry-run', 'count the changes (with --verbose: list them), and make none', false)
    .option('--force', 'take over a running publication, or publish without conditional writes', false)
    .option('--older', 'allow an older tree to replace a newer one', false)
    .option('--drop-host', `folder: ${DROP_HOST}`, false)
    .option('--link', 'folder: make it a symbolic link, and switch it atomically', false)
    .option('--purge-file <file>', 'write the URLs to purge from caches to this file', parseNonEmpty)
    .option('--base-url <url>', 'with --purge-file: write full URLs', parseNonEmpty);
  addBucketOptions(defined).action(async (destination: string, flags: PublishFlags) => {
    const { publish, rejectIdleOptions } = await import('../features/publish/publish.ts');
    const { checkRegistry } = await import('../features/sources/registry-files.ts');
    rejectIdleOptions(destination, defined);
    if (flags.baseUrl !== undefined && flags.purgeFile === undefined)
      defined.error('error: --base-url needs --purge-file.');
    if (defined.getOptionValueSource('registry') === 'cli') checkRegistry(flags.registry);
    if (flags.prune) return pruneFromPublish(destination, flags);
    const { record, text, findings } = await publish(
      { ...flags, destination, isLinked: flags.link, showsProgress: flags.json !== true, bucket: flags },
      outPalette,
    );
    await printDone(flags, record, () => text, findings);
  });
}

async function pruneFromPublish(destination: string, flags: PublishFlags): Promise<void> {
  const { describePruned, prune, prunedRecord } = await import('../features/publish/publish.ts');
  const pruned = await prune({ ...flags, destination, bucket: flags, showsProgress: flags.json !== true });
  const moved = finding('publish-prune-moved', { destination });
  await printDone(flags, prunedRecord(pruned), () => describePruned(pruned), [moved]);
}

function addStoreOptions(defined: Command): Command {
  return defined
    .option('--endpoint <url>', 'bucket: URL of the store', parseNonEmpty)
    .option('--region <name>', 'bucket: region', parseNonEmpty)
    .option('--profile <name>', 'bucket: profile in the credentials file', parseNonEmpty);
}

function addBucketOptions(defined: Command): Command {
  return addStoreOptions(defined)
    .addOption(
      new Option('--keys <style>', 'bucket: store sites, sites/ and sites.json, or sites/index.json and sites.json')
        .choices(['exact', 'index'])
        .default('exact'),
    )
    .option('--parallel <number>', 'bucket: number of parallel uploads', parsePositive, 16)
    .option('--state <folder>', 'bucket: folder of the journal (default: next to the tree)', parseNonEmpty)
    .addOption(new Option('--prune', 'run gridpress prune').default(false).hideHelp())
    .addOption(new Option('--keep <number>').argParser(parsePositive).default(3).hideHelp())
    .addOption(new Option('--grace <hours>').argParser(parseHours).default(24).hideHelp())
    .addOption(new Option('--max-deletes <number>').argParser(parsePositive).hideHelp());
}

function parseHours(text: string): number {
  const number = Number(text);
  if (text === '' || !Number.isFinite(number) || number < 0)
    throw new InvalidArgumentError('It must be a number of hours, 0 or more.');
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
  const defined = addCommand(
    program,
    'prune',
    'Delete published files of this API that the current manifest no longer lists.',
    [
      'prune /srv/api --dry-run',
      'prune /srv/api --max-deletes 5000',
      'prune s3://bucket/api --keep 3 --grace 48 --dry-run',
    ],
  )
    .argument('<destination>', 's3://bucket/prefix, or the folder of a tree', parseNonEmpty)
    .option('--dry-run', 'list the files to delete, and delete none', false)
    .option(
      '--max-deletes <number>',
      'delete nothing if there are more (default: 10,000 files, 100,000 objects)',
      parsePositive,
    )
    .option('--keep <number>', 'bucket: number of newest manifests whose objects are kept', parsePositive, 3)
    .option('--grace <hours>', 'bucket: minimum age of objects to delete', parseHours, 24)
    .option('--force', 'bucket: take over a running publication, or prune without conditional writes', false);
  addStoreOptions(defined).action(async (destination: string, flags: PruneFlags) => {
    const { describePruned, prune, prunedRecord, rejectIdlePruneOptions } = await import(
      '../features/publish/publish.ts'
    );
    rejectIdlePruneOptions(destination, defined);
    const bucket = { ...flags, keys: 'exact', parallel: 16 } as const;
    const pruned = await prune({ ...flags, destination, bucket, showsProgress: flags.json !== true });
    await printDone(flags, prunedRecord(pruned), () => describePruned(pruned));
  });
}
