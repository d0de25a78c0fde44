import { cellText } from '../../core/exports/csv.ts';
import { type FieldRule, fieldRules } from '../../core/model/field-classes.ts';
import { byNaturalOrder, isJsonObject, type Json, type JsonObject, setOwn } from '../../core/model/json.ts';
import { type Kind, kindNamed } from '../../core/model/kinds.ts';
import { quantityOf, unitOfField } from '../../core/model/units.ts';
import { FIELD_PARTS } from '../../core/platform/limits.ts';
import { decimalNumber } from '../../core/registry/decode.ts';
import { schemaProblems, shown } from '../../core/registry/schema-problems.ts';
import { plainScalar } from '../../core/registry/yaml/read-yaml.ts';

/** Classes of fields that are unique to each node, such as serial numbers. */
const UNIQUE = new Set(['component', 'placement']);

/** Fields of other classes that are unique to each node: addresses, and device names that contain a WWN. */
const UNIQUE_NAMES = new Set(['ip', 'ip6', 'network_address', 'by_id']);

/**
 * Removes the fields that are unique to each node. `left` lists the names of the removed fields without array
 * positions, for example `disks.serial`.
 */
export function templateOf(kind: Kind, body: JsonObject): { readonly body: JsonObject; readonly left: string[] } {
  const left = new Set<string>();
  const { type: _, uid: __, node_name: ___, name: ____, ...rest } = body;
  const copied = kind.name === 'node' ? withoutUnique(rest, fieldRules(kind), [], left) : rest;
  return { body: isJsonObject(copied) ? copied : {}, left: [...left] };
}

function withoutUnique(value: Json, rule: FieldRule, path: readonly string[], left: Set<string>): Json {
  if (Array.isArray(value)) return value.map((item) => withoutUnique(item, rule.below('0'), path, left));
  if (!isJsonObject(value)) return value;
  const copied: Record<string, Json> = {};
  for (const [name, held] of Object.entries(value)) {
    const field = rule.below(name);
    if (UNIQUE.has(field.class) || UNIQUE_NAMES.has(name)) {
      left.add([...path, name].join('.'));
      continue;
    }
    const rest = withoutUnique(held, field, [...path, name], left);
    if (isEmpty(held) || !isEmpty(rest)) setOwn(copied, name, rest);
  }
  return copied;
}

function isEmpty(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** `field` is a dotted name like `chassis.serial` or `storage_devices.0.size`. An empty `text` removes the field. */
export interface CellValue {
  readonly field: string;
  readonly text: string;
}

/**
 * Sets or removes the fields that the cells name. Sets items of lists in order, because a list has no gaps. Removals
 * come last, because they shift the positions in other field names.
 */
export function withCells(body: JsonObject, cells: readonly CellValue[], kind: Kind = kindNamed('node')) {
  const texts = new Map(cells.map(({ field, text }) => [field, text]));
  let made = body;
  const problems: { readonly field: string; readonly problem: string }[] = [];
  const set = [...texts]
    .filter(([, text]) => text !== '')
    .sort(([a], [b]) => byNaturalOrder(positionsIn(a), positionsIn(b)));
  const removed = [...texts].filter(([, text]) => text === '').sort(([a], [b]) => byNaturalOrder(b, a));
  for (const [field, text] of [...set, ...removed]) {
    const path = field.split('.', FIELD_PARTS + 1);
    if (path.length > FIELD_PARTS) {
      problems.push({ field, problem: `the name has more than ${FIELD_PARTS} parts` });
      continue;
    }
    const held = path.reduce<Json | undefined>(fieldOf, body);
    if (text !== '' && typeof held === 'object' && held !== null) {
      // `find --csv` prints lists and mappings as JSON.
      if (cellText(held) !== text) problems.push({ field, problem: 'it is a list or a mapping' });
      continue;
    }
    // YAML 1.2 reads `yes` and `1` as other types, so no query would find the value.
    if (typeof held === 'boolean' && text !== '' && typeof plainScalar(text) !== 'boolean') {
      problems.push({ field, problem: `expected true or false, found ${shown(text)}` });
      continue;
    }
    const outer = path.map((_, i) => path.slice(0, i).join('.')).find((name) => texts.has(name));
    const changed = outer === undefined ? withValue(made, path, text, typeof held === 'string') : undefined;
    if (isJsonObject(changed)) made = changed;
    else if (outer !== undefined) problems.push({ field, problem: `the row also has a value for "${outer}"` });
    else problems.push({ field, problem: 'there is no place for it' });
  }
  for (const { path, wants, message } of schemaProblems(kind.schema(), made)) {
    const field = path.map(String).join('.');
    const text = texts.get(field) ?? '';
    const value = wants.includes('string') ? text : wants.includes('number') ? decimalNumber(text) : undefined;
    const converted = text !== '' && value !== undefined ? withField(made, path.map(String), value) : undefined;
    if (isJsonObject(converted)) made = converted;
    else problems.push({ field, problem: message });
  }
  return { body: made, problems };
}

function fieldOf(holder: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(holder)) return POSITION.test(name) ? holder[Number(name)] : undefined;
  return isJsonObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
}

