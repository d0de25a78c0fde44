/**
 * Where something stands in a YAML text, and what is wrong with it: the slow, exact look that is taken only once
 * there is something to say.
 */
import { type Document, isAlias, isMap, isNode, isScalar, LineCounter, parseAllDocuments, visit } from 'yaml';
import { type Finding, finding, type Place, placeAt } from '../diagnostics/finding.ts';

/** Anchors may be used this often in one file before they count as a bomb. */
const MOST_ALIASES = 100;

/** Everything in the text that a registry must not hold; empty when it is plain YAML. */
export function explainYaml(file: string, text: string): Finding[] {
  const documents = parse(text);
  const [first, second] = documents;
  if (second?.range)
    return [finding('yaml-several-documents', {}, placeAt(file, text, separator(text, second.range[0])))];
  if (!first) return [];
  const findings = first.errors.map((error) => {
    const at = placeAt(file, text, error.pos[0]);
    if (error.code === 'DUPLICATE_KEY') {
      return finding('yaml-duplicate-key', { key: wordAt(text, error.pos[0]) }, at);
    }
    return finding('yaml-syntax', { reason: reasonOf(error.message) }, at);
  });
  return [...findings, ...marks(file, text, first)];
}

function marks(file: string, text: string, document: Document): Finding[] {
  const findings: Finding[] = [];
  let aliases = 0;
  const place = (node: unknown): Place => placeAt(file, text, isNode(node) ? (node.range?.[0] ?? 0) : 0);
  visit(document, {
    Alias: (_, node) => {
      aliases++;
      if (aliases === MOST_ALIASES + 1) findings.push(finding('yaml-alias-bomb', {}, place(node)));
    },
    Node: (_, node) => {
      if (!isAlias(node) && node.tag !== undefined)
        findings.push(finding('yaml-tag', { tag: node.tag }, place(node)));
    },
    Pair: (_, pair) => {
      if (isScalar(pair.key) && pair.key.value === '<<' && pair.key.type === 'PLAIN') {
        findings.push(finding('yaml-merge-key', {}, place(pair.key)));
      } else if (isNode(pair.key) && !isScalar(pair.key)) {
        findings.push(finding('yaml-complex-key', {}, place(pair.key)));
      }
    },
  });
  if (findings.length === 0 && aliases > 0 && !expands(document)) {
    findings.push(finding('yaml-alias-bomb', {}, place(document.contents)));
  }
  return findings;
}

function expands(document: Document): boolean {
  try {
    document.toJS({ maxAliasCount: MOST_ALIASES });
    return true;
  } catch {
    return false;
  }
}

/** Where the value, or the key, at a path of a YAML text stands: the nearest thing above it when it is not there. */
export function locate(
  file: string,
  text: string,
  path: readonly PropertyKey[],
  what: 'key' | 'value' = 'value',
): Place {
  const document = parse(text)[0];
  let here: unknown = document?.contents;
  let offset = isNode(here) ? (here.range?.[0] ?? 0) : 0;
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
  return placeAt(file, text, offset);
}

/** The text of a plain scalar at a path; undefined when it is quoted, or no scalar. */
export function plainTextAt(text: string, path: readonly PropertyKey[]): string | undefined {
  const node = parse(text)[0]?.getIn(path, true);
  return isScalar(node) && node.type === 'PLAIN' ? node.source : undefined;
}

function parse(text: string): Document[] {
  const documents = parseAllDocuments(text, {
    version: '1.2',
    schema: 'core',
    merge: false,
    prettyErrors: false,
    logLevel: 'silent',
    lineCounter: new LineCounter(),
  });
  return Array.isArray(documents) ? documents : [];
}

/** The first line of a parser's reason, without a full stop. */
function reasonOf(message: string): string {
  return (message.split('\n')[0] ?? message).replace(/[.:]?\s*$/, '');
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
