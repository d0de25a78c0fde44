import type { Finding } from '../../core/diagnostics/finding.ts';

export interface PublishOptions {
  /** `s3://bucket/prefix`, or a folder. */
  readonly destination: string;
  readonly tree: string;
  /** The registry of the tree. If missing, the output does not describe the changes of the registry. */
  readonly registry?: string | undefined;
  readonly dryRun: boolean;
  /** Whether to take over claims, replace another API's manifest, and use a bucket without conditional writes. */
  readonly force: boolean;
  readonly older: boolean;
  /** Whether to remove the configuration files of a host if the new tree contains none for this host. */
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
  /** The folder of the journal. The default is the parent folder of the tree. */
  readonly state?: string | undefined;
  /** The number of seconds after which other publishers may take over the claim. */
  readonly leaseSeconds?: number;
  readonly pauseMs?: number;
  readonly timeoutMs?: number;
}

export interface Published {
  readonly record: object;
  readonly text: string;
  readonly findings: readonly Finding[];
  /** The revision before this publication. */
  readonly previous: string | undefined;
  readonly revision: string;
  readonly serial: number | undefined;
  readonly reloads: readonly HostReload[];
}

/** A host whose configuration files change. `command` makes the host load the new files. */
export interface HostReload {
  readonly host: string;
  readonly command: string;
}

export interface PruneOptions
  extends Pick<PublishOptions, 'destination' | 'dryRun' | 'force' | 'showsProgress' | 'bucket'> {
  /** The maximum number of removals. If more are needed, pruning removes nothing. The default is `MAX_DELETES`. */
  readonly maxDeletes?: number | undefined;
  /** The number of recent manifests whose objects stay in the bucket. */
  readonly keep: number;
  /** The age in hours at which `prune` deletes an unused object of a bucket. */
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
  /** Files or objects that pruning keeps, because nothing proves that they belong to this API. */
  readonly left: readonly PruneItem[];
  readonly requests: number;
}
