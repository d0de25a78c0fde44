/** A probe uses plain HTTP. It follows no redirects, and it neither decodes nor normalizes requests and responses. */
import { type Json, jsonIn } from '../model/json.ts';
import { DOCUMENT_BYTES } from '../platform/limits.ts';

export interface ProbeRequest {
  readonly method?: string;
  /** The path and the query of the request, relative to the base. The probe sends the path without changes. */
  readonly path: string;
  /** If the value is a list, each item of the list becomes a header line. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export interface ProbeResponse {
  readonly status: number;
  /** Names are in lowercase. Values of repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export type SendRequest = (request: ProbeRequest) => Promise<ProbeResponse>;

export function bodyText({ body }: ProbeResponse): string {
  return new TextDecoder().decode(body);
}

/** Returns undefined for a body that is too large, not JSON or not UTF-8 (RFC 8259, section 8.1). */
export function jsonOf({ body }: ProbeResponse, most = DOCUMENT_BYTES): Json | undefined {
  return body.length > most ? undefined : jsonIn(body);
}

export function sameBytes(a: ProbeResponse, b: ProbeResponse): boolean {
  return a.body.length === b.body.length && a.body.every((byte, i) => byte === b.body[i]);
}

/** Returns the Content-Type with its parameters, in lowercase and without spaces. */
export function mediaTypeOf({ headers }: ProbeResponse): string {
  return (headers['content-type'] ?? '').toLowerCase().replaceAll(' ', '');
}
