/**
 * A digest of what of a body belongs to each class of fields: with these, two bodies are compared by class when only one of
 * them is at hand.
 *
 * When two bodies differ by a field of a class, the digests of that class differ: whatever `difference` pairs by a
 * label has that label on both sides. The reverse holds of the fields themselves and of those below them (a disk that
 * comes is `hardware`, and its serial is `component`), but for two things. A part whose label changes, such as a disk
 * under another device name, is another part here, in every class that it has fields of; `difference` sees both bodies,
 * and recognises it by its serial. And the order of parts, of which a difference tells as `derived`, is in no digest.
 */

import { bodyDigest, sha256 } from './digest.ts';
import {
  type ClassedKind,
  type ClassSet,
  classSet,
  FIELD_CLASSES,
  type FieldClass,
  fieldRules,
  writtenRules,
} from './field-classes.ts';
import { partOf } from './fields/class-parts.ts';
import type { JsonObject } from './json.ts';

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

export function differingClasses(before: ClassDigests, after: ClassDigests): ClassSet {
  return classSet(FIELD_CLASSES.filter((name) => before[name] !== after[name]));
}

/** A digest of the rules by which fields have classes: classes that were worked out by others are not comparable. */
export function classRulesDigest(kind: ClassedKind): string {
  const digest = sha256(writtenRules(kind));
  return FORMER_DIGESTS[digest] ?? digest;
}

/** Of the rules of nodes: the digest in locks from when it was of the rules of all kinds. */
const FORMER_DIGESTS: Readonly<Record<string, string>> = {
  a407bec4d7ee9ad04f05afb9df1e5c167ebac650990552a429e5dfaa4f441c84:
    '4e14e673943e4a07bbad1f71464e7cb3e90124235742ba2fee876b617095ce1d',
};
