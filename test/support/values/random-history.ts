/** Random histories from a seed: branches, merges, decreasing dates, removed and restored resources. */
import type { ResourceChange } from '../../../src/core/history/revision-file.ts';
import type { RevisionHeader } from '../../../src/core/model/revision.ts';
import { headerOf } from './headers.ts';
import { added, historyOf, removed, type Step, updated } from './history.ts';
import { type Random, random } from './random.ts';

/** A number for each existing resource. */
type State = ReadonlyMap<string, number>;

const CLUSTERS = ['sites/x/clusters/c', 'sites/y/clusters/c'];
const PLACES = [
  ...['', 'sites/x', 'sites/y', ...CLUSTERS],
  ...CLUSTERS.flatMap((cluster) => ['n', 'm'].map((node) => `${cluster}/nodes/${node}`)),
];
/** Each letter is a revision. */
const LETTERS = [...'0123456789abcdef'];
const FIRST_DAY = Date.UTC(2026, 0, 1);
const DAY = 86_400_000;
const DAYS = 12;

/** The date of a revision, in days from 0. */
export function dayText(day: number): string {
  return new Date(FIRST_DAY + day * DAY).toISOString().replace('.000Z', 'Z');
}

/** Sixteen revisions; `days` limits the spread of their dates. */
export function randomHistory(seed: number): ReturnType<typeof historyOf> & { readonly days: number } {
  const made = random(seed);
  const states: State[] = [];
  const steps: Step[] = [];
  const dates = new Map<string, string>();
  let open: number[] = [];
  for (const [index, letter] of LETTERS.entries()) {
    const isLast = index === LETTERS.length - 1;
    const parents = parentsOf(index, open, isLast, made);
    open = [...open.filter((each) => !parents.includes(each)), index];
    const sides = parents.map((parent) => states[parent] ?? new Map<string, number>());
    const state = nextState(sides, made);
    states.push(state);
    steps.push([
      `${letter}: ${parents.map((parent) => LETTERS[parent]).join(' ')}`,
      ...changes(sides[0] ?? new Map(), state, made),
    ]);
    // Dates mostly increase.
    dates.set(letter, dayText(Math.max(0, Math.min(DAYS, Math.floor(index / 2) + made.below(7) - 3))));
  }
  const header = (line: string): RevisionHeader => {
    const given = headerOf(line);
    return { ...given, date: dates.get(given.message) ?? '' };
  };
  return { ...historyOf(steps, header), days: DAYS };
}

/** The last revision merges all open heads. */
function parentsOf(index: number, open: readonly number[], isLast: boolean, made: Random): number[] {
  if (index === 0) return [];
  if (isLast) return [...open];
  const first = made.pick(open);
  if (made.chance(0.25)) return [made.below(index)];
  const others = open.filter((each) => each !== first);
  return others.length > 0 && made.chance(0.4) ? [first, made.pick(others)] : [first];
}

function nextState(sides: readonly State[], made: Random): State {
  const state = new Map<string, number>();
  const takesAll = sides.length > 0 && made.chance(0.4) ? made.pick(sides) : undefined;
  for (const path of PLACES) {
    const holder = path.split('/').slice(0, -2).join('/');
    const side = takesAll ?? (sides.length > 0 ? made.pick(sides) : undefined);
    const before = side?.get(path);
    const isEdited = sides.length === 0 || made.chance(0.2);
    const now = isEdited && made.chance(sides.length === 0 ? 0.3 : 0.4) ? undefined : isEdited ? made.below(3) : before;
    // The grid always exists, and parents exist before their children.
    if (path === '') state.set(path, now ?? 0);
    else if (now !== undefined && state.has(holder)) state.set(path, now);
  }
  return state;
}

function changes(before: State, after: State, made: Random): ResourceChange[] {
  return PLACES.flatMap((path): ResourceChange[] => {
    const [old, now] = [before.get(path), after.get(path)];
    if (old === undefined) return now === undefined ? [] : [added(path, bodyOf(path, now))];
    if (now === undefined) return [removed(path)];
    if (old !== now) return [updated(path, old, now)];
    return made.chance(0.05) ? [{ action: 'touched', path }] : [];
  });
}

const TYPES: Readonly<Record<number, string>> = { 1: 'grid', 2: 'site', 4: 'cluster', 6: 'node' };

function bodyOf(path: string, n: number): Record<string, string | number> {
  const segments = path.split('/');
  return { type: TYPES[segments.length] ?? '', uid: segments.at(-1) || 'g', n };
}
