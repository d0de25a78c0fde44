/** What an index is made with: where that is another, it is no index. */

import { sha256 } from '../../core/model/digest.ts';
import { classRulesDigest } from '../../core/model/fields/class-rules-digest.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import type { SourceLimits } from '../../core/platform/limits.ts';
import { VERSION } from '../../system/files/package-version.ts';

/** By which program, for which kinds, an index is made, and within which limits. */
export function makerOf({ kinds, limits }: { readonly kinds: Kinds; readonly limits: SourceLimits }): string {
  const rules = kinds.all.map((kind) => [kind.name, kind.collection ?? '', classRulesDigest(kind)]);
  return sha256(JSON.stringify([VERSION, rules, limits]));
}
