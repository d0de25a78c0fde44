/**
 * Values -> YAML text that every reader understands alike: strings that a YAML 1.1 reader would take for something
 * else are quoted, numbers are printed as ECMAScript prints them.
 */
import { DEFAULT_SCHEMA, type DumpOptions, dump, Type } from 'js-yaml';
import type { Json, JsonObject } from '../model/json.ts';

const number = new Type('tag:yaml.org,2002:float', {
  kind: 'scalar',
  predicate: (value: unknown) => typeof value === 'number',
  represent: (value: unknown) => String(value),
  resolve: () => false,
});

const OPTIONS: DumpOptions = {
  schema: DEFAULT_SCHEMA.extend({ explicit: [number] }),
  lineWidth: -1,
  noRefs: true,
};
const LONGEST_LINE = 110;

/** A mapping in block style. */
export function encodeYaml(value: JsonObject): string {
  return dump(value, OPTIONS);
}

/** A value on one line, or undefined when it would be too long for one. */
export function encodeOnOneLine(value: Json): string | undefined {
  const text = dump(value, { ...OPTIONS, flowLevel: 0 }).trimEnd();
  return text.includes('\n') || text.length > LONGEST_LINE ? undefined : text;
}

/** Every line of a text moved to the right. */
export function indented(text: string, by: number): string {
  const margin = ' '.repeat(by);
  return text.replace(/^(?=.)/gm, margin);
}
