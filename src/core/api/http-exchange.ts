/** Requests and responses of a probe: plain HTTP, without redirects, decoding or normalization. */
import { type Json, parsedJson } from '../model/json.ts';
import { DOCUMENT_BYTES } from '../platform/limits.ts';

export interface ProbeRequest {
  readonly method?: string;
  /** The path and query below the base, sent unchanged. */
  readonly path: string;
  /** A list is sent as one header line per value. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export interface ProbeResponse {
  readonly status: number;
  /** The names are in lowercase. The values of repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export type SendRequest = (request: ProbeRequest) => Promise<ProbeResponse>;

export function bodyText({ body }: ProbeResponse): string {
  return new TextDecoder().decode(body);
}

export function jsonOf(response: ProbeResponse, most = DOCUMENT_BYTES): Json | undefined {
  return response.body.length > most ? undefined : parsedJson(bodyText(response));
}

export function sameBytes(a: ProbeResponse, b: ProbeResponse): boolean {
  return a.body.length === b.body.length && a.body.every((byte, i) => byte === b.body[i]);
}

/** The Content-Type with its parameters, in lowercase and without spaces. */
export function mediaTypeOf({ headers }: ProbeResponse): string {
  return (headers['content-type'] ?? '').toLowerCase().replaceAll(' ', '');
}
