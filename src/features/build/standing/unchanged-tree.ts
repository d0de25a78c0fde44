/**
 * Whether the tree that stands there is what a build would write: its sources are the same, and its files have their sizes and
 * times. Of a large tree a second thread digests the sources, and then looks at files too.
 */
import type { ManifestSummary } from '../../../core/tree/manifest/manifest.ts';
import { startThread } from '../../../system/threads/thread.ts';
import { endLooking, firstDamaged, firstPiece, otherDamaged } from '../../../system/trees/damaged-tree.ts';
import { digestOfSources } from '../../sources/registry-files.ts';
import type { ListedOptions } from '../build-options.ts';
import type { UnchangedInput, UnchangedReply, UnchangedRequest } from './unchanged-worker.ts';

export interface StandingTree {
  /** Whether it was made of these sources. */
  readonly isKnown: boolean;
  /** The first of its files that is not what it should be, where it was. */
  readonly damaged: string | undefined;
}

const OTHERS: StandingTree = { isKnown: false, damaged: undefined };

/** From this many documents and aliases on, a second thread is worth what it costs to start. */
const MANY = 50_000;

/** `choices` are what decides besides the sources. */
export async function standingTree(
  { sources, counts }: ManifestSummary,
  choices: readonly string[],
  options: ListedOptions,
): Promise<StandingTree> {
  const { registry, config, listing, out } = options;
  const place = { registry, config, listing };
  if (counts.documents + counts.aliases >= MANY) return together({ place, choices, out, sources });
  if (sources !== digestOfSources(place, choices)) return OTHERS;
  return { isKnown: true, damaged: firstDamaged(out, firstPiece())?.file ?? otherDamaged(out) };
}

async function together(asked: Omit<UnchangedInput, 'next'>): Promise<StandingTree> {
  const { out } = asked;
  const next = firstPiece();
  const input: UnchangedInput = { ...asked, next };
  const module = new URL('./unchanged-worker.js', import.meta.url);
  const second = startThread<UnchangedRequest, UnchangedReply>(module, input);
  const looking = async () => firstDamaged(out, next);
  try {
    const [{ isKnown, found }, own] = await Promise.all([second.ask('look'), looking()]);
    if (!isKnown) return OTHERS;
    const [first] = [found, own].filter((each) => each !== undefined).sort((a, b) => a.piece - b.piece);
    return { isKnown, damaged: first?.file ?? otherDamaged(out) };
  } finally {
    endLooking(next);
    await second.stop();
  }
}
