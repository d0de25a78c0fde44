/** How many nodes have each value of a field, in memory that does not grow with values that nobody counts. */
import { byCodeUnit } from '../model/json.ts';
import { ownText } from '../platform/own-text.ts';
import { type CompactSet, newCompactSet } from './compact-set.ts';

export type Scalar = string | number | boolean | null;

export interface ValueCount {
  readonly value: Scalar;
  readonly nodes: number;
}

export interface ValueCounts {
  /** Adds a value by its JSON text, which so many nodes have; again in the same part, it adds nothing. */
  readonly add: (json: string, nodes: number, part: number) => void;
  /** Nothing is added any more: what only told texts apart is let go. */
  readonly close: () => void;
  /** How many values there are. */
  readonly distinct: number;
  /** All of them, those of most nodes first; undefined where there are too many texts. */
  readonly counted: () => readonly ValueCount[] | undefined;
  /** The numbers among them, ascending. */
  readonly numbers: () => readonly (ValueCount & { readonly value: number })[];
}

interface Count {
  nodes: number;
  lastPart: number;
}

/** Fields with more texts are about so many things that nobody counts each. */
const MOST_TEXTS = 4096;

export function newValueCounts(): ValueCounts {
  const counts = new Map<string, Count>();
  let texts = 0;
  let uncounted: Pick<CompactSet, 'add' | 'size'> | undefined;

  const forgetTexts = (): CompactSet => {
    const set = newCompactSet();
    for (const json of counts.keys()) {
      if (!isText(json)) continue;
      set.add(json);
      counts.delete(json);
    }
    return set;
  };
  const valueCounts = (): ValueCount[] => [...counts].map(([json, { nodes }]) => ({ value: JSON.parse(json), nodes }));
  return {
    add: (json, nodes, part) => {
      if (uncounted && isText(json)) {
        uncounted.add(json);
        return;
      }
      const known = counts.get(json);
      if (!known) {
        counts.set(ownText(json), { nodes, lastPart: part });
        if (isText(json) && ++texts > MOST_TEXTS) uncounted = forgetTexts();
      } else if (known.lastPart !== part) {
        known.nodes += nodes;
        known.lastPart = part;
      }
    },
    close: () => {
      uncounted &&= { size: uncounted.size, add: () => {} };
    },
    get distinct() {
      return counts.size + (uncounted?.size ?? 0);
    },
    counted: () => (uncounted ? undefined : valueCounts().sort(byNodes)),
    numbers: () =>
      valueCounts()
        .flatMap(({ value, nodes }) => (typeof value === 'number' ? [{ value, nodes }] : []))
        .sort((a, b) => a.value - b.value),
  };
}

function isText(json: string): boolean {
  return json.startsWith('"');
}

function byNodes(a: ValueCount, b: ValueCount): number {
  return b.nodes - a.nodes || byCodeUnit(JSON.stringify(a.value), JSON.stringify(b.value));
}
