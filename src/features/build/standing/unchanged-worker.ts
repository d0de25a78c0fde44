/** The second thread of a build that may have nothing to do. */
import type { Unlike } from '../../../core/tree/manifest/listed-files.ts';
import { serveRequests } from '../../../system/threads/thread.ts';
import { endLooking, firstDamaged, type NextPiece } from '../../../system/trees/damaged-tree.ts';
import { digestOfSources, type RegistryPlace } from '../../sources/registry-files.ts';

export interface UnchangedInput {
  readonly place: RegistryPlace;
  readonly choices: readonly string[];
  /** The tree. */
  readonly out: string;
  /** The digest of the sources that it was made of. */
  readonly sources: string;
  readonly next: NextPiece;
}

export type UnchangedRequest = 'look';

export interface UnchangedReply {
  readonly isKnown: boolean;
  readonly found: Unlike | undefined;
}

serveRequests<UnchangedInput, UnchangedRequest, UnchangedReply>(({ place, choices, out, sources, next }) => () => {
  let isKnown = false;
  try {
    isKnown = sources === digestOfSources(place, choices);
  } finally {
    if (!isKnown) endLooking(next);
  }
  return { isKnown, found: isKnown ? firstDamaged(out, next) : undefined };
});
