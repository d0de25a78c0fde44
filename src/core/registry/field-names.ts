/**
 * Fields that the schemas do not know are kept, whatever they are called. One that is nearly called like a known one, or
 * as a known one that belongs elsewhere, is most likely meant to be that one.
 */
import { distance } from '../diagnostics/nearest.ts';
import { isJsonObject, type Json, type JsonObject } from '../model/json.ts';

interface Fields {
  readonly below: Map<string, Fields>;
}

/** A field that is hardly meant as it is written. */
export interface StrayField {
  readonly path: readonly (string | number)[];
  /** What it may be meant to be: a field beside it, or the way to one from the top, of this kind or of another. */
  readonly suggestion: string;
  readonly kind: string;
}

export type StrayFields = (kind: string, body: JsonObject) => StrayField[];

/** Made once for all bodies, of the JSON Schemas of the kinds, by their names. */
export function strayFields(schemas: ReadonlyMap<string, JsonObject>): StrayFields {
  const known = new Map([...schemas].map(([kind, schema]) => [kind, fieldsOf([schema])] as const));
  const places = placesByName(known);
  return (kind, body) => {
    const fields = known.get(kind);
    return fields && !isKnown(body, fields) ? strays(body, [], fields, { kind, places }) : [];
  };
}

function fieldsOf(schemas: readonly JsonObject[]): Fields {
  const below = new Map<string, JsonObject[]>();
  const gather = (schema: JsonObject): void => {
    const { properties, items, anyOf } = schema;
    for (const [name, field] of isJsonObject(properties) ? Object.entries(properties) : [])
      if (isJsonObject(field)) below.set(name, [...(below.get(name) ?? []), field]);
    for (const each of [items, ...(Array.isArray(anyOf) ? anyOf : [])]) if (isJsonObject(each)) gather(each);
  };
  schemas.forEach(gather);
  return { below: new Map([...below].map(([name, those]) => [name, fieldsOf(those)])) };
}

/** Whether all fields in a value are known, as they are nearly everywhere. */
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
  readonly way: string;
}

function placesByName(known: ReadonlyMap<string, Fields>): ReadonlyMap<string, readonly FieldPlace[]> {
  const places = new Map<string, FieldPlace[]>();
  const gather = (kind: string, { below }: Fields, above: string): void => {
    for (const [name, field] of below) {
      const way = above + name;
      places.set(name, [...(places.get(name) ?? []), { kind, way }]);
      gather(kind, field, `${way}.`);
    }
  };
  for (const [kind, fields] of known) gather(kind, fields, '');
  return places;
}

type Path = StrayField['path'];

interface Look {
  readonly kind: string;
  readonly places: ReadonlyMap<string, readonly FieldPlace[]>;
}

function strays(value: Json, path: Path, fields: Fields, look: Look): StrayField[] {
  if (Array.isArray(value)) return value.flatMap((item, i) => strays(item, [...path, i], fields, look));
  if (!isJsonObject(value)) return [];
  const found: StrayField[] = [];
  for (const name of Object.keys(value)) {
    const field = fields.below.get(name);
    if (field) {
      // What has no fields of its own that are known can have any.
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

/**
 * A name that is known in one place alone of the kind, or of all where the kind does not know it, and says so much that it
 * can hardly mean another thing.
 */
function elsewhere(name: string, path: Path, { places, kind }: Look): StrayField[] {
  const known = places.get(name) ?? [];
  const own = known.filter((place) => place.kind === kind);
  const [place, ...others] = own.length > 0 ? own : known;
  if (!place || others.length > 0 || !isTelling(name)) return [];
  return [{ path: [...path, name], suggestion: place.way, kind: place.kind }];
}

const TELLING_LENGTH = 8;

function isTelling(name: string): boolean {
  return name.includes('_') || name.length >= TELLING_LENGTH;
}

/** The known name that another one is nearly: but for case, separators and number, or for one or two letters. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const plain = plainly(name);
  const alike = known.find((other) => plainly(other) === plain);
  if (alike !== undefined) return alike;
  const most = mostMistakes(plain);
  return known.find((other) => withoutDigits(other) !== withoutDigits(name) && distance(plainly(other), plain) <= most);
}

/**
 * Whether one letter of one word is wrong, and within it: then a field beside the right one is a mistake too, while
 * `cache_l1d` beside `cache_l1` and `sizes` beside `size` are fields of their own.
 */
function isSlip(name: string, known: string): boolean {
  const words = known.split('_');
  const wrong = name.split('_').flatMap((word, i) => (word === words[i] ? [] : [[word, words[i] ?? '']]));
  if (name.split('_').length !== words.length || plainly(name) === plainly(known)) return false;
  return wrong.length === 1 && wrong.every(([a = '', b = '']) => isSlipOfWord(a, b));
}

const SHORTEST_WORD = 4;

function isSlipOfWord(a: string, b: string): boolean {
  const isLong = Math.min(a.length, b.length) >= SHORTEST_WORD;
  return isLong && a[0] === b[0] && a.at(-1) === b.at(-1) && distance(a, b) === 1;
}

function plainly(name: string): string {
  return name.toLowerCase().replace(/[_ -]|s$/g, '');
}

/** `cache_l4` is no misspelt `cache_l3`. */
function withoutDigits(name: string): string {
  return name.replace(/\d+/g, '0');
}

function mostMistakes({ length }: string): number {
  if (length < 5) return 0;
  return length < 8 ? 1 : 2;
}
