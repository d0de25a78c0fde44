import type { z } from 'zod';
import { byPlace, type Finding, finding, MOST_FINDINGS_PER_FILE } from '../diagnostics/finding.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { groupBy } from '../platform/lookups.ts';
import type { Lazy } from '../platform/on-demand.ts';
import type { QuickCheck } from './quick-check.ts';
import { type SchemaProblem, schemaProblems } from './schema-problems.ts';
import { decodeText, type Read, readYaml } from './yaml/read-yaml.ts';
import { type Positions, positionsIn } from './yaml/yaml-positions.ts';

type Path = readonly PropertyKey[];

export type PlainTextAt = Positions['plainTextAt'];

const DECIMAL = /^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$/;

export function decode(file: string, bytes: Uint8Array, schema: Lazy<z.ZodType>, check?: QuickCheck): Read<JsonObject> {
  const text = decodeText(file, bytes);
  if (text.findings) return text;
  const read = readYaml(file, text.value);
  return read.findings || check?.(read.value) ? read : fitted(file, text.value, read.value, schema);
}

/** Converts unquoted scalars of a wrong type to the type in the schema, such as the version `1.10` to a text. */
export function fitted(file: string, text: string, value: JsonObject, schema: Lazy<z.ZodType>): Read<JsonObject> {
  const problems = schemaProblems(schema(), value);
  if (problems.length === 0) return { value };
  const findings: Finding[] = [];
  const { locate, plainTextAt } = positionsIn(file, text);
  const replaced: Replacement[] = [];
  for (const problem of problems) {
    if (findings.length === MOST_FINDINGS_PER_FILE) break;
    const { path } = problem;
    const field = path.map(String).join('.');
    const converted = readAgain(problem, plainTextAt(path));
    if (converted === undefined)
      findings.push(finding('schema', { field, problem: problem.message }, locate(path, problem.at)));
    else if (typeof converted === 'number' && !isExact(converted))
      findings.push(finding('number-too-large', { field, text: String(plainTextAt(path)) }, locate(path)));
    else replaced.push({ path, value: converted });
  }
  if (findings.length > 0) return { findings: findings.sort(byPlace) };
  // Converted values must also follow the other rules of the schema, such as patterns.
  const body = replaceIn(value, replaced, 0);
  return fitted(file, text, isJsonObject(body) ? body : value, schema);
}

/** Replaces a number or a boolean by its source text if the schema expects text. Ignores all other problems. */
export function withSourceTexts(value: JsonObject, schema: Lazy<z.ZodType>, plainTextAt: PlainTextAt): JsonObject {
  const replaced = schemaProblems(schema(), value)
    .filter(wantsText)
    .slice(0, MOST_FINDINGS_PER_FILE)
    .flatMap(({ path }) => {
      const plain = plainTextAt(path);
      return plain === undefined ? [] : [{ path, value: plain }];
    });
  const body = replaced.length > 0 ? replaceIn(value, replaced, 0) : value;
  return isJsonObject(body) ? body : value;
}

function readAgain(problem: SchemaProblem, plain: string | undefined): string | number | undefined {
  if (plain === undefined) return undefined;
  if (wantsText(problem)) return plain;
  const isNumber = problem.wants.includes('number') && typeof problem.found === 'string';
  return isNumber && DECIMAL.test(plain) ? Number(plain) : undefined;
}

/** Reads also numbers that print differently, such as `48.10` and `1e3`. Returns undefined for inexact numbers. */
export function decimalNumber(text: string): number | undefined {
  const number = Number(text);
  return DECIMAL.test(text) && isExact(number) ? number : undefined;
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

function replaceIn(holder: Json, replacements: readonly Replacement[], depth: number): Json {
  const whole = replacements.find(({ path }) => path.length === depth);
  if (whole) return whole.value;
  const below = groupBy(replacements, ({ path }) => path[depth]);
  const inside = (key: PropertyKey, item: Json) => {
    const some = below.get(key);
    return some ? replaceIn(item, some, depth + 1) : item;
  };
  if (Array.isArray(holder)) return holder.map((item, i) => inside(i, item));
  if (!isJsonObject(holder)) return holder;
  return Object.fromEntries(Object.entries(holder).map(([name, item]) => [name, inside(name, item)]));
}
