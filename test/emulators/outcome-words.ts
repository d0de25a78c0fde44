/** Words for the outcomes of probes. */
import type { Capability, Shortcoming } from '../../src/core/hosts/host.ts';
import { explains, type Probed } from '../../src/core/hosts/probe/probe.ts';

/** A difference between an emulator and the documented service. */
export interface EmulatorDifference {
  readonly capability: Capability;
  readonly why: string;
  /** Limitations have the same field. Without it, the emulator's results for the capability are ignored. */
  readonly covers?: RegExp;
}

/** The limitation that an emulator adds to the host's limitations. */
export function shortcomingOf({ capability, why, covers }: EmulatorDifference): Shortcoming {
  return { capability, extent: 'partly', why, covers: covers ?? /^/ };
}

/** The outcome as a word, with an asterisk if only the emulator differs from the service. */
export function outcomeWord(
  { capability, outcome, failing }: Probed,
  shortcomings: readonly Shortcoming[],
  differences: readonly EmulatorDifference[],
): string {
  const own = differences.filter((difference) => difference.capability === capability);
  if (outcome === 'wrong') return 'WRONG';
  if (outcome === 'not-applicable') return '-';
  if (own.some(({ covers }) => covers === undefined)) return 'emulator';
  const rest = failing.filter((each) => !own.some((one) => explains(shortcomingOf(one), each)));
  const mark = rest.length < failing.length ? ' \\*' : '';
  const known = shortcomings.find((shortcoming) => shortcoming.capability === capability);
  if (rest.length === 0) return `holds${mark}`;
  return `${known?.extent === 'none' ? 'cannot' : 'partly'}${mark}`;
}
