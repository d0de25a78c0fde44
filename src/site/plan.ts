/**
 * The plan: every document of the tree, as values that are rendered when they are asked for. It comes in units that
 * can be done in any order and by any thread; aliases come after all documents, since they are links to them.
 */
import { renderCollection, renderEmptyCollection, renderSnapshots } from '../api/collection.ts';
import {
  type CacheClass,
  type Form,
  latestVersionUrl,
  resourceUrl,
  SNAPSHOTS_PATH,
  versionsUrl,
  versionUrl,
} from '../api/endpoints.ts';
import { currentView, renderEmptyItem, renderItem, snapshotView, type View } from '../api/item.ts';
import { idAt, modificationTimes, type Publication } from '../api/publication.ts';
import { changeTexts, renderVersion, renderVersions } from '../api/version.ts';
import { childKinds, type Kind } from '../model/kinds.ts';
import { collectionOf, GRID, itemOf, joinPath, parsePath, type Subject } from '../model/resource-path.ts';
import { membersOf, type ResourceState } from '../model/state.ts';

export interface PlannedDocument {
  /** The URL path without suffix. */
  readonly url: string;
  readonly form: Form;
  readonly cache: CacheClass;
  /** Epoch seconds. */
  readonly modified: number;
  readonly body: () => string;
}

/** A URL that answers with the document of another. */
export interface PlannedAlias {
  readonly url: string;
  readonly target: string;
  readonly cache: CacheClass;
}

/** Some documents, or some aliases, that are done together. */
export interface Unit<T> {
  /** The index of the revision whose snapshot asks for it; undefined for the rest of the tree. */
  readonly snapshot: number | undefined;
  readonly list: () => Iterable<T>;
}

export interface Plan {
  readonly documents: readonly Unit<PlannedDocument>[];
  readonly aliases: readonly Unit<PlannedAlias>[];
}

/** How many histories, or versions of one revision, make a unit. */
const UNIT_SIZE = 500;

export function planTree(publication: Publication): Plan {
  const times = modificationTimes(publication.history);
  const timeOf = (index: number) => times[index] ?? 0;
  const subjects = [...publication.histories.subjects()];
  const base = <T>(list: () => Iterable<T>): Unit<T> => ({ snapshot: undefined, list });
  return {
    documents: [
      base(() => snapshotsDocument(publication, timeOf(publication.head))),
      ...viewUnits(currentView(publication), timeOf(publication.head), undefined),
      ...blocks(subjects).map((block) =>
        base(() => historyDocuments(publication, block, timeOf(publication.head))),
      ),
      ...times.flatMap((time, index) =>
        blocks(publication.histories.touchedBy(index)).map((block) =>
          base(() => versionDocuments(publication, index, block, time)),
        ),
      ),
      ...[...publication.snapshots].flatMap((index) =>
        viewUnits(snapshotView(publication, index), timeOf(index), index),
      ),
    ],
    aliases: [
      ...blocks(subjects).map((block) => base(() => historyAliases(publication, block))),
      ...[...publication.snapshots].map((index) => ({
        snapshot: index,
        list: () => snapshotAliases(publication, index, subjects),
      })),
    ],
  };
}

function blocks(paths: readonly string[]): string[][] {
  const result: string[][] = [];
  for (let i = 0; i < paths.length; i += UNIT_SIZE) result.push(paths.slice(i, i + UNIT_SIZE));
  return result;
}

function* snapshotsDocument(publication: Publication, modified: number): Generator<PlannedDocument> {
  yield {
    url: SNAPSHOTS_PATH,
    form: 'collection',
    cache: 'mutable',
    modified,
    body: () => renderSnapshots(publication),
  };
}

/** A view in units: each collection whose members hold nothing below is one, all the rest another. */
function viewUnits(view: View, modified: number, snapshot: number | undefined): Unit<PlannedDocument>[] {
  const grid = view.state;
  if (!grid) return [];
  const leaves: (() => Iterable<PlannedDocument>)[] = [];
  const document: DocumentMaker = (url, form, body) => ({
    url,
    form,
    cache: view.base === '' ? 'mutable' : 'immutable',
    modified,
    body,
  });
  const frame = [...itemDocuments(view, GRID, grid, document, leaves)];
  return [() => frame, ...leaves].map((list) => ({ snapshot, list }));
}

type DocumentMaker = (url: string, form: Form, body: () => string) => PlannedDocument;

