/**
 * Filling an index while revisions are made, so that nobody has to replay them afterwards: it is the index that a replay
 * of their files would make. Where it cannot be written, there is none, and nothing else changes.
 */

import type { Graph, Placed } from '../../core/history/graph.ts';
import { recordedChange } from '../../core/history/replay.ts';
import type { ResourceChange } from '../../core/history/revision-file.ts';
import { memoryStore } from '../../core/model/body-store.ts';
import type { FieldChange } from '../../core/model/difference.ts';
import { bodyDigest } from '../../core/model/digest.ts';
import type { Kinds } from '../../core/model/kinds.ts';
import { patch } from '../../core/model/patch.ts';
import { type RegistryState, resourceAt, resourcesIn, type StoredBody } from '../../core/model/state.ts';
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

export function indexFeed(place: IndexPlace, old: FedIndex, kinds: Kinds): IndexFeed {
  const rows = bodyRows(old);
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
    add: ({ changes, before, after, ...revision }) =>
      attempt(() => {
        if (!writer) return;
        const making = { before, after, rows, kinds, bodyOf: writer.bodyOf };
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
  return {
    of: (body) => rows.get(body) ?? rowOfHandle(body.handle),
    put: (body, row) => rows.set(body, row),
  };
}

interface Making extends Pick<MadeRevision, 'before' | 'after'>, Pick<IndexWriter, 'bodyOf'> {
  readonly rows: BodyRows;
  readonly kinds: Kinds;
}

function freshChange(change: ResourceChange, { before, after, rows, kinds, bodyOf }: Making): FreshChange {
  const { path, action } = change;
  const texts = memoryStore();
  const recorded = recordedChange(change, texts, kinds);
  const fields = recorded.fields === undefined ? '' : texts.get(recorded.fields);
  const held = resourceAt(before, path)?.body;
  const heldRow = held && rows.of(held);
  const told = { ...recorded, fields, before: heldRow };
  if (action === 'touched' || action === 'removed') return { ...told, after: undefined };
  const { digest } = certain(resourceAt(after, path)).body;
  const text = lazily(() =>
    action === 'added'
      ? JSON.stringify(change.value)
      : patched(bodyOf(certain(heldRow)), change.fields, digest),
  );
  return { ...told, after: { digest, text } };
}

/** What a replay makes of a body, where the fields stand in an order of their own. */
function patched(text: string, fields: readonly FieldChange[], digest: string): string {
  const made = patch(objectIn(text), fields);
  if (made.conflict || bodyDigest(made.body) !== digest) return damaged('what a body became');
  return JSON.stringify(made.body);
}
