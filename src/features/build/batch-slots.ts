/**
 * Memory that two threads share for the texts of batches: those of a batch lie in a slot as the bytes that are written, so
 * that the thread that takes it neither copies them nor makes texts of them again.
 */
import { itemAt } from '../../core/platform/certain.ts';
import type { Batch, RenderedDocument, StandingDocument } from './document-writer.ts';

/** Bytes: a batch with more is no batch to be sent. */
const SLOT = 1 << 22;

/** A document whose text lies from one byte of a slot to another. */
interface PackedDocument extends Omit<RenderedDocument, 'text'> {
  readonly start: number;
  readonly end: number;
}

type SentDocument = (RenderedDocument & { readonly text: string }) | StandingDocument;

/** A batch of which the texts lie in a slot. */
export interface PackedBatch extends Omit<Batch, 'documents'> {
  readonly slot: number;
  readonly documents: readonly (PackedDocument | StandingDocument)[];
}

export type Slots = readonly SharedArrayBuffer[];

export function newSlots(count: number): Slots {
  return Array.from({ length: count }, () => new SharedArrayBuffer(SLOT));
}

/** Puts the texts of a batch into a slot, over what lay there; undefined where they do not fit, or are still to be rendered. */
export function packed({ order, documents, aliases }: Batch, slots: Slots, slot: number): PackedBatch | undefined {
  if (!documents.every(isSendable)) return undefined;
  const bytes = bytesOf(slots, slot);
  const encoder = new TextEncoder();
  const into: PackedBatch['documents'][number][] = [];
  let end = 0;
  for (const document of documents) {
    if ('line' in document) {
      into.push(document);
      continue;
    }
    const { url, text, type, cache, modified } = document;
    if (text.length > bytes.length - end) return undefined;
    const { read, written } = encoder.encodeInto(text, bytes.subarray(end));
    if (read < text.length) return undefined;
    into.push({ url, type, cache, modified, start: end, end: end + written });
    end += written;
  }
  return { order, slot, documents: into, aliases };
}

function isSendable(document: Batch['documents'][number]): document is SentDocument {
  return 'line' in document || ('text' in document && typeof document.text === 'string');
}

/** The batch again; its texts hold until the slot is used for another. */
export function unpacked({ order, slot, documents, aliases }: PackedBatch, slots: Slots): Batch {
  const bytes = bytesOf(slots, slot);
  return {
    order,
    documents: documents.map((each) => {
      if ('line' in each) return each;
      const { url, type, cache, modified, start, end } = each;
      return { url, text: bytes.subarray(start, end), type, cache, modified };
    }),
    aliases,
  };
}

function bytesOf(slots: Slots, slot: number): Uint8Array {
  return new Uint8Array(itemAt(slots, slot));
}
