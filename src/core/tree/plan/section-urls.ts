/** What sections list, as far as it takes to count it. */
import type { AlikeUrls, PlannedAlias, PlannedDocument, PlanSection } from './planned.ts';

/** All URLs of a section, one by one where nothing is known of them. */
export function* urlsIn({ list, alike }: PlanSection<PlannedDocument | PlannedAlias>): Generator<AlikeUrls> {
  if (alike) yield alike();
  else for (const { url } of list()) yield { url, count: 1 };
}
