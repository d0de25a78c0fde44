import type { Finding } from '../../core/diagnostics/finding.ts';

export interface PublishOptions {
  /** `s3://bucket/prefix`, or a folder. */
  readonly destination: string;
  readonly tree: string;
  /** The registry of the tree, which describes the changes. It need not exist. */
  readonly registry?: string | undefined;
  readonly dryRun: boolean;
  /** For buckets. Take over a valid claim or a foreign manifest, and continue without conditional writes. */
  readonly force: boolean;
  readonly older: boolean;
  /** Whether a folder may lose the configuration of a host. */
  readonly dropHost?: boolean | undefined;
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
  /** The folder of the journal. Default: the folder that contains the tree. */
  readonly state?: string | undefined;
  /** Seconds until other publishers may take over the claim. */
  readonly leaseSeconds?: number;
  readonly pauseMs?: number;
  readonly timeoutMs?: number;
}

export interface Published {
  readonly record: object;
  readonly text: string;
  readonly findings: readonly Finding[];
  /** The revision that was published before. */
  readonly previous: string | undefined;
  readonly revision: string;
  readonly serial: number | undefined;
  readonly reloads: readonly HostReload[];
}

/** A host whose configuration changes, and the command that loads it. */
export interface HostReload {
  readonly host: string;
  readonly command: string;
}

export interface PruneOptions
  extends Pick<PublishOptions, 'destination' | 'dryRun' | 'force' | 'showsProgress' | 'bucket'> {
  /** Nothing is removed if there is more to remove than this. Default: `MAX_DELETES`. */
  readonly maxDeletes?: number | undefined;
  /** The number of newest manifests in a bucket whose objects are kept. */
  readonly keep: number;
  /** Hours. Younger objects in a bucket are kept. */
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
  /** Unlisted files or objects that do not provably belong to this API. */
  readonly left: readonly PruneItem[];
  readonly requests: number;
}
