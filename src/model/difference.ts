/**
 * The difference of two bodies and its application: the one engine behind records, replays and version documents.
 *
 * A difference is a list of fields, each named by a JSON pointer (RFC 6901) with what was there (`from`) and what is
 * there now (`to`). A side that is left out means that there was nothing, so null and absent differ. Arrays are
 * compared by position. The order of the list carries no meaning.
 */
import { isJsonObject, type Json, type JsonObject, sameJson, setOwn } from './json.ts';

export interface FieldChange {
  readonly at: string;
  readonly from?: Json;
  readonly to?: Json;
}

/** Every field in which `after` differs from `before`, in the order of `before`, then what `after` adds. */
export function difference(before: Json, after: Json, at = ''): FieldChange[] {
  if (isJsonObject(before) && isJsonObject(after)) return objectDifference(before, after, at);
  if (Array.isArray(before) && Array.isArray(after)) return arrayDifference(before, after, at);
  return sameJson(before, after) ? [] : [{ at, from: before, to: after }];
}

function objectDifference(before: JsonObject, after: JsonObject, at: string): FieldChange[] {
  const changes: FieldChange[] = [];
  for (const key of Object.keys(before)) {
    const from = before[key] ?? null;
    if (from === after[key] && Object.hasOwn(after, key)) continue;
    const pointer = `${at}/${escapeToken(key)}`;
    if (Object.hasOwn(after, key)) changes.push(...difference(from, after[key] ?? null, pointer));
    else changes.push({ at: pointer, from });
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key))
      changes.push({ at: `${at}/${escapeToken(key)}`, to: after[key] ?? null });
  }
  return changes;
}

function arrayDifference(before: readonly Json[], after: readonly Json[], at: string): FieldChange[] {
  const changes: FieldChange[] = [];
  for (let i = 0; i < Math.max(before.length, after.length); i++) {
    const from = before[i];
    const to = after[i];
    if (from === undefined) changes.push({ at: `${at}/${i}`, to: to ?? null });
    else if (to === undefined) changes.push({ at: `${at}/${i}`, from });
    else changes.push(...difference(from, to, `${at}/${i}`));
  }
  return changes;
}

/** Why a field change does not fit the body that it is applied to. */
export interface Misfit {
  readonly change: FieldChange;
  /** What stands at the pointer; left out when nothing does. */
  readonly found?: Json;
}

export type Patched =
  | { readonly body: JsonObject; readonly misfit?: undefined }
  | { readonly misfit: Misfit };

/** Applies a difference. Every `from` must be what is there; the first that is not is returned as a misfit. */
export function patch(before: JsonObject, changes: readonly FieldChange[]): Patched {
  const root = new Node(before);
  for (const change of changes) {
    const tokens = pointerTokens(change.at);
    const last = tokens?.pop();
    const holder = last === undefined ? undefined : tokens?.reduce<Node | undefined>(descend, root);
    if (holder === undefined || last === undefined || !holder.replace(last, change)) {
      const found = valueAt(before, change.at);
      return { misfit: found === undefined ? { change } : { change, found } };
    }
  }
  const torn = changes.find((change) => root.isTornAt(pointerTokens(change.at) ?? []));
  const body = root.value();
  if (torn || !isJsonObject(body)) return { misfit: { change: torn ?? { at: '' } } };
  return { body };
}

/** The value at a JSON pointer, or undefined where there is none. */
export function valueAt(value: Json, pointer: string): Json | undefined {
  let here: Json | undefined = value;
  for (const token of pointerTokens(pointer) ?? []) {
    if (Array.isArray(here)) here = isIndex(token) ? here[Number(token)] : undefined;
    else here = isJsonObject(here) && Object.hasOwn(here, token) ? here[token] : undefined;
    if (here === undefined) return undefined;
  }
  return here;
}

/** The tokens of a JSON pointer; undefined when it is not one. */
export function pointerTokens(pointer: string): string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function escapeToken(key: string): string {
  return key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
}

function isIndex(token: string): boolean {
  return /^(0|[1-9][0-9]*)$/.test(token);
}

function descend(node: Node | undefined, token: string): Node | undefined {
  return node?.child(token);
}

/** A value under change: its members are opened one by one, so that what no change names is shared, not copied. */
class Node {
  readonly #source: Json | undefined;
  readonly #members = new Map<string, Node>();

  constructor(source: Json | undefined) {
    this.#source = source;
  }

  child(token: string): Node | undefined {
    const known = this.#members.get(token);
    if (known) return known;
    const source = this.#sourceAt(token);
    if (source === undefined) return undefined;
    const node = new Node(source);
    this.#members.set(token, node);
    return node;
  }

  /** False when what is there is not `from`, or when the change cannot stand here. */
  replace(token: string, change: FieldChange): boolean {
    const source = this.#sourceAt(token);
    const held = source === undefined ? undefined : (this.#members.get(token)?.value() ?? source);
    const fits = held === undefined ? change.from === undefined : sameOptional(held, change.from);
    const container = Array.isArray(this.#source) ? isIndex(token) : isJsonObject(this.#source);
    if (!fits || !container || (change.from === undefined && change.to === undefined)) return false;
    if (this.#members.has(token)) return false;
    this.#members.set(token, new Node(change.to));
    return true;
  }

  /** Whether an array on the way to `tokens` would be left with a gap: items go at its end and leave from its end. */
  isTornAt(tokens: readonly string[]): boolean {
    if (this.#members.size === 0) return false;
    if (Array.isArray(this.#source)) {
      const length = this.#source.length;
      const kept = (i: number) => {
        const member = this.#members.get(String(i));
        return member ? member.value() !== undefined : i < length;
      };
      const end = length + this.#members.size;
      let size = 0;
      while (size < end && kept(size)) size++;
      if ([...this.#members].some(([token, node]) => Number(token) >= size && node.value() !== undefined))
        return true;
      for (let i = size; i < length; i++) if (kept(i)) return true;
    }
    const [token, ...rest] = tokens;
    return token !== undefined && (this.#members.get(token)?.isTornAt(rest) ?? false);
  }

  value(): Json | undefined {
    if (this.#members.size === 0) return this.#source;
    return Array.isArray(this.#source) ? this.#array(this.#source) : this.#object();
  }

  #array(source: readonly Json[]): Json {
    const items: Json[] = [];
    for (let i = 0; i < source.length + this.#members.size; i++) {
      const member = this.#members.get(String(i));
      const value = member ? member.value() : source[i];
      if (value !== undefined) items.push(value);
    }
    return items;
  }

  #object(): Json {
    const result: Record<string, Json> = {};
    for (const [key, held] of Object.entries(isJsonObject(this.#source) ? this.#source : {})) {
      const node = this.#members.get(key);
      const value = node ? node.value() : held;
      if (value !== undefined) setOwn(result, key, value);
    }
    for (const [key, node] of this.#members) {
      const value = node.value();
      if (value !== undefined && !Object.hasOwn(result, key)) setOwn(result, key, value);
    }
    return result;
  }

  #sourceAt(token: string): Json | undefined {
    if (Array.isArray(this.#source)) return isIndex(token) ? this.#source[Number(token)] : undefined;
    if (!isJsonObject(this.#source) || !Object.hasOwn(this.#source, token)) return undefined;
    return this.#source[token];
  }
}

function sameOptional(a: Json, b: Json | undefined): boolean {
  return b !== undefined && sameJson(a, b);
}
