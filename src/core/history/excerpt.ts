/**
 * Reads parts of revision files from their text: the header, or the changes of some resources. It needs the layout that
 * `writeRevisionFile` writes. A file in another layout, such as a file edited by hand, has to be parsed completely.
 */
import type { FieldChange } from '../model/differences/difference.ts';
import type { Json } from '../model/json.ts';
import type { PositionFields } from './graph.ts';
import { isRecordable, type ResourceChange } from './revision-file.ts';

/**
 * Thrown if a part of the history cannot be read separately. Callers then replay the whole history, which reports the
 * reason.
 */
export class NeedsReplay extends Error {}

/** Identifiers are quoted when they look like numbers. */
const HEAD =
  /^(?:#.*\n)*id: "?([0-9a-f]{40})"?\n(?:parents:\n((?: {2}- "?[0-9a-f]{40}"?\n)+))?date: "?([0-9T:Z+.-]+)"?\n/;
/** Matches a date with a day that every month has. Other days need a calendar. */
const USUAL_DATE =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Reads the first fields of a revision file. Returns undefined for another layout. The text may end after the date. */
export function readPosition(text: string): PositionFields | undefined {
  const [, id, parents = '', date] = HEAD.exec(text) ?? [];
  if (id === undefined || date === undefined || !(USUAL_DATE.test(date) || isRecordable(date))) return undefined;
  return { id, parents: parents.match(/[0-9a-f]{40}/g) ?? [], date };
}

const CHANGES = '\nchanges:\n';
const NO_CHANGES = '\nchanges: []\n';
/** Matches lines that are indented by at most two spaces. */
const OUTER_LINES = /\n {0,2}(?![ \n]|$).*/g;
/** Matches the first line of a change. All other lines below `changes:` have more indentation. */
const FIRST_LINE = /^\n {2}- (?:added|updated|removed|touched): ([\w.~/-]+)$/;

interface PlacedChange {
  readonly path: string;
  /** The offset of the change in the text. */
  readonly at: number;
}

interface Changes {
  readonly start: number;
  readonly placed: readonly PlacedChange[];
}

/** Returns undefined for another layout. */
function changesIn(text: string): Changes | undefined {
  const start = text.indexOf(CHANGES) + CHANGES.length;
  if (start < CHANGES.length || !text.endsWith('\n') || text.includes('\r')) return undefined;
  const placed: PlacedChange[] = [];
  OUTER_LINES.lastIndex = start - 1;
  for (let line = OUTER_LINES.exec(text); line; line = OUTER_LINES.exec(text)) {
    const path = FIRST_LINE.exec(line[0])?.[1];
    if (path === undefined) return undefined;
    placed.push({ path: path === '/' ? '' : path, at: line.index + 1 });
  }
  return { start, placed };
}

/** Whether a text that `excerpt` returned has changes. */
export function hasChanges(text: string): boolean {
  return !text.endsWith(NO_CHANGES);
}

/** Returns the revision file without its changes. Returns undefined for another layout. The text may be incomplete. */
export function headText(text: string): string | undefined {
  const start = text.indexOf(CHANGES);
  if (start >= 0) return text.slice(0, start) + NO_CHANGES;
  return text.endsWith(NO_CHANGES) ? text : undefined;
}

/**
 * Returns the revision file with only the wanted changes. `isWanted` gets the path of the resource and the text of the
 * change. Returns undefined for another layout.
 */
export function excerpt(text: string, isWanted: (path: string, change: () => string) => boolean): string | undefined {
  if (text.endsWith(NO_CHANGES)) return text;
  const changes = changesIn(text);
  if (!changes) return undefined;
  const { start, placed } = changes;
  const parts = placed.flatMap(({ path, at }, i) => {
    const change = () => text.slice(at, placed[i + 1]?.at);
    return isWanted(path, change) ? [change()] : [];
  });
  return parts.length === 0 ? headText(text) : text.slice(0, start) + parts.join('');
}

const UPDATED = /^ {2}- updated: .*\n {4}fields:\n/;
const ADDED = '  - added: ';
/** Matches a field with scalar values. `writeRevisionFile` writes such a field on one line. */
const FIELD =
  / {6}- \{at: (\/[\w.~/-]*)(?:, from: ("(?:[^"\\\n]|\\.)*"|[^"',{}[\]\n]+))?(?:, to: ("(?:[^"\\\n]|\\.)*"|[^"',{}[\]\n]+))?\}\n/y;

/**
 * Reads a change from its text, without its values. A new resource has an empty body. `true` replaces all values of
 * fields except null and the empty text. This takes a fifth of the time of parsing. Returns undefined for other changes
 * and for another layout.
 */
export function outline(path: string, text: string): ResourceChange | undefined {
  if (text.startsWith(ADDED)) return { action: 'added', path, value: {} };
  const fields: FieldChange[] = [];
  let end = UPDATED.exec(text)?.[0].length ?? 0;
  while (end > 0 && end < text.length) {
    FIELD.lastIndex = end;
    const [line, at, from, to] = FIELD.exec(text) ?? [];
    if (line === undefined || at === undefined) return undefined;
    end += line.length;
    fields.push({
      at,
      ...(from === undefined ? {} : { from: outlined(from) }),
      ...(to === undefined ? {} : { to: outlined(to) }),
    });
  }
  return fields.length === 0 ? undefined : { action: 'updated', path, fields };
}

function outlined(scalar: string): Json {
  if (scalar === 'null') return null;
  return scalar !== '""' || '';
}

/**
 * Splits a long revision file into parts of about `size` characters. Each part is a revision file with some of the
 * changes. Returns undefined for another layout.
 */
export function partsOf(text: string, size: number): Iterable<string> | undefined {
  const changes = changesIn(text);
  return changes && parts(text, changes, size);
}

function* parts(text: string, { start, placed }: Changes, size: number): Generator<string> {
  const head = text.slice(0, start);
  let from = start;
  for (const { at } of placed) {
    if (at - from < size) continue;
    yield head + text.slice(from, at);
    from = at;
  }
  yield head + text.slice(from);
}
