/** Tar files: what cannot be put into one, and what is wrong with one that was read. The place is the entry. */
import { error, failure } from '../message.ts';
import { grouped } from '../words.ts';

export const TAR_MESSAGES = {
  'tar-name': failure<{ name: string; reason: string }>(
    (a) => `${a.name} cannot be a name in a tar file: ${a.reason}.`,
    'Shorten or change the uids or the name of the file that it comes from.',
  ),
  'tar-size': failure<{ name: string; size: number }>(
    (a) => `${a.name} has ${grouped(a.size)} bytes, and a file in a tar has 8,589,934,591 at most.`,
    'Leave it out, or make it smaller.',
  ),
  'tar-changed': failure<{ name: string }>(
    (a) => `${a.name} became shorter while it was read.`,
    'Run it again when nothing else writes there.',
  ),
  'tar-damaged': error<{ at: number; reason: string }>(
    (a) => `At byte ${grouped(a.at)} the tar file is not as gridpress writes it: ${a.reason}.`,
    'Fetch or make the file again: a tar that another program wrote is not accepted, even with the same files.',
  ),
} as const;
