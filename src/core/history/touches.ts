/**
 * Which subjects each revision touched against its first parent, and how many resources at or below them. Kept in
 * columns of numbers: there are as many touches as there are changes, times the levels above each.
 */
import { type ClassSet, FIELD_CLASSES, type FieldClass } from '../model/field-classes.ts';
import { childKinds } from '../model/kinds.ts';
import { joinPath, parsePath, selfAndAncestors } from '../model/resource-path.ts';
import type { Action, RecordedChange } from './replay.ts';

/** How many resources at or below a subject a revision changed, by action. */
export interface Counts extends Readonly<Record<Action, number>> {
  /** Those of them that changed fields of a class; without the classes of which none did. */
  readonly classes: Readonly<Partial<Record<FieldClass, number>>>;
}

export const NO_COUNTS: Counts = { added: 0, updated: 0, removed: 0, replaced: 0, classes: {} };

export function changedAny({ added, updated, removed, replaced }: Counts): boolean {
  return added + updated + removed + replaced > 0;
}

export interface TouchedResources {
  /** Every item and collection that ever was, in the order in which it first appeared. */
  readonly paths: () => Iterable<string>;
  /** The revisions that touched a subject, oldest first. */
  readonly revisionsOf: (path: string) => Iterable<number>;
  readonly counts: (path: string, index: number) => Counts | undefined;
}

/** The cells of a row; `last`, of a subject's first row, is its last one. */
const CELL = { revision: 0, next: 1, last: 2, added: 3, updated: 4, removed: 5, replaced: 6 } as const;
/** Behind them one cell for each class. */
const FIRST_CLASS = 7;
const CELLS = FIRST_CLASS + FIELD_CLASSES.length;
const NO_ROW = -1;

/** The touches of a subject are rows, each pointing to the next. */
export function touchesOf(changes: readonly (readonly RecordedChange[])[]): TouchedResources {
  const rows = new Rows();
  const firstRows = new Map<string, number>();
  const rowOf = (path: string, index: number): number => {
    const first = firstRows.get(path);
    if (first === undefined) {
      const row = rows.add(index);
      firstRows.set(path, row);
      rows.set('last', row, row);
      return row;
    }
    const last = rows.get('last', first);
    if (rows.get('revision', last) === index) return last;
    const row = rows.add(index);
    rows.set('next', last, row);
    rows.set('last', first, row);
    return row;
  };
  for (const [index, revision] of changes.entries()) {
    rowOf('', index);
    for (const { path, action, classes } of revision) {
      for (const ancestor of selfAndAncestors(path)) {
        const row = rowOf(ancestor, index);
        if (action !== 'touched') rows.count(row, action, classes);
      }
      // A collection comes into being, and goes, with the item that holds it.
      if (action === 'added' || action === 'removed')
        for (const held of collectionsOf(path)) rowOf(held, index);
    }
  }

  function* rowsOf(path: string): Generator<number> {
    let row = firstRows.get(path) ?? NO_ROW;
    for (; row !== NO_ROW; row = rows.get('next', row)) yield row;
  }

  return {
    paths: () => firstRows.keys(),
    *revisionsOf(path) {
      for (const row of rowsOf(path)) yield rows.get('revision', row);
    },
    counts: (path, index) => {
      for (const row of rowsOf(path)) {
        if (rows.get('revision', row) === index) return rows.countsAt(row);
      }
      return undefined;
    },
  };
}

/** The collections that an item always holds. */
export function collectionsOf(path: string): string[] {
  const item = parsePath(path);
  if (!item || item.isCollection) return [];
  return childKinds(item.kind).flatMap((kind) =>
    kind.onlyIfAny ? [] : [joinPath(path, kind.collection ?? '')],
  );
}

type Cell = keyof typeof CELL;

class Rows {
  #cells = new Int32Array(1 << 10);
  #size = 0;

  add(revision: number): number {
    const row = this.#size++;
    if (this.#size * CELLS > this.#cells.length) {
      const cells = new Int32Array(this.#cells.length * 2);
      cells.set(this.#cells);
      this.#cells = cells;
    }
    this.set('revision', row, revision);
    this.set('next', row, NO_ROW);
    return row;
  }

  get(cell: Cell, row: number): number {
    return this.#cells[row * CELLS + CELL[cell]] ?? 0;
  }

  set(cell: Cell, row: number, value: number): void {
    this.#cells[row * CELLS + CELL[cell]] = value;
  }

  count(row: number, action: Action, classes: ClassSet): void {
    this.set(action, row, this.get(action, row) + 1);
    for (let i = 0; classes >> i !== 0; i++) {
      if ((classes & (1 << i)) === 0) continue;
      const cell = row * CELLS + FIRST_CLASS + i;
      this.#cells[cell] = (this.#cells[cell] ?? 0) + 1;
    }
  }

  countsAt(row: number): Counts {
    const classes: Partial<Record<FieldClass, number>> = {};
    for (const [i, name] of FIELD_CLASSES.entries()) {
      const count = this.#cells[row * CELLS + FIRST_CLASS + i] ?? 0;
      if (count > 0) classes[name] = count;
    }
    return {
      added: this.get('added', row),
      updated: this.get('updated', row),
      removed: this.get('removed', row),
      replaced: this.get('replaced', row),
      classes,
    };
  }
}
