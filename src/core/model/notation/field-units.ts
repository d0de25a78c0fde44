/**
 * In which unit the numbers of a node's fields are, as the specification says it or as their names say it wherever they
 * stand: registries differ.
 */
import type { BaseUnit } from './units.ts';

/** By the way to the field, without positions in arrays. */
const KNOWN: ReadonlyMap<string, BaseUnit> = new Map([
  ['label.ram', 'B'],
  ['label.disk', 'B'],
  ['label.network', 'bit/s'],
]);

/** By the last name on the way; the first that fits. */
const BY_NAME: readonly (readonly [RegExp, BaseUnit | undefined])[] = [
  // How many processors and threads a node has; sizes as texts.
  [/^sm[pt]_size$|^humanized_/, undefined],
  [/^((\w+_)?size|cache(_l\d\w*)?|memory)$/, 'B'],
  [/^(\w+_)?(clock_speed|frequency|clock)$/, 'Hz'],
  [/^(\w+_)?(rate|bandwidth)$/, 'bit/s'],
];

const LONGEST_NAME = 100;

/** The unit of a node's field; undefined where its numbers have none. */
export function unitOfField(way: readonly string[]): BaseUnit | undefined {
  const known = KNOWN.get(way.join('.'));
  const name = way.at(-1) ?? '';
  if (known !== undefined || name.length > LONGEST_NAME) return known;
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1];
}
