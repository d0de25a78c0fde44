import { setMaxListeners } from 'node:events';
import { megabytes } from '../../../core/diagnostics/words.ts';
import { progress } from '../../../system/terminal/progress.ts';
import type { TreeToPublish } from '../tree-to-publish.ts';
import type { Bucket } from './bucket-client.ts';
import type { Lease } from './bucket-lease.ts';
import type { PlannedObject } from './bucket-objects.ts';

export interface UploadOptions {
  readonly bucket: Bucket;
  readonly tree: TreeToPublish;
  readonly lease: Lease;
  readonly parallel: number;
  readonly confirm: (key: string) => void;
  readonly showsProgress: boolean;
}

export async function uploadStages(
  stages: readonly (readonly PlannedObject[])[],
  options: UploadOptions,
): Promise<void> {
  const all = stages.flat();
  const total = all.reduce((sum, { size }) => sum + size, 0);
  const shown = progress('Uploading', all.length, options.showsProgress);
  let [objects, bytes] = [0, 0];
  const sent = ({ size }: PlannedObject) => {
    bytes += size;
    shown.at(++objects, `${megabytes(bytes)} of ${megabytes(total)}`);
  };
  try {
    for (const stage of stages) await uploadAll(stage, options, sent);
  } finally {
    shown.end();
  }
}

async function uploadAll(
  stage: readonly PlannedObject[],
  { bucket, tree, lease, parallel, confirm }: UploadOptions,
  sent: (object: PlannedObject) => void,
): Promise<void> {
  const waiting = stage[Symbol.iterator]();
  const failed = new AbortController();
  const signal = AbortSignal.any([lease.signal, failed.signal]);
  // Each request listens to it several times.
  setMaxListeners(0, signal);
  const worker = async () => {
    for (const object of { [Symbol.iterator]: () => waiting }) {
      if (failed.signal.aborted) return;
      lease.check();
      await upload(bucket, tree, object, signal).catch((error: unknown) => {
        lease.check();
        throw error;
      });
      confirm(object.key);
      sent(object);
    }
  };
  let first: { readonly error: unknown } | undefined;
  const working = Array.from({ length: Math.min(parallel, stage.length) }, () =>
    worker().catch((error: unknown) => {
      first ??= { error };
      failed.abort();
    }),
  );
  // The first failure ends the others; all have ended before it is told.
  await Promise.all(working);
  if (first) throw first.error;
}

async function upload(
  bucket: Bucket,
  tree: TreeToPublish,
  { key, file, sha256, contentType, cacheControl, modified }: PlannedObject,
  signal: AbortSignal,
): Promise<void> {
  const object = {
    key,
    bytes: tree.read(file, sha256),
    sha256,
    contentType,
    ...(cacheControl === undefined ? {} : { cacheControl }),
    metadata: modified === undefined ? {} : { mtime: String(modified) },
  };
  await bucket.put(object, undefined, signal);
}
