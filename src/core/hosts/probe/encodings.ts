import { JSON_MEDIA_TYPE } from '../../api/dialect.ts';
import { mediaTypeOf, type ProbeResponse, sameBytes } from '../../api/http-exchange.ts';
import type { Check, Probing } from './probing.ts';

type EncodingCases = readonly (readonly [accept: string, codings: readonly string[]])[];

/** Common values of `Accept-Encoding`. The probe sends these values for every document. */
const COMMON: EncodingCases = [
  ['gzip', ['gzip']],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
];

/** Rare values of `Accept-Encoding`. The probe sends these values for one document of each form. */
const RARE: EncodingCases = [
  ['br', ['br']],
  ['gzip, br', ['br', 'gzip']],
  ['gzip, br;q=0', ['gzip']],
  ['br;q=1.0, gzip;q=0', ['br']],
  ['gzip;q=0, br; q=0.0', ['identity']],
  ['identity', ['identity']],
  ['br;q=0.1, gzip;q=0.9', ['gzip']],
  ['br;q=0.85, gzip;q=0.8', ['br']],
];

/** Only requests with this header get compressed responses in the legacy dialect. */
const JSON_WANTED = { Accept: JSON_MEDIA_TYPE };

export const checkEncodings: Check = async (probing) => {
  const { ask, sample } = probing;
  const known = new Set<string>();
  const documents = [
    ...[...sample.paths, ...sample.raw].map(({ url, endpoint }) => ({ path: url, form: endpoint.form })),
    ...sample.paths.map(({ url, endpoint }) => ({ path: `${url}?pretty`, form: `${endpoint.form}?pretty` })),
  ];
  for (const { path, form } of documents) {
    const plain = await ask({ path, headers: JSON_WANTED });
    const tags = new Map<string, string>();
    const asked = known.has(form) ? COMMON : [...COMMON, ...RARE];
    known.add(form);
    for (const [accept, codings] of asked) {
      const headers = { ...JSON_WANTED, 'Accept-Encoding': accept };
      const response = await ask({ path, headers });
      const request = `${path} with Accept-Encoding: ${accept}`;
      expectCoding({ plain, response, codings, request }, probing);
      const etag = newTag(response, request, tags, probing);
      if (etag === undefined) continue;
      const { status } = await ask({ path, headers: { ...headers, 'If-None-Match': etag } });
      if (status !== 304) probing.report(`${request} and its ETag`, `answers ${status}, not 304`);
    }
  }
  if (sample.vendor !== undefined) await expectVendorTypesPlain(probing);
};

function codingOf({ headers }: ProbeResponse): string {
  return headers['content-encoding'] ?? 'identity';
}

/** Expects no compression of responses with vendor media types, because legacy clients cannot decompress. */
async function expectVendorTypesPlain({ ask, sample, report }: Probing): Promise<void> {
  for (const { url, endpoint } of sample.paths) {
    // JSON Feed defines its own media type, which both dialects use.
    if (endpoint.form === 'feed') continue;
    const plain = await ask({ path: url });
    for (const accept of ['gzip, deflate', 'gzip, deflate, br']) {
      const response = await ask({ path: url, headers: { 'Accept-Encoding': accept } });
      const request = `${url} of the vendor's type with Accept-Encoding: ${accept}`;
      if (codingOf(response) !== 'identity') report(request, `comes as ${codingOf(response)}, not identity`);
      else if (!sameBytes(plain, response)) report(request, 'holds another document');
    }
  }
}

/** Returns a strong, new ETag. `tags` maps known ETags to codings, because each coding needs its own ETag. */
function newTag(
  response: ProbeResponse,
  request: string,
  tags: Map<string, string>,
  { report }: Probing,
): string | undefined {
  const etag = response.headers['etag'];
  const coding = codingOf(response);
  if (etag === undefined || etag.startsWith('W/')) return undefined;
  const other = tags.get(etag);
  if (other !== undefined && other !== coding) report(request, `has the ETag of ${other}`);
  if (other !== undefined) return undefined;
  tags.set(etag, coding);
  return etag;
}

interface Coded {
  readonly plain: ProbeResponse;
  readonly response: ProbeResponse;
  readonly codings: readonly string[];
  readonly request: string;
}

function expectCoding({ plain, response, codings, request }: Coded, { decode, report }: Probing): void {
  const coding = codingOf(response);
  if (!codings.includes(coding)) {
    report(request, `comes as ${coding}, not ${codings.join(' or ')}`);
    return;
  }
  const body = coding === 'identity' ? response.body : decode(coding, response.body);
  if (!body || !sameBytes(plain, { ...response, body })) {
    report(request, 'holds another document');
    return;
  }
  if (!/accept-encoding/i.test(response.headers['vary'] ?? ''))
    report(request, 'does not name Accept-Encoding in Vary');
  for (const [found, wanted] of [
    [mediaTypeOf(response), mediaTypeOf(plain)],
    [response.headers['cache-control'], plain.headers['cache-control']],
  ]) {
    if (found !== wanted) report(request, `has ${found}, not ${wanted}`);
  }
}
