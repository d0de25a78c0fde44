/** What a tree holds, in batches that are written together: documents in the order of the plan, then aliases. */
import type { Plan, PlannedAlias, PlannedDocument, PlanSection } from '../../core/tree/plan/planned.ts';
import type { Batch } from './document-writer.ts';
import type { StandingPast } from './standing/standing-past.ts';
import type { TreeHead } from './write-manifest.ts';

/** A batch is as large as this, in characters of its texts, or in entries. */
const BATCH_LENGTH = 1 << 20;
const BATCH_SIZE = 500;
/** More than there are batches of a section: each section has so many numbers for them. */
const MOST_BATCHES = 2 ** 32;

type BatchedTree = Pick<TreeHead, 'plan' | 'publication' | 'hosting' | 'spool'>;

export interface DocumentBatchesOptions {
  /** Whether those of a section are among them. */
  readonly takes: (section: PlanSection<PlannedDocument>) => boolean;
  readonly past: StandingPast | undefined;
  /** Called again and again while a document is rendered that comes in parts. */
  readonly meanwhile: () => void;
}

/** Documents that are rendered, unless they stand in the previous tree. */
export function* documentBatches(
  { plan, publication, hosting, spool }: BatchedTree,
  { takes, past, meanwhile }: DocumentBatchesOptions,
): Generator<Batch> {
  const { dialect } = publication;
  const { pretty, precompressed } = hosting.variants;
  const takesParts = !pretty && !precompressed && spool === undefined;
  let documents: Batch['documents'][number][] = [];
  let length = 0;
  let order = 0;
  const taken = (): Batch => {
    const batch = { order: order++, documents, aliases: [] };
    [documents, length] = [[], 0];
    return batch;
  };
  for (const [at, section] of plan.documents.entries()) {
    if (!takes(section)) {
      if (documents.length > 0) yield taken();
      order = at * MOST_BATCHES;
      continue;
    }
    for (const document of section.list()) {
      const { url, form, cache, modified, body, parts } = document;
      const line = past?.lineOf(document);
      const said = { url, type: dialect.mediaType(form), cache, modified };
      if (line !== undefined) documents.push({ url, line });
      else if (parts && takesParts && cache === 'mutable')
        documents.push({ ...said, parts: () => interrupted(parts(), meanwhile) });
      else {
        const text = body();
        documents.push({ ...said, text });
        length += text.length;
      }
      if (length >= BATCH_LENGTH || documents.length >= BATCH_SIZE) yield taken();
    }
  }
  if (documents.length > 0) yield taken();
}

function* interrupted<T>(parts: Iterable<T>, meanwhile: () => void): Generator<T> {
  for (const part of parts) {
    meanwhile();
    yield part;
  }
}

export function* aliasBatches({ documents, aliases }: Plan): Generator<Batch> {
  let order = documents.length * MOST_BATCHES;
  let batch: PlannedAlias[] = [];
  for (const { list } of aliases) {
    for (const alias of list()) {
      batch.push(alias);
      if (batch.length < BATCH_SIZE) continue;
      yield { order: order++, documents: [], aliases: batch };
      batch = [];
    }
  }
  if (batch.length > 0) yield { order, documents: [], aliases: batch };
}
