/** Outcomes of probes of emulators, in words. */
import type { Capability, Shortcoming } from '../../src/core/hosts/host.ts';
import { explains, type Probed } from '../../src/core/hosts/probe/probe.ts';

/** Something that an emulator does otherwise than its vendor says that the service does. */
export interface EmulatorDifference {
  readonly capability: Capability;
  readonly why: string;
  /** As of shortcomings. Without it nothing that the emulator shows of the capability says anything about the service. */
  readonly covers?: RegExp;
}

/** What the host's statement leaves open when it runs on its emulator. */
export function shortcomingOf({ capability, why, covers }: EmulatorDifference): Shortcoming {
  return { capability, extent: 'partly', why, covers: covers ?? /^/ };
}

/** The outcome in a word; with an asterisk where the emulator differs from the service, and by that alone. */
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
