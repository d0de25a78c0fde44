/**
 * A revision file cut down to the changes of some resources, which is a revision file again: so the past of a few is
 * read without reading that of all. It works on the layout that `writeRevisionFile` gives; what was laid out otherwise
 * by hand has to be read as a whole.
 */
import { mustGet } from '../platform/certain.ts';
import type { Placed } from './graph.ts';
import { isRecordable, type ResourceChange } from './revision-file.ts';

/**
 * What stands at the beginning of a revision file. Undefined when the text is not laid out as gridpress does it; a text
 * that goes on is not looked at.
 */
export function placedOf(text: string): Placed | undefined {
  const [, id, parents = '', date] = HEAD.exec(text) ?? [];
  if (id === undefined || date === undefined || !isRecordable(date)) return undefined;
  return { id, parents: parents.match(/[0-9a-f]{40}/g) ?? [], date };
}

/** Identifiers are quoted when they look like numbers. */
const HEAD =
  /^(?:#.*\n)*id: "?([0-9a-f]{40})"?\n(?:parents:\n((?: {2}- "?[0-9a-f]{40}"?\n)+))?date: "?([0-9T:Z+.-]+)"?\n/;

export interface Excerpts {
  /** What the revision does to each resource that it changes, by path. */
  readonly actions: ReadonlyMap<string, ResourceChange['action']>;
  /** The text with the changes of these resources only, of which there must be some. */
  readonly of: (paths: Iterable<string>) => string;
}

/** What stands before the changes. */
export const CHANGES = '\nchanges:\n';
const NO_CHANGES = '\nchanges: []\n';
/** The first line of a change, and whatever else may stand in its column. */
const FIRST_LINE = /^ {2}- (added|updated|removed|touched): ([\w.~/-]+)$/;
const FIRST_LINES = /^ {2}(?! ).+$/gm;
/** A line that does not belong to the list of changes. */
const STRAY = /\n(?! {2}|\n|$)/g;

/** Whether all lines from a place on, where one begins, may belong to the list of changes. */
export function areOfChanges(text: string, start: number): boolean {
  STRAY.lastIndex = start - 1;
  return !STRAY.test(text);
}

/** The text without its changes. Undefined when they do not stand at its end. */
export function withoutChanges(text: string): string | undefined {
  if (text.endsWith(NO_CHANGES)) return text;
  const start = text.indexOf(CHANGES);
  return start < 0 ? undefined : text.slice(0, start) + NO_CHANGES;
}

/** Undefined when the text is not laid out as gridpress does it. */
export function excerpts(text: string): Excerpts | undefined {
  if (text.endsWith(NO_CHANGES)) return { actions: new Map(), of: () => text };
  const start = text.indexOf(CHANGES) + CHANGES.length;
  if (start < CHANGES.length || !text.endsWith('\n') || !areOfChanges(text, start)) return undefined;
  const actions = new Map<string, ResourceChange['action']>();
  const begins: [path: string, at: number][] = [];
  FIRST_LINES.lastIndex = start;
  for (let line = FIRST_LINES.exec(text); line; line = FIRST_LINES.exec(text)) {
    const [, verb, shown = ''] = FIRST_LINE.exec(line[0]) ?? [];
    const path = shown === '/' ? '' : shown;
    if (verb === undefined || actions.has(path)) return undefined;
    actions.set(path, verb === 'added' || verb === 'updated' || verb === 'removed' ? verb : 'touched');
    begins.push([path, line.index]);
  }
  const parts = new Map(begins.map(([path, at], i) => [path, [at, begins[i + 1]?.[1]] as const]));
  const head = text.slice(0, start);
  return { actions, of: (paths) => head + [...paths].map((path) => text.slice(...mustGet(parts, path))).join('') };
}
