/** Pseudo-random numbers that are the same in every run, so that all benchmarks have the same inputs. */

export interface Random {
  /** An integer from 0 to `below` - 1. */
  readonly whole: (below: number) => number;
  readonly pick: <T>(choices: readonly [T, ...T[]]) => T;
  /** Hexadecimal digits. */
  readonly hex: (digits: number) => string;
  readonly uuid: () => string;
}

/** Mulberry32: small, fast, and sufficient for synthetic hardware. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (below: number) => Math.floor(next() * below);
  const hex = (digits: number) => {
    let text = '';
    while (text.length < digits) text += whole(16).toString(16);
    return text;
  };
  return {
    whole,
    pick: (choices) => choices[whole(choices.length)] ?? choices[0],
    hex,
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
}
