import type { Command } from 'commander';
import {
  ALLOWED_SIGNERS,
  addCommand,
  addRegistryCommand,
  type CommonOptions,
  DROP_HOST,
  MIN_SERIAL,
  parseNonEmpty,
} from './options.ts';
import { printDone, writtenRecord } from './results.ts';

interface BundleFlags {
  readonly json?: boolean;
  readonly registry: string;
  readonly config?: string;
  readonly tree: string;
  readonly out: string;
  readonly since?: string;
}

interface ApplyFlags {
  readonly json?: boolean;
  readonly allowedSigners?: string;
  readonly minSerial?: number;
  readonly older: boolean;
  readonly dropHost: boolean;
  readonly unsigned: boolean;
  readonly link: boolean;
}

export function defineBundleCommands(program: Command): void {
  defineBundle(program);
  defineApply(program);
}

const BUNDLE = 'Write a tree, or an update of a tree, to one file for a machine without a network.';

const SINCE = [
  'Without --since, the bundle contains the whole tree. With --since, it contains what the existing tree lacks, and lists what to delete.',
  'Name the existing tree by the bundle that created it, by its folder, by its _manifest.json or by a moment. A moment means the tree',
  'that "build --at MOMENT" makes of --registry. It uses the current gridpress.yaml, but the dialect, hosts, snapshots and max_age of --tree.',
  '"gridpress apply" rejects a bundle unless the existing tree is exactly the one that it was made for.',
].join(' ');

function defineBundle(program: Command): void {
  addRegistryCommand(program, 'bundle', BUNDLE, [
    'bundle -o mirror.bundle',
    'bundle --since last.bundle -o news.bundle',
    'bundle --tree public --since 91a34824 -o news.bundle',
  ])
    .summary(BUNDLE)
    .description(`${BUNDLE}\n\n${SINCE}`)
    .option('--tree <folder>', 'the tree', parseNonEmpty, 'dist')
    .option('--since <what>', 'include only what is new since a moment, a bundle or a tree', parseNonEmpty)
    .requiredOption('-o, --out <file>', 'the file to write', parseNonEmpty)
    .action(async (options: BundleFlags, command: Command) => {
      const { bundle, describeBundle } = await import('../features/bundle/bundle.ts');
      const { checkRegistry } = await import('../features/sources/registry-files.ts');
      if (command.getOptionValueSource('registry') === 'cli') checkRegistry(options.registry);
      const result = await bundle({ ...options, showsProgress: options.json !== true });
      await printDone(options, result, () => describeBundle(result));
    });
}

function defineApply(program: Command): void {
  addCommand(program, 'apply', 'Create or update a tree from a bundle, in one step.', [
    'apply mirror.bundle /srv/api',
    'apply news.bundle /srv/api --allowed-signers testbed.signers',
  ])
    .argument('<file>', 'the bundle')
    .argument('<folder>', 'the folder of the existing or new tree', parseNonEmpty)
    .option(...ALLOWED_SIGNERS)
    .option(...MIN_SERIAL)
    .option('--older', 'allow an older tree to replace a newer one', false)
    .option('--drop-host', DROP_HOST, false)
    .option('--unsigned', 'allow an unsigned tree to replace a signed one', false)
    .option('--link', 'make the folder a symbolic link, and switch it atomically', false)
    .action(async (file: string, folder: string, { link: isLinked, ...options }: ApplyFlags) => {
      const { apply, describeApplied } = await import('../features/bundle/apply.ts');
      const applied = apply({ ...options, file, folder, isLinked, showsProgress: options.json !== true });
      await printDone(options, writtenRecord(applied), () => describeApplied(applied));
    });
}

interface ArchiveFlags extends CommonOptions {
  readonly out: string;
  readonly all: boolean;
  readonly sign?: string;
}

export function defineArchiveCommand(program: Command): void {
  addRegistryCommand(program, 'archive', 'Pack revisions with their whole API, to keep and cite them.', [
    'archive',
    'archive 91a34824 2026-03-01 -o archives',
    'archive --all --sign ~/.ssh/id_ed25519',
  ])
    .argument('[revisions...]', 'identifiers or their first digits, dates, or head (default)')
    .option('-o, --out <folder>', 'the folder of the archives', parseNonEmpty, 'archives')
    .option('--all', 'archive every revision; skip complete existing archives', false)
    .option('--sign <key>', 'sign each manifest with this SSH key, or with an agent that has it', parseNonEmpty)
    .action(async (revisions: string[], options: ArchiveFlags) => {
      const { archive, describeArchives } = await import('../features/archive/archive.ts');
      const result = await archive({ ...options, revisions, showsProgress: options.json !== true });
      const archives = result.archives.map(writtenRecord);
      await printDone(options, { ...result, archives }, () => describeArchives(result));
    });
}
