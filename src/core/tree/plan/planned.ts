import type { CacheClass, Form } from '../../api/endpoints.ts';
import type { RawForm } from '../../api/raw-forms.ts';
import type { Lazy } from '../../platform/on-demand.ts';

export interface PlannedDocument {
  readonly url: string;
  readonly form: Form | RawForm;
  readonly cache: CacheClass;
  /** Epoch seconds. */
  readonly modified: number;
  readonly body: () => string;
  /** Yields a long body in parts, so that the whole body is never in memory. */
  readonly parts?: () => Iterable<string>;
  /** A shorter body for examples, if the body can be long. */
  readonly sample?: () => string;
}

export type DocumentMaker = (
  url: string,
  form: PlannedDocument['form'],
  body: PlannedDocument['body'],
) => PlannedDocument;

export function documentsAt(modified: number, cache: CacheClass = 'mutable'): DocumentMaker {
  return (url, form, body) => ({ url, form, cache, modified, body });
}

export const SAMPLE_SIZE = 2;

export interface DocumentTimes {
  /** The file time of documents that show the head, in epoch seconds. */
  readonly now: number;
  /** The file time of a history document that does not show the head. The argument is the path of the resource. */
  readonly pastTimeOf: (path: string) => number;
}

export function inParts(parts: () => Iterable<string>): Required<Pick<PlannedDocument, 'body' | 'parts'>> {
  return { parts, body: () => [...parts()].join('') };
}

export interface PlannedAlias {
  readonly url: string;
  readonly target: string;
  readonly cache: CacheClass;
}

/** A group of documents or aliases that are planned in one step. Revisions are given as indexes. */
export interface PlanSection<T> {
  /** The revision of the snapshot that needs this section. Undefined for documents outside of snapshots. */
  readonly snapshot: number | undefined;
  /** The index of the revision if the section contains only versions of this revision. Otherwise undefined. */
  readonly version?: number;
  readonly list: () => Iterable<T>;
}

export interface PlannedFile {
  readonly file: string;
  readonly removedUrl?: string;
  readonly body: () => string;
}

export interface Plan {
  readonly documents: readonly PlanSection<PlannedDocument>[];
  readonly aliases: readonly PlanSection<PlannedAlias>[];
  /**
   * The files are computed when they are first read. The computation is slow, because it visits all existing and
   * removed resources.
   */
  readonly files: Lazy<readonly PlannedFile[]>;
}
