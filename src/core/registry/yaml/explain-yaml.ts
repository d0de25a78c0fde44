/** Explains YAML errors. This slow analysis runs only after an error, or if a file has anchors, aliases or tags. */
import type { Document, Node, YAMLMap, YAMLParseError } from 'yaml';
import { byPlace, type Finding, finding, MOST_FINDINGS_PER_FILE, placeAt } from '../../diagnostics/finding.ts';
import { assertDefined, itemAt } from '../../platform/lookups.ts';
import { yaml } from '../../platform/modules.ts';
import { parseDocuments } from './yaml-positions.ts';

/** The maximum size of all expanded aliases in a file, in values or in characters. A file above it is a YAML bomb. */
const MOST_ALIASED = 100_000;
const UNCLOSED_QUOTE = /^Missing closing (.)quote$/;
const CLEARER: readonly (readonly [pattern: RegExp, clearer: string])[] = [
  [UNCLOSED_QUOTE, 'A quoted value has no closing $1'],
  [/^Flow map .* end with a }$/, 'A "{" has no "}" that closes it'],
  [/^Flow sequence .* end with a ]$/, 'A "[" has no "]" that closes it'],
  [/^Implicit (keys need to be on a single line|map keys need to be .*)$/, 'A line is no "field: value"'],
  [/^Nested mappings are not allowed in compact mappings$/, 'A line has ": " twice; quote what holds the second'],
];

/** Matches the lines around a conflict that git writes into a file. */
const CONFLICT = /^(?:<{7}|>{7}) /m;

const MAYBE_MARKS = /(^|[\s[{,:-])([&*][^\s]|!)|<<|^[ \t]*\? |[[{,]\s*\? |[\]}]\s*:/m;
/** The token that the lexer emits before each unquoted scalar. */
const SCALAR = '\x1f';

export function hasMarks(text: string): boolean {
  if (!MAYBE_MARKS.test(text)) return false;
  let previous = '';
  for (const token of new (yaml().Lexer)().lex(text)) {
    const isScalar = previous === SCALAR;
    const isComplexKey = token === ':' && (previous === ']' || previous === '}');
    if (isScalar ? token === '<<' : isComplexKey || /^[&*!?]/.test(token)) return true;
    if (isScalar || token.trim() !== '') previous = isScalar ? '' : token;
  }
  return false;
}

/** Finds YAML that a registry must not contain. Returns at most 100 findings. */
export function explainYaml(file: string, text: string): Finding[] {
  try {
    return explained(file, text).sort(byPlace).slice(0, MOST_FINDINGS_PER_FILE);
  } catch (error) {
    // The parser is recursive, and the depth of the text is not limited.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function explained(file: string, text: string): Finding[] {
  const documents = parseDocuments(text);
  const [first, second] = documents;
  if (second?.range)
    return [finding('yaml-several-documents', {}, placeAt(file, text, separator(text, second.range[0])))];
  if (!first) return [];
  const conflict = first.errors.length > 0 ? text.search(CONFLICT) : -1;
  if (conflict >= 0) return [finding('yaml-conflict', {}, placeAt(file, text, conflict))];
  return [
    ...syntaxErrors(file, text, first),
    ...duplicateKeys(file, text, first),
    ...marks(file, text, first),
    ...aliases(file, text, first),
  ];
}

function syntaxErrors(file: string, text: string, document: Document): Finding[] {
  const openings = openingQuotes(document);
  const broken = new Set<number | undefined>();
  return document.errors.slice(0, MOST_FINDINGS_PER_FILE).flatMap((error): Finding[] => {
    const at = placeAt(file, text, whereBroken(error, openings));
    // The parser can report one mistake several times, so only the first report on each line counts.
    if (broken.has(at.line)) return [];
    broken.add(at.line);
    return [finding('yaml-syntax', { reason: reasonOf(error.message) }, at)];
  });
}

function openingQuotes(document: Document): readonly number[] {
  const openings: number[] = [];
  if (document.errors.some(({ message }) => UNCLOSED_QUOTE.test(message))) {
    yaml().visit(document, {
      Scalar: (_, { type, range }) => {
        if (type?.startsWith('QUOTE') && range) openings.push(range[0]);
      },
    });
  }
  return openings;
}

function whereBroken({ pos: [offset], message }: YAMLParseError, openings: readonly number[]): number {
  return (UNCLOSED_QUOTE.test(message) && openings.findLast((opening) => opening < offset)) || offset;
}

function duplicateKeys(file: string, text: string, document: Document): Finding[] {
  const { isScalar, visit } = yaml();
  const findings: Finding[] = [];
  const look = ({ items }: YAMLMap) => {
    const known = new Set<unknown>();
    for (const { key } of items) {
      if (!isScalar(key)) continue;
      const offset = startOf(key);
      if (known.has(key.value) && findings.length < MOST_FINDINGS_PER_FILE)
        findings.push(finding('yaml-duplicate-key', { key: wordAt(text, offset) }, placeAt(file, text, offset)));
      known.add(key.value);
    }
  };
  visit(document, { Map: (_, map) => look(map) });
  return findings;
}

function marks(file: string, text: string, document: Document): Finding[] {
  const { isAlias, isNode, isScalar, visit } = yaml();
  const findings: Finding[] = [];
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node) || node.tag === undefined || findings.length >= MOST_FINDINGS_PER_FILE) return;
      const { tag, offset } = tagBefore(text, startOf(node)) ?? { tag: node.tag, offset: startOf(node) };
      findings.push(finding('yaml-tag', { tag }, placeAt(file, text, offset)));
    },
    Pair: (_, pair) => {
      const { key } = pair;
      if (!isNode(key) || findings.length >= MOST_FINDINGS_PER_FILE) return;
      const place = () => placeAt(file, text, startOf(key));
      if (isScalar(key) && key.value === '<<' && key.type === 'PLAIN') {
        findings.push(finding('yaml-merge-key', {}, place()));
      } else if (!isScalar(key)) findings.push(finding('yaml-complex-key', {}, place()));
    },
  });
  return findings;
}

