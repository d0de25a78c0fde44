/** What versions tell of changes: all of one revision must tell of each alike. Kept in columns, as there can be millions. */
import { itemAt } from '../../core/platform/certain.ts';
import { digestColumn } from '../../core/platform/packed-columns.ts';

export interface ToldChange {
  /** The version that the change led to. */
  readonly href: string;
  /** The path of the version that tells it first. */
  readonly by: string;
  /** Whether the version of everything tells it too. */
  readonly isInAll: boolean;
}

export interface ToldChanges extends Iterable<ToldChange> {
  /** Adds what a version tells, by its digest. Gives who told it otherwise, or undefined. */
  readonly add: (change: ToldChange, digest: string) => string | undefined;
}

export function toldChanges(): ToldChanges {
  const rows = new Map<string, number>();
  const tellers: string[] = [];
  const inAll: boolean[] = [];
  const digests = digestColumn();
  return {
    add: ({ href, by, isInAll }, digest) => {
      const row = rows.get(href);
      if (row === undefined) {
        rows.set(href, tellers.push(by) - 1);
        inAll.push(isInAll);
        digests.add(digest);
        return undefined;
      }
      if (isInAll) inAll[row] = true;
      return digests.at(row) === digest ? undefined : itemAt(tellers, row);
    },
    *[Symbol.iterator]() {
      for (const [href, row] of rows) yield { href, by: itemAt(tellers, row), isInAll: itemAt(inAll, row) };
    },
  };
}
