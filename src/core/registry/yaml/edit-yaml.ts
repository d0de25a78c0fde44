/** Changes values in a YAML text. Comments, order, quotes and spaces stay unchanged elsewhere. */
import type { Pair, YAMLMap, YAMLSeq } from 'yaml';
import { pairItems } from '../../model/differences/pair-items.ts';
import type { FieldRule } from '../../model/field-classes.ts';
import { isJsonObject, type Json, type JsonObject, sameJson } from '../../model/json.ts';
import { getOrCreate } from '../../platform/lookups.ts';
import { yaml } from '../../platform/modules.ts';
import { blockList, blockScalar, encodeYaml, flow } from './write-yaml.ts';
import { MOST_EXPLAINED, parseDocuments } from './yaml-positions.ts';

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits of the text. Undefined if the change needs the whole value to be written again. */
type Splices = Splice[] | undefined;

/**
 * The lines of `given` do not end with CRLF. Comments stay with the list items that `rule` pairs. Aliases and unusual
 * keys can produce wrong values, so callers must parse the result and compare it with `after`.
 */
export function editYaml(given: string, before: JsonObject, after: JsonObject, rule: FieldRule): string | undefined {
  if (given.length > MOST_EXPLAINED) return undefined;
  // The package `yaml` does not read a carriage return alone as a line break.
  const text = given.replaceAll('\r', '\n');
  const splices = valueSplices(parseDocuments(text)[0]?.contents, before, after, { text, isFlow: false, rule });
  if (!splices) return encodeYaml(after);
  let edited = '';
  let at = 0;
  for (const { start, end, text: inserted } of splices.sort((a, b) => a.start - b.start || a.end - b.end)) {
    edited += text.slice(at, start) + inserted;
    at = end;
  }
  return edited + text.slice(at);
}

interface Context {
  readonly text: string;
  /** Whether the value is inside brackets. */
  readonly isFlow: boolean;
  /** The rule of the value. */
  readonly rule: FieldRule;
}

function valueSplices(node: unknown, before: Json, after: Json, context: Context): Splices {
  const { text, isFlow } = context;
  if (sameJson(before, after)) return [];
  const { isMap, isSeq, isScalar } = yaml();
  if (isMap(node) && isJsonObject(before) && isJsonObject(after))
    return mapSplices(node, before, after, { ...context, isFlow: node.flow === true });
  if (isSeq(node) && Array.isArray(before) && Array.isArray(after))
    return listSplices(node, before, after, { ...context, isFlow: node.flow === true });
  const isOnOneLine = isScalar(node) && !node.type?.startsWith('BLOCK');
  const hasLines = !isFlow && String(after).includes('\n');
  if (!isOnOneLine || !node.range || Array.isArray(after) || isJsonObject(after) || hasLines) return undefined;
  const [start, end] = node.range;
  const written = isFlow ? flow(after) : blockScalar(after, '');
  const spaceBefore = text[start - 1] === ':' ? ' ' : '';
  // An empty value ends where the comment after it begins.
  const spaceAfter = text[end] === '#' ? ' ' : '';
  return [{ start, end, text: spaceBefore + written + spaceAfter }];
}

function mapSplices(map: YAMLMap, before: JsonObject, after: JsonObject, context: Context): Splices {
  const { text, isFlow, rule } = context;
  if (Object.keys(after).length === 0) return undefined;
  const added = Object.fromEntries(Object.entries(after).filter(([name]) => !Object.hasOwn(before, name)));
  const isLarger = Object.keys(added).length > 0;
  const splices: Splice[] = [];
  for (const [i, pair] of map.items.entries()) {
    const name = keyOf(pair);
    if (name === undefined) return undefined;
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    const below = { ...context, rule: rule.below(name) };
    const inside = now === undefined ? undefined : valueSplices(pair.value, before[name] ?? null, now, below);
    if (inside) splices.push(...inside);
    else if (isFlow) return undefined;
    else {
      const start = startOf(pair.key);
      const margin = ' '.repeat(columnOf(text, start));
      const next = map.items[i + 1];
      const isAfterDash = text.slice(start - margin.length, start).trim() !== '';
      if (now !== undefined) splices.push(rewriting(text, start, pair, encodeYaml({ [name]: now }, margin)));
      else if (!isAfterDash) splices.push({ start: start - margin.length, end: lineEnd(text, pair), text: '' });
      else if (next) splices.push({ start, end: wordAfter(text, lineEnd(text, pair)), text: '' });
      else return undefined;
    }
  }
  const last = map.items.at(-1);
  if (!isLarger) return splices;
  if (!last) return undefined;
  if (isFlow) return [...splices, flowInsertion(last, flow(added))];
  const written = encodeYaml(added, ' '.repeat(columnOf(text, startOf(map.items[0]?.key))));
  return [...splices, insertion(text, last, written)];
}

