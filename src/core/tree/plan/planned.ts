/** What a plan is made of: documents and aliases, as values that are rendered when they are asked for. */
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
  /** The same in parts, where it can be long: then all of it need not be in memory at once. */
  readonly parts?: () => Iterable<string>;
  /** A body of the same kind that takes less to make, where there is much in it: to show what it looks like. */
  readonly sample?: () => string;
}

/** How many of each thing a sample has: more are not shown. */
export const SAMPLE_SIZE = 2;

/** When documents were modified, in epoch seconds. */
export interface DocumentTimes {
  /** Of what shows the head. */
  readonly now: number;
  /** Of what tells of the past of the resource with a path, and names no head. */
  readonly pastTimeOf: (path: string) => number;
}

/** The body of a document that can be long. */
export function inParts(parts: () => Iterable<string>): Required<Pick<PlannedDocument, 'body' | 'parts'>> {
  return { parts, body: () => [...parts()].join('') };
}

/** A URL that answers with the document of another. */
export interface PlannedAlias {
  readonly url: string;
  readonly target: string;
  readonly cache: CacheClass;
}

/** Some documents, or some aliases, that are done together. */
export interface PlanSection<T> {
  /** The index of the revision whose snapshot asks for it; undefined for the rest of the tree. */
  readonly snapshot: number | undefined;
  /** The index of the revision of which it lists versions, and nothing else. */
  readonly version?: number;
  readonly list: () => Iterable<T>;
}

/** A file that answers in the place of documents: where there is none, where a method is not allowed, where an item was removed. */
export interface PlannedFile {
  readonly file: string;
  /** The URL path without suffix of the item that was removed. */
  readonly removed?: string;
  readonly body: () => string;
}

export interface Plan {
  readonly documents: readonly PlanSection<PlannedDocument>[];
  readonly aliases: readonly PlanSection<PlannedAlias>[];
  /** Found out when they are first asked for, since every subject that there ever was is looked at for them. */
  readonly files: Lazy<readonly PlannedFile[]>;
}
