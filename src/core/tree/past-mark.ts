/**
 * What decides the bytes of all documents that tell of the past: versions, and what snapshots hold. Where the mark of a
 * revision is the same in two builds, so are the documents of that revision and of all that it descends from, but for
 * those of resources that have come or gone since.
 */
import type { Publication } from '../api/publication.ts';
import { lineageOf } from '../history/graph.ts';
import type { History } from '../history/replay.ts';
import type { Configuration } from '../model/configuration.ts';
import type { RevisionHeader } from '../model/revision.ts';
import { resourceAt } from '../model/state.ts';
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
  // Their order is told, too: of two that do not descend from each other, it says which came before.
  for (const at of lineageOf(history, index)) {
    add([headerSaid(itemAt(history.revisions, at)), snapshots.has(at)]);
    for (const said of changesSaid(publication, history, at)) add(said);
  }
  return digest.end();
}

/** Each field by its name: a header that is read from an index tells no others. */
function headerSaid({ id, parents, date, author, message, origin, state, contents }: RevisionHeader) {
  return { id, parents, date, author, message, origin, state, contents } satisfies Record<
    keyof RevisionHeader,
    unknown
  >;
}

/** The changes of a revision, each with the texts that documents show of it. */
function* changesSaid({ store }: Publication, { changes, states }: History, at: number) {
  for (const change of itemAt(changes, at)) {
    const { path, action, fields } = change;
    const added = action === 'added' ? resourceAt(itemAt(states, at), path) : undefined;
    const text = fields ?? added?.body.handle;
    yield [path, action, change.classes, change.successor, text === undefined ? null : store.get(text)];
  }
}
