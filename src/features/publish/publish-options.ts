/** What `gridpress publish` takes and gives, wherever it publishes to. */
import type { Finding } from '../../core/diagnostics/finding.ts';

export interface PublishOptions {
  /** `s3://bucket/prefix`, or a folder. */
  readonly destination: string;
  /** The folder of the tree. */
  readonly tree: string;
  readonly dryRun: boolean;
  /** Go on where it would rather stop: the findings say when. */
  readonly force: boolean;
  /** Whether a tree with a smaller serial may take the place of one with a larger one. */
  readonly older: boolean;
  /** Whether a folder becomes a link that is switched without a gap, if it is none yet. */
  readonly isLinked?: boolean;
  /** Where the changed mutable URLs are written. */
  readonly purgeFile?: string;
  /** With it, they are written as full URLs. */
  readonly baseUrl?: string;
  readonly showsProgress: boolean;
  readonly bucket: BucketOptions;
}

export interface BucketOptions {
  /** The URL of a store other than the default one of the region. */
  readonly endpoint?: string;
  readonly region?: string;
  /** The profile of the credentials file. */
  readonly profile?: string;
  readonly keys: 'exact' | 'index';
  /** How many uploads run at once. */
  readonly parallel: number;
  /** The folder of the journal; beside the tree unless told. */
  readonly state?: string;
  /** How long a claim on the bucket lasts before others may take it over. */
  readonly leaseSeconds?: number;
  /** Milliseconds: about how long the first pause before another try is. */
  readonly pauseMs?: number;
  /** Milliseconds that one request may take. */
  readonly timeoutMs?: number;
}

/** What was done: for machines the record, for people the text. */
export interface PublishedBucket {
  readonly record: object;
  readonly text: string;
  readonly findings: readonly Finding[];
}