function startOf({ range }: Node): number {
  return assertDefined(range ?? undefined)[0];
}

/** The maximum distance between a tag and its value, in characters. Comments can separate a tag from its value. */
const FARTHEST_TAG = 1000;

function tagBefore(text: string, offset: number): { tag: string; offset: number } | undefined {
  const start = Math.max(0, offset - FARTHEST_TAG);
  const found = /(?<![^\s[{,])(!\S*)(?:\s+&\S+)?(?:\s+(?:#.*\n\s*)*)?$/.exec(text.slice(start, offset));
  return found?.[1] === undefined ? undefined : { tag: found[1], offset: start + found.index };
}

/** Finds aliases without an anchor, and the first alias whose expansion makes the file exceed the limit. */
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
        if (findings.length < MOST_FINDINGS_PER_FILE)
          findings.push(finding('yaml-syntax', { reason: `The alias *${node.source} has no anchor` }, place()));
        return 1;
      }
      const isWithin = expanded <= MOST_ALIASED;
      expanded += size;
      if (isWithin && expanded > MOST_ALIASED) findings.push(finding('yaml-alias-bomb', {}, place()));
      return size;
    }
    if (!isScalar(node) && !isCollection(node)) return 0;
    // An anchor that occurs inside its own value expands endlessly, so its size is infinite.
    if (node.anchor !== undefined) sizes.set(node.anchor, Number.POSITIVE_INFINITY);
    const items: readonly unknown[] = isCollection(node) ? node.items : [];
    const own = isScalar(node) ? 1 + assertDefined(node.source).length : 1;
    const size = items.reduce<number>((sum, item) => sum + sizeOf(item), own);
    if (node.anchor !== undefined) sizes.set(node.anchor, size);
    return size;
  };
  sizeOf(document.contents);
  return findings;
}

function reasonOf(message: string): string {
  const line = itemAt(message.split('\n'), 0).replace(/[.:]?\s*$/, '');
  return CLEARER.reduce((text, [pattern, clearer]) => text.replace(pattern, clearer), line);
}

const LONGEST_WORD = 200;

function wordAt(text: string, offset: number): string {
  return (
    /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s:,{}[\]]+))/
      .exec(text.slice(offset, offset + LONGEST_WORD))
      ?.slice(1)
      .find(Boolean) ?? ''
  );
}

function separator(text: string, offset: number): number {
  const at = text.lastIndexOf('---', offset);
  return at < 0 ? offset : at;
}
