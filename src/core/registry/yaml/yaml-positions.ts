/**
 * Where something stands in a YAML text, and what is wrong with it: the slow, exact look that is taken only once
 * there is something to say.
 */

import type { Document, Node, YAMLParseError } from 'yaml';
import { type Finding, finding, type Place, placeAt } from '../../diagnostics/finding.ts';
import { certain, itemAt } from '../../platform/certain.ts';
import { yaml } from '../../platform/modules.ts';
import { blockOffset } from './block-positions.ts';

/** How much the aliases of one file may stand for, in values and characters, before they count as a bomb. */
const MOST_ALIASED = 100_000;
const UNCLOSED_QUOTE = /^Missing closing (.)quote$/;
const CLEARER: readonly (readonly [said: RegExp, clearer: string])[] = [
  [UNCLOSED_QUOTE, 'A quoted value has no closing $1'],
  [/^Flow map .* end with a }$/, 'A "{" has no "}" that closes it'],
  [/^Flow sequence .* end with a ]$/, 'A "[" has no "]" that closes it'],
  [/^Implicit (keys need to be on a single line|map keys need to be .*)$/, 'A line is no "field: value"'],
  [
    /^Nested mappings are not allowed in compact mappings$/,
    'A line has ": " twice; quote what holds the second',
  ],
];

/** Everything in the text that a registry must not hold; empty when it is plain YAML. */
export function explainYaml(file: string, text: string): Finding[] {
  const documents = parse(text);
  const [first, second] = documents;
  if (second?.range)
    return [finding('yaml-several-documents', {}, placeAt(file, text, separator(text, second.range[0])))];
  if (!first) return [];
  const broken = new Set<number | undefined>();
  const findings = first.errors.flatMap((error): Finding[] => {
    const at = placeAt(file, text, whereBroken(first, error));
    if (error.code === 'DUPLICATE_KEY') {
      return [finding('yaml-duplicate-key', { key: wordAt(text, error.pos[0]) }, at)];
    }
    // One mistake makes the parser complain several times about the same line.
    if (broken.has(at.line)) return [];
    broken.add(at.line);
    return [finding('yaml-syntax', { reason: reasonOf(error.message) }, at)];
  });
  return [...findings, ...marks(file, text, first), ...aliases(file, text, first)];
}

/** Where to look for a syntax error; for a quote that is never closed, where it opens. */
function whereBroken(document: Document, { pos: [offset], message }: YAMLParseError): number {
  let opening = offset;
  if (UNCLOSED_QUOTE.test(message)) {
    yaml().visit(document, {
      Scalar: (_, { type, range }) => {
        if (type?.startsWith('QUOTE') && range && range[0] < offset) opening = range[0];
      },
    });
  }
  return opening;
}

function marks(file: string, text: string, document: Document): Finding[] {
  const { isAlias, isNode, isScalar, visit } = yaml();
  const findings: Finding[] = [];
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node) || node.tag === undefined) return;
      const { tag, offset } = tagBefore(text, startOf(node)) ?? { tag: node.tag, offset: startOf(node) };
      findings.push(finding('yaml-tag', { tag }, placeAt(file, text, offset)));
    },
    Pair: (_, pair) => {
      const { key } = pair;
      if (!isNode(key)) return;
      const place = () => placeAt(file, text, startOf(key));
      if (isScalar(key) && key.value === '<<' && key.type === 'PLAIN') {
        findings.push(finding('yaml-merge-key', {}, place()));
      } else if (!isScalar(key)) findings.push(finding('yaml-complex-key', {}, place()));
    },
  });
  return findings;
}

/** Where a node begins: all that the parser makes has a range. */
function startOf({ range }: Node): number {
  return certain(range ?? undefined)[0];
}

