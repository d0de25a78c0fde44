/** Nodes in the order of what they have in a field. */
import { byCodeUnit, type Json } from '../model/json.ts';

/** What a node is ordered by: its least value, or its greatest where the order is turned round. */
export type ValuesOf = (node: number) => readonly Json[];

/** Numbers before texts before true and false; nodes that have nothing come last, whichever way round. */
export function sortedNodes(nodes: readonly number[], valuesOf: ValuesOf, isDescending: boolean): number[] {
  const way = isDescending ? -1 : 1;
  const keyed = nodes.map((node) => {
    const scalars = valuesOf(node).filter((value) => typeof value !== 'object');
    const [key] = scalars.toSorted((a, b) => way * compare(a, b));
    return { node, key };
  });
  keyed.sort((a, b) => {
    if (a.key === undefined || b.key === undefined) return Number(a.key === undefined) - Number(b.key === undefined);
    return way * compare(a.key, b.key);
  });
  return keyed.map(({ node }) => node);
}

const RANKS = ['number', 'string', 'boolean'];

function compare(a: Json, b: Json): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return byCodeUnit(a, b);
  return RANKS.indexOf(typeof a) - RANKS.indexOf(typeof b) || Number(a) - Number(b);
}
