/** Finds unknown fields that are probably misspelt or misplaced. Other unknown fields are allowed. */
import { differAtMost } from '../diagnostics/nearest.ts';
import { describedBelow, describedField } from '../model/fields/field-descriptions.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { getOrCreate } from '../platform/lookups.ts';

interface Fields {
  readonly below: Map<string, Fields>;
}

export interface StrayField {
  readonly path: readonly (string | number)[];
  /** The correct name for a misspelt field. For a misplaced field, its correct path in a resource of `kind`. */
  readonly suggestion: string;
  readonly kind: string;
}

export type StrayFields = (kind: string, body: JsonObject) => StrayField[];

export function strayFields(schemas: ReadonlyMap<string, JsonObject>): StrayFields {
  const known = new Map([...schemas].map(([kind, schema]) => [kind, fieldsOf([schema])] as const));
  const places = placesByName(known);
  return (kind, body) => {
    const fields = known.get(kind);
    return fields && !isKnown(body, fields) ? strays(body, [], fields, { kind, places }) : [];
  };
}

export type UnknownFields = (kind: string, body: JsonObject) => StrayField['path'][];

/** Finds all fields that are in no schema and not in the data dictionary. Omits fields below an unknown field. */
export function unknownFields(schemas: ReadonlyMap<string, JsonObject>): UnknownFields {
  const known = new Map([...schemas].map(([kind, schema]) => [kind, fieldsOf([schema])] as const));
  return (kind, body) => {
    const fields = known.get(kind);
    if (!fields || isKnown(body, fields)) return [];
    return unknownBelow(body, [], fields).filter((path) => !isDescribed(kind, path));
  };
}

function isDescribed(kind: string, path: StrayField['path']): boolean {
  const names = path.filter((part) => typeof part === 'string');
  return describedField(kind, names) !== undefined || describedBelow(kind, names).length > 0;
}

function unknownBelow(value: Json, path: StrayField['path'], fields: Fields): StrayField['path'][] {
  if (Array.isArray(value)) return value.flatMap((item, i) => unknownBelow(item, [...path, i], fields));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, held]) => {
    const field = fields.below.get(name);
    if (!field) return [[...path, name]];
    return field.below.size > 0 ? unknownBelow(held, [...path, name], field) : [];
  });
}

function fieldsOf(schemas: readonly JsonObject[]): Fields {
  const below = new Map<string, JsonObject[]>();
  const gather = (schema: JsonObject): void => {
    const { properties, items, anyOf } = schema;
    for (const [name, field] of isJsonObject(properties) ? Object.entries(properties) : [])
      if (isJsonObject(field)) getOrCreate(below, name, (): JsonObject[] => []).push(field);
    for (const each of [items, ...(Array.isArray(anyOf) ? anyOf : [])]) if (isJsonObject(each)) gather(each);
  };
  schemas.forEach(gather);
  return { below: new Map([...below].map(([name, those]) => [name, fieldsOf(those)])) };
}

/** A fast check for the usual case, in which a value contains only known fields. */
function isKnown(value: Json, fields: Fields): boolean {
  if (Array.isArray(value)) return value.every((item) => isKnown(item, fields));
  if (!isJsonObject(value)) return true;
  for (const name of Object.keys(value)) {
    const field = fields.below.get(name);
    if (!field || (field.below.size > 0 && !isKnown(value[name] ?? null, field))) return false;
  }
  return true;
}

interface FieldPlace {
  readonly kind: string;
  readonly fieldPath: string;
}

function placesByName(known: ReadonlyMap<string, Fields>): ReadonlyMap<string, readonly FieldPlace[]> {
  const places = new Map<string, FieldPlace[]>();
  const gather = (kind: string, { below }: Fields, above: string): void => {
    for (const [name, field] of below) {
      const fieldPath = above + name;
      getOrCreate(places, name, () => []).push({ kind, fieldPath });
      gather(kind, field, `${fieldPath}.`);
    }
  };
  for (const [kind, fields] of known) gather(kind, fields, '');
  return places;
}

type Path = StrayField['path'];

interface LookupContext {
  readonly kind: string;
  readonly places: ReadonlyMap<string, readonly FieldPlace[]>;
}

function strays(value: Json, path: Path, fields: Fields, look: LookupContext): StrayField[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => strays(item, [...path, i], fields, look));
  if (!isJsonObject(value)) return [];
  const found: StrayField[] = [];
  for (const name of Object.keys(value)) {
    const field = fields.below.get(name);
    if (field) {
      // Checks the contents of a field only if its subfields are known. Other fields can contain anything.
      if (field.below.size > 0)
        for (const each of strays(value[name] ?? null, [...path, name], field, look)) found.push(each);
      continue;
    }
    const near = nearest(
      name,
      [...fields.below.keys()].filter((known) => !Object.hasOwn(value, known) || isSlip(name, known)),
    );
    if (near === undefined) found.push(...elsewhere(name, path, look));
    else found.push({ path: [...path, name], suggestion: near, kind: look.kind });
  }
  return found;
}

/** Looks up a field in the kind, then in all kinds. Suggests the field only if its name is distinctive and unique. */
function elsewhere(name: string, path: Path, { places, kind }: LookupContext): StrayField[] {
  const known = places.get(name) ?? [];
  const own = known.filter((place) => place.kind === kind);
  const [place, ...others] = own.length > 0 ? own : known;
  if (!place || others.length > 0 || !isDistinctive(name)) return [];
  return [{ path: [...path, name], suggestion: place.fieldPath, kind: place.kind }];
}

const DISTINCTIVE_LENGTH = 8;

function isDistinctive(name: string): boolean {
  return name.includes('_') || name.length >= DISTINCTIVE_LENGTH;
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = plainly(name);
  const alike = known.find((other) => plainly(other) === plain);
  if (alike !== undefined) return alike;
  const most = mostMistakes(plain);
  return known.find(
    (other) => withoutDigits(other) !== withoutDigits(name) && differAtMost(most, plainly(other), plain),
  );
}

/** Whether one letter is wrong. The last letter does not count, because `cache_l1d` and `cache_l1` can both exist. */
function isSlip(name: string, known: string): boolean {
  const words = known.split('_');
  const wrong = name.split('_').flatMap((word, i) => (word === words[i] ? [] : [[word, words[i] ?? '']]));
  if (name.split('_').length !== words.length || plainly(name) === plainly(known)) return false;
  return wrong.length === 1 && wrong.every(([a = '', b = '']) => isSlipOfWord(a, b));
}

const SHORTEST_WORD = 4;

function isSlipOfWord(a: string, b: string): boolean {
  const isLong = Math.min(a.length, b.length) >= SHORTEST_WORD;
  return isLong && a[0] === b[0] && a.at(-1) === b.at(-1) && a !== b && differAtMost(1, a, b);
}

function plainly(name: string): string {
  return name.toLowerCase().replace(/[_ -]|s$/g, '');
}

/** Ignores digits, because `cache_l4` is not a misspelling of `cache_l3`. */
function withoutDigits(name: string): string {
  return name.replace(/\d+/g, '0');
}

function mostMistakes({ length }: string): number {
  if (length < 5) return 0;
  return length < 8 ? 1 : 2;
}
