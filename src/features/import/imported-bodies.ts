/** The bodies of an import, as values: what no state has any more is garbage. */
import { knownShapes } from '../../core/history/bodies.ts';
import { sha256 } from '../../core/model/digest.ts';
import { canonicalJson, isJsonObject, type Json, type JsonObject, setOwn } from '../../core/model/json.ts';
import type { BodyStore, StoredBody } from '../../core/model/state.ts';
import { itemAt } from '../../core/platform/certain.ts';
import { storedObject } from '../../core/registry/registry.ts';

/** A body that comes from a file that was read in this run. */
export class ImportedBody implements StoredBody {
  readonly value: JsonObject;
  readonly digest: string;
  readonly #store: BodyStore;
  #handle: number | undefined;

  constructor(value: JsonObject, store: BodyStore) {
    this.value = value;
    this.digest = digestOf(value);
    this.#store = store;
  }

  get handle(): number {
    this.#handle ??= this.#store.put(JSON.stringify(this.value));
    return this.#handle;
  }
}

export function bodyOf(body: StoredBody, store: BodyStore): JsonObject {
  return body instanceof ImportedBody ? body.value : storedObject(store, body.handle);
}

/** The canonical texts of fields, which versions of a body share. */
const texts = new WeakMap<object, string>();
const shapeOf = knownShapes();

/** The same as `bodyDigest`. */
function digestOf(body: JsonObject): string {
  const { keys, names, order } = shapeOf(Object.keys(body));
  let text = '';
  for (const place of order ?? keys.keys())
    text += `${text === '' ? '{' : ','}${itemAt(names, place)}${canonicalText(body[itemAt(keys, place)] ?? null)}`;
  return sha256(`${text}}`);
}

function canonicalText(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = canonicalJson(value);
  texts.set(value, text);
  return text;
}

/** A body with the values of the one before it wherever the two have the same JSON text. */
export function withFieldsOf(before: JsonObject, body: JsonObject): JsonObject {
  const shared: Record<string, Json> = {};
  for (const [key, value] of Object.entries(body)) {
    const held = Object.hasOwn(before, key) ? before[key] : undefined;
    setOwn(shared, key, held !== undefined && hasSameText(held, value) ? held : value);
  }
  return shared;
}

/** Whether two values are the same in JSON, the order of keys included. */
function hasSameText(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => hasSameText(item, itemAt(b, i)));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return (
    keys.length === others.length &&
    keys.every((key, i) => key === others[i] && hasSameText(a[key] ?? null, b[key] ?? null))
  );
}
