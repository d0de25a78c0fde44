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
import { itemAt } from '../../platform/certain.ts';
import { lazily } from '../../platform/on-demand.ts';
import { type DocumentTimes, type PlannedAlias, type PlannedDocument, SAMPLE_SIZE } from './planned.ts';

export function* historyDocuments(
  publication: Publication,
  paths: readonly string[],
  { now, pastTimeOf }: DocumentTimes,
): Generator<PlannedDocument> {
  const document = (url: string, form: PlannedDocument['form'], body: PlannedDocument['body']): PlannedDocument => ({
    url,
    form,
    cache: 'mutable',
    modified: now,
    body,
  });
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
  modified: number,
): Generator<PlannedDocument> {
  const id = idAt(publication, index);
  const texts = lazily(() => changeTexts(publication, index));
  for (const path of paths) {
    if (publication.histories.of(path).inForce(index) !== index) continue;
    const version = (told: ChangeTexts) =>
      renderVersion(publication, subjectAt(path, publication.history.kinds), index, told);
    yield {
      url: versionUrl(path, id),
      form: 'item',
      cache: 'immutable',
      modified,
      body: () => version(texts()),
      sample: () => version(changeTexts(publication, index, SAMPLE_SIZE)),
    };
  }
}

/**
 * The aliases of each history: `latest`; the head, for what lives; and the merges whose changes name the subject
 * though it is as one of their parents had it.
 */
export function* historyAliases(publication: Publication, paths: readonly string[]): Generator<PlannedAlias> {
  const { histories, head } = publication;
  for (const path of paths) {
    const { inForce, revisions } = histories.of(path);
    const target = (index: number) => versionUrl(path, idAt(publication, inForce(index)));
    const newest = revisions[0];
    if (newest !== undefined) yield { url: latestVersionUrl(path), target: target(newest), cache: 'mutable' };
    const named = new Set(histories.revisionsOf(path));
    if (histories.isAlive(path, head)) named.add(head);
    for (const index of named) {
      // A merge that drops what only its first parent had is no version of it, and neither is any before.
      if (inForce(index) === index || inForce(index) < 0) continue;
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

/** The versions of everything alive at a revision, for the `version` links of then; histories have those that it changed. */
export function* versionLinkAliases(
  publication: Publication,
  index: number,
  paths: readonly string[],
): Generator<PlannedAlias> {
  const { history, histories, head } = publication;
  const id = idAt(publication, index);
  if (index === head) return;
  // Another revision that changes a subject is the version of it that is in force.
  const isMerge = itemAt(history.parents, index).length > 1;
  for (const path of paths) {
    const inForce = histories.of(path).inForce(index);
    if (inForce === index || inForce < 0) continue;
    if ((isMerge && histories.counts(path, index) !== undefined) || !histories.isAlive(path, index)) continue;
    yield { url: versionUrl(path, id), target: versionUrl(path, idAt(publication, inForce)), cache: 'immutable' };
  }
}
