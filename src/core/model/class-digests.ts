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

import { bodyDigest } from './digest.ts';
import {
  type ClassedKind,
  type ClassSet,
  classSet,
  FIELD_CLASSES,
  type FieldClass,
  fieldRules,
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