/** The tag that stands before a value, as it is written. */
function tagBefore(text: string, offset: number): { tag: string; offset: number } | undefined {
  const found = /(?<![^\s[{,])(!\S*)(?:\s+&\S+)?(?:\s+(?:#.*\n\s*)*)?$/.exec(text.slice(0, offset));
  return found?.[1] === undefined ? undefined : { tag: found[1], offset: found.index };
}

/** Aliases without an anchor, and the first one with which the file would expand beyond all bounds. */
function aliases(file: string, text: string, document: Document): Finding[] {
  const { isAlias, isCollection, isPair, isScalar } = yaml();
  const findings: Finding[] = [];
  const sizes = new Map<string, number>();
  let expanded = 0;
  const sizeOf = (node: unknown): number => {
    if (isPair(node)) return sizeOf(node.key) + sizeOf(node.value);
    if (isAlias(node)) {
      const size = sizes.get(node.source);
      const place = () => placeAt(file, text, startOf(node));
      if (size === undefined) {
        findings.push(finding('yaml-syntax', { reason: `The alias *${node.source} has no anchor` }, place()));
        return 1;
      }
      const isWithin = expanded <= MOST_ALIASED;
      expanded += size;
      if (isWithin && expanded > MOST_ALIASED) findings.push(finding('yaml-alias-bomb', {}, place()));
      return size;
    }
    if (!isScalar(node) && !isCollection(node)) return 0;
    // An anchor that is used inside its own value would never end.
    if (node.anchor !== undefined) sizes.set(node.anchor, Number.POSITIVE_INFINITY);
    const items: readonly unknown[] = isCollection(node) ? node.items : [];
    const own = isScalar(node) ? 1 + certain(node.source).length : 1;
    const size = items.reduce<number>((sum, item) => sum + sizeOf(item), own);
    if (node.anchor !== undefined) sizes.set(node.anchor, size);
    return size;
  };
  sizeOf(document.contents);
  return findings;
}

/** A text that is parsed once, when something in it is first asked for. */
export interface Positions {
  /** Where the value, or the key, at a path stands: the nearest thing above it when it is not there. */
  readonly locate: (path: readonly PropertyKey[], what?: 'key' | 'value') => Place;
  /** The text of a plain scalar at a path; undefined when it is quoted, or no scalar. */
  readonly plainTextAt: (path: readonly PropertyKey[]) => string | undefined;
}

export function positionsIn(file: string, text: string): Positions {
  let parsed: Document | undefined;
  const document = () => {
    parsed ??= parse(text)[0];
    return parsed;
  };
  return {
    locate: (path, what = 'value') => {
      const offset = what === 'value' ? (topFieldOffset(text, path) ?? blockOffset(text, path)) : undefined;
      return placeAt(file, text, offset ?? offsetOf(document(), path, what));
    },
    plainTextAt: (path) => {
      const node = document()?.getIn(path, true);
      return yaml().isScalar(node) && node.type === 'PLAIN' ? node.source : undefined;
    },
  };
}

export function locate(file: string, text: string, path: readonly PropertyKey[]): Place {
  return positionsIn(file, text).locate(path);
}

/** Where the scalar of a field at the top stands, when it is plain to see: a thousand findings need no parser. */
function topFieldOffset(text: string, [field, ...rest]: readonly PropertyKey[]): number | undefined {
  if (typeof field !== 'string' || !/^[a-z_]+$/.test(field) || rest.length > 0) return undefined;
  const line = new RegExp(`^${field}: +(?=[^\\s#&*!|>])`, 'm').exec(text);
  return line ? line.index + line[0].length : undefined;
}

function offsetOf(
  document: Document | undefined,
  path: readonly PropertyKey[],
  what: 'key' | 'value',
): number {
  const { isMap, isNode, isScalar } = yaml();
  let here: unknown = document?.contents;
  let offset = isNode(here) ? startOf(here) : 0;
  for (const [depth, key] of path.entries()) {
    const pair = isMap(here)
      ? here.items.find((item) => (isScalar(item.key) ? String(item.key.value) : item.key) === String(key))
      : undefined;
    const next: unknown = pair ? pair.value : isNode(here) && 'get' in here ? here.get(key, true) : undefined;
    const target = pair && what === 'key' && depth === path.length - 1 ? pair.key : next;
    if (isNode(target) && target.range) offset = target.range[0];
    else if (pair && isNode(pair.key) && pair.key.range) offset = pair.key.range[0];
    else break;
    here = next;
  }
  return offset;
}

function parse(text: string): Document[] {
  const { LineCounter, parseAllDocuments } = yaml();
  const documents = parseAllDocuments(text, {
    version: '1.2',
    schema: 'failsafe',
    merge: false,
    prettyErrors: false,
    logLevel: 'silent',
    lineCounter: new LineCounter(),
  });
  return Array.isArray(documents) ? documents : [];
}

/** The parser's reason in words that say what to look for, without a full stop. */
function reasonOf(message: string): string {
  const line = itemAt(message.split('\n'), 0).replace(/[.:]?\s*$/, '');
  return CLEARER.reduce((text, [said, clearer]) => text.replace(said, clearer), line);
}

function wordAt(text: string, offset: number): string {
  return (
    /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s:,{}[\]]+))/
      .exec(text.slice(offset))
      ?.slice(1)
      .find(Boolean) ?? ''
  );
}

/** The "---" before an offset, or the offset itself. */
function separator(text: string, offset: number): number {
  const at = text.lastIndexOf('---', offset);
  return at < 0 ? offset : at;
}
