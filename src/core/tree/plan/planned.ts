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
  /** A shortened body for the examples in the API description. Set if the body can be long. */
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
  /** The file time of documents that change with each new head, in epoch seconds. */
  readonly now: number;
  /** Returns the file time of a document that need not change with a new head. The argument is the resource's path. */
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
  /** The files are computed when they are first read, because listing all existing and removed resources is slow. */
  readonly files: Lazy<readonly PlannedFile[]>;
}
