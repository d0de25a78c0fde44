import { error, failure } from '../message.ts';
import { grouped, plural, shortId } from '../words.ts';

export const BUNDLES_MESSAGES = {
  'install-lacks': failure<{ file: string }>(
    (a) =>
      `${a.file} is neither in what is to be installed nor, with the right bytes, in what is there; nothing was changed.`,
    'Verify both with "gridpress verify"; a bundle of everything mends a damaged tree.',
  ),
  'install-place': failure<{ file: string }>(
    (a) => `The manifest lists ${a.file}, which is no place for a file of a tree; nothing was changed.`,
    'Build the tree anew: gridpress build --force.',
  ),
  'install-older': failure<{ folder: string; standing: number; comes: number }>(
    (a) =>
      `${a.folder} holds a newer tree: its serial is ${a.standing}, that of the one to install ${a.comes}; nothing was changed.`,
    'Give --older if that is what you want.',
  ),
  'install-serial': failure<{ folder: string; standing: number; comes: number }>(
    (a) =>
      `The serial of the tree to install is ${a.comes}, and that of the one in ${a.folder} is ${a.standing}: nobody records so many revisions. Nothing was changed.`,
    'Ask where it comes from. Give --older if it is right all the same.',
  ),
  'install-unsigned': failure<{ folder: string }>(
    (a) => `${a.folder} holds a tree that is signed, and the one to install is not; nothing was changed.`,
    'Ask for a signed one. Give --unsigned if nobody signs them any longer.',
  ),
  'publish-into-itself': failure<{ folder: string; tree: string }>(
    (a) => `The folder ${a.folder} and the tree ${a.tree} lie inside each other.`,
    'Publish to a folder outside, or from another tree with --tree.',
  ),
  'publish-prunes-no-folder': failure<{ folder: string }>(
    (a) => `${a.folder} is a folder: publishing there leaves nothing to prune.`,
    (a) => `What other copying left there, "gridpress prune ${a.folder}" removes.`,
  ),
  'bundle-does-not-fit': failure<{
    folder: string;
    forId: string;
    forDigest: string;
    thereId: string;
    thereDigest: string;
  }>(
    (a) =>
      `The bundle goes onto the tree of revision ${shortId(a.forId)} with the digest ${a.forDigest}; in ${a.folder} there is ${a.thereId === '' ? 'none' : `revision ${shortId(a.thereId)} with the digest ${a.thereDigest}`}. Nothing was changed.`,
    (a) =>
      a.thereId === ''
        ? 'Apply a bundle of everything first: gridpress bundle without --since.'
        : 'Make one that does: give the _manifest.json that is there to "gridpress bundle --since", or make one of everything.',
  ),
  'bundle-damaged': error<{ reason: string }>(
    (a) => `The bundle is damaged: ${a.reason}.`,
    'Copy it once more from where it was made.',
  ),
  'bundle-is-archive': failure<{ file: string }>(
    (a) => `${a.file} is an archive, and no bundle.`,
    (a) =>
      `Unpack it with "tar -xf ${a.file}"; the tree is in its folder data/tree: "gridpress publish" puts it anywhere.`,
  ),
  'bundle-configuration': failure<{ what: string; tree: string; sources: string }>(
    (a) => `The tree was built with ${a.what} ${a.tree}, but the sources give ${a.sources}.`,
    'Build the tree anew with the present configuration, or name its own with --config.',
  ),
  'bundle-not-head': failure<{ tree: string }>(
    (a) => `The registry does not know revision ${shortId(a.tree)}, of which the tree is.`,
    'Name the registry that the tree was built from with --registry.',
  ),
  'bundle-since-itself': failure<{ id: string }>(
    (a) => `The tree is that of revision ${shortId(a.id)} itself: there is nothing new since.`,
    'Name an older revision with --since, or build the tree of a newer one first.',
  ),
  'prune-failed': failure<{ file: string; reason: string }>(
    (a) => `${a.file} cannot be removed: ${a.reason}.`,
    'Mend the cause and run it again: it goes on where it stopped.',
  ),
  'prune-too-many': failure<{ found: number; limit: number }>(
    (a) => `${plural(a.found, 'file')} would be removed, more than ${grouped(a.limit)}; nothing was removed.`,
    'Look at them with --dry-run, then allow more with --max-deletes.',
  ),
} as const;
