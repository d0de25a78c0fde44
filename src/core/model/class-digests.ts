/**
 * What of a body belongs to a class of fields, and a digest of it for each class: with these, two bodies are compared by
 * class when only one of them is at hand.
 *
 * A class's part of a body is what is left when the fields of all other classes are taken away; an object or an array
 * that is itself of the class stays, though nothing be left in it, since it may come and go. Parts that have natural
 * keys stand by what tells them apart (`itemLabels`) and not by their places, so that their order does not count.
 *
 * When two bodies differ by a field of a class, the digests of that class differ: whatever `difference` pairs by a
 * label has that label on both sides. The reverse holds of the fields themselves and of those below them (a disk that
 * comes is `hardware`, and its serial is `component`), but for two things. A part whose label changes, such as a disk
 * under another device name, is another part here, in every class that it has fields of; `difference` sees both bodies,
 * and recognises it by its serial. And the order of parts, of which a difference tells as `derived`, is in no digest.
 */
import { bodyDigest } from './digest.ts';
import {
  type ClassedKind,
  type ClassSet,
  classSet,
  FIELD_CLASSES,
  type FieldClass,
  type FieldRule,
  fieldRules,
} from './field-classes.ts';
import { isJsonObject, type Json, type JsonObject, setOwn } from './json.ts';
import { itemLabels } from './pair-items.ts';

/** By class, 64 hexadecimal digits; a class that has no fields in the body has no digest. */
export type ClassDigests = Readonly<Partial<Record<FieldClass, string>>>;

export function classDigests(kind: ClassedKind, body: JsonObject): ClassDigests {
  const digests: Partial<Record<FieldClass, string>> = {};
  for (const name of FIELD_CLASSES) {
    const part = partOf(body, fieldRules(kind), name);
    if (part !== undefined) digests[name] = bodyDigest(part);
  }
  return digests;
}

/** The classes in which two bodies differ, by their digests. */
export function differingClasses(before: ClassDigests, after: ClassDigests): ClassSet {
  return classSet(FIELD_CLASSES.filter((name) => before[name] !== after[name]));
}

/** Arrays are tagged, so that what stands by labels or places is never taken for an object's fields. */
const BY_PLACE = 'places';
const BY_LABEL = 'labels';

/** What of a value belongs to a class; undefined when nothing does. */
function partOf(value: Json, rule: FieldRule, name: FieldClass): Json | undefined {
  const isOwn = rule.class === name;
  if (Array.isArray(value)) {
    const part = partOfArray(value, rule, name);
    return isOwn || part.length > 1 ? part : undefined;
  }
  if (!isJsonObject(value)) return isOwn ? value : undefined;
  const fields = Object.entries(value).map(
    ([key, held]) => [key, partOf(held, rule.below(key), name)] as const,
  );
  const part = partsByName(fields);
  return isOwn || part !== undefined ? (part ?? {}) : undefined;
}

/** A tag, and after it what there is of the class: items by their labels, the others by their places among themselves. */
function partOfArray(items: readonly Json[], rule: FieldRule, name: FieldClass): readonly Json[] {
  const item = rule.below('0');
  const parts = items.map((held) => partOf(held, item, name));
  const isKeyed = rule.keys.length > 0 && items.every(isJsonObject);
  const labels = isKeyed ? itemLabels(items, rule.keys) : [];
  const loose = parts.filter((_, i) => labels[i] === undefined);
  const labelled = isKeyed ? partsByName(parts.map((part, i) => [labels[i], part])) : undefined;
  const placed = partsByName(loose.map((part, i) => [String(i), part]));
  return labelled || placed ? [isKeyed ? BY_LABEL : BY_PLACE, labelled ?? {}, placed ?? {}] : [BY_PLACE];
}

/** An object of the parts that are there; undefined when none is. */
function partsByName(
  parts: readonly (readonly [name: string | undefined, part: Json | undefined])[],
): JsonObject | undefined {
  const named: Record<string, Json> = {};
  for (const [name, part] of parts) {
    if (name !== undefined && part !== undefined) setOwn(named, name, part);
  }
  return Object.keys(named).length > 0 ? named : undefined;
}
