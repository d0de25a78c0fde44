/** Counts the changed resources at or below each subject in each revision. Typed arrays store the counts compactly. */

import { type ClassSet, FIELD_CLASSES, type FieldClass } from '../model/field-classes.ts';
import type { Kinds } from '../model/kinds.ts';
import { joinPath, kindAt, selfAndAncestors } from '../model/resource-path.ts';
import { getOrCreate, getOrThrow, itemAt, lastAtOrBefore } from '../platform/lookups.ts';
import { lazily } from '../platform/on-demand.ts';
import { changeSummary, type History } from './replay.ts';
import { ACTIONS, type Action, type ResourceChange } from './revision-file.ts';

/** For each action, the number of resources that a revision changed at or below a subject. */
export interface Counts extends Readonly<Record<Action, number>> {
  /** The number of changed resources by class. Classes without changes are omitted. */
  readonly classes: Readonly<Partial<Record<FieldClass, number>>>;
}

export const NO_COUNTS: Counts = { added: 0, updated: 0, removed: 0, replaced: 0, classes: {} };

export interface TouchedResources {
  /** All items and collections that ever existed, ordered by first appearance. */
  readonly paths: () => Iterable<string>;
  /** Returns the position of a path in `paths`. */
  readonly numberOf: (path: string) => number;
  /** Returns the revisions that touch a path, oldest first. */
  readonly revisionsOf: (path: string) => Int32Array;
  readonly counts: (path: string, index: number) => Counts | undefined;
  /** Whether a revision changed values of a subject. False if the revision only rewrote files. */
  readonly isChange: (path: string, index: number) => boolean;
}

/** The path of the grid. Every revision counts as a change of the grid, even if the table has no row for it. */
const GRID = '';

export function touchesOf(history: Pick<History, 'changes' | 'kinds'>): TouchedResources {
  const { rows, numbers } = touchedRows(history);
  const all = lazily(() => Int32Array.from(history.changes.keys()));
  const bySubject = rows.bySubject(numbers.size);
  const touchAt = (path: string, index: number): number | undefined => {
    const subject = numbers.get(path);
    return subject === undefined ? undefined : bySubject.rowAt(subject, index);
  };
  return {
    paths: () => numbers.keys(),
    numberOf: (path) => getOrThrow(numbers, path),
    revisionsOf: (path) => {
      if (path === GRID) return all();
      const subject = numbers.get(path);
      return subject === undefined ? new Int32Array() : bySubject.revisionsOf(subject);
    },
    counts: (path, index) => {
      const row = touchAt(path, index);
      if (row === undefined) return path === GRID ? NO_COUNTS : undefined;
      return rows.countsAt(row);
    },
    isChange: (path, index) => {
      const row = touchAt(path, index);
      return row !== undefined && rows.isChange(row);
    },
  };
}

export function countChanges(changes: readonly ResourceChange[], kinds: Kinds): Counts {
  const counts = { added: 0, updated: 0, removed: 0, replaced: 0 };
  const classes = FIELD_CLASSES.map(() => 0);
  for (const change of changes) {
    const { action, classes: changed } = changeSummary(change, kinds);
    if (action === 'touched') continue;
    counts[action]++;
    for (const i of classes.keys()) classes[i] = itemAt(classes, i) + ((changed >> i) & 1);
  }
  const found = FIELD_CLASSES.flatMap((name, i) =>
    itemAt(classes, i) > 0 ? [[name, itemAt(classes, i)] as const] : [],
  );
  return { ...counts, classes: Object.fromEntries(found) };
}

/** Returns the table rows of all changes, and a map from subject paths to subject numbers. */
function touchedRows({ changes, kinds }: Pick<History, 'changes' | 'kinds'>) {
  const rows = new Rows();
  const numbers = new Map<string, number>();
  const lastRows: number[] = [];
  const numberOf = (path: string): number => getOrCreate(numbers, path, () => numbers.size);
  /** Caches the subject numbers of each path and its ancestors, because most paths change many times. */
  const lines = new Map<string, readonly number[]>();
  const lineOf = (path: string) => getOrCreate(lines, path, () => Array.from(selfAndAncestors(path), numberOf));
  const rowOf = (subject: number, revision: number): number => {
    const last = lastRows[subject];
    if (last !== undefined && rows.revision(last) === revision) return last;
    const row = rows.add(revision, subject);
    lastRows[subject] = row;
    return row;
  };
  if (changes.length > 0) numberOf(GRID);
  for (const [index, revision] of changes.entries()) {
    for (const { path, action, classes } of revision) {
      for (const subject of lineOf(path)) {
        const row = rowOf(subject, index);
        if (action !== 'touched') rows.count(row, action, classes);
      }
      // A collection is added and removed together with its item.
      if (action === 'added' || action === 'removed')
        for (const held of collectionsOf(path, kinds)) rowOf(numberOf(held), index);
    }
  }
  return { rows, numbers };
}

