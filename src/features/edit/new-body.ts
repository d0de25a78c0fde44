/** Bodies of new resources: what a template has that does not tell one specimen from another, and what is said of each. */

import { type FieldRule, fieldRules } from '../../core/model/field-classes.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/model/json.ts';
import { type Kind, kindNamed } from '../../core/model/kinds.ts';
import { schemaProblems } from '../../core/registry/schema-problems.ts';

/** What each specimen has of its own: copied, it would be said of another. */
const OWN = new Set(['component', 'placement']);

export interface TemplateBody {
  readonly body: JsonObject;
  /** The fields that were left out, in dots, without positions in arrays. */
  readonly left: readonly string[];
}

/** The template without its names, its serials and addresses, and its place. */
export function templateOf(kind: Kind, body: JsonObject): TemplateBody {
  const left = new Set<string>();
  const { type: _, uid: __, node_name: ___, name: ____, ...rest } = body;
  const kept = kind.name === 'node' ? withoutOwn(rest, fieldRules(kind), [], left) : rest;
  return { body: isJsonObject(kept) ? kept : {}, left: [...left] };
}

function withoutOwn(value: Json, rule: FieldRule, way: readonly string[], left: Set<string>): Json {
  if (Array.isArray(value)) return value.map((item) => withoutOwn(item, rule.below('0'), way, left));
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, held]) => {
    const field = rule.below(name);
    if (OWN.has(field.class)) {
      left.add([...way, name].join('.'));
      return [];
    }
    return [[name, withoutOwn(held, field, [...way, name], left)] as const];
  });
  return Object.fromEntries(kept);
}

/** A field of a body as its file's column says it: `chassis.serial`, `storage_devices.0.size`. */
export interface CellValue {
  readonly field: string;
  readonly text: string;
}

export interface CellProblem {
  readonly field: string;
  readonly problem: string;
}

/** The body with its cells, each as its schema wants it: as text, or as the number or the truth value that it looks like. */
export function withCells(
  body: JsonObject,
  cells: readonly CellValue[],
  kind: Kind = kindNamed('node'),
): { readonly body: JsonObject; readonly problems: readonly CellProblem[] } {
  const texts = new Map(cells.map(({ field, text }) => [field, text]));
  let made = body;
  const problems: CellProblem[] = [];
  for (const { field, text } of cells) {
    const changed = withField(made, field.split('.'), cellValue(text));
    if (isJsonObject(changed)) made = changed;
    else problems.push({ field, problem: 'there is no place for it' });
  }
  for (const { path, wants, says } of schemaProblems(kind.schema(), made)) {
    const field = path.map(String).join('.');
    const text = texts.get(field);
    const asText = text !== undefined && wants.includes('string') ? withField(made, path.map(String), text) : undefined;
    if (isJsonObject(asText)) made = asText;
    else problems.push({ field, problem: says });
  }
  return { body: made, problems };
}

/** A number only where printing it gives the text back, so that no serial loses its zeros. */
function cellValue(text: string): Json {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** The holder with a field set; undefined where something else stands in its way. */
function withField(holder: Json | undefined, [name, ...rest]: readonly string[], value: Json): Json | undefined {
  if (name === undefined) return value;
  const isItem = /^\d+$/.test(name);
  if (Array.isArray(holder) || (holder === undefined && isItem)) {
    const items = holder ?? [];
    if (!isItem || Number(name) > items.length) return undefined;
    const item = withField(items[Number(name)], rest, value);
    return item === undefined ? undefined : items.toSpliced(Number(name), 1, item);
  }
  if (holder !== undefined && !isJsonObject(holder)) return undefined;
  const field = withField(holder?.[name], rest, value);
  return field === undefined ? undefined : { ...holder, [name]: field };
}