function withValue(body: JsonObject, path: readonly string[], text: string, isText: boolean): Json | undefined {
  return text === '' ? withoutField(body, path) : withField(body, path, cellValue(text, path, isText));
}

/** `007` stays a text, because the number 7 prints differently. With `isText`, numbers and booleans stay texts. */
function cellValue(text: string, path: readonly string[], isText: boolean): Json {
  const plain = isText ? text : plainScalar(text);
  if (typeof plain === 'boolean' || typeof plain === 'number') return plain;
  const quantity = quantityOf(text);
  return quantity && quantity.unit.base === unitOfField(path.filter((part) => !POSITION.test(part)))
    ? quantity.value
    : text;
}

const POSITION = /^\d+$/;

function positionsIn(field: string): string {
  return field
    .split('.')
    .filter((part) => POSITION.test(part))
    .join('.');
}

/** Returns a copy of `holder` with the field, or undefined if a value on the path cannot contain the field. */
function withField(holder: Json | undefined, [name, ...rest]: readonly string[], value: Json): Json | undefined {
  if (name === undefined) return value;
  const isItem = POSITION.test(name);
  if (Array.isArray(holder) || (holder === undefined && isItem)) {
    const items = holder ?? [];
    if (!isItem || Number(name) > items.length) return undefined;
    const item = withField(items[Number(name)], rest, value);
    return item === undefined ? undefined : items.toSpliced(Number(name), 1, item);
  }
  // A mapping can replace null, because YAML reads an empty value as null.
  if (holder !== undefined && holder !== null && !isJsonObject(holder)) return undefined;
  const field = withField(holder && Object.hasOwn(holder, name) ? holder[name] : undefined, rest, value);
  if (field === undefined) return undefined;
  const changed = { ...holder };
  setOwn(changed, name, field);
  return changed;
}

/** Returns a copy of `holder` without the field, and without mappings that become empty. */
function withoutField(holder: Json, [name = '', ...rest]: readonly string[]): Json {
  if (Array.isArray(holder)) {
    const item = POSITION.test(name) ? holder[Number(name)] : undefined;
    if (item === undefined) return holder;
    const left = rest.length > 0 ? withoutField(item, rest) : undefined;
    return left === undefined ? holder.toSpliced(Number(name), 1) : holder.toSpliced(Number(name), 1, left);
  }
  if (!isJsonObject(holder) || !Object.hasOwn(holder, name)) return holder;
  const { [name]: held = null, ...others } = holder;
  const left = rest.length > 0 ? withoutField(held, rest) : undefined;
  const isEmpty = left === undefined || (isJsonObject(left) && Object.keys(left).length === 0);
  return isEmpty ? others : { ...holder, [name]: left };
}
