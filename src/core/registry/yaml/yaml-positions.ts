import type { Document, Pair, YAMLMap } from 'yaml';
import { type Place, placeAt } from '../../diagnostics/finding.ts';
import { getOrCreate } from '../../platform/lookups.ts';
import { yaml } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';

/** Locates values in a YAML text. The parser runs at most once, on the first lookup that needs the parser. */
export interface Positions {
  /** Returns the place of the value or key at a path. If it does not exist, the place of the nearest value above it. */
  readonly locate: (path: readonly PropertyKey[], what?: 'key' | 'value') => Place;
  readonly plainTextAt: (path: readonly PropertyKey[]) => string | undefined;
}

export function positionsIn(file: string, text: string): Positions {
  const lookup = lazily(() => lookupIn(parseDocuments(text)[0]));
  return {
    locate: (path, what = 'value') => {
      const offset = what === 'value' ? (topFieldOffset(text, path) ?? blockOffset(text, path)) : undefined;
      return placeAt(file, text, offset ?? lookup().offsetOf(path, what));
    },
    plainTextAt: (path) => {
      const node = lookup().nodeAt(path);
      return yaml().isScalar(node) && node.type === 'PLAIN' ? node.source : undefined;
    },
  };
}

export function locate(file: string, text: string, path: readonly PropertyKey[]): Place {
  return positionsIn(file, text).locate(path);
}

/** Returns the offset of a top-level scalar if a simple search finds it, so that most findings need no parser. */
function topFieldOffset(text: string, [field, ...rest]: readonly PropertyKey[]): number | undefined {
  if (typeof field !== 'string' || !/^[a-z_]+$/.test(field) || rest.length > 0) return undefined;
  const line = new RegExp(`^${field}: +(?=[^\\s#&*!|>])`, 'm').exec(text);
  return line ? line.index + line[0].length : undefined;
}

interface Lookup {
  readonly nodeAt: (path: readonly PropertyKey[]) => unknown;
  readonly offsetOf: (path: readonly PropertyKey[], what: 'key' | 'value') => number;
}

function lookupIn(document: Document | undefined): Lookup {
  const { isMap, isNode, isScalar, isSeq } = yaml();
  const pairs = new Map<YAMLMap, ReadonlyMap<string, Pair>>();
  const pairsOf = (map: YAMLMap) =>
    // Only scalar keys can be fields. The texts of nested mapping keys would double their size at each level.
    getOrCreate(pairs, map, () => {
      const entries = map.items
        .toReversed()
        .flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair] as const] : []));
      return new Map(entries);
    });
  const root: unknown = document?.contents;
  const step = (here: unknown, key: PropertyKey): { readonly pair?: Pair | undefined; readonly next: unknown } => {
    const pair = isMap(here) ? pairsOf(here).get(String(key)) : undefined;
    return { pair, next: pair ? pair.value : isSeq(here) ? here.items[Number(key)] : undefined };
  };

  return {
    nodeAt: (path) => path.reduce((here: unknown, key) => step(here, key).next, root),
    offsetOf: (path, what) => {
      let here = root;
      let offset = isNode(here) ? (here.range?.[0] ?? 0) : 0;
      for (const [depth, key] of path.entries()) {
        const { pair, next } = step(here, key);
        const target = pair && what === 'key' && depth === path.length - 1 ? pair.key : next;
        if (isNode(target) && target.range) offset = target.range[0];
        else if (pair && isNode(pair.key) && pair.key.range) offset = pair.key.range[0];
        else break;
        here = next;
      }
      return offset;
    },
  };
}

/** The start of a value: its first character, or the first character of its block. */
interface Spot {
  readonly offset: number;
  /** The zero-based column of the block's direct contents. */
  readonly column: number;
}

interface Line extends Spot {
  readonly text: string;
}

/** Matches texts that need the parser: tabs, markers, several documents, and keys or items that are not plain. */
const UNUSUAL = /[\t\r]|^(---|\.\.\.|%)|^ *(- +)*[&*!?|>{["']/m;
const PLAIN_KEY = /^[\w.-]+:(?= |$)/;
const UNUSUAL_VALUE = /^[&*!|>]/;

export function blockOffset(text: string, path: readonly PropertyKey[]): number | undefined {
  if (UNUSUAL.test(text)) return undefined;
  const first = contentLine(text, 0);
  if (first?.column !== 0 || !PLAIN_KEY.test(first.text)) return undefined;
  let spot: Spot = first;
  for (const token of path) {
    const next = typeof token === 'number' ? itemSpot(text, spot, token) : keySpot(text, spot, String(token));
    if (next === 'missing') return spot.offset;
    if (!next) return undefined;
    spot = next;
  }
  return spot.offset;
}

/** Returns the first line with content at or after an offset. Skips empty lines and comments. */
function contentLine(text: string, from: number): Line | undefined {
  for (let start = from; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    let offset = start;
    while (offset < end && text[offset] === ' ') offset++;
    if (offset < end && text[offset] !== '#') {
      const column = offset - (text.lastIndexOf('\n', offset - 1) + 1);
      return { offset, column, text: text.slice(offset, end) };
    }
    start = end + 1;
  }
  return undefined;
}

/** Yields the lines that begin in the block's column. A line with less indentation ends the block. */
function* linesOf(text: string, { offset, column }: Spot): Generator<Line> {
  let line = contentLine(text, offset);
  while (line && line.column >= column) {
    if (line.column === column) yield line;
    line = contentLine(text, line.offset + line.text.length + 1);
  }
}

function keySpot(text: string, block: Spot, key: string): Spot | 'missing' | undefined {
  for (const line of linesOf(text, block)) {
    const start = PLAIN_KEY.exec(line.text)?.[0];
    if (start === undefined) return undefined;
    if (start === `${key}:`) return valueSpot(text, line, start.length);
  }
  return 'missing';
}

function itemSpot(text: string, block: Spot, index: number): Spot | 'missing' | undefined {
  let i = 0;
  for (const line of linesOf(text, block)) {
    if (!line.text.startsWith('- ')) return undefined;
    if (i++ === index) return valueSpot(text, line, 1);
  }
  return 'missing';
}

function valueSpot(text: string, line: Line, length: number): Spot | undefined {
  const rest = line.text.slice(length);
  const value = rest.trimStart();
  if (UNUSUAL_VALUE.test(value)) return undefined;
  if (value !== '' && !value.startsWith('#')) {
    const skipped = length + rest.length - value.length;
    return { offset: line.offset + skipped, column: line.column + skipped };
  }
  const below = contentLine(text, line.offset + line.text.length + 1);
  return below && below.column > line.column ? below : undefined;
}

/** The maximum size of an explained text, in characters. The parser needs a hundred times this size in memory. */
export const MOST_EXPLAINED = 250_000;

export function parseDocuments(text: string): Document[] {
  if (text.length > MOST_EXPLAINED) return [];
  const { parseAllDocuments } = yaml();
  const documents = parseAllDocuments(text, {
    version: '1.2',
    schema: 'failsafe',
    merge: false,
    prettyErrors: false,
    logLevel: 'silent',
    // Disables the check for unique keys, because the check compares each key with all earlier keys.
    uniqueKeys: false,
  });
  return Array.isArray(documents) ? documents : [];
}
