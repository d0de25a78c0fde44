/** The checks of ETag and Last-Modified: that they are there, mean what they should, and are answered with 304. */

import { jsonOf, type ProbeResponse, type SendRequest } from '../../api/http-exchange.ts';
import { asText, isJsonObject } from '../../model/json.ts';
import type { Check } from './probing.ts';

const UNMODIFIED = 304;

export const checkETags: Check = async ({ ask, sample, fails }) => {
  for (const { url } of sample.paths) {
    const plain = await ask({ path: url });
    const etag = plain.headers['etag'];
    if (etag === undefined) {
      fails(url, 'has no ETag');
      continue;
    }
    for (const tags of [etag, `"other", ${etag}`, `W/${etag.replace(/^W\//, '')}`]) {
      const response = await ask({ path: url, headers: { 'If-None-Match': tags } });
      const request = `${url} with If-None-Match: ${tags}`;
      if (response.status !== UNMODIFIED) fails(request, `answers ${response.status}, not 304`);
      else {
        for (const name of changedInUnmodified(plain, response))
          fails(request, `is 304 with ${name}: ${response.headers[name] ?? 'none'}`);
      }
    }
    const { status } = await ask({ path: url, headers: { 'If-None-Match': '"other"' } });
    if (status !== 200) fails(`${url} with another ETag`, `answers ${status}, not 200`);
  }
};

/** What a 304 must have as the 200 has it (RFC 9110, section 15.4.5). */
function changedInUnmodified(plain: ProbeResponse, unmodified: ProbeResponse): string[] {
  return ['etag', 'cache-control', 'vary'].filter((name) => plain.headers[name] !== unmodified.headers[name]);
}

export const checkLastModified: Check = async ({ ask, sample, fails }) => {
  const times = await revisionTimes(ask);
  for (const { url } of sample.paths) {
    const response = await ask({ path: url });
    const modified = Date.parse(response.headers['last-modified'] ?? '');
    if (Number.isNaN(modified)) {
      fails(url, 'has no Last-Modified');
      continue;
    }
    const time = times.get(revisionOf(response));
    if (time && modified < time.own) fails(url, 'has a Last-Modified before the time of its revision');
    if (time && modified > time.latest) fails(url, 'has a Last-Modified after the time of its revision');
    const at = async (since: number) =>
      (await ask({ path: url, headers: { 'If-Modified-Since': new Date(since).toUTCString() } })).status;
    const same = await at(modified);
    if (same !== UNMODIFIED) fails(`${url} with If-Modified-Since`, `answers ${same}, not 304`);
    const later = await at(modified + 60_000);
    if (later !== UNMODIFIED) fails(`${url} with a later If-Modified-Since`, `answers ${later}, not 304`);
    const before = await at(modified - 1000);
    if (before !== 200) fails(`${url} with an earlier If-Modified-Since`, `answers ${before}, not 200`);
  }
};

function revisionOf(response: ProbeResponse): string {
  const document = jsonOf(response);
  return isJsonObject(document) ? asText(document['version']) : '';
}

interface RevisionTime {
  readonly own: number;
  /** Revisions may share a second or go backwards in time: each is modified a second after its parents at least. */
  readonly latest: number;
}

/** When each revision is from, in epoch milliseconds; empty when the list of versions cannot be read. */
async function revisionTimes(ask: SendRequest): Promise<ReadonlyMap<string, RevisionTime>> {
  const times = new Map<string, RevisionTime>();
  const document = jsonOf(await ask({ path: '/versions' }));
  const items: unknown[] = isJsonObject(document) && Array.isArray(document['items']) ? document['items'] : [];
  let latest = 0;
  for (const item of items.toReversed()) {
    if (!isJsonObject(item)) continue;
    const own = Date.parse(asText(item['date']));
    if (Number.isNaN(own)) continue;
    latest = Math.max(latest + 1000, own);
    times.set(asText(item['uid']), { own, latest });
  }
  return times;
}
