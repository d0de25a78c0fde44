import type { Finding } from '../../core/diagnostics/finding.ts';

export interface PublishOptions {
  /** `s3://bucket/prefix`, or a folder. */
  readonly destination: string;
  readonly tree: string;
  readonly dryRun: boolean;
  /**
   * For buckets: takes over a valid claim or a foreign manifest, and continues if the store has no conditional writes.
   */
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
  /** The folder of the journal. The default is the parent folder of the tree. */
  readonly state?: string | undefined;
  /** The number of seconds after which other publishers may take over the claim. */
  readonly leaseSeconds?: number;
  readonly pauseMs?: number;
  readonly timeoutMs?: number;
}

export interface PublishedBucket {
  readonly record: object;
  readonly text: string;
  readonly findings: readonly Finding[];
}

export interface PruneOptions
  extends Pick<PublishOptions, 'destination' | 'dryRun' | 'force' | 'showsProgress' | 'bucket'> {
  /**
   * The maximum number of removed files or objects. If there are more candidates, none is removed. The default is
   * `MAX_DELETES`.
   */
  readonly maxDeletes?: number | undefined;
  /** The number of newest manifests in a bucket. Objects that these manifests list are not removed. */
  readonly keep: number;
  /** The minimum age of removed objects in a bucket, in hours. */
  readonly grace: number;
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
  /** Unlisted files or objects that stay, because nothing proves that they belong to this API. */
  readonly left: readonly PruneItem[];
  readonly requests: number;
}
