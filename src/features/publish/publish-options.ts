import type { Finding } from '../../core/diagnostics/finding.ts';

export interface PublishOptions {
  readonly destination: string;
  readonly tree: string;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly older: boolean;
  readonly isLinked?: boolean;
  readonly purgeFile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly showsProgress: boolean;
  readonly bucket: BucketOptions;
}

export interface BucketOptions {
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
  readonly keys: 'exact' | 'index';
  readonly parallel: number;
  /** The folder of the journal; beside the tree unless told. */
  readonly state?: string | undefined;
  /** How long a claim on the bucket lasts before others may take it over. */
  readonly leaseSeconds?: number;
  readonly pauseMs?: number;
  readonly timeoutMs?: number;
}

export interface PublishedBucket {
  readonly record: object;
  readonly text: string;
  readonly findings: readonly Finding[];
}

export interface PruneOptions {
  /** `s3://bucket/prefix`, or a folder. */
  readonly destination: string;
  readonly dryRun: boolean;
  /** Where there would be more to remove, nothing is; by default as many as `MAX_DELETES` says. */
  readonly maxDeletes?: number | undefined;
  readonly showsProgress: boolean;
  /** In a bucket: take a claim over that is in force, or do without conditional writes. */
  readonly force: boolean;
  /** In a bucket: how many of the last manifests keep what they need. */
  readonly keep: number;
  /** In a bucket: how old an object must be, in hours. */
  readonly grace: number;
  readonly bucket: BucketOptions;
}

export const MAX_DELETES = { folder: 10_000, bucket: 100_000 } as const;

export interface PruneItem {
  readonly name: string;
  readonly reason: string;
}

export interface Pruned {
  readonly destination: string;
  readonly dryRun: boolean;
  readonly removed: readonly PruneItem[];
  /** What is not listed, and cannot be proved to be of this API. */
  readonly left: readonly PruneItem[];
  readonly requests: number;
}
