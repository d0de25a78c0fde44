import type { Command } from 'commander';
import { type CommonOptions, nonEmpty, onSources } from './options.ts';
import { printDone, writtenRecord } from './results.ts';

interface ArchiveFlags extends CommonOptions {
  readonly out: string;
  readonly all: boolean;
  readonly sign?: string;
}

export function defineArchiveCommand(program: Command): void {
  onSources(program, 'archive', 'Packs revisions with their whole API, to be kept and cited.', [
    'archive',
    'archive 91a34824 2026-03-01 -o archives',
    'archive --all --sign ~/.ssh/id_ed25519',
  ])
    .argument('[revisions...]', 'identifiers, beginnings of them, dates, or head (the default)')
    .option('-o, --out <folder>', 'where the archives go', nonEmpty, 'archives')
    .option('--all', 'every revision; those that are there and whole are not made again', false)
    .option('--sign <key>', 'sign the manifest of each tree, with a key or agent of ssh-keygen', nonEmpty)
    .action(async (revisions: string[], options: ArchiveFlags) => {
      const { archive, describeArchives } = await import('../features/archive/archive.ts');
      const result = await archive({ ...options, revisions, showsProgress: options.json !== true });
      const archives = result.archives.map(writtenRecord);
      await printDone(options, { ...result, archives }, () => describeArchives(result));
    });
}
