/**
 * Computes a digest of a body for each field class. Equal digests mean that the bodies agree in the fields of that
 * class. Two bodies can be compared even if only the digests of one body are stored. The digests ignore the order of
 * parts. A part with a new label counts as a different part.
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

/** Maps a field class to its digest in hexadecimal. Omits the classes that no field of the body has. */
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

/** Class digests are comparable only if they were computed with the same field-class table. */
export function classRulesDigest(kind: ClassedKind): string {
  const digest = sha256(writtenRules(kind));
  return FORMER_DIGESTS[digest] ?? digest;
}

/**
 * Maps the digest of one kind's table to the digest that older versions stored. That digest covered the tables of all
 * kinds.
 */
const FORMER_DIGESTS: Readonly<Record<string, string>> = {
  a407bec4d7ee9ad04f05afb9df1e5c167ebac650990552a429e5dfaa4f441c84:
    '4e14e673943e4a07bbad1f71464e7cb3e90124235742ba2fee876b617095ce1d',
};
