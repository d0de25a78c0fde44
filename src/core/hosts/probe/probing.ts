import { JSON_MEDIA_TYPE, vendorMediaType } from '../../api/dialect.ts';
import type { Form } from '../../api/endpoints.ts';
import { mediaTypeOf, type ProbeResponse, type SendRequest } from '../../api/http-exchange.ts';
import type { Sample } from './sample.ts';

/** A request whose response violates the contract, and a description of the violation. */
export interface Failing {
  readonly request: string;
  readonly message: string;
}

/** The message about a request without a response. */
export const NOT_ANSWERED = 'is not answered';

/** Decodes a content coding. Returns undefined if the bytes are invalid. */
export type Decode = (coding: string, bytes: Uint8Array) => Uint8Array | undefined;

export interface Probing {
  readonly ask: SendRequest;
  readonly decode: Decode;
  readonly sample: Sample;
  readonly report: (request: string, message: string) => void;
}

export type Check = (probing: Probing) => Promise<void>;

/** Returns paths for checks whose result does not depend on the path: some JSON documents, and all raw documents. */
export function someUrls({ paths, raw, latest }: Sample): string[] {
  return [...[...paths.slice(0, 3), ...raw].map(({ url }) => url), ...latest.slice(0, 1)];
}

/** Returns the media type of a path without suffix, in the format of `mediaTypeOf`. */
export function typeOf({ vendor }: Sample, form: Form): string {
  return vendor === undefined ? JSON_MEDIA_TYPE : `${vendorMediaType(vendor, form)};charset=utf-8`;
}

export function expectType(response: ProbeResponse, request: string, wanted: string, report: Probing['report']): void {
  const found = mediaTypeOf(response).replace(/^application\/json;charset=utf-8$/, JSON_MEDIA_TYPE);
  if (found !== wanted) report(request, `is ${found || 'of no media type'}, not ${wanted}`);
}

/** A cache may store a 404 with Last-Modified and without Cache-Control (RFC 9111, section 4.2.2). */
export function expectNoCache({ status, headers }: ProbeResponse, request: string, report: Probing['report']): void {
  const found = headers['cache-control'];
  if (status >= 300 && found !== undefined && found !== 'no-store')
    report(request, `answers ${status} with Cache-Control: ${found}; there must be none`);
  if (status === 404 && found === undefined && headers['last-modified'] !== undefined)
    report(request, 'is 404 with Last-Modified, from which caches guess how long to keep it');
}
