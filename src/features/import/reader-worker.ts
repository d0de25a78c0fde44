/** The second thread of a long import: it reads the files that it is sent. */
import { type DeclaredKind, kindsWith } from '../../core/model/kinds.ts';
import { serveRequests } from '../../system/threads/thread.ts';
import { packagedChecks } from '../../system/trees/packaged-checks.ts';
import { type FileToRead, fileReader, type SaidOfItem } from './file-reader.ts';

export interface ReaderInput {
  /** The kinds that the registry declares. */
  readonly declared: readonly DeclaredKind[];
}

export type ReaderRequest = readonly FileToRead[];

/** What each file says. */
export type ReaderReply = readonly (readonly SaidOfItem[])[];

serveRequests<ReaderInput, ReaderRequest, ReaderReply>(({ declared }) =>
  fileReader(kindsWith(declared), packagedChecks()),
);
