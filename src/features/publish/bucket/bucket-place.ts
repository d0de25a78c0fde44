import { fail } from '../../../core/diagnostics/failure.ts';
import { finding } from '../../../core/diagnostics/finding.ts';
import type { PublishOptions } from '../publish-options.ts';
import type { Bucket, BucketAddress } from './bucket-client.ts';
import type { KeyStyle } from './bucket-objects.ts';

export interface BucketPlace {
  readonly bucket: Bucket;
  readonly prefix: string;
  readonly keys: KeyStyle;
  /** As messages name it: `s3://bucket/prefix`. */
  readonly shown: string;
  readonly identity: string;
}

/** The client is loaded on demand: no other command takes so long to load. */
export async function bucketPlace({
  destination,
  bucket: options,
}: Pick<PublishOptions, 'destination' | 'bucket'>): Promise<BucketPlace> {
  const [, name = '', below = ''] = /^s3:\/\/([a-z0-9][a-z0-9._-]+)(?:\/(.*))?$/i.exec(destination) ?? [];
  const segments = below.split('/').filter((segment) => segment !== '');
  if (name === '') fail(finding('bucket-address', { destination }));
  const segment = segments.find((each) => !/^[A-Za-z0-9._~-]+$/.test(each) || /^\.+$/.test(each));
  if (segment !== undefined) fail(finding('bucket-prefix', { destination, segment }));
  const { endpoint, keys } = options;
  if (endpoint !== undefined && !/^https?:\/\/[^/]/.test(endpoint)) fail(finding('bad-url', { url: endpoint }));
  const prefix = segments.map((segment) => `/${segment}`).join('');
  const address: BucketAddress = { ...options, bucket: name };
  // Node 20 is supported here for longer than by the client, which would say so each time.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const { openBucket } = await import('./bucket-client.ts');
  const shown = `s3://${name}${prefix}`;
  const identity = JSON.stringify([endpoint ?? '', shown, keys]);
  return { bucket: openBucket(address), prefix, keys, shown, identity };
}
