import { byNaturalOrder, type Json } from '../model/json.ts';

/**
 * Returns the values of a node in the sort field. The smallest value decides in ascending order, and the largest value
 * in descending order.
 */
export type ValuesOf = (node: number) => readonly Json[];

/** Numbers precede texts, and texts precede booleans. Nodes without a value are last in both directions. */
export function sortedNodes(nodes: readonly number[], valuesOf: ValuesOf, isDescending: boolean): number[] {
  const sign = isDescending ? -1 : 1;
  const keyed = nodes.map((node) => {
    const scalars = valuesOf(node).filter((value) => typeof value !== 'object');
    const [key] = scalars.toSorted((a, b) => sign * compare(a, b));
    return { node, key };
  });
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) return Number(a.key === undefined) - Number(b.key === undefined);
    return sign * compare(a.key, b.key);
  });
  return keyed.map(({ node }) => node);
}

const RANKS = ['number', 'string', 'boolean'];

function compare(a: Json, b: Json): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return byNaturalOrder(a, b);
  return RANKS.indexOf(typeof a) - RANKS.indexOf(typeof b) || Number(a) - Number(b);
}
