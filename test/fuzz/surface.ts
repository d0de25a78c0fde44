/** A surface: one kind of input that gridpress receives from others. */
import type { Random } from '../support/values/random.ts';

export interface Surface {
  readonly name: string;
  /**
   * Alters valid input at random and passes it to a command. `input` and `target` are unused paths in a folder of the
   * run; nothing else may change there. It may throw only a `Failure`.
   */
  readonly run: (chance: Random, place: { readonly input: string; readonly target: string }) => Promise<void>;
}

/** A violation of what gridpress guarantees. */
export class Broken extends Error {}
