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
