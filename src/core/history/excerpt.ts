/** Reads parts of revision files in the layout of `writeRevisionFile`. Other layouts need a full parse. */
import { type FieldChange, isReplacement } from '../model/differences/difference.ts';
import type { ClassedKind } from '../model/field-classes.ts';
import type { Json } from '../model/json.ts';
import { ownText } from '../platform/text.ts';
import { plainScalar } from '../registry/yaml/read-yaml.ts';
import type { PositionFields } from './graph.ts';
import { isRecordable, type ResourceChange } from './revision-file.ts';

/** Thrown if a part of the history cannot be read without a replay. The caller then replays the history. */
export class NeedsReplay extends Error {}

/** Revision identifiers have quotes if they look like numbers. */
const HEAD =
  /^(?:#.*\n)*id: "?([0-9a-f]{40})"?\n(?:parents:\n((?: {2}- "?[0-9a-f]{40}"?\n)+))?date: "?([0-9T:Z+.-]+)"?\n/;
/** Matches dates since 2000 up to day 28, which every month has. Other dates need a calendar check. */
const USUAL_DATE =
  /^[2-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Reads the first fields of a revision file. Undefined for an unknown layout. The text may end after the date. */
export function readPosition(text: string): PositionFields | undefined {
  const [, id, parents = '', date] = HEAD.exec(text) ?? [];
  if (id === undefined || date === undefined || !(USUAL_DATE.test(date) || isRecordable(date))) return undefined;
  return { id, parents: parents.match(/[0-9a-f]{40}/g) ?? [], date };
}

const CHANGES = '\nchanges:\n';
const NO_CHANGES = '\nchanges: []\n';
/** Matches lines that are indented by at most two spaces. */
const OUTER_LINES = /\n {0,2}(?![ \n]|$).*/g;
/** Matches the first line of each change. All other lines below `changes:` are indented further. */
const FIRST_LINE = /^\n {2}- (?:added|updated|removed|touched): ([\w.~/-]+)$/;

interface PlacedChange {
  readonly path: string;
  /** The offset of the change in the text of the file. */
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

export function hasChanges(text: string): boolean {
  return !text.endsWith(NO_CHANGES);
}

/** Returns a revision file without its changes. The file may be incomplete. Undefined for an unknown layout. */
export function headText(text: string): string | undefined {
  const start = text.indexOf(CHANGES);
  if (start >= 0) return text.slice(0, start) + NO_CHANGES;
  return text.endsWith(NO_CHANGES) ? text : undefined;
}

export type IsWanted = (path: string, change: () => string) => boolean;

/** Removes unwanted changes from the text of a revision file. Returns undefined for an unknown layout. */
export function excerpt(text: string, isWanted: IsWanted): string | undefined {
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
const POINTER = String.raw`\/[\w./-]*(?:~[01][\w./-]*)*`;
/** `QUOTED` and `PLAIN` match one-line scalars. `JSON.parse` or `plainScalar` reads them as a YAML parser would. */
const QUOTED = String.raw`"[ !#-[\]-~]*(?:\\["\\/bfnrt][ !#-[\]-~]*)*"`;
const PLAIN = String.raw`-?[\w/][\w./()+@%*&=;<>!$~^|-]*(?: +[\w./()+@%*&=;<>!$~^|-]+)*`;
const SCALAR = `${QUOTED}|${PLAIN}`;
const FIELD = new RegExp(` {6}- \\{at: (${POINTER})(?:, from: (${SCALAR}))?(?:, to: (${SCALAR}))?\\}\n`, 'y');

/** Parses an update of scalar fields, three times as fast as the YAML parser. Returns undefined for any other text. */
function simpleUpdate(path: string, text: string): ResourceChange | undefined {
  const fields: FieldChange[] = [];
  let end = UPDATED.exec(text)?.[0].length ?? text.length;
  while (end < text.length) {
    FIELD.lastIndex = end;
    const [line, at, from, to] = FIELD.exec(text) ?? [];
    if (line === undefined || at === undefined || (from === undefined && to === undefined)) return undefined;
    end += line.length;
    fields.push({
      at,
      ...(from === undefined ? {} : { from: scalar(from) }),
      ...(to === undefined ? {} : { to: scalar(to) }),
    });
  }
  const isPath = path === '' || path.includes('/');
  return fields.length > 0 && isPath ? { action: 'updated', path: ownText(path), fields } : undefined;
}

function scalar(text: string): Json {
  if (!text.startsWith('"')) return plainScalar(text);
  return text.includes('\\') ? JSON.parse(text) : text.slice(1, -1);
}

/**
 * Returns the wanted changes that `read` can parse, and `rest`, a revision file with the remaining wanted changes.
 * Undefined if the layout is unknown.
 */
export function splitChanges(text: string, isWanted: IsWanted = () => true, read = simpleUpdate) {
  const known: ResourceChange[] = [];
  const rest = excerpt(text, (path, change) => {
    if (!isWanted(path, change)) return false;
    const found = read(path, change());
    if (found) known.push(found);
    return !found;
  });
  return rest === undefined ? undefined : { known, rest };
}

/** Matches lines that are indented by at most six spaces. */
const FIELD_LINES = /\n {0,6}(?![ \n]|$).*/g;
const FIRST_OF_FIELD = new RegExp(`^\n {6}- \\{?at: (${POINTER})(?=$|, )`);

/**
 * Reads a change just far enough to count it. An added resource gets an empty body. Values that `simpleUpdate` cannot
 * read become `true`. Returns undefined if the change or its layout is not supported.
 */
export function outline(kind: ClassedKind, path: string, text: string): ResourceChange | undefined {
  if (text.startsWith(ADDED)) return { action: 'added', path, value: {} };
  const head = UPDATED.exec(text)?.[0];
  const simple = simpleUpdate(path, text);
  if (simple || head === undefined) return simple;
  const fields: FieldChange[] = [];
  FIELD_LINES.lastIndex = head.length - 1;
  for (let line = FIELD_LINES.exec(text); line; line = FIELD_LINES.exec(text)) {
    const [first, at] = FIRST_OF_FIELD.exec(line[0]) ?? [];
    if (first === undefined || at === undefined) return undefined;
    const end = line.index + first.length;
    const isOrder = text.startsWith(', order:', end) || text.startsWith('\n        order:', end);
    fields.push(isOrder ? { at, order: [] } : { at, from: true, to: true });
  }
  // The outline does not contain values, so the outline cannot show that a new part replaced an old part.
  return isReplacement(kind, fields) ? undefined : { action: 'updated', path, fields };
}

/** Splits a long file into revision files of about `size` characters. Returns undefined for an unknown layout. */
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
