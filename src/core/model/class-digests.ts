/**
 * Computes a digest of a body for each class of fields. Digests allow a comparison if only one of two bodies is
 * available. If two bodies differ in a field of a class, the digests of the class differ. A part with a new label
 * counts as another part, such as a disk with a new device name. `difference` would recognize it by its serial number.
 * Digests ignore the order of parts, which `difference` reports as `derived`.
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

/** Maps a class to 64 hexadecimal digits. A class without fields in the body has no digest. */
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

/**
 * Returns the digest of a kind's field-class table. Class digests are comparable only if the same table was used to
 * compute them.
 */
export function classRulesDigest(kind: ClassedKind): string {
  const digest = sha256(writtenRules(kind));
  return FORMER_DIGESTS[digest] ?? digest;
}

/**
 * Maps digests of the current table of node classes to digests in older lock files. The older digests also covered the
 * tables of the other kinds.
 */
const FORMER_DIGESTS: Readonly<Record<string, string>> = {
  a407bec4d7ee9ad04f05afb9df1e5c167ebac650990552a429e5dfaa4f441c84:
    '4e14e673943e4a07bbad1f71464e7cb3e90124235742ba2fee876b617095ce1d',
};
