/**
 * The plain part of YAML, in which nearly all sources are written, read many times faster than by a whole parser: block
 * mappings and lists with keys that are words, scalars on one line, literal blocks, comments, and flow collections within
 * a line.
 * Whatever is not plainly that — a tab, an anchor, a folded text, a key that stands twice — is not read at all, and left
 * to the parser that knows all of YAML. What is read here has the same value there.
 */

import type { Json, JsonObject } from '../../model/json.ts';
import { closingQuote } from '../../model/json.ts';
import { jsonString, literalBlock } from './yaml-texts.ts';

/** The value of a scalar without quotes. */
export type PlainScalar = (text: string) => Json;

/** A text as a mapping; undefined when it is not plain all through. */
export function readPlainYaml(text: string, scalar: PlainScalar): JsonObject | undefined {
  if (BEYOND_ASCII.test(text) && UNUSUAL.test(text)) return undefined;
  return new PlainReader(text, scalar).whole();
}

const BEYOND_ASCII = /[^\n -~]/;
/** Control characters such as tabs, line separators, byte order marks, halves of surrogate pairs. */
const UNUSUAL = /(?!\n)[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufeff\ufffe\uffff]/u;
/** Keys that a parser may take for something else than their text. */
const RESERVED = /^(?:null|true|false)$/i;
const MOST_NESTED = 50;

const [NEWLINE, SPACE, QUOTE, HASH, APOSTROPHE, COMMA, DASH, COLON] = [10, 32, 34, 35, 39, 44, 45, 58];
const [OPEN_LIST, CLOSE_LIST, OPEN_MAP, CLOSE_MAP, BAR] = [91, 93, 123, 125, 124];

/** By character code: what a key consists of (1), and begins with (2); what a scalar may begin with (4). */
const CLASSES = new Uint8Array(128);
const [IN_KEY, BEGINS_KEY, BEGINS_SCALAR] = [1, 2, 4];
for (const [characters, classes] of [
  ['abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_', IN_KEY | BEGINS_KEY | BEGINS_SCALAR],
  ['0123456789.', IN_KEY | BEGINS_SCALAR],
  ['-', IN_KEY],
  ['/()+$^~<=;\\', BEGINS_SCALAR],
] as const) {
  for (const character of characters) CLASSES[character.charCodeAt(0)] = classes;
}

function is(code: number, wanted: number): boolean {
  return ((CLASSES[code] ?? 0) & wanted) !== 0;
}

/** Every method that reads gives undefined when what it finds is not plain; then the whole text is not. */
class PlainReader {
  readonly #text: string;
  readonly #scalar: PlainScalar;
  /** Where the next thing to read stands. */
  #at = 0;
  /** The column of the first thing on the line; -1 at the end of the text. */
  #indent = -1;
  #depth = 0;

  constructor(text: string, scalar: PlainScalar) {
    this.#text = text;
    this.#scalar = scalar;
  }

  whole(): JsonObject | undefined {
    this.#line(0);
    const value = this.#indent === 0 ? this.#mapping(0) : undefined;
    return this.#indent === -1 ? value : undefined;
  }

