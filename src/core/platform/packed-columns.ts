/** Lists of numbers and of digests that grow. */
import { itemAt } from './certain.ts';

export interface NumberColumn {
  readonly add: (value: number) => void;
  readonly at: (index: number) => number;
}

export function numberColumn(_: unknown): NumberColumn {
  const values: number[] = [];
  return { add: (value) => values.push(value), at: (index) => itemAt(values, index) };
}

export interface DigestColumn {
  readonly add: (digest: string) => void;
  readonly at: (index: number) => string;
  readonly count: () => number;
}

export function digestColumn(): DigestColumn {
  const values: string[] = [];
  return { add: (digest) => values.push(digest), at: (index) => itemAt(values, index), count: () => values.length };
}
