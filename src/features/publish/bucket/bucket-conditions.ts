/**
 * What a store makes of conditional writes, found out by trying: that it answers 200 says nothing, since some stores pass
 * over conditions that they do not know. Tried once; after that the manifest's object says it.
 */

import { randomBytes } from 'node:crypto';
import { fail } from '../../../core/diagnostics/failure.ts';
import { finding } from '../../../core/diagnostics/finding.ts';
import { sha256 } from '../../../core/model/digest.ts';
import type { Bucket, PutCondition } from './bucket-client.ts';
import { probeKey } from './bucket-objects.ts';
import type { BucketPlace } from './bucket-place.ts';
import type { Conditions } from './bucket-state.ts';

/** Fails where the store knows none, unless that is to be so. */
export async function storeConditions(
  { bucket, prefix, shown }: BucketPlace,
  known: Conditions | undefined,
  force: boolean,
): Promise<Conditions> {
  const conditions = known ?? (await tried(bucket, probeKey(prefix, randomBytes(8).toString('hex'))));
  if (conditions === 'none' && !force) fail(finding('bucket-unconditional', { place: shown }));
  return conditions;
}

/** What is sent so that a write happens only over what has this ETag; undefined where that cannot be said. */
export function ifStill(etag: string | undefined, conditions: Conditions): PutCondition | undefined {
  if (conditions === 'none') return undefined;
  if (etag === undefined) return 'absent';
  return { etag: conditions === 'quoted' ? `"${etag}"` : etag };
}

async function tried(bucket: Bucket, key: string): Promise<Conditions> {
  let count = 0;
  // Each body is another, so that each ETag is.
  const put = (condition?: PutCondition) => {
    const bytes = Buffer.from(`${key} ${count++}\n`);
    return bucket.put({ key, bytes, sha256: sha256(bytes), contentType: 'text/plain', metadata: {} }, condition);
  };
  const isKept = async (condition: PutCondition) => (await put(condition)) === 'refused';
  const first = await put();
  const etag = typeof first === 'object' ? first.etag : '';
  const other = { etag: `"${'0'.repeat(32)}"` };
  const isChecked = (await isKept('absent')) && (await isKept(other)) && (await isKept({ etag: '0'.repeat(32) }));
  let conditions: Conditions = 'none';
  if (isChecked && typeof (await put({ etag: `"${etag}"` })) === 'object') conditions = 'quoted';
  else if (isChecked && typeof (await put({ etag })) === 'object') conditions = 'bare';
  await bucket.remove([key]);
  return conditions;
}
