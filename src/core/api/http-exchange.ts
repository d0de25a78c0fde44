/** Requests and responses of a probe. A probe uses plain HTTP: it does not follow redirects, decode or normalize. */
import { type Json, parsedJson } from '../model/json.ts';
import { DOCUMENT_BYTES } from '../platform/limits.ts';

export interface ProbeRequest {
  readonly method?: string;
  /** The path and the query of the request, relative to the base. They are sent without changes. */
  readonly path: string;
  /** If a value is a list, each item becomes a header line. */
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

/** Returns the Content-Type with its parameters, in lowercase and without spaces. */
export function mediaTypeOf({ headers }: ProbeResponse): string {
  return (headers['content-type'] ?? '').toLowerCase().replaceAll(' ', '');
}
