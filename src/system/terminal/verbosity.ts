/** How much a command tells of what it does, as its call asks: set once, before it begins. */

export type Verbosity = 'quiet' | 'normal' | 'verbose';

let verbosity: Verbosity = 'normal';

export function setVerbosity(wanted: Verbosity): void {
  verbosity = wanted;
}

/** Whether a command that did what it was told is to say so. */
export function tellsWhatWasDone(): boolean {
  return verbosity !== 'quiet';
}

/** Whether each phase of long work is to be told, with the time that it took. */
export function tellsPhases(): boolean {
  return verbosity === 'verbose';
}
