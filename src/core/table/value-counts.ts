/** How many nodes have each value of a field. */
import { byCodeUnit } from '../model/json.ts';

export type Scalar = string | number | boolean | null;

export interface ValueCount {
  readonly value: Scalar;
  readonly nodes: number;
}

export interface ValueCounts {
  /** Adds a value by its JSON text, which so many nodes have; again in the same part, it adds nothing. */
  readonly add: (json: string, nodes: number, part: number) => void;
  /** Ends the counting, and lets go of the texts that were too many to be counted. */
  readonly close: () => void;
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
  /** The texts of a field that has too many of them. Only their number is used. */
  const uncounted = new Set<string>();
  let uncountedSize = 0;

  const valueCounts = (): ValueCount[] => [...counts].map(([json, { nodes }]) => ({ value: JSON.parse(json), nodes }));
  return {
    add: (json, nodes, part) => {
      if (texts > MOST_TEXTS && isText(json)) {
        uncounted.add(json);
        return;
      }
      const known = counts.get(json);
      if (!known) {
        counts.set(json, { nodes, lastPart: part });
        if (isText(json) && ++texts > MOST_TEXTS) {
          for (const text of [...counts.keys()].filter(isText)) {
            uncounted.add(text);
            counts.delete(text);
          }
        }
      } else if (known.lastPart !== part) {
        known.nodes += nodes;
        known.lastPart = part;
      }
    },
    close: () => {
      uncountedSize = uncounted.size;
      uncounted.clear();
    },
    get distinct() {
      return counts.size + Math.max(uncounted.size, uncountedSize);
    },
    counted: () => (texts > MOST_TEXTS ? undefined : valueCounts().sort(byNodes)),
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
