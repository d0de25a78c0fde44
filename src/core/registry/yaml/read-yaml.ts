/**
 * Reads YAML and never changes the type of a value silently. A plain scalar is a number only if a double represents it
 * exactly and prints as the same text. The words true, false and null keep their meaning. Other plain scalars are
 * strings.
 *
 * js-yaml reads the text. The package `yaml` explains errors and finds places, but is ten times slower.
 */
import { type Finding, finding, placeAt, placeOnLine } from '../../diagnostics/finding.ts';
import { isJsonObject, type JsonObject } from '../../model/json.ts';
import { jsYaml } from '../../platform/modules.ts';
import { lazily } from '../../platform/on-demand.ts';
import { explainYaml, hasMarks } from './explain-yaml.ts';
import { MOST_EXPLAINED } from './yaml-positions.ts';

export type Read<T> = { readonly value: T; readonly findings?: undefined } | { readonly findings: readonly Finding[] };

const NUMBER = /^-?[0-9][0-9.e+-]*$/;
const NULLS = new Set(['', '~', 'null', 'Null', 'NULL']);
const BOOLEANS = new Map([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
]);

export function plainScalar(text: string): null | boolean | number | string {
  if (NULLS.has(text)) return null;
  const boolean = BOOLEANS.get(text);
  if (boolean !== undefined) return boolean;
  return isExactNumber(text) ? Number(text) : text;
}

export function isExactNumber(text: string): boolean {
  if (!NUMBER.test(text)) return false;
  const number = Number(text);
  return String(number) === text && (!Number.isInteger(number) || Number.isSafeInteger(number));
}

const scalars = lazily(() => {
  const { Schema, Type } = jsYaml();
  return new Schema({
    implicit: [
      new Type('tag:yaml.org,2002:null', {
        kind: 'scalar',
        resolve: (text: string | null) => text === null || typeof plainScalar(text) !== 'string',
        construct: (text: string | null) => (text === null ? null : plainScalar(text)),
      }),
    ],
    explicit: [
      new Type('tag:yaml.org,2002:seq', { kind: 'sequence', construct: (items: unknown) => items ?? [] }),
      new Type('tag:yaml.org,2002:map', { kind: 'mapping', construct: (fields: unknown) => fields ?? {} }),
    ],
  });
});

const DECODER = new TextDecoder('utf-8');

/** Decodes UTF-8. Removes a byte order mark. */
export function decodeText(file: string, bytes: Uint8Array): Read<string> {
  const text = DECODER.decode(bytes);
  if (text.includes('\ufffd') && !isUtf8(bytes)) {
    return { findings: [finding('not-utf8', {}, placeAt(file, text, text.indexOf('\ufffd')))] };
  }
  if (text.includes('\0')) return { findings: [finding('yaml-nul', {}, placeAt(file, text, text.indexOf('\0')))] };
  return { value: text };
}

/** Matches an escaped backslash, both halves of an escaped character, or one half (group 1). */
const HALVES = /\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F]|(\\(?:u|U0000)[dD][89a-fA-F])/g;

/** Finds the escape of half a character (a lone surrogate). Most JSON parsers reject such texts (RFC 8259, section 8.2). */
export function halfCharacterAt(text: string): number | undefined {
  for (const match of text.matchAll(HALVES)) if (match[1] !== undefined) return match.index;
  return undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The maximum depth of a registry file. Its values can be up to 6 levels deeper in a revision file. */
const FILE_DEPTH = 94;
export const REVISION_DEPTH = 100;

export function readYaml(file: string, text: string, maxDepth = FILE_DEPTH): Read<JsonObject> {
  let value: unknown;
  try {
    const options = { schema: scalars(), maxDepth };
    value = jsYaml().load(text, options);
  } catch (error) {
    return { findings: brokenFindings(file, text, error) };
  }
  if (hasMarks(text)) {
    if (text.length > MOST_EXPLAINED)
      return { findings: [finding('yaml-too-large', { most: MOST_EXPLAINED }, { file })] };
    const findings = explainYaml(file, text);
    if (findings.length > 0) return { findings };
  }
  if (!isJsonObject(value)) return { findings: [finding('yaml-not-a-mapping', {}, placeOnLine(file, text, 1, 1))] };
  const half = halfCharacterAt(text);
  // A comment or a text without double quotes can look like an escape.
  if (half !== undefined && halfCharacterAt(JSON.stringify(value)) !== undefined)
    return { findings: [finding('yaml-half-character', {}, placeAt(file, text, half))] };
  return { value };
}

function brokenFindings(file: string, text: string, error: unknown): readonly Finding[] {
  if (!(error instanceof jsYaml().YAMLException)) throw error;
  const place = placeOnLine(file, text, (error.mark?.line ?? 0) + 1, (error.mark?.column ?? 0) + 1);
  if (error.reason.startsWith('nesting exceeded')) return [finding('yaml-too-deep', {}, place)];
  const findings = explainYaml(file, text);
  return findings.length > 0 ? findings : [finding('yaml-syntax', { reason: error.reason }, place)];
}
