/**
 * The check of precompressed variants: which encoding is chosen, that it holds the same document, and that what clients
 * do not decode is not encoded.
 */
import { JSON_MEDIA_TYPE } from '../../api/dialect.ts';
import { mediaTypeOf, type ProbeResponse, sameBytes } from '../../api/http-exchange.ts';
import type { Probing } from './probing.ts';

/** Undoes a content coding; undefined when the bytes are not of it. */
export type Decode = (coding: string, bytes: Uint8Array) => Uint8Array | undefined;

/** What requests ask for, and the codings that may come: both where the request leaves it open. */
type Asked = readonly (readonly [accept: string, codings: readonly string[]])[];

/** What programs and browsers say: asked of each document, since each has variants of its own. */
const COMMON: Asked = [
  ['gzip', ['gzip']],
  ['gzip, deflate, br, zstd', ['br', 'gzip']],
];

/** What only the server's reading of the header decides: asked of one document of each form. */
const RARE: Asked = [
  ['br', ['br']],
  ['gzip, br', ['br', 'gzip']],
  ['gzip, br;q=0', ['gzip']],
  ['br;q=1.0, gzip;q=0', ['br']],
  ['gzip;q=0, br; q=0.0', ['identity']],
  ['identity', ['identity']],
  ['br;q=0.1, gzip;q=0.9', ['gzip']],
  ['br;q=0.85, gzip;q=0.8', ['br']],
];

export async function checkEncodings({ ask, sample, fails }: Probing, decode: Decode): Promise<void> {
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
      const response = await ask({ path, headers: { ...JSON_WANTED, 'Accept-Encoding': accept } });
      expectCoding({ plain, response, codings, request: `${path} with Accept-Encoding: ${accept}` }, decode, fails);
      await expectOwnTag({ ask, fails, path, accept, response, tags });
    }
  }
  if (sample.vendor !== undefined) await expectVendorTypesPlain({ ask, sample, fails });
}

/** What is always compressed where anything is: in the legacy dialect only those who ask for it decode. */
const JSON_WANTED = { Accept: JSON_MEDIA_TYPE };

/** Clients that ask for the vendor's types name codings, as their HTTP library does, and decode none. */
async function expectVendorTypesPlain({ ask, sample, fails }: Probing): Promise<void> {
  for (const { url, endpoint } of sample.paths) {
    // A JSON Feed has the type that all readers of feeds know.
    if (endpoint.form === 'feed') continue;
    const plain = await ask({ path: url });
    for (const accept of ['gzip, deflate', 'gzip, deflate, br']) {
      const response = await ask({ path: url, headers: { 'Accept-Encoding': accept } });
      const request = `${url} of the vendor's type with Accept-Encoding: ${accept}`;
      const coding = response.headers['content-encoding'] ?? 'identity';
      if (coding !== 'identity') fails(request, `comes as ${coding}, not identity`);
      else if (!sameBytes(plain, response)) fails(request, 'holds another document');
    }
  }
}

interface Tagged extends Pick<Probing, 'ask' | 'fails'> {
  readonly path: string;
  readonly accept: string;
  readonly response: ProbeResponse;
  /** The codings of the path by their ETags. */
  readonly tags: Map<string, string>;
}

/** Each coding has an ETag of its own, and is answered with 304 to who has it. */
async function expectOwnTag({ ask, fails, path, accept, response, tags }: Tagged): Promise<void> {
  const etag = response.headers['etag'];
  const coding = response.headers['content-encoding'] ?? 'identity';
  if (etag === undefined || etag.startsWith('W/')) return;
  const request = `${path} with Accept-Encoding: ${accept}`;
  const other = tags.get(etag);
  if (other !== undefined && other !== coding) fails(request, `has the ETag of ${other}`);
  if (other !== undefined) return;
  tags.set(etag, coding);
  const { status } = await ask({ path, headers: { ...JSON_WANTED, 'Accept-Encoding': accept, 'If-None-Match': etag } });
  if (status !== 304) fails(`${request} and its ETag`, `answers ${status}, not 304`);
}

interface Coded {
  readonly plain: ProbeResponse;
  readonly response: ProbeResponse;
  readonly codings: readonly string[];
  readonly request: string;
}

function expectCoding({ plain, response, codings, request }: Coded, decode: Decode, fails: Probing['fails']): void {
  const coding = response.headers['content-encoding'] ?? 'identity';
  if (!codings.includes(coding)) {
    fails(request, `comes as ${coding}, not ${codings.join(' or ')}`);
    return;
  }
  const body = coding === 'identity' ? response.body : decode(coding, response.body);
  if (!body || !sameBytes(plain, { ...response, body })) {
    fails(request, 'holds another document');
    return;
  }
  if (!/accept-encoding/i.test(response.headers['vary'] ?? '')) fails(request, 'does not name Accept-Encoding in Vary');
  for (const [found, wanted] of [
    [mediaTypeOf(response), mediaTypeOf(plain)],
    [response.headers['cache-control'], plain.headers['cache-control']],
  ]) {
    if (found !== wanted) fails(request, `has ${found}, not ${wanted}`);
  }
}