function listSplices(list: YAMLSeq, before: readonly Json[], after: readonly Json[], context: Context): Splices {
  const { text, isFlow, rule } = context;
  const last = list.items.at(-1);
  const partners = partnersInOrder(before, after, rule.keys);
  const isOnlyLonger = before.every((_, i) => partners[i] === i);
  const margin = columnOf(text, startOf(list));
  const isAfterDash = text.slice(startOf(list) - margin, startOf(list)).trim() !== '';
  if (last === undefined || after.length === 0 || (!isOnlyLonger && (isFlow || isAfterDash))) return undefined;
  const places = new Map(partners.map((i, j) => [i, j]));
  const splices: Splice[] = [];
  for (const [i, node] of list.items.entries()) {
    const dash = dashOf(list, i, text);
    const now = after[places.get(i) ?? after.length];
    const below = { ...context, rule: rule.below('0') };
    const inside = now === undefined ? undefined : valueSplices(node, before[i] ?? null, now, below);
    if (inside) splices.push(...inside);
    else if (isFlow) return undefined;
    else if (now === undefined) splices.push({ start: dash - margin, end: lineEnd(text, node), text: '' });
    else splices.push(rewriting(text, dash, node, blockList([now], ' '.repeat(margin))));
  }
  for (const [i, items] of addedItems(after, partners)) {
    const lines = blockList(items, ' '.repeat(margin));
    const top = aboveComments(text, startOf(list) - margin);
    if (i < 0) splices.push({ start: top, end: top, text: lines });
    else splices.push(isFlow ? flowInsertion(last, flow(items)) : insertion(text, list.items[i], lines));
  }
  return splices;
}

/** Groups the items without partners by the partner of the item above. The group at the start of the list has -1. */
function addedItems(after: readonly Json[], partners: readonly (number | undefined)[]): Map<number, Json[]> {
  const added = new Map<number, Json[]>();
  let above = -1;
  for (const [j, item] of after.entries()) {
    above = partners[j] ?? above;
    if (partners[j] === undefined) getOrCreate(added, above, () => []).push(item);
  }
  return added;
}

/**
 * Returns the partner in `before` of each item of `after`. The partners are in order. If items were only removed, equal
 * items are partners. Otherwise the keys decide, or the positions if items changed places.
 */
function partnersInOrder(
  before: readonly Json[],
  after: readonly Json[],
  keys: readonly string[],
): readonly (number | undefined)[] {
  const equal: number[] = [];
  for (const [i, item] of before.entries()) {
    if (equal.length < after.length && sameJson(item, after[equal.length] ?? null)) equal.push(i);
  }
  if (equal.length === after.length) return equal;
  const paired = pairItems(before, after, keys);
  const taken = new Set(paired);
  const loose = [...before.keys()].filter((i) => !taken.has(i));
  // A part whose keys change can keep its place.
  const inPlace = paired.map((i) => i ?? loose.shift());
  return [inPlace, paired].find(isInOrder) ?? pairItems(before, after, []);
}

function isInOrder(partners: readonly (number | undefined)[]): boolean {
  const order = partners.filter((i) => i !== undefined);
  return order.every((i, k) => k === 0 || i > (order[k - 1] ?? 0));
}

/** Returns the start of the comment lines above a line. */
function aboveComments(text: string, line: number): number {
  let at = line;
  while (at > 0) {
    const above = text.lastIndexOf('\n', at - 2) + 1;
    if (!text.slice(above, at).trimStart().startsWith('#')) break;
    at = above;
  }
  return at;
}

/** Returns the offset of the dash before an item of a block list. */
function dashOf(list: YAMLSeq, i: number, text: string): number {
  const start = startOf(list);
  const margin = columnOf(text, start);
  return i === 0 ? start : text.lastIndexOf(`\n${' '.repeat(margin)}-`, startOf(list.items[i])) + 1 + margin;
}

/** Replaces a pair or an item of a list. Keeps the comment after it. */
function rewriting(text: string, start: number, node: unknown, lines: string): Splice {
  const written = lines.slice(columnOf(text, start));
  const comment = commentAfter(text, start, node);
  return { start, end: lineEnd(text, node), text: written.replace('\n', () => `${comment}\n`) };
}

/** Inserts lines after the last line of a YAML node or pair. */
function insertion(text: string, last: unknown, lines: string): Splice {
  const at = lineEnd(text, last);
  return { start: at, end: at, text: at > 0 && text[at - 1] !== '\n' ? `\n${lines}` : lines };
}

/** Inserts the contents of brackets after the last YAML node or pair in other brackets. */
function flowInsertion(last: unknown, brackets: string): Splice {
  const at = endOf(last);
  return { start: at, end: at, text: `, ${brackets.slice(1, -1)}` };
}

function keyOf({ key }: Pair): string | undefined {
  const { isScalar } = yaml();
  return isScalar(key) ? String(key.value) : undefined;
}

function startOf(node: unknown): number {
  const { isNode } = yaml();
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** Returns the start of the line after a YAML node or pair. For a block, this is after the comments below it. */
function lineEnd(text: string, last: unknown): number {
  const end = endOf(last);
  const newline = text.indexOf('\n', end - 1);
  return newline < 0 ? text.length : newline + 1;
}

/** Returns the offset of the next key or comment. */
function wordAfter(text: string, offset: number): number {
  return offset + text.slice(offset).search(/\S/);
}

const COMMENT_AFTER_KEY = /^[ \t]*:(?:[ \t]+[|>][\d+-]*)?([ \t]+#[^\n]*)/;

/** Returns the comment after a key, or after a YAML node or pair on one line, with the spaces before it. */
function commentAfter(text: string, start: number, node: unknown): string {
  const [, comment] = yaml().isPair(node) ? (COMMENT_AFTER_KEY.exec(text.slice(endOf(node.key))) ?? []) : [];
  if (comment !== undefined) return comment;
  const end = endOf(node);
  if (text.slice(start, end).includes('\n')) return '';
  return /^[ \t]+#[^\n]*/.exec(text.slice(end, lineEnd(text, node)))?.[0] ?? '';
}

function endOf(node: unknown): number {
  const { isCollection, isNode, isPair } = yaml();
  if (isPair(node)) return Math.max(endOf(node.key), endOf(node.value));
  if (isCollection(node) && node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1));
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}
