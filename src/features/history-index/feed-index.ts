/**
 * Filling an index while revisions are made, so that nobody has to replay them afterwards: it is the index that a replay
 * of their files would make. Where it cannot be written, there is none, and nothing else changes.
 */

import type { Graph, Placed } from '../../core/history/graph.ts';
import { toldChange } from '../../core/history/replay.ts';
import type { ResourceChange } from '../../core/history/revision-file.ts';
import type { FieldChange } from '../../core/model/differences/difference.ts';
import { patch } from '../../core/model/differences/patch.ts';
import { bodyDigest } from '../../core/model/digest.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import {
  type BodyStore,
  type RegistryState,
  resourceAt,
  resourcesIn,
  type StoredBody,
} from '../../core/model/state.ts';
import { certain, itemAt } from '../../core/platform/certain.ts';
import { lazily } from '../../core/platform/on-demand.ts';
import { marksSince } from './file-marks.ts';
import { type HistoryIndex, NO_INDEX } from './history-index.ts';
import { damaged, unlessUnusable } from './index-damaged.ts';
import { type IndexPlace, indexKey, makePlace } from './index-place.ts';
import { type FreshChange, type FreshRevision, type IndexWriter, indexWriter } from './index-writer.ts';
import { objectIn, rowOfHandle } from './indexed-bodies.ts';

/** A revision as it was made. */
export interface MadeRevision extends FreshRevision {
  /** In code-unit order of paths. */
  readonly changes: readonly ResourceChange[];
  /** The states after its first parent and after itself: in this one, each body that a change made is an object of its own. */
  readonly before: RegistryState;
  readonly after: RegistryState;
  /** The paths of the updates that make of a body's text, as a replay knows it, the text that the next body has. */
  readonly inPlace: ReadonlySet<string>;
}

export interface FinishedRegistry {
  readonly registry: string;
  readonly graph: Graph<Placed>;
  /** By which program, for which kinds and within which limits the index is made. */
  readonly maker: string;
  /** When the files were as they were made, in milliseconds since 1970. */
  readonly moment: number;
}

export interface IndexFeed {
  /** The next revision in the order of the graph. */
  readonly add: (revision: MadeRevision) => void;
  /** Puts the index in its place, beside a registry that stands in its own. */
  readonly finish: (finished: FinishedRegistry) => void;
  readonly close: () => void;
}

/** The index of what was there before, which says the same of its head as another state with bodies of its own. */
export interface FedIndex {
  readonly index: HistoryIndex;
  readonly head: RegistryState;
  readonly sameAsHead: RegistryState;
}

export const NOTHING_FED: FedIndex = { index: NO_INDEX, head: null, sameAsHead: null };

/** `store` has the bodies in states as they are made. */
export function indexFeed(place: IndexPlace, old: FedIndex, kinds: Kinds, store: BodyStore): IndexFeed {
  const rows = bodyRows(old);
  const textOf = replayedTexts(store);
  let writer: IndexWriter | undefined;
  const close = () => {
    writer?.close();
    writer = undefined;
  };
  const attempt = (write: () => void) => {
    const isDone = unlessUnusable(() => {
      write();
      return true;
    });
    if (isDone !== true) close();
  };
  attempt(() => {
    writer = indexWriter(place, old.index);
    for (const revision of old.index.revisions) writer.keep(revision);
  });
  return {
    add: ({ changes, before, after, inPlace, ...revision }) =>
      attempt(() => {
        if (!writer) return;
        const making = { before, after, inPlace, rows, textOf, kinds, bodyOf: writer.bodyOf };
        const fresh = changes.map((change) => freshChange(change, making));
        for (const [i, row] of writer.add(revision, fresh).entries()) {
          const { path, after: made, before: held } = itemAt(fresh, i);
          const body = resourceAt(after, path)?.body;
          if (body) rows.put(body, made ? row : certain(held));
        }
      }),
    finish: ({ registry, graph, maker, moment }) =>
      attempt(() => {
        if (!writer) return;
        makePlace(place);
        const key = indexKey(place, maker);
        if (key) writer.finish(key, graph, marksSince(registry, moment));
      }),
    close,
  };
}

/** The rows of bodies in states. */
interface BodyRows {
  readonly of: (body: StoredBody) => number;
  readonly put: (body: StoredBody, row: number) => void;
}

function bodyRows({ head, sameAsHead }: FedIndex): BodyRows {
  const rows = new WeakMap<StoredBody, number>();
  for (const [path, { body }] of resourcesIn(sameAsHead))
    rows.set(body, rowOfHandle(certain(resourceAt(head, path)).body.handle));
  return { of: (body) => rows.get(body) ?? rowOfHandle(body.handle), put: (body, row) => rows.set(body, row) };
}

/** The text that a replay makes of the body after a change, where it is the one that the body was made with. */
type ReplayedText = (
  change: ResourceChange,
  held: StoredBody | undefined,
  body: StoredBody,
  inPlace: ReadonlySet<string>,
) => (() => string) | undefined;

function replayedTexts(store: BodyStore): ReplayedText {
  const known = new WeakSet<StoredBody>();
  const text = ({ handle }: StoredBody) => store.get(handle);
  return ({ action, path }, held, body, inPlace) => {
    const isHeldKnown = held !== undefined && known.has(held);
    const isKnown =
      action === 'added' ||
      (action === 'updated' && isHeldKnown && inPlace.has(path)) ||
      (action === 'touched' && isHeldKnown && text(held) === text(body));
    if (!isKnown) return undefined;
    known.add(body);
    return () => text(body);
  };
}

interface Making extends Pick<MadeRevision, 'before' | 'after' | 'inPlace'>, Pick<IndexWriter, 'bodyOf'> {
  readonly rows: BodyRows;
  readonly textOf: ReplayedText;
  readonly kinds: Kinds;
}

function freshChange(
  change: ResourceChange,
  { before, after, inPlace, rows, textOf, kinds, bodyOf }: Making,
): FreshChange {
  const { path, action } = change;
  const fields = action === 'updated' ? JSON.stringify(change.fields) : '';
  const held = resourceAt(before, path)?.body;
  const told = { ...toldChange(change, kinds), fields, before: held && rows.of(held) };
  const body = resourceAt(after, path)?.body;
  const known = body && textOf(change, held, body, inPlace);
  if (!body || action === 'touched') return { ...told, after: undefined };
  const changed = action === 'updated' ? change.fields : [];
  const text = known ?? lazily(() => patched(bodyOf(certain(told.before)), changed, body.digest));
  return { ...told, after: { digest: body.digest, text } };
}

/** What a replay makes of a body, where the fields stand in an order of their own. */
function patched(text: string, fields: readonly FieldChange[], digest: string): string {
  const made = patch(objectIn(text), fields);
  if (made.conflict || bodyDigest(made.body) !== digest) return damaged('what a body became');
  return JSON.stringify(made.body);
}
