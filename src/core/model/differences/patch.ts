import { getOrCreate } from '../../platform/lookups.ts';
import { isJsonObject, type Json, type JsonObject, sameJson, setOwn } from '../json.ts';
import { isIndex, pointerTokens, valueAt } from '../json-pointer.ts';
import type { FieldChange } from './difference.ts';

export interface PatchConflict {
  readonly change: FieldChange;
  readonly found?: Json;
}

export type Patched =
  | { readonly body: JsonObject; readonly conflict?: undefined }
  | { readonly conflict: PatchConflict };

/** Applies a difference. A conflict is the first change whose `from` is not the current value. */
export function patch(before: JsonObject, changes: readonly FieldChange[]): Patched {
  const conflicts = new Set<FieldChange>();
  const isAddition = ({ from, to, order }: FieldChange) =>
    from === undefined && to !== undefined && order === undefined;
  // Edits use array positions before the change, so edits are applied before additions.
  const edits = changes.filter((each) => !isAddition(each));
  const changed = edited(before, gathered(edits, conflicts), conflicts);
  const additions = changes.filter(isAddition);
  const body = extended(changed ?? null, gathered(additions, conflicts), conflicts);
  const change = changes.find((each) => conflicts.has(each));
  if (change) {
    const found = valueAt(before, change.at);
    return { conflict: found === undefined ? { change } : { change, found } };
  }
  return { body: isJsonObject(body) ? body : before };
}

class Edit {
  readonly below = new Map<string, Edit>();
  change: FieldChange | undefined;
  order: FieldChange | undefined;

  *changes(): Generator<FieldChange> {
    if (this.change) yield this.change;
    if (this.order) yield this.order;
    for (const edit of this.below.values()) yield* edit.changes();
  }
}

type Conflicts = Set<FieldChange>;

/** The maximum number of tokens in a pointer. Bodies are never nested more deeply. */
const LONGEST_POINTER = 200;

function gathered(changes: readonly FieldChange[], conflicts: Conflicts): Edit {
  const root = new Edit();
  for (const change of changes) {
    const tokens = pointerTokens(change.at) ?? [];
    let here: Edit | undefined = tokens.length > 0 && tokens.length <= LONGEST_POINTER ? root : undefined;
    for (const token of tokens) {
      // No change may affect a field below a replaced value.
      if (!here || here.change) {
        here = undefined;
        break;
      }
      here = getOrCreate<string, Edit>(here.below, token, () => new Edit());
    }
    if (!here || !takes(here, change)) conflicts.add(change);
  }
  return root;
}

function takes(edit: Edit, change: FieldChange): boolean {
  if (edit.change) return false;
  if (change.order) {
    if (edit.order || change.from !== undefined || change.to !== undefined) return false;
    edit.order = change;
    return true;
  }
  if (edit.order || edit.below.size > 0 || (change.from === undefined && change.to === undefined)) return false;
  edit.change = change;
  return true;
}

function reject(edit: Edit, conflicts: Conflicts): void {
  for (const change of edit.changes()) conflicts.add(change);
}

/** Applies the updates, removals and reorderings. Returns undefined if the value itself is removed. */
function edited(value: Json, edit: Edit, conflicts: Conflicts): Json | undefined {
  const { change, order, below } = edit;
  if (change) {
    if (change.from === undefined || !sameJson(value, change.from)) conflicts.add(change);
    return change.to;
  }
  if (below.size === 0 && !order) return value;
  if (Array.isArray(value)) return editedItems(value, edit, conflicts);
  if (!isJsonObject(value) || order) {
    reject(edit, conflicts);
    return value;
  }
  const result: Record<string, Json> = {};
  for (const [key, held] of Object.entries(value)) {
    const inner = below.get(key);
    const next = inner ? edited(held, inner, conflicts) : held;
    if (next !== undefined) setOwn(result, key, next);
  }
  for (const [key, inner] of below) if (!Object.hasOwn(value, key)) reject(inner, conflicts);
  return result;
}

function editedItems(items: readonly Json[], { below, order }: Edit, conflicts: Conflicts): Json {
  const staying: Json[] = [];
  for (const [i, item] of items.entries()) {
    const inner = below.get(String(i));
    const next = inner ? edited(item, inner, conflicts) : item;
    if (next !== undefined) staying.push(next);
  }
  for (const [token, inner] of below) {
    if (!isIndex(token) || Number(token) >= items.length) reject(inner, conflicts);
  }
  if (!order?.order) return staying;
  const ordered: Json[] = [];
  for (const place of order.order) {
    const item = staying[place];
    if (item !== undefined) ordered.push(item);
  }
  const isPermutation = ordered.length === staying.length && new Set(order.order).size === staying.length;
  if (isPermutation) return ordered;
  conflicts.add(order);
  return staying;
}

function extended(value: Json, edit: Edit, conflicts: Conflicts): Json {
  if (edit.below.size === 0) return value;
  if (Array.isArray(value)) return extendedItems(value, edit, conflicts);
  if (!isJsonObject(value)) {
    reject(edit, conflicts);
    return value;
  }
  const result: Record<string, Json> = {};
  for (const [key, held] of Object.entries(value)) setOwn(result, key, held);
  for (const [key, inner] of edit.below) {
    const held = Object.hasOwn(value, key) ? value[key] : undefined;
    const next = put(held, inner, conflicts);
    if (next !== undefined) setOwn(result, key, next);
  }
  return result;
}

function extendedItems(items: readonly Json[], edit: Edit, conflicts: Conflicts): Json {
  const result = [...items];
  const inOrder = [...edit.below].sort(([a], [b]) => Number(a) - Number(b));
  for (const [token, inner] of inOrder) {
    const place = Number(token);
    if (!isIndex(token) || place > result.length) reject(inner, conflicts);
    else if (inner.change?.to !== undefined) result.splice(place, 0, inner.change.to);
    else result.splice(place, 1, put(result[place], inner, conflicts) ?? null);
  }
  return result;
}

function put(held: Json | undefined, edit: Edit, conflicts: Conflicts): Json | undefined {
  if (edit.change ? held === undefined : held !== undefined)
    return edit.change ? edit.change.to : extended(held ?? null, edit, conflicts);
  reject(edit, conflicts);
  return held;
}
