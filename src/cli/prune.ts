import type { Command } from 'commander';
import { command, positive } from './options.ts';
import { hours, type StoreFlags, storeOptions } from './publish.ts';
import { printDone } from './results.ts';

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
    const { refuseIdlePruneOptions } = await import('../features/publish/refuse-idle-options.ts');
    refuseIdlePruneOptions(destination, defined);
    const { prune, prunedRecord, describePruned } = await import('../features/publish/prune.ts');
    const bucket = { ...flags, keys: 'exact', parallel: 16 } as const;
    const pruned = await prune({ ...flags, destination, bucket, showsProgress: flags.json !== true });
    await printDone(flags, prunedRecord(pruned), () => describePruned(pruned));
  });
}