/** Returns the collections that every item of the kind contains, even if they are empty. */
export function collectionsOf(path: string, kinds: Kinds): string[] {
  return kindAt(path, kinds).children.flatMap((kind) =>
    kind.onlyIfAny ? [] : [joinPath(path, kind.collection ?? '')],
  );
}

/** The position of each cell in a row. More cells follow, one for each class. */
const CELL = { revision: 0, subject: 1, added: 2, updated: 3, removed: 4, replaced: 5 } as const;
const FIRST_CLASS = 6;
const CELLS = FIRST_CLASS + FIELD_CLASSES.length;

type Cell = keyof typeof CELL;

interface TouchesBySubject {
  readonly revisionsOf: (subject: number) => Int32Array;
  readonly rowAt: (subject: number, revision: number) => number | undefined;
}

class Rows {
  #cells = new Int32Array(1 << 10);
  #size = 0;

  add(revision: number, subject: number): number {
    const row = this.#size++;
    if (this.#size * CELLS > this.#cells.length) {
      const cells = new Int32Array(this.#cells.length * 2);
      cells.set(this.#cells);
      this.#cells = cells;
    }
    this.#set('revision', row, revision);
    this.#set('subject', row, subject);
    return row;
  }

  revision(row: number): number {
    return this.#get('revision', row);
  }

  count(row: number, action: Action, classes: ClassSet): void {
    this.#set(action, row, this.#get(action, row) + 1);
    for (let i = 0; classes >> i !== 0; i++) {
      if ((classes & (1 << i)) === 0) continue;
      const cell = row * CELLS + FIRST_CLASS + i;
      this.#cells[cell] = itemAt(this.#cells, cell) + 1;
    }
  }

  countsAt(row: number): Counts {
    const classes: Partial<Record<FieldClass, number>> = {};
    for (const [i, name] of FIELD_CLASSES.entries()) {
      const count = itemAt(this.#cells, row * CELLS + FIRST_CLASS + i);
      if (count > 0) classes[name] = count;
    }
    return {
      added: this.#get('added', row),
      updated: this.#get('updated', row),
      removed: this.#get('removed', row),
      replaced: this.#get('replaced', row),
      classes,
    };
  }

  isChange(row: number): boolean {
    return ACTIONS.some((action) => this.#get(action, row) > 0);
  }

  /** Groups the rows by subject. The rows of a subject follow the order of the revisions, oldest first. */
  bySubject(subjects: number): TouchesBySubject {
    const ends = new Int32Array(subjects + 1);
    for (let row = 0; row < this.#size; row++) {
      const after = this.#get('subject', row) + 1;
      ends[after] = itemAt(ends, after) + 1;
    }
    for (let subject = 0; subject < subjects; subject++)
      ends[subject + 1] = itemAt(ends, subject + 1) + itemAt(ends, subject);
    const next = ends.slice();
    const rows = new Int32Array(this.#size);
    const revisions = new Int32Array(this.#size);
    for (let row = 0; row < this.#size; row++) {
      const subject = this.#get('subject', row);
      const at = itemAt(next, subject);
      next[subject] = at + 1;
      rows[at] = row;
      revisions[at] = this.#get('revision', row);
    }
    return {
      revisionsOf: (subject) => revisions.subarray(ends[subject], ends[subject + 1]),
      rowAt: (subject, revision) => {
        const at = lastAtOrBefore(revisions, revision, ends[subject], ends[subject + 1]);
        return at >= itemAt(ends, subject) && revisions[at] === revision ? rows[at] : undefined;
      },
    };
  }

  #get(cell: Cell, row: number): number {
    return itemAt(this.#cells, row * CELLS + CELL[cell]);
  }

  #set(cell: Cell, row: number, value: number): void {
    this.#cells[row * CELLS + CELL[cell]] = value;
  }
}
