import { renderNodeBadge, renderRevisionBadge } from '../../api/badges/badge.ts';
import { badgeUrl, revisionBadgeUrl } from '../../api/badges/badge-paths.ts';
import type { HardwareTimes } from '../../api/badges/unchanged-since.ts';
import { idAt, type Publication } from '../../api/publication.ts';
import type { Lazy } from '../../platform/on-demand.ts';
import type { DocumentTimes, PlannedDocument } from './planned.ts';

export function* badgeDocuments(
  publication: Publication,
  hardware: Lazy<HardwareTimes>,
  { now, pastTimeOf }: DocumentTimes,
): Generator<PlannedDocument> {
  const { badges } = publication;
  if (badges === 'none') return;
  const common = { form: 'svg', cache: 'mutable' } as const;
  const { since, revisions } = hardware();
  for (const [path, index] of since)
    yield {
      url: badgeUrl(path),
      modified: pastTimeOf(path),
      ...common,
      body: () => renderNodeBadge(publication, path, index),
    };
  if (badges !== 'all') return;
  for (const revision of revisions) {
    const url = revisionBadgeUrl(idAt(publication, revision.index));
    yield { ...common, modified: now, url, body: () => renderRevisionBadge(publication, revision) };
  }
}
