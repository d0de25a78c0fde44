/** Private fields are never published. A rule selects fields by name or by class, and omits or hashes their values. */

import { getOrCreate } from '../platform/lookups.ts';
import { type ClassedKind, type FieldClass, type FieldRule, fieldRules } from './field-classes.ts';
import { pathOfField } from './fields/field-name.ts';
import { isJsonObject, type Json, type JsonObject, setOwn } from './json.ts';

interface ChosenFields {
  readonly fields?: readonly string[] | undefined;
  readonly classes?: readonly FieldClass[] | undefined;
}

export interface PrivateRules {
  readonly omit?: ChosenFields | undefined;
  readonly hash?: ChosenFields | undefined;
}

type Action = keyof PrivateRules;

/** These fields are always public, because paths contain them or schemas require them. */
export const PUBLIC_FIELDS: readonly string[] = ['type', 'uid', 'name'];

export interface PrivacyOptions {
  /** Returns the keyed hash of a text in hexadecimal. */
  readonly hashOf: (text: string) => string;
  /** Called for each value that is omitted or hashed. `field` is the path of the value without list positions. */
  readonly onPrivate?: (value: Json, field: string) => void;
}

export interface PublicBodies {
  /** Removes private values. Returns the same object if the body contains no private values. */
  readonly of: (body: JsonObject, kind: ClassedKind) => JsonObject;
  /** Returns the names of private fields that no body contained so far. */
  readonly unusedNames: () => readonly string[];
}

export function publicBodies(rules: PrivateRules, { hashOf, onPrivate = () => {} }: PrivacyOptions): PublicBodies {
  const named = branchesOf(rules);
  const classes = new Map<FieldClass, Action>();
  for (const action of ['hash', 'omit'] as const)
    for (const name of rules[action]?.classes ?? []) classes.set(name, action);

  /** Returns undefined if a rule omits the value. */
  const publicValue = (value: Json, place: Place): Json | undefined => {
    const action = place.branch?.action ?? place.action;
    if (place.branch?.name !== undefined) place.branch.isUsed = true;
    const here = { ...place, action };
    if (action === 'omit' && !place.branch?.below.size) return omitted(value, place);
    if (Array.isArray(value) && value.length > 0) return publicItems(value, here);
    if (isJsonObject(value) && Object.keys(value).length > 0) return publicFields(value, here);
    return publicLeaf(value, here);
  };

  const publicItems = (items: readonly Json[], place: Place): Json | undefined => {
    const rule = place.rule.below('0');
    const shown = items.map((item) => publicValue(item, { ...place, rule }));
    if (shown.every((item, i) => item === items[i])) return items;
    // A part without public fields becomes an empty part, so that the number of parts stays correct.
    const kept = shown.flatMap((item, i) => item ?? (isJsonObject(items[i]) ? {} : []));
    return kept.some((item) => !isJsonObject(item) || Object.keys(item).length > 0) ? kept : undefined;
  };

  const publicFields = (value: JsonObject, { rule, path, branch, action }: Place): JsonObject | undefined => {
    const kept: Record<string, Json> = {};
    let isSame = true;
    for (const [name, held] of Object.entries(value)) {
      const place = { rule: rule.below(name), path: [...path, name], branch: branch?.below.get(name), action };
      const isFixed = path.length === 0 && PUBLIC_FIELDS.includes(name);
      const shown = isFixed ? held : publicValue(held, place);
      isSame &&= shown === held;
      if (shown !== undefined) setOwn(kept, name, shown);
    }
    if (isSame) return value;
    return Object.keys(kept).length > 0 ? kept : undefined;
  };

  const publicLeaf = (value: Json, place: Place): Json | undefined => {
    const { rule, path, action = classes.get(rule.class) } = place;
    if (action === undefined || (action === 'hash' && isHashed(value))) return value;
    if (action === 'omit' || !isHashable(value)) return omitted(value, place);
    onPrivate(value, path.join('.'));
    // The hash covers the field's path, so that readers cannot link equal values of different fields.
    return HASH_PREFIX + hashOf(JSON.stringify([path, value]));
  };

  const omitted = (value: Json, { path }: Place): undefined => {
    onPrivate(value, path.join('.'));
  };

  return {
    of: (body, kind) =>
      publicFields(body, { rule: fieldRules(kind), path: [], branch: named, action: undefined }) ?? {},
    unusedNames: () => unusedBelow(named),
  };
}

interface Place {
  readonly rule: FieldRule;
  readonly path: readonly string[];
  readonly branch: Branch | undefined;
  /** The action of the nearest field above this field that a rule names. */
  readonly action: Action | undefined;
}

const HASH_PREFIX = 'hmac-sha256:';
const HASHED = /^hmac-sha256:[0-9a-f]{64}$/;
const HASHED_INSIDE = /"hmac-sha256:[0-9a-f]{64}"/;

export function firstHash(text: string): string | undefined {
  return HASHED_INSIDE.exec(text)?.[0];
}

/** An archive contains hashed values, but not the hash key. */
function isHashed(value: Json): boolean {
  return typeof value === 'string' && HASHED.test(value);
}

/** Schemas accept no text for a number or a boolean. The texts `true` and `false` can mean booleans. */
function isHashable(value: Json): value is string {
  return typeof value === 'string' && !['', 'true', 'false'].includes(value);
}

interface Branch {
  name?: string;
  action?: Action;
  isUsed?: boolean;
  readonly below: Map<string, Branch>;
}

function branchesOf(rules: PrivateRules): Branch {
  const root: Branch = { below: new Map() };
  for (const action of ['hash', 'omit'] as const) {
    for (const name of rules[action]?.fields ?? []) {
      let here = root;
      for (const part of pathOfField(name) ?? []) {
        here = getOrCreate<string, Branch>(here.below, part, () => ({ below: new Map() }));
      }
      here.name = name;
      here.action = action;
    }
  }
  return root;
}

function unusedBelow({ name, isUsed, below }: Branch): string[] {
  const own = name === undefined || isUsed === true ? [] : [name];
  return [...own, ...[...below.values()].flatMap(unusedBelow)];
}
