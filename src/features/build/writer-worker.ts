/** The second thread of a large build: it writes the batches that it is sent. */
import { writing } from '../../system/files/system-errors.ts';
import { serveRequests } from '../../system/threads/thread.ts';
import { type PackedBatch, type Slots, unpacked } from './batch-slots.ts';
import { type DocumentWriterOptions, documentWriter, type ManifestFragment } from './document-writer.ts';

export interface WriterInput {
  readonly writer: DocumentWriterOptions;
  /** The tree as messages name it. */
  readonly out: string;
  /** How many batches are written. */
  readonly written: Int32Array;
  /** Where the texts of batches lie. */
  readonly slots: Slots;
}

/** To write, to say when everything so far is written, to end. */
export type WriterRequest = PackedBatch | 'drain' | 'close';

/** Where the manifest's lines of everything are that was written, once it is closed. */
export type WriterReply = readonly ManifestFragment[];

serveRequests<WriterInput, WriterRequest, WriterReply>(({ writer, out, written, slots }) => {
  const own = writing(out, () => documentWriter(writer));
  return (request) => {
    if (request === 'drain') return [];
    if (request === 'close') return own.close();
    writing(out, () => own.write(unpacked(request, slots)));
    Atomics.add(written, 0, 1);
    return [];
  };
});
