/**
 * What decides the bytes of all documents that tell of the past: versions, and what snapshots hold. Where the mark of a
 * revision is the same in two builds, so are the documents of that revision and of all that it descends from, but for
 * those of resources that have come or gone since.
 */
import type { Publication } from '../api/publication.ts';
import { lineageOf } from '../history/graph.ts';
import type { RecordedChange } from '../history/replay.ts';
import type { Configuration } from '../model/configuration.ts';
import type { RevisionHeader } from '../model/revision.ts';
import { type RegistryState, resourceAt, resourcesIn } from '../model/state.ts';
import { itemAt } from '../platform/certain.ts';
import { runningDigest } from '../platform/digests.ts';
import type { Variants } from './layout.ts';
import { EDITION } from './manifest/manifest.ts';

export interface PastOptions {
  readonly publication: Publication;
  readonly configuration: Configuration;
  readonly variants: Variants;
  /** The versions of the program, and of whatever else the bytes of documents and of their variants depend on. */
  readonly makers: readonly string[];
}

/** SHA-256, in hexadecimal digits. `index` is that of the revision whose past it is, itself included. */
export function pastDigest(index: number, options: PastOptions): string {
  const { publication, configuration, variants, makers } = options;
  const { history, dialect, snapshots, bound } = publication;
  const digest = runningDigest();
  const add = (said: unknown) => digest.update(new TextEncoder().encode(`${JSON.stringify(said)}\n`));
  add([EDITION, makers, configuration, dialect.name, variants, ...(bound ? [bound.since] : [])]);
  const lineage = lineageOf(history, index);
  // Their order is told, too: of two that do not descend from each other, it says which came before.
  for (const at of lineage) {
    add([headerSaid(itemAt(history.revisions, at)), snapshots.has(at)]);
    for (const said of changesSaid(publication, at)) add(said);
  }
  for (const said of bodiesAtBound(publication, lineage)) add(said);
  return digest.end();
}

/** Each field by its name: a header that is read from an index tells no others. */
function headerSaid({ id, parents, date, author, message, origin, state, contents }: RevisionHeader) {
  return { id, parents, date, author, message, origin, state, contents } satisfies Record<
    keyof RevisionHeader,
    unknown
  >;
}

/** The changes of a revision, each with the texts that documents show of it: of what is not told, none. */
function* changesSaid({ history, store, bound }: Publication, at: number) {
  const isTold = bound?.isTold(at) ?? true;
  for (const change of itemAt(history.changes, at)) {
    const { path, action, classes, successor } = change;
    const text = isTold ? textOf(change, itemAt(history.states, at)) : undefined;
    yield [path, action, classes, successor, text === undefined ? null : store.get(text)];
  }
}

/** The handle of the changed fields, or of the body that came. */
function textOf({ path, action, fields }: RecordedChange, after: RegistryState): number | undefined {
  const added = action === 'added' ? resourceAt(after, path) : undefined;
  return fields ?? added?.body.handle;
}

/**
 * What there was at the bound, of which the revisions that are told make all that they show: of its bases, those on which
 * revisions of the lineage stand.
 */
function* bodiesAtBound({ history, store, bound }: Publication, lineage: readonly number[]) {
  if (!bound) return;
  const told = lineage.filter(bound.isTold);
  const bases = new Set(told.flatMap((at) => itemAt(history.parents, at).filter((each) => !bound.isTold(each))));
  const said = new Set<number>();
  for (const base of bases) {
    for (const [path, { body }] of resourcesIn(itemAt(history.states, base))) {
      const { handle, digest } = body;
      yield [path, digest, said.has(handle) ? null : store.get(handle)];
      said.add(handle);
    }
  }
}
