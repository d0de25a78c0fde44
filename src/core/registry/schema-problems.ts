import type { z } from 'zod';
import { isJsonObject, type Json, sameJson } from '../model/json.ts';
import { memberOf } from '../model/json-pointer.ts';

export interface SchemaProblem {
  readonly path: readonly PropertyKey[];
  readonly at: 'key' | 'value';
  readonly message: string;
  readonly found: unknown;
  readonly wants: readonly string[];
}

type Issue = z.core.$ZodIssue;

const WORDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping',
  record: 'a mapping',
  array: 'a list',
  null: 'null',
};

export function schemaProblems(schema: z.ZodType, value: Json): SchemaProblem[] {
  const result = schema.safeParse(value);
  return result.success ? [] : result.error.issues.flatMap((issue) => problemsOf(issue, value));
}

/** The maximum number of list items, or of object fields, that an explanation covers. The limit saves memory. */
const MOST_EXPLAINED = 200;

/** Explains why an invalid value does not match a schema. Reads only the first items of long lists, to limit memory. */
export function firstProblems(schema: z.ZodType, value: Json): SchemaProblem[] {
  const start = startOf(value);
  // Skips rules for the whole list, because only the first items of the list were read.
  const problems = schemaProblems(schema, start).filter(({ path }) => path.length > 0 || sameJson(start, value));
  const message = `there is a problem after the first ${MOST_EXPLAINED} items of a list`;
  return problems.length > 0 ? problems : [{ path: [], at: 'value', message, found: undefined, wants: [] }];
}

function startOf(value: Json): Json {
  if (Array.isArray(value)) return value.slice(0, MOST_EXPLAINED).map(startOf);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).slice(0, MOST_EXPLAINED);
  return Object.fromEntries(fields.map(([name, field]) => [name, startOf(field)]));
}

function problemsOf(issue: Issue, value: Json): SchemaProblem[] {
  const { path } = issue;
  const found = path.map(String).reduce<Json | undefined>(memberOf, value);
  const problem = { path, at: 'value' as const, found, wants: [] };
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...problem,
      path: [...path, key],
      at: 'key' as const,
      message: 'no such field',
    }));
  }
  if (issue.code === 'invalid_union') {
    const deeper = issue.errors.find((branch) => branch.some((nested) => nested.path.length > 0));
    if (
      deeper &&
      !issue.errors.some((branch) => branch.some((nested) => nested.path.length === 0 && fits(nested, found)))
    ) {
      return deeper.flatMap((nested) => problemsOf({ ...nested, path: [...path, ...nested.path] }, value));
    }
    const wants = issue.errors.flat().flatMap(wantedBy);
    return [{ ...problem, wants, message: expected(wants, found) }];
  }
  if (issue.code === 'invalid_type' || issue.code === 'invalid_value') {
    const wants = wantedBy(issue);
    return [
      {
        ...problem,
        wants,
        message: found === undefined ? `missing; expected ${choice(wants)}` : expected(wants, found),
      },
    ];
  }
  return [{ ...problem, message: lowerFirst(issue.message) }];
}

/** Whether a branch of a union rejects a list only because of its items. */
function fits(issue: Issue, found: unknown): boolean {
  return issue.code === 'invalid_type' && issue.expected === 'array' && Array.isArray(found);
}

function wantedBy(issue: Issue): string[] {
  if (issue.code === 'invalid_type') return [issue.expected];
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(String(value)));
  return [];
}

function expected(wants: readonly string[], found: unknown): string {
  return `expected ${choice(wants)}, found ${shown(found)}`;
}

function choice(wants: readonly string[]): string {
  const words = [...new Set(wants)].map((want) => WORDS[want] ?? want);
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : (words[0] ?? 'another value');
}

export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (isJsonObject(value)) return 'a mapping';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
