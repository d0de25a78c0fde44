import type { Command } from 'commander';
import { type CommonOptions, command, nonEmpty, onSources, positive } from './options.ts';
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
  readonly unsigned: boolean;
  readonly link: boolean;
}

export function defineBundleCommands(program: Command): void {
  defineBundle(program);
  defineApply(program);
}

const BUNDLE = 'Writes a tree into one file, or what is new in it, to be carried elsewhere.';

const SINCE = [
  'Without --since the bundle brings everything. With it, it brings what the tree there does not have, and says what goes.',
  'That tree is named by the bundle that made it, by its folder or by its _manifest.json; or by a revision, for what',
  '"build --at REVISION" makes of --registry with the dialect, hosts and snapshots of --tree and the present gridpress.yaml.',
  '"gridpress apply" refuses a bundle that does not go onto what is there, to the byte.',
].join(' ');

function defineBundle(program: Command): void {
  onSources(program, 'bundle', BUNDLE, [
    'bundle -o mirror.bundle',
    'bundle --since last.bundle -o news.bundle',
    'bundle --tree public --since 91a34824 -o news.bundle',
  ])
    .summary(BUNDLE)
    .description(`${BUNDLE}\n\n${SINCE}`)
    .option('--tree <folder>', 'the tree', nonEmpty, 'dist')
    .option('--since <what>', 'bring only what is new since a revision, a bundle or a tree', nonEmpty)
    .requiredOption('-o, --out <file>', 'the file to write', nonEmpty)
    .action(async (options: BundleFlags) => {
      const { bundle, describeBundle } = await import('../features/bundle/bundle.ts');
      const result = await bundle({ ...options, showsProgress: options.json !== true });
      await printDone(options, result, () => describeBundle(result));
    });
}

function defineApply(program: Command): void {
  command(program, 'apply', 'Makes or renews a tree from a bundle, as one step.', [
    'apply mirror.bundle /srv/www',
    'apply news.bundle /srv/www --allowed-signers testbed.signers',
  ])
    .argument('<file>', 'the bundle')
    .argument('<folder>', 'where the tree is, or is to be')
    .option('--allowed-signers <file>', 'who must have signed it, as ssh-keygen takes them', nonEmpty)
    .option('--min-serial <number>', 'the least serial that is not an old tree', positive)
    .option('--older', 'let an older tree take the place of a newer one', false)
    .option('--unsigned', 'let a tree without a signature take the place of a signed one', false)
    .option('--link', 'make the folder a symbolic link, which is switched without a gap', false)
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
