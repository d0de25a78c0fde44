/**
 * Reading bodies as the compact JSON texts that they are kept as, without making values of them: most of what is in a
 * body is in other bodies too, so that the same text need not be parsed again.
 */
import { closingQuote } from '../model/json.ts';
import type { OwnFields } from './own-fields.ts';

/** A field, wherever it stands in a body. */
export interface KnownField {
  readonly fields: OwnFields;
  /** Its name as a body has it: the JSON text with the colon after it. */
  readonly key: string;
  readonly below: Map<string, KnownField>;
  /** Those that came first in it, and after it, when it was last read: mostly they do so again. */
  first: KnownField | undefined;
  next: KnownField | undefined;
  /** The texts of some values that were read last, of which nothing is a node's own: others have the same. */
  readonly recent: string[];
}

/** How many texts of a field are looked for before one is read. */
const MOST_RECENT = 6;

/** Told of a field with the JSON text of its value. */
export type TellField = (field: KnownField, json: string) => void;

export interface BodyReader {
  /**
   * Tells of each field at the top of a body what nodes can share of it, and of each that is the node's own; where some
   * are `wanted`, of these alone, and of what is below them.
   */
  readonly read: (json: string, tell: TellField, tellOwn: TellField, wanted?: ReadonlySet<string>) => void;
}

const [QUOTE, COMMA] = [34, 44];
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP] = [91, 93, 123, 125];

export function newBodyReader(fields: OwnFields): BodyReader {
  const top = newField(fields);
  return {
    read: (json, tell, tellOwn, wanted) => {
      let previous: KnownField | undefined;
      for (let at = 1; json.charCodeAt(at) === QUOTE; at++) {
        const field = fieldAt(json, at, top, previous);
        const start = at + field.key.length;
        previous = field;
        if (wanted && !wanted.has(field.fields.way[0] ?? '')) {
          at = endOfValue(json, start);
          continue;
        }
        const known = recentAt(json, start, field);
        if (known !== undefined) {
          at = start + known.length;
          tell(field, known);
          continue;
        }
        const cuts: number[] = [];
        at = readValue(json, start, field, cuts, tellOwn);
        const text = withoutCuts(json, start, at, cuts);
        if (field.fields.isOwn) tellOwn(field, text);
        else tell(field, text);
        if (!field.fields.isOwn && cuts.length === 0) remember(field, text);
      }
    },
  };
}

/** The text of a value without what is a node's own below its top. */
export function sharedText(json: string, fields: OwnFields): string {
  const cuts: number[] = [];
  const end = readValue(json, 0, newField(fields), cuts, () => {});
  return withoutCuts(json, 0, end, cuts);
}

function newField(fields: OwnFields): KnownField {
  const key = `${JSON.stringify(fields.way.at(-1) ?? '')}:`;
  return { fields, key, below: new Map(), first: undefined, next: undefined, recent: [] };
}

/** The text that stands there, if it is one of those that were read last. */
function recentAt(json: string, at: number, { recent }: KnownField): string | undefined {
  // A longer number may begin with a shorter one.
  return recent.find((text) => json.startsWith(text, at) && isAfterValue(json.charCodeAt(at + text.length)));
}

function remember({ recent }: KnownField, text: string): void {
  if (recent.unshift(text) > MOST_RECENT) recent.pop();
}

function isAfterValue(code: number): boolean {
  return code === COMMA || code === CLOSE_MAP || code === CLOSE_LIST;
}

/** The field whose name stands there, below `above` and after `previous`. */
function fieldAt(json: string, at: number, above: KnownField, previous: KnownField | undefined): KnownField {
  const expected = previous ? previous.next : above.first;
  if (expected && json.startsWith(expected.key, at)) return expected;
  const name: unknown = JSON.parse(json.slice(at, endOfString(json, at)));
  const text = String(name);
  const field = above.below.get(text) ?? newField(above.fields.below(text));
  above.below.set(text, field);
  if (previous) previous.next = field;
  else above.first = field;
  return field;
}

/** Returns where the value ends. `cuts` gets where each part that is a node's own begins and ends. */
function readValue(json: string, start: number, field: KnownField, cuts: number[], tell: TellField): number {
  const first = json.charCodeAt(start);
  if (first === OPEN_MAP && !field.fields.isOwn) return readObject(json, start, field, cuts, tell);
  if (first !== OPEN_LIST || field.fields.isOwn) return endOfValue(json, start);
  let at = start + 1;
  while (json.charCodeAt(at) !== CLOSE_LIST) {
    if (json.charCodeAt(at) === COMMA) at++;
    at = readValue(json, at, field, cuts, tell);
  }
  return at + 1;
}

function readObject(json: string, start: number, above: KnownField, cuts: number[], tell: TellField): number {
  let at = start + 1;
  let previous: KnownField | undefined;
  let isFirst = true;
  while (json.charCodeAt(at) !== CLOSE_MAP) {
    const before = at;
    if (json.charCodeAt(at) === COMMA) at++;
    const name = at;
    const field = fieldAt(json, name, above, previous);
    previous = field;
    const value = name + field.key.length;
    at = readValue(json, value, field, cuts, tell);
    if (!field.fields.isOwn) {
      isFirst = false;
      continue;
    }
    tell(field, json.slice(value, at));
    // A comma goes with each part: that before it, or after it where nothing stays before it.
    if (!isFirst) cuts.push(before, at);
    else cuts.push(name, json.charCodeAt(at) === COMMA ? ++at : at);
  }
  return at + 1;
}

function withoutCuts(json: string, start: number, end: number, cuts: readonly number[]): string {
  if (cuts.length === 0) return json.slice(start, end);
  let text = '';
  let at = start;
  for (let i = 0; i < cuts.length; i += 2) {
    text += json.slice(at, cuts[i]);
    at = cuts[i + 1] ?? end;
  }
  return text + json.slice(at, end);
}

function endOfValue(json: string, start: number): number {
  const first = json.charCodeAt(start);
  if (first === QUOTE) return endOfString(json, start);
  if (first !== OPEN_MAP && first !== OPEN_LIST) return endOfWord(json, start);
  let depth = 0;
  for (let at = start; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = endOfString(json, at) - 1;
    else if (code === OPEN_MAP || code === OPEN_LIST) depth++;
    else if ((code === CLOSE_MAP || code === CLOSE_LIST) && --depth === 0) return at + 1;
  }
  return json.length;
}

/** Of a number, `true`, `false` or `null`. */
function endOfWord(json: string, start: number): number {
  for (let at = start; at < json.length; at++) if (isAfterValue(json.charCodeAt(at))) return at;
  return json.length;
}

/** After the closing quotation mark. */
function endOfString(json: string, start: number): number {
  return closingQuote(json, start) + 1;
}
