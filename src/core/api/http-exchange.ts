/** What a probe asks and what it is answered: plain HTTP, with nothing followed, decoded or normalised on the way. */
import { type Json, parsedJson } from '../model/json.ts';
import { DOCUMENT_BYTES } from '../platform/limits.ts';

export interface ProbeRequest {
  readonly method?: string;
  /** The path and query below the base, sent as they are. */
  readonly path: string;
  /** Of a list each value has a line of its own. */
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

export interface ProbeResponse {
  readonly status: number;
  /** By lowercase name; repeated headers joined with a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export type SendRequest = (request: ProbeRequest) => Promise<ProbeResponse>;

export function bodyText({ body }: ProbeResponse): string {
  return new TextDecoder().decode(body);
}

/** The body as JSON; undefined when it is none. */
export function jsonOf(response: ProbeResponse): Json | undefined {
  return response.body.length > DOCUMENT_BYTES ? undefined : parsedJson(bodyText(response));
}

export function sameBytes(a: ProbeResponse, b: ProbeResponse): boolean {
  return a.body.length === b.body.length && a.body.every((byte, i) => byte === b.body[i]);
}

/** A media type without white space, in lowercase. */
export function mediaTypeOf({ headers }: ProbeResponse): string {
  return (headers['content-type'] ?? '').toLowerCase().replaceAll(' ', '');
}