  /** Goes to the first thing on a line, past empty lines and comments; `from` is where a line begins. */
  #line(from: number): void {
    const text = this.#text;
    let start = from;
    let at = from;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      // To the end of the line, or far beyond the text's.
      if (code === HASH) at = text.indexOf('\n', at) >>> 0;
      else if (code !== SPACE && code !== NEWLINE) break;
      if (code !== SPACE) start = at + 1;
    }
    this.#at = Math.min(at, text.length);
    this.#indent = at < text.length ? at - start : -1;
  }

  #mapping(indent: number): JsonObject | undefined {
    if (++this.#depth > MOST_NESTED) return undefined;
    const result: Record<string, Json> = {};
    while (this.#indent === indent) {
      const key = this.#key();
      // What every object has already, such as `constructor`, is left to the other parser with what stands twice.
      if (key === undefined || result[key] !== undefined) return undefined;
      const value = this.#afterColon(indent);
      if (value === undefined) return undefined;
      result[key] = value;
    }
    this.#depth--;
    return this.#indent < indent ? result : undefined;
  }

  /** Where the colon of a key stands; -1 when there is no key here. */
  #colon(): number {
    const text = this.#text;
    let at = this.#at;
    if (!is(text.charCodeAt(at), BEGINS_KEY)) return -1;
    do at++;
    while (is(text.charCodeAt(at), IN_KEY));
    // Above a space is all but a space, a line's end and the text's.
    return text.charCodeAt(at) === COLON && !(text.charCodeAt(at + 1) > SPACE) ? at : -1;
  }

  /** A key and its colon. */
  #key(): string | undefined {
    const end = this.#colon();
    if (end < 0) return undefined;
    const key = this.#text.slice(this.#at, end);
    this.#at = end + 1;
    return (key.length <= 5 && RESERVED.test(key)) || key === '__proto__' ? undefined : key;
  }

  #afterColon(indent: number): Json | undefined {
    if (this.#isOnLine()) return this.#text.charCodeAt(this.#at) === BAR ? this.#literal(indent) : this.#onLine(indent);
    this.#line(this.#at);
    if (this.#indent > indent) return this.#block(this.#indent);
    return this.#indent === indent && this.#isItem() ? this.#list(indent) : null;
  }

  /** Goes past spaces, and says whether anything but a comment follows them on the line. */
  #isOnLine(): boolean {
    const code = this.#skip();
    return code !== NEWLINE && code !== HASH && this.#at < this.#text.length;
  }

  /** Goes past spaces, and gives the code of what follows them. */
  #skip(): number {
    while (this.#text.charCodeAt(this.#at) === SPACE) this.#at++;
    return this.#text.charCodeAt(this.#at);
  }

  #block(indent: number): Json | undefined {
    return this.#isItem() ? this.#list(indent) : this.#mapping(indent);
  }

  #isItem(): boolean {
    const next = this.#text.charCodeAt(this.#at + 1);
    return this.#text.charCodeAt(this.#at) === DASH && (next === SPACE || next === NEWLINE);
  }

  #list(indent: number): Json | undefined {
    if (++this.#depth > MOST_NESTED) return undefined;
    const items: Json[] = [];
    while (this.#indent === indent && this.#isItem()) {
      const item = this.#item(indent);
      if (item === undefined) return undefined;
      items.push(item);
    }
    this.#depth--;
    return this.#indent <= indent ? items : undefined;
  }

  #item(indent: number): Json | undefined {
    const dash = this.#at++;
    if (!this.#isOnLine()) {
      this.#line(this.#at);
      if (this.#indent > indent) return this.#block(this.#indent);
      // js-yaml takes the items of the list around this one for its own.
      return this.#indent === indent ? null : undefined;
    }
    if (this.#isItem()) return undefined;
    if (this.#colon() < 0) return this.#onLine(indent);
    this.#indent = indent + this.#at - dash;
    return this.#mapping(this.#indent);
  }

  /** A value that ends with its line. What follows must not stand deeper: it would belong to the value. */
  #onLine(indent: number): Json | undefined {
    const value = this.#value(false);
    if (value === undefined) return undefined;
    const end = this.#at;
    if (this.#isOnLine() || (this.#at === end && this.#text.charCodeAt(end) === HASH)) return undefined;
    this.#line(this.#at);
    return this.#indent <= indent ? value : undefined;
  }

  #literal(indent: number): string | undefined {
    const block = literalBlock(this.#text, this.#at, indent);
    if (!block) return undefined;
    this.#line(block.end);
    return this.#indent <= indent ? block.value : undefined;
  }

  #value(isInFlow: boolean): Json | undefined {
    const code = this.#text.charCodeAt(this.#at);
    if (code === QUOTE) return this.#double();
    if (code === APOSTROPHE) return this.#single();
    if (code === OPEN_MAP) return this.#flowMapping();
    return code === OPEN_LIST ? this.#flowList() : this.#plain(isInFlow);
  }

  #plain(isInFlow: boolean): Json | undefined {
    const text = this.#text;
    const start = this.#at;
    const first = text.charCodeAt(start);
    const digit = text.charCodeAt(start + 1) - 48;
    const isNegative = first === DASH && digit >= 0 && digit <= 9;
    if (!isNegative && !is(first, BEGINS_SCALAR)) return undefined;
    // The end, without spaces before it.
    let end = start;
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === NEWLINE) break;
      if (code === SPACE) continue;
      if (code === COLON) {
        const next = text.charCodeAt(at + 1);
        // The mark of a key, or in a flow collection something that parsers read differently.
        if (isInFlow || next === SPACE || next === NEWLINE || at + 1 === text.length) return undefined;
      } else if (code === HASH && at > end) break;
      else if (isInFlow) {
        if (code === COMMA || code === CLOSE_MAP || code === CLOSE_LIST) break;
        if (code === OPEN_MAP || code === OPEN_LIST) return undefined;
      }
      end = at + 1;
    }
    this.#at = end;
    return this.#scalar(text.slice(start, end));
  }

  #single(): string | undefined {
    const text = this.#text;
    const start = this.#at + 1;
    let end = text.indexOf("'", start);
    while (end >= 0 && text.charCodeAt(end + 1) === APOSTROPHE) end = text.indexOf("'", end + 2);
    if (end < 0) return undefined;
    this.#at = end + 1;
    const inner = text.slice(start, end);
    return inner.includes('\n') ? undefined : inner.replaceAll("''", "'");
  }

  #double(): string | undefined {
    const text = this.#text;
    const start = this.#at;
    const end = closingQuote(text, start);
    if (end < 0) return undefined;
    this.#at = end + 1;
    const quoted = text.slice(start, end + 1);
    if (quoted.includes('\n')) return undefined;
    return quoted.includes('\\') ? jsonString(quoted) : quoted.slice(1, -1);
  }

  #flowMapping(): JsonObject | undefined {
    if (++this.#depth > MOST_NESTED) return undefined;
    const result: Record<string, Json> = {};
    const isRead = this.#flow(CLOSE_MAP, () => {
      const key = this.#key();
      if (key === undefined || result[key] !== undefined || !this.#isOnLine()) return false;
      const value = this.#value(true);
      if (value !== undefined) result[key] = value;
      return value !== undefined;
    });
    this.#depth--;
    return isRead ? result : undefined;
  }

  #flowList(): Json | undefined {
    if (++this.#depth > MOST_NESTED) return undefined;
    const items: Json[] = [];
    const isRead = this.#flow(CLOSE_LIST, () => {
      const value = this.#value(true);
      if (value !== undefined) items.push(value);
      return value !== undefined;
    });
    this.#depth--;
    return isRead ? items : undefined;
  }

  /** Entries with commas between them, between two brackets: `{a: 1, b: [2, 3]}`. */
  #flow(close: number, entry: () => boolean): boolean {
    this.#at++;
    if (this.#skip() === close) {
      this.#at++;
      return true;
    }
    for (;;) {
      this.#skip();
      if (!entry()) return false;
      const code = this.#skip();
      this.#at++;
      if (code === close) return true;
      if (code !== COMMA) return false;
    }
  }
}
