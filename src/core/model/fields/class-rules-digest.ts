/** A digest of the rules by which fields have classes: classes that were worked out by others are not comparable. */
import { sha256 } from '../digest.ts';
import { type ClassedKind, writtenRules } from '../field-classes.ts';

export function classRulesDigest(kind: ClassedKind): string {
  const digest = sha256(writtenRules(kind));
  return FORMER_DIGESTS[digest] ?? digest;
}

/** Of the rules of nodes: the digest in locks from when it was of the rules of all kinds. */
const FORMER_DIGESTS: Readonly<Record<string, string>> = {
  a407bec4d7ee9ad04f05afb9df1e5c167ebac650990552a429e5dfaa4f441c84:
    '4e14e673943e4a07bbad1f71464e7cb3e90124235742ba2fee876b617095ce1d',
};
