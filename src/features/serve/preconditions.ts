import type { IncomingHttpHeaders } from 'node:http';

interface Validators {
  readonly etag: string;
  /** Epoch seconds. */
  readonly modified: number;
}

/** Whether the document is another than the client must find. */
export function isRefused(headers: IncomingHttpHeaders, { etag, modified }: Validators): boolean {
  const wanted = headers['if-match'];
  if (wanted !== undefined) return !tagsIn(wanted).some((tag) => tag === '*' || tag === etag);
  const since = Date.parse(headers['if-unmodified-since'] ?? '');
  return Number.isFinite(since) && since < modified * 1000;
}

/** Whether the client has this very response already. */
export function isFresh(headers: IncomingHttpHeaders, { etag, modified }: Validators): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) return tagsIn(known).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
  const since = Date.parse(headers['if-modified-since'] ?? '');
  return Number.isFinite(since) && since >= modified * 1000;
}

function tagsIn(list: string): string[] {
  return list.split(',').map((tag) => tag.trim());
}
