/** What a check is given, and what the checks share. */
import { JSON_MEDIA_TYPE, vendorMediaType } from '../../api/dialect.ts';
import type { Form } from '../../api/endpoints.ts';
import { mediaTypeOf, type ProbeResponse, type SendRequest } from '../../api/http-exchange.ts';
import type { Sample } from './sample.ts';

/** One thing that does not hold. */
export interface Failing {
  readonly request: string;
  readonly says: string;
}

export interface Probing {
  readonly ask: SendRequest;
  readonly sample: Sample;
  /** Notes something that does not hold. */
  readonly fails: (request: string, says: string) => void;
}

export type Check = (probing: Probing) => Promise<void>;

/** The media type that a path without suffix has, in the form of mediaTypeOf. */
export function typeOf({ vendor }: Sample, form: Form): string {
  return vendor === undefined ? JSON_MEDIA_TYPE : `${vendorMediaType(vendor, form)};charset=utf-8`;
}

export function expectType(response: ProbeResponse, request: string, wanted: string, fails: Probing['fails']): void {
  const found = mediaTypeOf(response).replace(/^application\/json;charset=utf-8$/, JSON_MEDIA_TYPE);
  if (found !== wanted) fails(request, `is ${found || 'of no media type'}, not ${wanted}`);
}

/**
 * Redirects and errors must not be kept by caches; and where nothing is said, a cache may keep a 404 for a time that it
 * guesses from Last-Modified (RFC 9111, section 4.2.2).
 */
export function expectNoCache({ status, headers }: ProbeResponse, request: string, fails: Probing['fails']): void {
  const found = headers['cache-control'];
  if (status >= 300 && found !== undefined && found !== 'no-store')
    fails(request, `answers ${status} with Cache-Control: ${found}; there must be none`);
  if (status === 404 && found === undefined && headers['last-modified'] !== undefined)
    fails(request, 'is 404 with Last-Modified, from which caches guess how long to keep it');
}
