/**
 * A source's text -> a checked value: the schema decides what plain scalars become, and says what is wrong with the
 * rest, with the place of each problem.
 */
import type { z } from 'zod';
import { byPlace, type Finding, finding, MOST_TOLD } from '../diagnostics/finding.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import type { Lazy } from '../platform/on-demand.ts';
import type { QuickCheck } from './quick-check.ts';
import { type SchemaProblem, schemaProblems } from './schema-problems.ts';
import { decodeText, type Read, readYaml } from './yaml/read-yaml.ts';
import { type Positions, positionsIn } from './yaml/yaml-positions.ts';

type Path = readonly PropertyKey[];

export type PlainTextAt = Positions['plainTextAt'];

const DECIMAL = /^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$/;

/** Reads a mapping and makes it fit a schema. The value keeps its keys' order and every field the schema allows. */
export function decode(file: string, bytes: Uint8Array, schema: Lazy<z.ZodType>, check?: QuickCheck): Read<JsonObject> {
  const text = decodeText(file, bytes);
  if (text.findings) return text;
  const read = readYaml(file, text.value);
  return read.findings || check?.(read.value) ? read : fitted(file, text.value, read.value, schema);
}

/** The value with those plain scalars that the schema wants otherwise read again by what it wants. */
export function fitted(file: string, text: string, value: JsonObject, schema: Lazy<z.ZodType>): Read<JsonObject> {
  const problems = schemaProblems(schema(), value);
  if (problems.length === 0) return { value };
  const findings: Finding[] = [];
  const { locate, plainTextAt } = positionsIn(file, text);
  const replaced: Replacement[] = [];
  for (const problem of problems) {
    if (findings.length === MOST_TOLD) break;
    const { path } = problem;
    const field = path.map(String).join('.');
    const again = readAgain(problem, plainTextAt(path));
    if (again === undefined)
      findings.push(finding('schema', { field, problem: problem.says }, locate(path, problem.at)));
    else if (typeof again === 'number' && !isExact(again))
      findings.push(finding('number-too-large', { field, text: String(plainTextAt(path)) }, locate(path)));
    else replaced.push({ path, value: again });
  }
  if (findings.length > 0) return { findings: findings.sort(byPlace) };
  // What was read again must keep the schema's other rules too, such as a pattern.
  const body = replaceIn(value, replaced, 0);
  return fitted(file, text, isJsonObject(body) ? body : value, schema);
}

/**
 * The value with every number and truth value as the text that was written, where the schema wants a text. Whatever
 * else it says against the value is passed over.
 */
export function withTexts(value: JsonObject, schema: Lazy<z.ZodType>, plainTextAt: PlainTextAt): JsonObject {
  const replaced = schemaProblems(schema(), value)
    .filter(wantsText)
    .slice(0, MOST_TOLD)
    .flatMap(({ path }) => {
      const plain = plainTextAt(path);
      return plain === undefined ? [] : [{ path, value: plain }];
    });
  const body = replaced.length > 0 ? replaceIn(value, replaced, 0) : value;
  return isJsonObject(body) ? body : value;
}

/** What a plain scalar is by the schema's wish; undefined where it cannot be that. */
function readAgain(problem: SchemaProblem, plain: string | undefined): string | number | undefined {
  if (plain === undefined) return undefined;
  if (wantsText(problem)) return plain;
  const isNumber = problem.wants.includes('number') && typeof problem.found === 'string';
  return isNumber && DECIMAL.test(plain) ? Number(plain) : undefined;
}

function wantsText({ wants, found }: SchemaProblem): boolean {
  return wants.includes('string') && isScalarValue(found);
}

function isExact(number: number): boolean {
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}

function isScalarValue(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}

interface Replacement {
  readonly path: Path;
  readonly value: Json;
}

/** A value with others in some places, of which all begin with the same `depth` keys. */
function replaceIn(holder: Json, replacements: readonly Replacement[], depth: number): Json {
  const whole = replacements.find(({ path }) => path.length === depth);
  if (whole) return whole.value;
  const below = new Map<PropertyKey | undefined, Replacement[]>();
  for (const replacement of replacements) {
    const some = below.get(replacement.path[depth]) ?? [];
    some.push(replacement);
    below.set(replacement.path[depth], some);
  }
  const inside = (key: PropertyKey, item: Json) => {
    const some = below.get(key);
    return some ? replaceIn(item, some, depth + 1) : item;
  };
  if (Array.isArray(holder)) return holder.map((item, i) => inside(i, item));
  if (!isJsonObject(holder)) return holder;
  return Object.fromEntries(Object.entries(holder).map(([name, item]) => [name, inside(name, item)]));
}