function* itemDocuments(
  view: View,
  item: Subject,
  resource: ResourceState,
  document: DocumentMaker,
  leaves: (() => Iterable<PlannedDocument>)[],
): Generator<PlannedDocument> {
  yield document(resourceUrl(item.path, view.base), 'item', () => renderItem(view, item, resource));
  for (const [name, form] of view.publication.dialect.emptyChildren(item.kind)) {
    const render = form === 'item' ? renderEmptyItem : renderEmptyCollection;
    yield document(resourceUrl(joinPath(item.path, name), view.base), form, () => render(view, item, name));
  }
  for (const kind of childKinds(item.kind)) {
    if (kind.onlyIfAny && membersOf(resource, kind.collection ?? '').size === 0) continue;
    const collection = () => collectionDocuments(view, item, kind, resource, document);
    if (childKinds(kind).length === 0) {
      leaves.push(collection);
      continue;
    }
    const documents = [...collection()];
    yield* documents.slice(-1);
    for (const [uid, member] of membersOf(resource, kind.collection ?? '').entries()) {
      yield* itemDocuments(view, itemOf(collectionOf(item, kind), uid), member, document, leaves);
    }
  }
}

/** The members' documents, then the collection's, which shares their texts. */
function* collectionDocuments(
  view: View,
  holder: Subject,
  kind: Kind,
  resource: ResourceState,
  document: DocumentMaker,
): Generator<PlannedDocument> {
  const collection = collectionOf(holder, kind);
  const texts: (() => string)[] = [];
  for (const [uid, member] of membersOf(resource, kind.collection ?? '').entries()) {
    const item = itemOf(collection, uid);
    const text = once(() => renderItem(view, item, member));
    texts.push(text);
    yield document(resourceUrl(item.path, view.base), 'item', text);
  }
  yield document(resourceUrl(collection.path, view.base), 'collection', () =>
    renderCollection(
      view,
      collection,
      texts.map((text) => text()),
    ),
  );
}

function once(make: () => string): () => string {
  let text: string | undefined;
  return () => {
    text ??= make();
    return text;
  };
}

function subjectOf(path: string): Subject {
  return parsePath(path) ?? GRID;
}

function* historyDocuments(
  publication: Publication,
  paths: readonly string[],
  modified: number,
): Generator<PlannedDocument> {
  for (const path of paths) {
    yield {
      url: versionsUrl(path),
      form: 'collection',
      cache: 'mutable',
      modified,
      body: () => renderVersions(publication, subjectOf(path)),
    };
  }
}

function* versionDocuments(
  publication: Publication,
  index: number,
  paths: readonly string[],
  modified: number,
): Generator<PlannedDocument> {
  const id = idAt(publication, index);
  let texts: ReturnType<typeof changeTexts> | undefined;
  for (const path of paths) {
    if (publication.histories.of(path).inForce[index] !== index) continue;
    yield {
      url: versionUrl(path, id),
      form: 'item',
      cache: 'immutable',
      modified,
      body: () => {
        texts ??= changeTexts(publication, index);
        return renderVersion(publication, subjectOf(path), index, texts);
      },
    };
  }
}

/**
 * The aliases of each history: `latest`; the head, for what lives; and the merges whose changes name the subject
 * though it is as one of their parents had it.
 */
function* historyAliases(publication: Publication, paths: readonly string[]): Generator<PlannedAlias> {
  const { histories, head } = publication;
  for (const path of paths) {
    const { inForce, revisions } = histories.of(path);
    const target = (index: number) => versionUrl(path, idAt(publication, inForce[index] ?? index));
    const newest = revisions[0];
    if (newest !== undefined) yield { url: latestVersionUrl(path), target: target(newest), cache: 'mutable' };
    const named = new Set(histories.revisionsOf(path));
    if (histories.isAlive(path, head)) named.add(head);
    for (const index of named) {
      // A merge that drops what only its first parent had is no version of it, and neither is any before.
      if (inForce[index] === index || (inForce[index] ?? -1) < 0) continue;
      yield { url: versionUrl(path, idAt(publication, index)), target: target(index), cache: 'immutable' };
    }
  }
}

/** Where each history's `latest` leads, for hosts that redirect. */
export function latestRedirects(publication: Publication): { readonly from: string; readonly to: string }[] {
  return [...publication.histories.subjects()].flatMap((path) => {
    const newest = publication.histories.of(path).revisions[0];
    return newest === undefined
      ? []
      : [{ from: latestVersionUrl(path), to: versionUrl(path, idAt(publication, newest)) }];
  });
}

/** The versions of everything alive in a snapshot, for its `version` links; histories have those that it changed. */
function* snapshotAliases(
  publication: Publication,
  index: number,
  paths: readonly string[],
): Generator<PlannedAlias> {
  const { histories, head } = publication;
  const id = idAt(publication, index);
  if (index === head) return;
  for (const path of paths) {
    if (histories.counts(path, index) !== undefined) continue;
    const inForce = histories.of(path).inForce[index] ?? -1;
    if (inForce === index || inForce < 0 || !histories.isAlive(path, index)) continue;
    yield {
      url: versionUrl(path, id),
      target: versionUrl(path, idAt(publication, inForce)),
      cache: 'immutable',
    };
  }
}
