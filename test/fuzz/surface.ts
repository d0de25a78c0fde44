/** A surface: something that others hand to gridpress. */
import type { Random } from '../support/values/random.ts';

export interface Surface {
  readonly name: string;
  /**
   * Alters what is in order by chance, and does with it what commands do. `input` and `target` are paths in a folder of
   * the run's own, at which nothing stands yet: nothing else may change there. What it throws must be a `Failure`.
   */
  readonly run: (chance: Random, place: { readonly input: string; readonly target: string }) => Promise<void>;
}

/** Whatever breaks what gridpress promises, in words. */
export class Broken extends Error {}
