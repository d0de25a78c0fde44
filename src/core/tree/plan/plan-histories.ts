import {
  type ChangeTexts,
  changeTexts,
  fullPagesOf,
  renderTimemap,
  renderTimemapLinks,
  renderVersion,
  renderVersions,
  renderVersionsPage,
} from '../../api/histories/versions.ts';
import { idAt, type Publication } from '../../api/publication.ts';
import { timemapLinksUrl } from '../../api/raw-forms.ts';
import { latestVersionUrl, timemapUrl, versionsPageUrl, versionsUrl, versionUrl } from '../../api/urls.ts';
import { subjectAt } from '../../model/resource-path.ts';
import { itemAt } from '../../platform/lookups.ts';
import { lazily } from '../../platform/on-demand.ts';
import { type DocumentTimes, documentsAt, type PlannedAlias, type PlannedDocument, SAMPLE_SIZE } from './planned.ts';

export function* historyDocuments(
  publication: Publication,
  paths: readonly string[],
  { now, pastTimeOf }: DocumentTimes,
): Generator<PlannedDocument> {
  const document = documentsAt(now);
  for (const path of paths) {
    const subject = subjectAt(path, publication.history.kinds);
    yield document(versionsUrl(path), 'collection', () => renderVersions(publication, subject));
    for (let page = fullPagesOf(publication.histories.of(path).revisions.length); page > 0; page--)
      yield document(versionsPageUrl(path, page), 'collection', () => renderVersionsPage(publication, subject, page));
    if (subject.isCollection || !publication.hasTimemaps) continue;
    yield document(timemapUrl(path), 'item', () => renderTimemap(publication, subject));
    const links = () => renderTimemapLinks(publication, subject);
    yield { ...document(timemapLinksUrl(path), 'link-format', links), modified: pastTimeOf(path) };
  }
}

export function* versionDocuments(
  publication: Publication,
  index: number,
  paths: Iterable<string>,
  timeOf: (index: number) => number,
): Generator<PlannedDocument> {
  const { histories, head } = publication;
  const id = idAt(publication, index);
  const texts = lazily(() => changeTexts(publication, index));
  for (const path of paths) {
    const { currentAt, revisions } = histories.of(path);
    if (currentAt(index) !== index) continue;
    // After the removal of a resource, its versions have another parent, so their times change.
    const changed = histories.isAlive(path, head) ? index : (revisions[0] ?? index);
    const document = documentsAt(timeOf(changed), 'immutable');
    const version = (changes: ChangeTexts) =>
      renderVersion(publication, subjectAt(path, publication.history.kinds), index, changes);
    const sample = () => version(changeTexts(publication, index, SAMPLE_SIZE));
    yield { ...document(versionUrl(path, id), 'item', () => version(texts())), sample };
  }
}

/** Yields `latest`, the head, and merges that list a change but have the state of a parent. */
export function* historyAliases(publication: Publication, paths: readonly string[]): Generator<PlannedAlias> {
  const { histories, head } = publication;
  for (const path of paths) {
    const { currentAt, revisions } = histories.of(path);
    const target = (index: number) => versionUrl(path, idAt(publication, currentAt(index)));
    const newest = revisions[0];
    if (newest !== undefined) yield { url: latestVersionUrl(path), target: target(newest), cache: 'mutable' };
    const named = new Set(histories.revisionsOf(path));
    if (histories.isAlive(path, head)) named.add(head);
    for (const index of named) {
      // A merge can drop a resource that only its first parent contains. The resource then has no version at the merge.
      if (currentAt(index) === index || currentAt(index) < 0) continue;
      yield { url: versionUrl(path, idAt(publication, index)), target: target(index), cache: 'immutable' };
    }
  }
}

export function latestRedirects(publication: Publication): { readonly from: string; readonly to: string }[] {
  return [...publication.histories.subjects()].flatMap((path) => {
    const newest = publication.histories.of(path).revisions[0];
    return newest === undefined
      ? []
      : [{ from: latestVersionUrl(path), to: versionUrl(path, idAt(publication, newest)) }];
  });
}

/** Yields aliases for the `version` links at a revision. `historyAliases` yields the aliases of changed resources. */
export function* versionLinkAliases(
  publication: Publication,
  index: number,
  paths: readonly string[],
): Generator<PlannedAlias> {
  const { history, histories, head } = publication;
  const id = idAt(publication, index);
  if (index === head) return;
  // Only a merge can list a change of a subject without a version of the subject.
  const isMerge = itemAt(history.parents, index).length > 1;
  for (const path of paths) {
    const inForce = histories.of(path).currentAt(index);
    if (inForce === index || inForce < 0) continue;
    if ((isMerge && histories.counts(path, index) !== undefined) || !histories.isAlive(path, index)) continue;
    yield { url: versionUrl(path, id), target: versionUrl(path, idAt(publication, inForce)), cache: 'immutable' };
  }
}
